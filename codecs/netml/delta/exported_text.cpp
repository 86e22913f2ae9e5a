#include "codecs/netml/delta/exported_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/graph/document.hpp"

namespace netml::codecs {

namespace {

constexpr std::string_view kTopologyBegin = "<grenml:Topology id=";

struct ElementTags {
  Kind kind;
  std::string_view begin;
  std::string_view end;
};
// By rank.
constexpr std::array<ElementTags, kElementRanks> kElementTags{{
    {Kind::institution, "<grenml:Institution id=", "</grenml:Institution>"},
    {Kind::link, "<grenml:Link id=", "</grenml:Link>"},
    {Kind::node, "<grenml:Node id=", "</grenml:Node>"},
}};

// As xml_text.hpp writes them.
constexpr std::array<std::pair<std::string_view, char>, 7> kEscapes{{{"&amp;", '&'},
                                                                     {"&lt;", '<'},
                                                                     {"&gt;", '>'},
                                                                     {"&quot;", '"'},
                                                                     {"&#13;", '\r'},
                                                                     {"&#10;", '\n'},
                                                                     {"&#9;", '\t'}}};

std::optional<std::string> unescaped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find('&'), text.size());
    result += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const auto found = std::ranges::find_if(
        kEscapes, [&](const auto& escape) { return text.starts_with(escape.first); });
    if (found == kEscapes.end()) return std::nullopt;
    result += found->second;
    text.remove_prefix(found->first.size());
  }
  return result;
}

// The value in quotes that a text begins with.
std::optional<std::string_view> quoted(std::string_view text) {
  if (text.empty() || (text.front() != '"' && text.front() != '\'')) return std::nullopt;
  const std::size_t end = text.find(text.front(), 1);
  if (end == std::string_view::npos) return std::nullopt;
  return text.substr(1, end - 1);
}

tl::unexpected<Error> other_form(std::size_t place) {
  return fail(Errc::invalid_input, fmt::format("at byte {}: not as an export is written", place));
}

}  // namespace

ElementKey element_key(Kind kind, std::string id) {
  const auto tags = std::ranges::find(kElementTags, kind, &ElementTags::kind);
  const bool is_global = kind == Kind::institution && id == engine::kGlobalInstitutionId;
  return {static_cast<std::uint8_t>(tags - kElementTags.begin()), !is_global, std::move(id)};
}

Kind kind_of(const ElementKey& key) {
  return kElementTags.at(key.rank).kind;
}

std::optional<References> references_in(std::string_view text) {
  constexpr std::string_view kOwner = "<grenml:owner>";
  constexpr std::string_view kEnd = "<grenml:node>";
  References references;
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    const std::string_view rest = text.substr(at);
    const bool is_owner = rest.starts_with(kOwner);
    if (!is_owner && !rest.starts_with(kEnd)) continue;
    const std::size_t begin = is_owner ? kOwner.size() : kEnd.size();
    auto id = unescaped(rest.substr(begin, rest.find('<', begin) - begin));
    if (!id) return std::nullopt;
    (is_owner ? references.owners : references.ends).push_back(*std::move(id));
  }
  return references;
}

bool ExportedText::take(std::string_view literal) {
  const bool there = is_at(literal);
  if (there) at_ += literal.size();
  return there;
}

std::optional<std::string> ExportedText::take_attribute(std::string_view name) {
  const std::size_t begin = at_;
  if (!take(name) || !take("=")) return std::nullopt;
  const auto value = quoted(text_.substr(at_));
  auto plain = value ? unescaped(*value) : std::nullopt;
  at_ = plain ? at_ + value->size() + 2 : begin;
  return plain;
}

Result<ExportedText::Head> ExportedText::take_head() {
  const std::size_t begin = at_;
  const auto value =
      is_at(kTopologyBegin) ? quoted(text_.substr(at_ + kTopologyBegin.size())) : std::nullopt;
  auto id = value ? unescaped(*value) : std::nullopt;
  if (!id) return other_form(at_);
  const auto goes_on = [this] {
    return !is_at(kTopologyEnd) && !is_at(kTopologyBegin) &&
           std::ranges::none_of(kElementTags,
                                [this](const ElementTags& tags) { return is_at(tags.begin); });
  };
  do {
    at_ = std::min(text_.find('<', at_ + 1), text_.size());
  } while (!at_end() && goes_on());
  return Head{*std::move(id), since(begin)};
}

Status ExportedText::pass_element(std::size_t kind) {
  const std::size_t end = text_.find(kElementTags[kind].end, at_);
  if (end == std::string_view::npos) return other_form(at_);
  at_ = end + kElementTags[kind].end.size();
  return {};
}

Result<std::optional<ElementText>> ExportedText::take_element() {
  for (std::size_t kind = 0; kind < kElementTags.size(); ++kind) {
    if (!is_at(kElementTags[kind].begin)) continue;
    const std::size_t begin = at_;
    const auto value = quoted(text_.substr(at_ + kElementTags[kind].begin.size()));
    auto id = value ? unescaped(*value) : std::nullopt;
    if (!id) return other_form(at_);
    NETML_TRY_VOID(pass_element(kind));
    return ElementText{element_key(kElementTags[kind].kind, *std::move(id)), since(begin)};
  }
  return std::optional<ElementText>();
}

Status ExportedText::pass_elements() {
  for (std::size_t kind = 0; kind < kElementTags.size(); ++kind)
    while (is_at(kElementTags[kind].begin)) NETML_TRY_VOID(pass_element(kind));
  return {};
}

Result<std::vector<ExportedTopology>> split_export(std::string_view document) {
  std::vector<ExportedTopology> topologies;
  std::vector<std::size_t> open;  // around the place
  ExportedText text(document);
  if (!text.take(kXmlDeclaration)) return other_form(0);
  do {
    if (text.take(kTopologyEnd)) {
      if (open.empty()) return other_form(text.place());
      open.pop_back();
      continue;
    }
    const std::size_t begin = text.place();
    NETML_TRY(ExportedText::Head head, text.take_head());
    NETML_TRY_VOID(text.pass_elements());
    const auto parent = open.empty() ? std::nullopt : std::optional(open.back());
    open.push_back(topologies.size());
    topologies.push_back({std::move(head.id), parent, text.since(begin)});
  } while (!open.empty());
  if (!text.at_end()) return other_form(text.place());
  return topologies;
}

}  // namespace netml::codecs
