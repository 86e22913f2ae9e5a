#include "codecs/formats/geojson/geojson_writer.hpp"

#include <algorithm>
#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "codecs/document/id_key.hpp"
#include "codecs/formats/draft/field_names.hpp"
#include "codecs/formats/draft/map_fields.hpp"
#include "codecs/formats/draft/map_outline.hpp"
#include "codecs/formats/geojson/geojson_fields.hpp"
#include "codecs/formats/geojson/line_course.hpp"
#include "engine/base/json_string.hpp"
#include "engine/base/texts.hpp"

namespace netml::codecs {

namespace {

using engine::Graph;
using engine::Property;

constexpr FieldNames kNames{kGeojsonFields, {"node.", "topology."}};

constexpr std::string_view kCourse = "course";  // of link/course

// Whether the table has something else for a property of that name, whatever has it.
bool is_taken(std::string_view name) {
  return name.empty() || name.starts_with(kPropertyPrefix) || name == kOtherProperties ||
         is_field(kGeojsonFields, name);
}

// The name of a property, as a member.
struct Spelled {
  std::string name;
  bool odd;                        // a reader takes it apart (FieldRules)
  std::uint64_t last_feature = 0;  // that has it, by number
};

Spelled spelled(std::string_view name) {
  std::string text;
  if (is_taken(name)) text = kPropertyPrefix;
  text += name;
  return {text, text.find('@') != std::string::npos || text.find("[]") != std::string::npos};
}

class Writer {
 public:
  Writer(const Graph& graph, const MapOutline& outline, engine::LossList& losses)
      : graph_(graph), outline_(outline), losses_(losses) {}

  std::string write() {
    out_ += "{\"type\":\"FeatureCollection\",\n\"topology\":";
    const RecordId root = outline_.topologies.front();
    begin({});
    put_fields(root);
    end();
    out_ += ",\n\"features\":[";
    for (const OutlinedElement& node : outline_.nodes) element("node", node);
    for (const OutlinedLink& link : outline_.links) element("link", link, &link);
    for (const OutlinedElement& institution : outline_.institutions)
      element("institution", institution);
    for (const RecordId topology : std::span(outline_.topologies).subspan(1)) {
      feature("topology", [&] { put_fields(topology); });
      out_ += ",\"geometry\":null}";
    }
    out_ += "]}\n";
    return std::move(out_);
  }

 private:
  // ---- features ----

  template <class PutAll>
  void feature(std::string_view kind, PutAll&& put_all) {
    out_ += any_feature_ ? ",\n" : "\n";
    any_feature_ = true;
    out_ += "{\"type\":\"Feature\",\"properties\":";
    begin(kind);
    put_all();
    end();
  }

  void element(std::string_view kind, const OutlinedElement& element,
               const OutlinedLink* link = nullptr) {
    std::string line = link != nullptr ? "null" : "";
    feature(kind, [&] {
      if (link != nullptr) put_ends(*link);
      put_fields(element);
      if (link != nullptr) put_line(*link, line);
    });
    out_ += ",\"geometry\":";
    if (link != nullptr)
      out_ += line;
    else if (place_.empty())
      out_ += "null";
    else
      (out_ += place_) += "]}";
    out_ += '}';
  }

  void put_ends(const OutlinedLink& link) {
    constexpr std::string_view kEnds[] = {"source", "target"};
    for (std::size_t i = 0; i < std::size(kEnds); ++i)
      member(kEnds[i], graph_.attributes(outline_.nodes[link.ends[i]].record).id());
  }

  // Along its course, where that is a line of which a reader makes the same course.
  void put_line(const OutlinedLink& link, std::string& line) {
    const auto from = place_of_node(link.ends[0]);
    const auto to = place_of_node(link.ends[1]);
    if (take_course(from, to, line)) return;
    if (!from || !to) return;
    line.clear();
    append_line(line, straight_line(*from, *to));
  }

  std::optional<Place> place_of_node(std::uint32_t node) const {
    const auto fields = graph_.attributes(outline_.nodes[node].record).fields();
    if (!fields.coordinates) return std::nullopt;
    return Place{fields.coordinates->longitude, fields.coordinates->latitude};
  }

  bool take_course(const std::optional<Place>& from, const std::optional<Place>& to,
                   std::string& line) {
    const auto is_course = [](const Property& property) { return property.name == kCourse; };
    const auto begin = std::ranges::find_if(properties_, is_course);
    if (begin == properties_.end()) return false;
    std::string course;
    for (const Property& property : properties_) {
      if (!is_course(property)) continue;
      // Only the last piece is shorter than all others.
      if (course.size() % engine::kPropertyValueCharactersMax != 0 || property.value.empty())
        return false;
      course += property.value;
    }
    auto found = line_of_course(course, from, to);
    if (!found) return false;
    line = *std::move(found);
    losses_.carry(std::erase_if(properties_, is_course));
    return true;
  }

