#include "codecs/netml/strict/strict_reader.hpp"

#include <fmt/format.h>
#include "codecs/document/xml_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace netml::codecs {

namespace {

constexpr std::size_t kSignatureBytes = 4;

// What a file is that is not what its name says, from its first bytes: "a zip archive; ...", of
// kSignatureBytes; empty when it is nothing known.
std::string_view foreign_format(std::string_view start) {
  using namespace std::string_view_literals;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kSignatures{{
      {"PK\3\4"sv, "a zip archive; if it is a spreadsheet, give it a name that ends in .xlsx"sv},
      {"\x1f\x8b"sv, "compressed by gzip; expand it first"sv},
      {"\x28\xb5\x2f\xfd"sv, "compressed by zstd; expand it first"sv},
      {"\xd0\xcf\x11\xe0"sv,
       "an Office file of the old kind or encrypted; save it as .xlsx without "
       "a password"sv},
      {"%PDF"sv, "a PDF document"sv},
  }};
  for (const auto& [signature, name] : kSignatures)
    if (start.starts_with(signature)) return name;
  return {};
}

}  // namespace

StrictReader::StrictReader(const ReadLimits& limits)
    : errors_(limits.errors),
      document_(errors_),
      content_(limits, errors_, document_),
      stream_(limits, *this) {}

void StrictReader::feed(std::span<const std::byte> bytes) {
  const auto wanted = std::min(kSignatureBytes - signature_.size(), bytes.size());
  for (const std::byte byte : bytes.first(wanted)) signature_ += static_cast<char>(byte);
  stream_.feed(bytes);
}

ReadResult StrictReader::finish() {
  stream_.finish();
  if (errors_.empty()) return std::move(document_).take();
  engine::InputErrors errors = std::move(errors_).take();
  // References are checked when their topology is complete, later than what follows them.
  std::ranges::stable_sort(errors.first, {}, [](const engine::InputError& error) {
    return std::pair(error.line, error.column);
  });
  return tl::make_unexpected(std::move(errors));
}

void StrictReader::abandon(std::string_view code, std::string_view message) {
  errors_.report_last(code, message, {});
  stream_.stop();
}

// ---- events ----

void StrictReader::start_element(const XmlName& name, std::span<const XmlAttribute> attributes) {
  if (skipping_ > 0) {
    ++skipping_;
    return;
  }
  if (const auto element = open_.empty() ? admit_root(name) : admit_child(name)) {
    open_.push_back({&rule_of(*element), stream_.position()});
    content_.begin(open_.back(), attributes);
  } else {
    skipping_ = 1;
  }
  stop_if_closed();
}

void StrictReader::text(std::string_view piece) {
  if (skipping_ > 0) return;
  OpenElement& element = open_.back();
  if (element.rule->is_text()) {
    content_.append_text(piece, element.position);
  } else if (!element.noted && !is_xml_blank(piece)) {
    element.noted = true;
    report("unexpected-text",
           fmt::format("text is not allowed inside {}", display_name(*element.rule)),
           stream_.position());
  }
  stop_if_closed();
}

void StrictReader::end_element() {
  if (skipping_ > 0) {
    --skipping_;
    return;
  }
  check_children(open_.back());
  content_.end(open_.back());
  open_.pop_back();
  stop_if_closed();
}

void StrictReader::fault(std::string_view code, std::string_view message) {
  const std::string_view format = foreign_format(signature_);
  if (!format.empty())
    return errors_.report_last("not-well-formed",
                               fmt::format("the file is not well-formed XML: it is {}", format),
                               {1, 1});
  errors_.report_last(code, message, stream_.position(), content_.subject());
}

// ---- the grammar ----

std::optional<Element> StrictReader::admit_root(const XmlName& name) {
  const ElementRule& topology = rule_of(Element::topology);
  if (name.local == topology.name && name.space == topology.space) return Element::topology;
  errors_.report_last(
      "wrong-root",
      fmt::format("the root element must be Topology in namespace {}", kNetmlNamespace),
      stream_.position());
  return std::nullopt;
}

std::optional<Element> StrictReader::admit_child(const XmlName& name) {
  OpenElement& parent = open_.back();
  const std::optional<std::size_t> place = find_child(*parent.rule, parent.place, name);
  if (!place) {
    refuse_child(name);
    return std::nullopt;
  }
  const ChildRule& child = parent.rule->children[*place];
  std::uint8_t& count = parent.counts[*place];
  const bool repeated = count == child.max;
  if (!repeated && count + 1 < kMany) ++count;
  if (repeated || *place < parent.place) refuse_child(name);
  parent.place = std::max(parent.place, static_cast<std::uint8_t>(*place));
  if (repeated) return std::nullopt;
  if (parent.rule->element == Element::topology && !content_.takes(child.element))
    return std::nullopt;
  return child.element;
}

void StrictReader::refuse_child(const XmlName& name) {
  OpenElement& parent = open_.back();
  if (parent.rule->element == Element::nml_topology && name.space == kNmlNamespace) {
    if (!std::exchange(parent.noted, true)) content_.note_skipped(parent);
    return;
  }
  report("unexpected-element",
         fmt::format("{} is not expected here; {}", display_name(name), expectation(parent)),
         stream_.position());
}

void StrictReader::check_children(const OpenElement& element) {
  for (std::size_t i = 0; i < element.rule->children.size(); ++i) {
    const ChildRule& child = element.rule->children[i];
    if (element.counts[i] < child.min)
      report("missing-element",
             fmt::format("{} lacks required child {}", display_name(*element.rule),
                         display_name(rule_of(child.element))),
             element.position);
  }
}

}  // namespace netml::codecs
