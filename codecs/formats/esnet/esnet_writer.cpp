// The panel draws nodes by their places and edges by their courses; all else is in `meta`, under
// the names of the table, and properties in an object of their own there, where no name means
// anything else. Nodes come first, by which such a file is known.
#include "codecs/formats/esnet/esnet_writer.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "codecs/document/json_tree.hpp"
#include "codecs/document/numbers.hpp"
#include "codecs/formats/draft/field_names.hpp"
#include "codecs/formats/draft/json_out.hpp"
#include "codecs/formats/draft/long_property.hpp"
#include "codecs/formats/draft/map_fields.hpp"
#include "codecs/formats/esnet/esnet_fields.hpp"
#include "codecs/formats/esnet/esnet_place.hpp"

namespace netml::codecs {

using namespace esnet_names;

namespace {

using engine::Graph;

// Of an element: a field, or a property of that name.
struct Value {
  Target target = Target::property;
  std::string name;
  std::string text;
};

bool is_property(const Value& value) {
  return value.target == Target::property;
}

constexpr FieldNames kMapNames{kEsnetFields, {"map.meta."}};
constexpr FieldNames kNodeNames{kEsnetFields, {"node.meta."}};
constexpr FieldNames kEdgeNames{kEsnetFields, {"edge.meta."}};
constexpr FieldNames kInstitutionNames{kEsnetFields, {"institution."}};
constexpr FieldNames kTopologyNames{kEsnetFields, {"topology."}};

// In degrees, as they are written.
struct Place {
  std::string latitude;
  std::string longitude;

  // As they are read.
  EsnetPlace numbers() const { return {*parse_number(latitude), *parse_number(longitude)}; }
};

class Writer {
 public:
  Writer(const Graph& graph, const MapOutline& outline, engine::LossList& losses)
      : graph_(graph), outline_(outline), losses_(losses) {}

  std::string write() {
    out_.open('{');
    out_.objects(kNodes, outline_.nodes.size(),
                 [&](std::size_t i) { write_node(outline_.nodes[i]); });
    out_.objects(kEdges, outline_.links.size(),
                 [&](std::size_t i) { write_edge(outline_.links[i]); });
    out_.name(kMeta);
    out_.open('{');
    take_values(outline_.topologies.front());
    write_values(kMapNames);
    out_.objects(kInstitutions, outline_.institutions.size(), [&](std::size_t i) {
      take_values(outline_.institutions[i]);
      write_values(kInstitutionNames);
    });
    out_.objects(kTopologies, outline_.topologies.size() - 1, [&](std::size_t i) {
      take_values(outline_.topologies[i + 1]);
      write_values(kTopologyNames);
    });
    out_.close('}');
    out_.close('}');
    return std::move(out_).take() + '\n';
  }

 private:
  // ---- nodes and edges ----

  void write_node(const OutlinedElement& node) {
    take_values(node);
    out_.member("name", take(Target::name));
    if (const auto place = place_of(node.record)) {
      take(Target::latitude);
      take(Target::longitude);
      out_.name(kPlace);
      write_place(*place);
    }
    write_meta(kNodeNames);
  }

  // A course that the file of a panel gave stands where it stood: in front of all other properties,
  // or behind them.
  void write_edge(const OutlinedLink& link) {
    const RecordId a = outline_.nodes[link.ends[0]].record;
    const RecordId b = outline_.nodes[link.ends[1]].record;
    take_values(link);
    out_.member("name", take(Target::name));
    const auto places = std::pair(place_of(a), place_of(b));
    const auto course = take_course(link.record, places.first, places.second);
    if (course && course->is_first) write_course(course->text);
    if (!course && places.first && places.second) {
      out_.name(kCourse);
      out_.open('[');
      write_place(*places.first);
      write_place(*places.second);
      out_.close(']');
    }
    write_meta(kEdgeNames, [&] { write_ends(a, b); });
    if (course && !course->is_first) write_course(course->text);
  }

  void write_ends(RecordId a, RecordId b) {
    const auto pair = [&](std::string_view name, auto text_of) {
      out_.name(name);
      out_.open('[');
      for (const RecordId end : {a, b}) out_.string(text_of(graph_.attributes(end)));
      out_.close(']');
    };
    out_.name(kEndpoints);
    out_.open('{');
    pair(kEndpointIds, [](const engine::Attributes& node) { return node.id(); });
    pair(kEndpointNames, [](const engine::Attributes& node) { return node.name(); });
    out_.close('}');
    losses_.carry(2);
  }

  void write_place(const Place& place) {
    out_.open('[');
    out_.raw(place.latitude);
    out_.raw(place.longitude);
    out_.close(']');
  }

