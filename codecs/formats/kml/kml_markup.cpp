#include "codecs/formats/kml/kml_markup.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>

#include "codecs/document/numbers.hpp"
#include "codecs/document/xml_text.hpp"
#include "codecs/formats/draft/field_names.hpp"
#include "codecs/formats/kml/kml_fields.hpp"
#include "codecs/formats/kml/kml_places.hpp"
#include "engine/base/texts.hpp"

namespace netml::codecs {

namespace {

using engine::Coordinates;
using engine::Micro;

constexpr std::string_view kTag = "tag";
constexpr std::int64_t kHalfTurn = 180'000'000;

// Whether the table has something else for a property of that name, whatever has it.
bool is_taken(std::string_view name) {
  return name.empty() || name.starts_with(kPropertyPrefix) || is_field(kKmlFields, name);
}

// Where a line leaves the map at one side, to come in at the other.
Coordinates at_180(const Coordinates& from, const Coordinates& to) {
  const auto distance = [](Micro longitude) {
    return static_cast<double>(kHalfTurn - std::abs(longitude.value));
  };
  const double all = distance(from.longitude) + distance(to.longitude);
  const double part = all == 0 ? 0 : distance(from.longitude) / all;
  const double latitude = static_cast<double>(from.latitude.value) +
                          part * static_cast<double>(to.latitude.value - from.latitude.value);
  return {Micro{std::llround(latitude)}, Micro{from.longitude.value > 0 ? kHalfTurn : -kHalfTurn}};
}

}  // namespace

bool is_plain(std::string_view text) {
  return without_xml_blanks(text) == text;
}

// ---- values ----

void KmlMarkup::escaped(std::string_view text) {
  out_.wrote(put_escaped(out_.room(kEscapedBytesMax * text.size()), text));
}

void KmlMarkup::text_element(std::string_view name, std::string_view text) {
  if (text.empty() || !is_plain(text)) return;
  out_.append("<");
  out_.append(name);
  out_.append(">");
  escaped(text);
  out_.append("</");
  out_.append(name);
  out_.append(">");
}

void KmlMarkup::time(std::string_view name, const std::optional<Instant>& value) {
  if (!value) return;
  std::array<char, InstantText::kBytes> buffer;
  const char* const end = instants_.put(buffer.data(), *value);
  text_element(name, std::string_view(buffer.data(), end));
}

void KmlMarkup::data(std::string_view name, std::string_view value) {
  out_.append("<Data name=");
  out_.wrote(put_quoted(out_.room(quoted_bytes_max(name.size())), name));
  out_.append("><value>");
  escaped(value);
  out_.append("</value></Data>");
}

void KmlMarkup::property(std::string_view name, std::string_view value) {
  if (is_taken(name))
    data(fmt::format("{}{}", kPropertyPrefix, name), value);
  else
    data(name, value);
}

// ---- styles ----

void KmlMarkup::styles() {
  for (const MapColour& colour : kNodeColours)
    style("node", colour, "IconStyle", "<scale>0.8</scale>");
  for (const MapColour& colour : kLinkColours)
    style("link", colour, "LineStyle", "<width>2</width>");
}

// Colours of KML begin with how opaque they are, and end with red.
void KmlMarkup::style(std::string_view kind, const MapColour& colour, std::string_view element,
                      std::string_view size) {
  const std::string_view red = colour.colour.substr(0, 2);
  const std::string_view green = colour.colour.substr(2, 2);
  const std::string_view blue = colour.colour.substr(4, 2);
  out_.append(
      fmt::format("\n<Style id=\"{0}{1}.{2}\"><{3}><color>ff{4}{5}{6}</color>{7}</{3}>"
                  "</Style>",
                  kOwnStyle, kind, colour.tag, element, blue, green, red, size));
}

void KmlMarkup::style_url(std::string_view kind, std::span<const MapColour> colours,
                          const engine::Attributes& attributes) {
  std::size_t best = 0;
  attributes.for_each_property([&](const engine::Property& property) {
    if (property.name != kTag) return;
    for (std::size_t i = best + 1; i < colours.size(); ++i)
      if (equals_ignoring_case(property.value, colours[i].tag)) best = i;
  });
  out_.append("<styleUrl>#");
  out_.append(kOwnStyle);
  out_.append(kind);
  out_.append(".");
  out_.append(colours[best].tag);
  out_.append("</styleUrl>");
}

// ---- geometries ----

// "10.75,59.91"
void KmlMarkup::coordinates(const Coordinates& place) {
  char* at = put_shortest(out_.room(2 * kDecimalBytesMax + 1), place.longitude);
  *at++ = ',';
  out_.wrote(put_shortest(at, place.latitude));
}

void KmlMarkup::point(const Coordinates& place, const std::optional<Micro>& altitude) {
  out_.append("<Point>");
  if (altitude) out_.append("<altitudeMode>absolute</altitudeMode>");
  out_.append("<coordinates>");
  coordinates(place);
  if (altitude) {
    out_.append(",");
    out_.wrote(put_shortest(out_.room(kDecimalBytesMax), *altitude));
  }
  out_.append("</coordinates></Point>");
}

void KmlMarkup::line_string(const Coordinates& from, const Coordinates& to) {
  out_.append("<LineString><coordinates>");
  coordinates(from);
  out_.append(" ");
  coordinates(to);
  out_.append("</coordinates></LineString>");
}

void KmlMarkup::line(const Coordinates& from, const Coordinates& to) {
  if (std::abs(from.longitude.value - to.longitude.value) <= kHalfTurn)
    return line_string(from, to);
  const Coordinates out = at_180(from, to);
  const Coordinates in{out.latitude, Micro{-out.longitude.value}};
  out_.append("<MultiGeometry>");
  line_string(from, out);
  line_string(in, to);
  out_.append("</MultiGeometry>");
}

void KmlMarkup::course(std::string_view coordinates) {
  out_.append("<LineString><coordinates>");
  escaped(coordinates);
  out_.append("</coordinates></LineString>");
}

}  // namespace netml::codecs
