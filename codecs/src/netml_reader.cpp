#include "codecs/netml_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codecs/src/document_builder.hpp"
#include "codecs/src/error_list.hpp"
#include "codecs/src/netml_grammar.hpp"
#include "codecs/src/numbers.hpp"
#include "codecs/src/record_builder.hpp"
#include "codecs/src/xml_stream.hpp"

namespace netml::codecs {

namespace {

// Metres; what is stored lies between them (format.md, section 7).
constexpr double kAltitudeMin = -11'000;
constexpr double kAltitudeMax = 9'000;

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// Attributes that every element may have: xsi:schemaLocation, xml:lang and their kin.
bool is_ignored(const XmlName& attribute) {
  return attribute.space == kXsiNamespace || attribute.space == kXmlNamespace;
}

std::optional<Kind> kind_of(Element element) {
  switch (element) {
    case Element::topology:
      return Kind::topology;
    case Element::institution:
      return Kind::institution;
    case Element::link:
      return Kind::link;
    case Element::node:
      return Kind::node;
    default:
      return std::nullopt;
  }
}

// An element that has begun and not ended.
struct Frame {
  const ElementRule* rule = nullptr;
  TextPosition position;
  std::uint8_t place = 0;                    // of the furthest child so far
  std::uint8_t counts[kChildRulesMax] = {};  // of children by place, at most kMany - 1
  bool noted = false;                        // forbidden text or skipped content was told of

  std::uint8_t count(Element child) const {
    for (std::size_t i = 0; i < rule->children.size(); ++i)
      if (rule->children[i].element == child) return counts[i];
    return 0;
  }
};

}  // namespace

// Follows the elements with a stack of frames and checks each against the grammar. The subtree of
// an element that may not be where it is gets skipped; one that only comes too late is read, so
// that its contents are checked as well.
class NetmlReader::Impl final : public XmlEvents {
 public:
  explicit Impl(const ReadLimits& limits)
      : limits_(limits),
        errors_(limits.errors),
        document_(errors_),
        record_(document_.notes()),
        stream_(limits, *this) {}

  void feed(std::span<const std::byte> bytes) { stream_.feed(bytes); }
  bool hopeless() const { return stream_.stopped(); }
  ReadResult finish();

  void start_element(const XmlName& name, std::span<const XmlAttribute> attributes) override;
  void end_element() override;
  void text(std::string_view piece) override;
  void fault(std::string_view code, std::string_view message) override;

 private:
  // ---- structure ----
  std::optional<Element> admit_root(const XmlName& name);
  std::optional<Element> admit_child(const XmlName& name);
  void refuse_child(const XmlName& name);
  bool still_open_for(const Frame& parent, Element child) const;
  void open(Element element, std::span<const XmlAttribute> attributes);
  void check_children(const Frame& frame);
  void close(const Frame& frame);

  // ---- records ----
  void begin_record(Kind kind, std::span<const XmlAttribute> attributes);
  void check_id(std::optional<std::string_view> id);
  void begin_property(std::span<const XmlAttribute> attributes);
  void refuse_attributes(std::span<const XmlAttribute> attributes,
                         std::initializer_list<std::string_view> known);
  void end_record(const Frame& frame);
  void end_header();
  void end_members();

  // ---- values, from the text of the element that ends ----
  void end_text(const Frame& frame);
  void end_owner(TextPosition at);
  std::optional<Instant> timestamp(std::string_view text, TextPosition at);
  std::optional<double> number(TextPosition at);
  std::optional<engine::Micro> degrees(std::string_view what, double limit, TextPosition at);
  std::optional<engine::Micro> altitude(TextPosition at);

  void report(std::string_view code, std::string_view message, TextPosition at);
  void exceed(std::string_view message);  // a limit
  std::string_view subject() const { return in_record_ ? record_.id() : document_.topology_id(); }