  // Nothing at 0,0, which stands for an unknown place there.
  std::optional<Place> place_of(RecordId node) const {
    const auto place = graph_.attributes(node).fields().coordinates;
    if (!place || (place->latitude.value == 0 && place->longitude.value == 0)) return {};
    const auto text = [](engine::Micro degrees) {
      std::array<char, kDecimalBytesMax> buffer;
      return std::string(buffer.data(), put_shortest(buffer.data(), degrees));
    };
    return Place{text(place->latitude), text(place->longitude)};
  }

  void write_course(std::string_view json) {
    out_.name(kCourse);
    out_.raw(json);
  }

  // Takes the way points out of the values, unless they would be read as something else: as other
  // properties or between them, or as no more than the line between the ends.
  std::optional<LongProperty> take_course(RecordId link, const std::optional<Place>& a,
                                          const std::optional<Place>& b) {
    const auto course = long_property(graph_.attributes(link), kCourse);
    if (!course || !(course->is_first || course->is_last)) return {};
    const auto tree = JsonTree::parse(course->text, ReadLimits{});
    if (!tree || tree->root().json() != course->text) return {};
    const auto drawn = course_of(tree->root());
    if (!drawn || (a && b && is_straight(*drawn, a->numbers(), b->numbers()))) return {};
    losses_.carry(course->pieces);
    std::erase_if(values_,
                  [](const Value& value) { return is_property(value) && value.name == kCourse; });
    return course;
  }

  // ---- values ----

  template <class Element>
  void take_values(const Element& element) {
    values_.clear();
    for_each_field(graph_, outline_, element, instants_,
                   [&](Target target, std::string_view name, std::string_view text) {
                     values_.push_back({target, std::string(name), std::string(text)});
                   });
  }

  std::string take(Target target) {
    const auto found = std::ranges::find(values_, target, &Value::target);
    std::string text = std::move(found->text);
    values_.erase(found);
    losses_.carry();
    return text;
  }

  template <class WriteMore = void (*)()>
  void write_meta(const FieldNames& names, WriteMore&& write_more = [] {}) {
    out_.name(kMeta);
    out_.open('{');
    write_values(names);
    write_more();
    out_.close('}');
  }

  void write_values(const FieldNames& names) {
    Target open = Target::nothing;  // of a list
    for (const Value& value : values_) {
      if (is_property(value)) continue;
      const bool is_list = names.is_list(value.target);
      if (open != Target::nothing && open != value.target) out_.close(']');
      if (!is_list || open != value.target) out_.name(names[value.target]);
      if (is_list && open != value.target) out_.open('[');
      open = is_list ? value.target : Target::nothing;
      if (is_number(value.target))
        out_.raw(value.text);
      else
        out_.string(value.text);
      losses_.carry();
    }
    if (open != Target::nothing) out_.close(']');
    write_properties();
  }

  // In their order: a name that comes again later is in another object.
  void write_properties() {
    std::vector<std::vector<const Value*>> objects;
    std::set<std::string_view> names;
    for (const Value& value : values_) {
      if (!is_property(value)) continue;
      const bool goes_on = !objects.empty() && objects.back().back()->name == value.name;
      if (objects.empty() || (!goes_on && names.contains(value.name))) {
        objects.emplace_back();
        names.clear();
      }
      names.insert(value.name);
      objects.back().push_back(&value);
    }
    if (objects.empty()) return;
    out_.name(kProperties);
    if (objects.size() > 1) out_.open('[');
    for (const auto& object : objects) write_properties(object);
    if (objects.size() > 1) out_.close(']');
  }

  // Several values of a name are a list, and so is one that is empty, which would say nothing.
  void write_properties(const std::vector<const Value*>& properties) {
    out_.open('{');
    for (auto at = properties.begin(); at != properties.end();) {
      const auto end = std::find_if(at, properties.end(),
                                    [&](const Value* value) { return value->name != (*at)->name; });
      out_.name((*at)->name);
      const bool is_list = end - at > 1 || (*at)->text.empty();
      if (is_list) out_.open('[');
      for (; at != end; ++at) {
        out_.string((*at)->text);
        losses_.carry();
      }
      if (is_list) out_.close(']');
    }
    out_.close('}');
  }

  const Graph& graph_;
  const MapOutline& outline_;
  engine::LossList& losses_;
  JsonOut out_;
  InstantText instants_;
  std::vector<Value> values_;  // of the element that is being written
};

}  // namespace

Result<WrittenMap> write_esnet(const Graph& graph, RecordId topology) {
  return written_by<Writer>(graph, topology);
}

}  // namespace netml::codecs