  // ---- what stands in `properties` ----

  void begin(std::string_view kind) {
    out_ += '{';
    first_ = true;
    place_.clear();
    owners_.clear();
    topologies_.clear();
    properties_.clear();
    if (!kind.empty()) {
      name_of_member("kind");
      append_json_string(out_, kind);
    }
  }

  template <class Source>
  void put_fields(const Source& source) {
    for_each_field(graph_, outline_, source, instants_,
                   [this](Target target, std::string_view name, std::string_view value) {
                     put_value(target, name, value);
                   });
  }

  void put_value(Target target, std::string_view name, std::string_view value) {
    if (target == Target::owner)
      owners_.push_back(value);
    else if (target == Target::topology)
      topologies_.push_back(value);
    else if (target == Target::property)
      add_property(name, value);
    else if (is_number(target))
      number(target, value);
    else
      member(kNames[target], value);
  }

  // The mark of a copy lives during the call only.
  void add_property(std::string_view name, std::string_view value) {
    if (name == engine::kFromTopology) value = from_topology_ = value;
    properties_.push_back({name, value});
  }

  // The longitude comes last of the two, and stands first.
  void number(Target target, std::string_view value) {
    losses_.carry();
    if (target == Target::latitude) {
      latitude_ = value;
    } else if (target == Target::longitude) {
      (((place_ = R"({"type":"Point","coordinates":[)") += value) += ',') += latitude_;
    } else if (!place_.empty()) {
      (place_ += ',') += value;
    } else {
      name_of_member(kNames[target]);
      out_ += value;
    }
  }

  void end() {
    put_list(kNames[Target::owner], owners_);
    put_list(kNames[Target::topology], topologies_);
    put_properties();
    out_ += '}';
  }

  void name_of_member(std::string_view name) {
    if (!std::exchange(first_, false)) out_ += ',';
    append_json_string(out_, name);
    out_ += ':';
  }

  void member(std::string_view name, std::string_view value) {
    name_of_member(name);
    append_json_string(out_, value);
    losses_.carry();
  }

  // One as it is, several as a list.
  void put_list(std::string_view name, std::span<const std::string_view> values) {
    if (values.empty()) return;
    if (values.size() == 1) return member(name, values.front());
    name_of_member(name);
    out_ += '[';
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) out_ += ',';
      append_json_string(out_, values[i]);
    }
    out_ += ']';
    losses_.carry(values.size());
  }

  // In their order, values of one name together. From the first one on that a member cannot be,
  // or that would have to stand further up, all are pairs.
  void put_properties() {
    ++feature_;
    std::size_t i = 0;
    while (i < properties_.size()) {
      const std::string_view name = properties_[i].name;
      Spelled& spelled = spelling_of(name);
      if (spelled.odd || std::exchange(spelled.last_feature, feature_) == feature_) break;
      values_.clear();
      for (; i < properties_.size() && properties_[i].name == name; ++i)
        values_.push_back(properties_[i].value);
      put_list(spelled.name, values_);
    }
    if (i < properties_.size()) put_pairs(std::span(properties_).subspan(i));
  }

  void put_pairs(std::span<const Property> properties) {
    name_of_member(kOtherProperties);
    const char* separator = "[[";
    for (const Property& property : properties) {
      out_ += std::exchange(separator, ",[");
      append_json_string(out_, property.name);
      out_ += ',';
      append_json_string(out_, property.value);
      out_ += ']';
      losses_.carry();
    }
    out_ += ']';
  }

  Spelled& spelling_of(std::string_view name) {
    const auto found = spellings_.find(IdKey(name));
    return found != spellings_.end() ? found->second
                                     : spellings_.emplace(IdKey(name), spelled(name)).first->second;
  }

  const Graph& graph_;
  const MapOutline& outline_;
  engine::LossList& losses_;
  std::string out_;
  InstantText instants_;
  boost::unordered_flat_map<IdKey, Spelled, IdKeyHash> spellings_;
  std::uint64_t feature_ = 0;  // its number
  bool any_feature_ = false;
  // Of the feature that is written; its memory is used again.
  bool first_ = true;
  std::string place_;  // the begin of a point
  std::string latitude_;
  std::string from_topology_;
  std::vector<std::string_view> owners_;
  std::vector<std::string_view> topologies_;
  std::vector<std::string_view> values_;
  std::vector<Property> properties_;
};

}  // namespace

Result<WrittenMap> write_geojson(const Graph& graph, RecordId topology) {
  return written_by<Writer>(graph, topology);
}

}  // namespace netml::codecs