  ReadLimits limits_;
  ErrorList errors_;
  DocumentBuilder document_;
  RecordBuilder record_;
  XmlStream stream_;
  std::vector<Frame> frames_;
  std::uint32_t skipping_ = 0;  // open elements of a subtree that is not looked at
  bool in_record_ = false;      // record_ is being filled
};

ReadResult NetmlReader::Impl::finish() {
  stream_.finish();
  if (!errors_.empty()) return tl::make_unexpected(std::move(errors_).take());
  return std::move(document_).take();
}

void NetmlReader::Impl::report(std::string_view code, std::string_view message, TextPosition at) {
  errors_.report(code, message, at, subject());
  if (errors_.full()) stream_.stop();
}

void NetmlReader::Impl::fault(std::string_view code, std::string_view message) {
  report(code, message, stream_.position());
}

void NetmlReader::Impl::exceed(std::string_view message) {
  report("too-large", message, stream_.position());
  stream_.stop();
}

// ---- structure ----

void NetmlReader::Impl::start_element(const XmlName& name,
                                      std::span<const XmlAttribute> attributes) {
  if (skipping_ > 0) {
    ++skipping_;
    return;
  }
  const std::optional<Element> element = frames_.empty() ? admit_root(name) : admit_child(name);
  if (element)
    open(*element, attributes);
  else
    skipping_ = 1;
}

std::optional<Element> NetmlReader::Impl::admit_root(const XmlName& name) {
  const ElementRule& topology = rule_of(Element::topology);
  if (name.local == topology.name && name.space == topology.space) return Element::topology;
  report("wrong-root",
         fmt::format("the root element must be Topology in namespace {}", kNetmlNamespace),
         stream_.position());
  stream_.stop();
  return std::nullopt;
}

std::optional<Element> NetmlReader::Impl::admit_child(const XmlName& name) {
  Frame& parent = frames_.back();
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
  if (repeated || !still_open_for(parent, child.element)) return std::nullopt;
  return child.element;
}

void NetmlReader::Impl::refuse_child(const XmlName& name) {
  Frame& parent = frames_.back();
  if (parent.rule->element == Element::nml_topology && name.space == kNmlNamespace) {
    if (!std::exchange(parent.noted, true))
      document_.notes().push_back(
          {false, Kind::topology,
           fmt::format("Topology {}: the contents of nml:Topology at line {} are skipped",
                       document_.topology_id(), parent.position.line)});
    return;
  }
  std::size_t next = parent.place;
  const auto children = parent.rule->children;
  while (next < children.size() && parent.counts[next] == children[next].max) ++next;
  report("unexpected-element",
         fmt::format("{} is not expected here; {}", display_name(name),
                     expectation(*parent.rule, next)),
         stream_.position());
}

// A topology's parts are complete when the next part begins.
bool NetmlReader::Impl::still_open_for(const Frame& parent, Element child) const {
  if (parent.rule->element != Element::topology) return true;
  switch (child) {
    case Element::name:
    case Element::owner:
    case Element::property:
      return in_record_;
    case Element::institution:
    case Element::link:
    case Element::node:
      return in_record_ || document_.body_open();
    default:
      return true;
  }
}

void NetmlReader::Impl::open(Element element, std::span<const XmlAttribute> attributes) {
  frames_.push_back({&rule_of(element), stream_.position()});
  if (const std::optional<Kind> kind = kind_of(element)) {
    begin_record(*kind, attributes);
  } else if (element == Element::property) {
    begin_property(attributes);
  } else if (element != Element::nml_topology) {
    refuse_attributes(attributes, {});
    record_.begin_text();
  }
}

void NetmlReader::Impl::text(std::string_view piece) {
  if (skipping_ > 0 || frames_.empty()) return;
  Frame& frame = frames_.back();
  if (frame.rule->content == Content::children) {
    if (frame.noted || is_blank(piece)) return;
    frame.noted = true;
    report("unexpected-text",
           fmt::format("text is not allowed inside {}", display_name(*frame.rule)),
           stream_.position());
    return;
  }
  record_.append_text(piece);
  if (record_.text().size() > limits_.text_bytes)
    exceed(fmt::format("a text is longer than {} bytes", limits_.text_bytes));
}

void NetmlReader::Impl::end_element() {
  if (skipping_ > 0) {
    --skipping_;
    return;
  }
  const Frame frame = frames_.back();
  frames_.pop_back();
  check_children(frame);
  close(frame);
}

void NetmlReader::Impl::check_children(const Frame& frame) {
  for (std::size_t i = 0; i < frame.rule->children.size(); ++i) {
    const ChildRule& child = frame.rule->children[i];
    if (frame.counts[i] < child.min)
      report("missing-element",
             fmt::format("{} lacks required child {}", display_name(*frame.rule),
                         display_name(rule_of(child.element))),
             frame.position);
  }
}

void NetmlReader::Impl::close(const Frame& frame) {
  if (kind_of(frame.rule->element)) return end_record(frame);
  switch (frame.rule->element) {
    case Element::lifetime:
      if (frame.count(Element::end) > 0 && frame.count(Element::start) == 0)
        report("lifetime-order",
               fmt::format("the Lifetime of {} {} has an end without a start",
                           kind_name(record_.kind()), record_.id()),
               frame.position);
      return;
    case Element::location:
    case Element::nml_topology:
      return;
    default:
      return end_text(frame);
  }
}

// ---- records ----

namespace {

std::optional<std::string_view> find_attribute(std::span<const XmlAttribute> attributes,
                                               std::string_view name) {
  for (const XmlAttribute& attribute : attributes)
    if (attribute.name.local == name && attribute.name.space.empty()) return attribute.value;
  return std::nullopt;
}

}  // namespace

void NetmlReader::Impl::begin_record(Kind kind, std::span<const XmlAttribute> attributes) {
  const TextPosition at = frames_.back().position;
  if (in_record_) end_header();
  if (kind == Kind::topology) {
    end_members();
    document_.open_topology();
  }
  const std::optional<std::string_view> id = find_attribute(attributes, "id");
  const std::string_view text = id.value_or("");
  const std::optional<std::string> cut = engine::cut_text(text, engine::kIdCharactersMax);
  record_.start(kind, cut ? *cut : text, at);
  in_record_ = true;
  check_id(id);
  if (const auto version = find_attribute(attributes, "version"))
    record_.version = timestamp(*version, at);
  refuse_attributes(attributes, {"id", "version"});
}

void NetmlReader::Impl::check_id(std::optional<std::string_view> id) {
  const std::string_view kind = kind_name(record_.kind());
  const TextPosition at = record_.position();
  if (!id)
    report("missing-attribute", fmt::format("attribute id is missing on {}", kind), at);
  else if (id->empty())
    report("id-empty", fmt::format("the id of {} is empty", kind), at);
  else if (record_.id().size() != id->size())
    report("id-too-long",
           fmt::format("the id of {} is longer than {} characters", kind, engine::kIdCharactersMax),
           at);
}

void NetmlReader::Impl::begin_property(std::span<const XmlAttribute> attributes) {
  const TextPosition at = frames_.back().position;
  const std::optional<std::string_view> name = find_attribute(attributes, "name");
  if (!name) report("missing-attribute", "attribute name is missing on Property", at);
  record_.begin_property(name.value_or(""));
  refuse_attributes(attributes, {"name"});
}

void NetmlReader::Impl::refuse_attributes(std::span<const XmlAttribute> attributes,
                                          std::initializer_list<std::string_view> known) {
  for (const XmlAttribute& attribute : attributes) {
    const XmlName& name = attribute.name;
    if (name.space.empty() && std::ranges::find(known, name.local) != known.end()) continue;
    if (is_ignored(name)) continue;
    const std::string shown = name.space.empty() ? excerpt(name.local) : display_name(name);
    report("unexpected-attribute",
           fmt::format("attribute {} is not expected on {}", shown,
                       display_name(*frames_.back().rule)),
           frames_.back().position);
  }
}

// What the innermost topology says of itself is complete.
void NetmlReader::Impl::end_header() {
  document_.close_header(record_.make(), record_.position());
  in_record_ = false;
}

// What the innermost topology lists is complete.
void NetmlReader::Impl::end_members() {
  if (document_.body_open()) document_.close_body();
  if (errors_.full()) stream_.stop();
}

void NetmlReader::Impl::end_record(const Frame& frame) {
  const TextPosition at = frame.position;
  switch (frame.rule->element) {
    case Element::topology:
      if (in_record_) end_header();
      end_members();
      return document_.close_topology();
    case Element::institution:
      document_.add_institution(record_.make(), at);
      break;
    case Element::link:
      document_.add_link(record_.make(), at);
      break;
    default:
      if (frame.count(Element::location) == 0)
        record_.note(true, "has no Location; its position is unknown");
      document_.add_node(record_.make(), at);
      break;
  }
  in_record_ = false;
  if (errors_.full()) stream_.stop();
}

// ---- values ----

void NetmlReader::Impl::end_text(const Frame& frame) {
  const TextPosition at = frame.position;
  if (record_.bytes() > limits_.record_bytes)
    return exceed(fmt::format("a record is larger than {} bytes", limits_.record_bytes));
  switch (frame.rule->element) {
    case Element::name:
      if (record_.text().empty())
        report("name-missing",
               fmt::format("{} {} has no name", kind_name(record_.kind()), record_.id()), at);
      return record_.set_name();
    case Element::short_name:
      return record_.set_short_name();
    case Element::unlocode:
      return record_.set_unlocode();
    case Element::address:
      return record_.set_address();
    case Element::property:
      return record_.set_property_value();
    case Element::owner:
      end_owner(at);
      break;
    case Element::node_reference:
      document_.add_end(record_.text(), at);
      break;
    case Element::start:
      record_.start_time = timestamp(record_.text(), at);
      break;
    case Element::end:
      record_.end_time = timestamp(record_.text(), at);
      break;
    case Element::longitude:
      record_.longitude = degrees("longitude", 180, at);
      break;
    case Element::latitude:
      record_.latitude = degrees("latitude", 90, at);
      break;
    case Element::altitude:
      record_.altitude = altitude(at);
      break;
    default:
      break;
  }
  record_.drop_text();
}

void NetmlReader::Impl::end_owner(TextPosition at) {
  if (record_.kind() != Kind::topology) return document_.add_owner(record_.text(), at);
  if (record_.text().empty())
    return report("owner-missing", fmt::format("topology {} names no owner", record_.id()), at);
  document_.set_primary_owner(record_.text(), at);
}

std::optional<Instant> NetmlReader::Impl::timestamp(std::string_view text, TextPosition at) {
  const std::optional<Instant> instant = parse_instant(text);
  if (!instant)
    report("bad-timestamp",
           fmt::format("\"{}\" is not a date-time with date, T, time and perhaps an offset",
                       excerpt(text)),
           at);
  return instant;
}

std::optional<double> NetmlReader::Impl::number(TextPosition at) {
  const std::optional<double> value = parse_number(record_.text());
  if (!value)
    report("bad-number", fmt::format("\"{}\" is not a number", excerpt(record_.text())), at);
  return value;
}

std::optional<engine::Micro> NetmlReader::Impl::degrees(std::string_view what, double limit,
                                                        TextPosition at) {
  const std::optional<double> value = number(at);
  if (!value) return std::nullopt;
  if (std::abs(*value) <= limit) return round_to_micro(*value);
  report(fmt::format("{}-range", what),
         fmt::format("{} {} is outside -{}..{}", what, excerpt(record_.text()), limit, limit), at);
  return std::nullopt;
}

std::optional<engine::Micro> NetmlReader::Impl::altitude(TextPosition at) {
  const std::optional<double> value = number(at);
  if (!value) return std::nullopt;
  if (std::isnan(*value)) {
    report("altitude-invalid", "altitude is not a number", at);
    return std::nullopt;
  }
  const double kept = std::clamp(*value, kAltitudeMin, kAltitudeMax);
  if (kept != *value)
    record_.note(false, fmt::format("altitude {} capped to {}", excerpt(record_.text()), kept));
  return round_to_micro(kept);
}

// ---- the public face ----

NetmlReader::NetmlReader(const ReadLimits& limits) : impl_(std::make_unique<Impl>(limits)) {}
NetmlReader::~NetmlReader() = default;
NetmlReader::NetmlReader(NetmlReader&&) noexcept = default;
NetmlReader& NetmlReader::operator=(NetmlReader&&) noexcept = default;

void NetmlReader::feed(std::span<const std::byte> bytes) {
  impl_->feed(bytes);
}
bool NetmlReader::hopeless() const {
  return impl_->hopeless();
}
ReadResult NetmlReader::finish() {
  return impl_->finish();
}

ReadResult read_netml(std::string_view text, const ReadLimits& limits) {
  NetmlReader reader(limits);
  reader.feed(std::as_bytes(std::span(text)));
  return reader.finish();
}

}  // namespace netml::codecs
