#include "codecs/formats/kml/kml_content.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "codecs/document/xml_text.hpp"
#include "codecs/formats/kml/kml_fields.hpp"
#include "engine/base/wording.hpp"

namespace netml::codecs {

namespace {

constexpr std::string_view kNoField = "it is no field of a map";
constexpr std::string_view kDraws = "it only draws the map";
constexpr std::string_view kBeside = "it stands beside elements";

struct Reason {
  std::string_view element;
  std::string_view because;
};

// Elements of which nothing is carried, with all that is in them.
constexpr std::array kLost{
    Reason{"Style", kDraws},
    Reason{"StyleMap", kDraws},
    Reason{"styleUrl", kDraws},
    Reason{"visibility", kDraws},
    Reason{"balloonVisibility", kDraws},
    Reason{"open", kDraws},
    Reason{"LookAt", kDraws},
    Reason{"Camera", kDraws},
    Reason{"Region", kDraws},
    Reason{"NetworkLink", "it refers to another file"},
    Reason{"NetworkLinkControl", "it refers to another file"},
    Reason{"GroundOverlay", "it is an image on the map"},
    Reason{"ScreenOverlay", "it is an image on the map"},
    Reason{"PhotoOverlay", "it is an image on the map"},
    Reason{"Tour", "it is a flight over the map"},
};

constexpr std::array kGeometries{
    Reason{"Polygon", "an area is neither a node nor a link"},
    Reason{"LinearRing", "a ring is neither a node nor a link"},
    Reason{"Model", "a model is neither a node nor a link"},
    Reason{"Track", "a track is neither a node nor a link"},
    Reason{"MultiTrack", "a track is neither a node nor a link"},
};

std::string_view reason_of(std::span<const Reason> reasons, std::string_view element) {
  const auto found = std::ranges::find(reasons, element, &Reason::element);
  return found == reasons.end() ? std::string_view() : found->because;
}

// Older files name the namespace in other ways, or none; Google's has extensions.
bool is_kml(std::string_view space) {
  return space.empty() || space.starts_with("http://www.opengis.net/kml/") ||
         space.starts_with("http://earth.google.com/kml/") ||
         space.starts_with("http://www.google.com/kml/ext/");
}

// Tells a validator where the schema is.
bool is_counted(const XmlAttribute& attribute) {
  return attribute.name.space != kXsiNamespace;
}

}  // namespace

ReadResult KmlContent::finish(const DraftOptions& options) {
  if (errors_.empty()) stream_.finish();
  if (!errors_.empty()) return tl::unexpected(std::move(errors_).take());
  features_.finish();
  return std::move(features_.draft()).take(options, std::move(errors_));
}

void KmlContent::refuse(std::string_view code, std::string_view message) {
  errors_.report_last(code, message, {});
}

void KmlContent::fault(std::string_view code, std::string_view message) {
  errors_.report_last(code, message, stream_.position());
}

// ---- elements ----

void KmlContent::start_element(const XmlName& name, std::span<const XmlAttribute> attributes) {
  if (open_.empty()) return begin_kml(name, attributes);
  open_.back().has_children = true;
  Frame frame = child_of(open_.back(), name, attributes);
  frame.at = stream_.position();
  frame.text_begin = text_.size();
  frame.name = features_.field(name.local).name;  // a copy for all of that name
  begin(frame, attributes);
  open_.push_back(frame);
}

void KmlContent::begin_kml(const XmlName& name, std::span<const XmlAttribute> attributes) {
  if (name.local != "kml" || !is_kml(name.space)) {
    fault("wrong-root", fmt::format("the root element must be kml in namespace {}, not {}",
                                    kKmlNamespace, excerpt(name.local)));
    return stream_.stop();
  }
  const Frame frame{.what = What::kml, .at = stream_.position(), .name = "kml"};
  features_.open_network(frame.at);
  lose_attributes(frame, attributes);
  open_.push_back(frame);
}

KmlContent::Frame KmlContent::value_called(char sort, std::string_view name) {
  called_.assign(1, sort);
  called_ += name;
  return {.what = What::value, .field = &features_.field(called_)};
}

KmlContent::Frame KmlContent::child_of(const Frame& parent, const XmlName& name,
                                       std::span<const XmlAttribute> attributes) {
  switch (parent.what) {
    case What::kml:
    case What::folder:
    case What::placemark:
      return child_of_feature(parent, name, attributes);
    case What::value: {
      // Of a path its beginning and its end.
      const std::string_view outer = parent.field->name;
      const std::size_t end = outer.find('/', 1);
      return value_called(outer.front(),
                          fmt::format("{}/{}", outer.substr(1, end - 1), name.local));
    }
    case What::extended:
    case What::data:
    case What::schema_data:
      return child_of_extended(parent, name, attributes);
    case What::geometries:
    case What::point:
    case What::line:
      return child_of_geometry(parent, name);
    case What::own_style:
    case What::schema:
      return {.what = parent.what};
    case What::lost:
      return {.lost_because = parent.lost_because};
    default:
      return {.lost_because = "it is no element of KML"};
  }
}

KmlContent::Frame KmlContent::child_of_feature(const Frame& parent, const XmlName& name,
                                               std::span<const XmlAttribute> attributes) {
  // Values of other vocabularies are like those that a file makes up itself.
  if (!is_kml(name.space)) {
    if (parent.what == What::kml) return {.lost_because = kNoField};
    return value_called('.', name.local);
  }
  const bool holds_features = parent.what != What::placemark;
  if (holds_features && (name.local == "Document" || name.local == "Folder"))
    return {.what = What::folder};
  if (holds_features && name.local == "Placemark") return {.what = What::placemark};
  if (name.local == "Style" && value_of(attributes, "id").starts_with(kOwnStyle))
    return {.what = What::own_style};
  const std::string_view reason = reason_of(kLost, name.local);
  if (!reason.empty()) return {.lost_because = reason};
  if (name.local == "Schema") return {.what = What::schema};
  if (parent.what == What::kml) return {.lost_because = kNoField};
  if (name.local == "ExtendedData" || name.local == "Metadata") return {.what = What::extended};
  if (parent.what == What::folder) return value_called('/', name.local);
  if (name.local == "MultiGeometry") return {.what = What::geometries};
  if (name.local == "Point") return {.what = What::point};
  if (name.local == "LineString") return {.what = What::line};
  const std::string_view geometry = reason_of(kGeometries, name.local);
  return geometry.empty() ? value_called('/', name.local) : unknown_geometry(geometry);
}

KmlContent::Frame KmlContent::unknown_geometry(std::string_view reason) {
  features_.lose_placemark(reason);
  return {.lost_because = reason};
}

KmlContent::Frame KmlContent::child_of_extended(const Frame& parent, const XmlName& name,
                                                std::span<const XmlAttribute> attributes) {
  if (parent.what == What::data && name.local == "value")
    return {.what = What::data_value, .field = parent.field};
  if (parent.what == What::data) return {.lost_because = "it only describes a value"};
  const bool simple = parent.what == What::schema_data && name.local == "SimpleData";
  if (simple || (parent.what == What::extended && name.local == "Data")) {
    Frame frame = value_called('.', value_of(attributes, "name"));
    frame.what = simple ? What::simple_data : What::data;
    return frame;
  }
  if (parent.what == What::schema_data) return {.lost_because = "it belongs to a track"};
  if (name.local == "SchemaData") return {.what = What::schema_data};
  return value_called('.', name.local);
}

KmlContent::Frame KmlContent::child_of_geometry(const Frame& parent, const XmlName& name) {
  if (parent.what != What::geometries) {
    if (name.local == "coordinates") return {.what = What::coordinates};
    if (parent.what == What::point && name.local == "altitudeMode")
      return {.what = What::altitude_mode};
    return {.lost_because = kDraws};
  }
  if (name.local == "MultiGeometry") return {.what = What::geometries};
  if (name.local == "Point") return {.what = What::point};
  if (name.local == "LineString") return {.what = What::line};
  const std::string_view reason = reason_of(kGeometries, name.local);
  return unknown_geometry(reason.empty() ? "it is no geometry of KML" : reason);
}

void KmlContent::begin(const Frame& frame, std::span<const XmlAttribute> attributes) {
  switch (frame.what) {
    case What::folder:
      features_.open_folder(frame.at);
      return set_attributes(frame, attributes);
    case What::placemark:
      features_.begin_placemark(frame.at);
      return set_attributes(frame, attributes);
    case What::value:
      return set_attributes(frame, attributes);
    case What::schema:
      return;
    case What::own_style:
      return features_.draft().losses().carry(
          static_cast<std::uint64_t>(std::ranges::count_if(attributes, is_counted)));
    default:
      return lose_attributes(frame, attributes);
  }
}

// ---- fields ----

void KmlContent::set_attributes(const Frame& frame, std::span<const XmlAttribute> attributes) {
  for (const XmlAttribute& attribute : attributes) {
    if (!is_counted(attribute)) continue;
    called_.clear();
    if (frame.field != nullptr) called_ += frame.field->name;
    (called_ += '@') += attribute.name.local;
    features_.add_value(features_.field(called_), attribute.value, frame.at);
  }
}

// All but what refers to a declaration.
void KmlContent::lose_attributes(const Frame& frame, std::span<const XmlAttribute> attributes) {
  const bool named = frame.name == "Data" || frame.name == "SimpleData";
  const std::string_view declared = named ? "name" : frame.name == "SchemaData" ? "schemaUrl" : "";
  for (const XmlAttribute& attribute : attributes)
    if (is_counted(attribute) && attribute.name.local != declared)
      features_.draft().lose(frame.name, fmt::format("@{}", attribute.name.local), frame.at,
                             frame.lost_because.empty() ? kNoField : frame.lost_because);
}

void KmlContent::text(std::string_view piece) {
  const Frame& frame = open_.back();
  const bool is_kept = frame.what == What::value || frame.what == What::data_value ||
                       frame.what == What::simple_data || frame.what == What::coordinates ||
                       frame.what == What::altitude_mode || frame.name == "styleUrl";
  // Of all others only counts whether there is any.
  if (!is_kept) piece = is_xml_blank(piece) || text_.size() > frame.text_begin ? "" : "x";
  text_ += piece;
  if (text_.size() - frame.text_begin <= limits_.text_bytes) return;
  fault("too-large", beyond_limit("the text of an element is too long", limit_names::kXmlTextBytes,
                                  limits_.text_bytes));
  stream_.stop();
}

void KmlContent::end_text(const Frame& frame, std::string_view text) {
  const bool in_data = open_.size() > 1 && open_[open_.size() - 2].name == "Data";
  const bool is_value =
      !frame.has_children && (frame.name == "SimpleData" || (frame.name == "value" && in_data));
  if (is_value && frame.what != What::lost && frame.field != nullptr)
    return features_.add_value(*frame.field, text, frame.at);
  if (is_xml_blank(text) && !is_value) return;
  text = without_xml_blanks(text);
  switch (frame.what) {
    case What::value:
      return features_.add_value(*frame.field, text, frame.at);
    case What::coordinates:
      return open_[open_.size() - 2].what == What::point ? features_.add_point(text, frame.at)
                                                         : features_.add_line(text, frame.at);
    case What::altitude_mode:
      return features_.set_altitude_mode(text, frame.at);
    case What::own_style:
      return features_.draft().losses().carry();
    case What::schema:
      return features_.draft().lose("", frame.name, frame.at, "it only describes a value");
    case What::lost:
      if (frame.name == "styleUrl" && text.substr(1).starts_with(kOwnStyle))
        return features_.draft().losses().carry();
      return features_.draft().lose("", frame.name, frame.at, frame.lost_because);
    default:
      return features_.draft().lose("", frame.name, frame.at, kBeside);
  }
}

void KmlContent::end_element() {
  const Frame frame = open_.back();
  end_text(frame, std::string_view(text_).substr(frame.text_begin));
  text_.resize(frame.text_begin);
  if (frame.what == What::folder) features_.close_folder();
  if (frame.what == What::placemark) features_.end_placemark();
  open_.pop_back();
}

}  // namespace netml::codecs
