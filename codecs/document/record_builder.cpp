#include "codecs/document/record_builder.hpp"

#include <fmt/format.h>

#include "engine/base/lower_case.hpp"

namespace netml::codecs {

namespace {

// How some documents spell the mark of a copy (docs/requirements/exchange-format.md, section 2.5).
constexpr std::string_view kFromTopologyHyphen = "!-from-topology";

}  // namespace

void RecordBuilder::start(Kind kind, std::string_view id, TextPosition at) {
  kind_ = kind;
  position_ = at;
  version = start_time = end_time = std::nullopt;
  longitude = latitude = altitude = std::nullopt;
  texts_.clear();
  properties_.clear();
  buffer_.assign(id);
  id_ = {0, buffer_.size()};
}

void RecordBuilder::note(bool warning, std::string_view text) {
  notes_.add({warning, kind_, fmt::format("{} {}: {}", kind_name(kind_), id(), text)});
}

void RecordBuilder::set_text(const TextAttribute& attribute) {
  if (const auto cut = engine::cut_text(text(), attribute.characters_max)) {
    const std::string what = attribute.field == engine::Field::unlocode
                                 ? std::string("UN/LOCODE")
                                 : engine::spelled(attribute.name);
    note(false, fmt::format("{} cut from \"{}\" to \"{}\"", what, text(), *cut));
    buffer_.replace(text_begin_, std::string::npos, *cut);
  }
  texts_.push_back({attribute.member, {text_begin_, buffer_.size()}});
}

void RecordBuilder::add_text(const TextAttribute& attribute, std::string_view text) {
  begin_text();
  append_text(text);
  set_text(attribute);
}

void RecordBuilder::add_property(std::string_view name, std::string_view value) {
  begin_property(name);
  append_text(value);
  set_property_value();
}

void RecordBuilder::begin_property(std::string_view name) {
  begin_text();
  engine::append_lower_case(buffer_, name);
  if (text() == kFromTopologyHyphen)
    buffer_.replace(text_begin_, std::string::npos, engine::kFromTopology);
  if (const auto cut = engine::cut_text(text(), engine::kPropertyNameCharactersMax)) {
    note(true, fmt::format("property name cut from \"{}\" to \"{}\"", text(), *cut));
    buffer_.replace(text_begin_, std::string::npos, *cut);
  }
  property_name_ = {text_begin_, buffer_.size()};
  begin_text();
}

void RecordBuilder::set_property_value() {
  const std::string_view name = view(property_name_);
  if (name != engine::kFromTopology) {
    if (const auto cut = engine::cut_text(text(), engine::kPropertyValueCharactersMax)) {
      note(false,
           fmt::format("value of property {} cut from {} to {} characters", name,
                       engine::character_count(text()), engine::kPropertyValueCharactersMax));
      buffer_.replace(text_begin_, std::string::npos, *cut);
    }
  }
  properties_.push_back({property_name_, {text_begin_, buffer_.size()}});
}

engine::AttributesPtr RecordBuilder::make() {
  engine::AttributeFields fields;
  fields.kind = kind_;
  fields.id = view(id_);
  fields.version = version;
  fields.start = start_time;
  fields.end = end_time;
  if (latitude && longitude) fields.coordinates = engine::Coordinates{*latitude, *longitude};
  fields.altitude = altitude;
  for (const auto& [member, range] : texts_) fields.*member = view(range);
  property_views_.clear();
  for (const PropertyRanges& ranges : properties_)
    property_views_.push_back({view(ranges.name), view(ranges.value)});
  fields.properties = property_views_;
  return engine::Attributes::make(fields);
}

}  // namespace netml::codecs
