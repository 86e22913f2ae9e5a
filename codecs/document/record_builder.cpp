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
  name_ = short_name_ = unlocode_ = address_ = Range{};
  further_texts_.clear();
  properties_.clear();
  buffer_.assign(id);
  id_ = {0, buffer_.size()};
}

void RecordBuilder::note(bool warning, std::string_view text) {
  notes_.add({warning, kind_, fmt::format("{} {}: {}", kind_name(kind_), id(), text)});
}

RecordBuilder::Range RecordBuilder::take_text(std::string_view what, std::size_t characters_max) {
  if (const auto cut = engine::cut_text(text(), characters_max)) {
    note(false, fmt::format("{} cut from \"{}\" to \"{}\"", what, text(), *cut));
    buffer_.replace(text_begin_, std::string::npos, *cut);
  }
  return {text_begin_, buffer_.size()};
}

void RecordBuilder::set_further_text(engine::Field field) {
  engine::for_each_further_text([&](const auto& text) {
    if (text.field == field)
      further_texts_.emplace_back(field,
                                  take_text(engine::spelled(text.name), text.characters_max));
  });
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
  fields.name = view(name_);
  fields.short_name = view(short_name_);
  fields.version = version;
  fields.start = start_time;
  fields.end = end_time;
  if (latitude && longitude) fields.coordinates = engine::Coordinates{*latitude, *longitude};
  fields.altitude = altitude;
  fields.unlocode = view(unlocode_);
  fields.address = view(address_);
  for (const auto& [field, range] : further_texts_)
    engine::set_further_text(fields, field, view(range));
  property_views_.clear();
  for (const PropertyRanges& ranges : properties_)
    property_views_.push_back({view(ranges.name), view(ranges.value)});
  fields.properties = property_views_;
  return engine::Attributes::make(fields);
}

}  // namespace netml::codecs
