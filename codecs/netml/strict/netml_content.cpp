#include "codecs/netml/strict/netml_content.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "codecs/document/numbers.hpp"
#include "engine/base/wording.hpp"

namespace netml::codecs {

namespace {

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

// Attributes that every element may have: xsi:schemaLocation, xml:lang and their kin.
bool is_ignored(const XmlName& attribute) {
  return attribute.space == kXsiNamespace || attribute.space == kXmlNamespace;
}

std::optional<std::string_view> find_attribute(std::span<const XmlAttribute> attributes,
                                               std::string_view name) {
  for (const XmlAttribute& attribute : attributes)
    if (attribute.name.local == name && attribute.name.space.empty()) return attribute.value;
  return std::nullopt;
}

}  // namespace

NetmlContent::NetmlContent(const ReadLimits& limits, ErrorList& errors, DocumentEvents& document)
    : limits_(limits), errors_(errors), document_(document), record_(document.notes()) {}

bool NetmlContent::takes(Element child_of_topology) const {
  if (in_record_) return true;
  switch (child_of_topology) {
    case Element::owner:
    case Element::property:
      return false;
    case Element::institution:
    case Element::link:
    case Element::node:
      return document_.body_open();
    default:
      return rule_of(child_of_topology).attribute == nullptr;
  }
}

void NetmlContent::begin(const OpenElement& element, std::span<const XmlAttribute> attributes) {
  const Element which = element.rule->element;
  if (const std::optional<Kind> kind = kind_of(which)) {
    begin_record(*kind, element, attributes);
  } else if (which == Element::property) {
    begin_property(element, attributes);
  } else if (which != Element::nml_topology) {  // whose attributes are NML's affair
    refuse_attributes(element, attributes, {});
    record_.begin_text();
  }
}

void NetmlContent::append_text(std::string_view piece, TextPosition at) {
  record_.append_text(piece);
  if (record_.text().size() > limits_.text_bytes)
    errors_.report_last(
        "too-large",
        beyond_limit("the text is too long", limit_names::kXmlTextBytes, limits_.text_bytes), at,
        subject());
}

void NetmlContent::end(const OpenElement& element) {
  if (kind_of(element.rule->element)) return end_record(element);
  if (element.rule->element == Element::lifetime) return end_lifetime(element);
  if (element.rule->is_text()) end_text(element);
}

void NetmlContent::note_skipped(const OpenElement& nml_topology) {
  document_.notes().add(
      {false, Kind::topology,
       fmt::format("Topology {}: the contents of nml:Topology at line {} are skipped",
                   document_.topology_id(), nml_topology.position.line)});
}

// ---- records ----

void NetmlContent::begin_record(Kind kind, const OpenElement& element,
                                std::span<const XmlAttribute> attributes) {
  if (in_record_) end_header();
  if (kind == Kind::topology) {
    end_members();
    document_.open_topology();
  }
  const std::optional<std::string_view> id = find_attribute(attributes, "id");
  const std::string_view text = id.value_or("");
  const std::optional<std::string> cut = engine::cut_text(text, engine::kIdCharactersMax);
  record_.start(kind, cut ? *cut : text, element.position);
  in_record_ = true;
  check_id(id);
  if (const auto version = find_attribute(attributes, "version"))
    record_.version = timestamp(*version, element.position);
  refuse_attributes(element, attributes, {"id", "version"});
}

void NetmlContent::check_id(std::optional<std::string_view> id) {
  const std::string_view kind = kind_name(record_.kind());
  const TextPosition at = record_.position();
  if (!id)
    report("missing-attribute", fmt::format("attribute id is missing on {}", kind), at);
  else if (id->empty())
    report("id-empty", fmt::format("the id of {} is empty", kind), at);
  else if (engine::cut_text(*id, engine::kIdCharactersMax))
    report("id-too-long",
           fmt::format("the id of {} is longer than {} characters", kind, engine::kIdCharactersMax),
           at);
}

void NetmlContent::begin_property(const OpenElement& element,
                                  std::span<const XmlAttribute> attributes) {
  const std::optional<std::string_view> name = find_attribute(attributes, "name");
  if (!name) report("missing-attribute", "attribute name is missing on Property", element.position);
  record_.begin_property(name.value_or(""));
  refuse_attributes(element, attributes, {"name"});
}

void NetmlContent::refuse_attributes(const OpenElement& element,
                                     std::span<const XmlAttribute> attributes,
                                     std::initializer_list<std::string_view> known) {
  for (const XmlAttribute& attribute : attributes) {
    const XmlName& name = attribute.name;
    if (name.space.empty() && std::ranges::find(known, name.local) != known.end()) continue;
    if (is_ignored(name)) continue;
    const std::string shown = name.space.empty() ? excerpt(name.local) : display_name(name);
    report("unexpected-attribute",
           fmt::format("attribute {} is not expected on {}", shown, display_name(*element.rule)),
           element.position);
  }
}

// What the innermost topology says of itself is complete.
void NetmlContent::end_header() {
  document_.close_header(record_.make(), record_.position());
  in_record_ = false;
}

// What the innermost topology lists is complete.
void NetmlContent::end_members() {
  if (document_.body_open()) document_.close_body();
}

void NetmlContent::end_record(const OpenElement& element) {
  if (element.rule->element == Element::topology) {
    if (in_record_) end_header();
    end_members();
    return document_.close_topology();
  }
  if (element.rule->element == Element::node && element.count(Element::location) == 0)
    record_.note(true, "has no Location; its position is unknown");
  document_.add(record_.make(), element.position);
  in_record_ = false;
}

// ---- values ----

void NetmlContent::end_text(const OpenElement& element) {
  const TextPosition at = element.position;
  if (record_.bytes() > limits_.record_bytes)
    return errors_.report_last("too-large",
                               beyond_limit("the texts of the record are too long",
                                            limit_names::kXmlRecordBytes, limits_.record_bytes),
                               at, subject());
  if (element.rule->attribute != nullptr) {
    if (element.rule->element == Element::name && record_.text().empty())
      report("name-missing",
             fmt::format("{} {} has no name", kind_name(record_.kind()), record_.id()), at);
    return record_.set_text(*element.rule->attribute);
  }
  switch (element.rule->element) {
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
      end_position_ = at;
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

void NetmlContent::end_lifetime(const OpenElement& element) {
  if (element.count(Element::end) == 0 || element.count(Element::start) > 0) return;
  report("lifetime-order",
         fmt::format("the Lifetime of {} {} has an end without a start", kind_name(record_.kind()),
                     record_.id()),
         end_position_);
}

void NetmlContent::end_owner(TextPosition at) {
  if (record_.kind() != Kind::topology) return document_.add_owner(record_.text(), at);
  if (record_.text().empty())
    return report("owner-missing", fmt::format("topology {} names no owner", record_.id()), at);
  document_.set_primary_owner(record_.text(), at);
}

std::optional<Instant> NetmlContent::timestamp(std::string_view text, TextPosition at) {
  const std::optional<Instant> instant = parse_instant(text);
  if (!instant)
    report("bad-timestamp",
           fmt::format("\"{}\" is not a date-time with date, T, time and perhaps an offset",
                       excerpt(text)),
           at);
  return instant;
}

std::optional<double> NetmlContent::number(TextPosition at) {
  const std::optional<double> value = parse_number(record_.text());
  if (!value)
    report("bad-number", fmt::format("\"{}\" is not a number", excerpt(record_.text())), at);
  return value;
}

std::optional<engine::Micro> NetmlContent::degrees(std::string_view what, double limit,
                                                   TextPosition at) {
  const std::optional<double> value = number(at);
  if (!value) return std::nullopt;
  if (std::abs(*value) <= limit) return round_to_micro(*value);
  report(fmt::format("{}-range", what),
         fmt::format("{} {} is outside -{}..{}", what, excerpt(record_.text()), limit, limit), at);
  return std::nullopt;
}

std::optional<engine::Micro> NetmlContent::altitude(TextPosition at) {
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

}  // namespace netml::codecs
