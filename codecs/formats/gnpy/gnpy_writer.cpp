#include "codecs/formats/gnpy/gnpy_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "codecs/document/id_key.hpp"
#include "codecs/document/json_tree.hpp"
#include "codecs/document/numbers.hpp"
#include "codecs/formats/draft/json_out.hpp"
#include "codecs/formats/draft/map_fields.hpp"
#include "codecs/formats/draft/map_outline.hpp"
#include "codecs/formats/gnpy/gnpy_fields.hpp"

namespace netml::codecs {

namespace {

using engine::Graph;

// What of an element GNPy has a member for.
struct Parts {
  std::string type;
  std::string type_variety;
  std::string city;
  std::string region;
  std::string latitude;
  std::string longitude;
  std::string length;
  std::string length_units;
  std::string params;       // JSON
  std::string operational;  // JSON
  std::string from_node;
  std::vector<std::string> to_nodes;
};

struct Part {
  std::string_view property;
  std::string Parts::* member;
  bool is_number = false;
};
constexpr std::array<Part, 6> kTexts{{{"type", &Parts::type},
                                      {"type_variety", &Parts::type_variety},
                                      {"city", &Parts::city},
                                      {"region", &Parts::region},
                                      {"latitude", &Parts::latitude, true},
                                      {"longitude", &Parts::longitude, true}}};
constexpr std::array<Part, 3> kFiberTexts{{{"length", &Parts::length, true},
                                           {"length_units", &Parts::length_units},
                                           {"from_node", &Parts::from_node}}};
// In pieces.
constexpr std::array<Part, 2> kObjects{
    {{"params", &Parts::params}, {"operational", &Parts::operational}}};

using Pieces = std::array<std::uint32_t, kObjects.size()>;  // how many each has

// As JSON spells numbers.
bool is_json_number(std::string_view text) {
  const auto tree = JsonTree::parse(text, {});
  return tree && tree->root().is_number() && tree->root().text() == text;
}

// Whether it is an object that the members of `parts` can stand beside.
bool is_sound_object(std::string_view text, const Parts& parts) {
  const auto tree = JsonTree::parse(text, {});
  if (!tree || !tree->root().is_object()) return false;
  std::vector<std::string_view> names;
  if (!parts.length.empty()) names.emplace_back("length");
  if (!parts.length_units.empty()) names.emplace_back("length_units");
  for (const JsonMember& member : tree->root().members()) names.push_back(member.name);
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) == names.end();
}

class Writer {
 public:
  Writer(const Graph& graph, const MapOutline& outline, engine::LossList& losses)
      : graph_(graph), outline_(outline), losses_(losses) {
    call_elements();
  }

  std::string write() {
    out_.open('{');
    network();
    out_.name("elements");
    out_.open('[');
    for (std::size_t i = 0; i < outline_.nodes.size(); ++i) node(i);
    for (std::size_t i = 0; i < outline_.links.size(); ++i) link(i);
    out_.close(']');
    out_.name("connections");
    out_.open('[');
    for (const auto& [from, to] : connections_) {
      out_.line();
      out_.open('{');
      out_.member("from_node", from);
      out_.member("to_node", to);
      out_.close('}');
    }
    out_.close(']');
    out_.close('}');
    return std::move(out_).take().append("\n");
  }

 private:
  // ---- what elements are called ----

  const engine::Attributes& attributes(const OutlinedElement& element) const {
    return graph_.attributes(element.record);
  }

  // By its name, if no other element has it; else by its identifier.
  void call_elements() {
    boost::unordered_flat_map<IdKey, std::uint32_t, IdKeyHash> counts;
    for (const auto& node : outline_.nodes) ++counts[IdKey(attributes(node).name())];
    for (const auto& link : outline_.links) ++counts[IdKey(attributes(link).name())];
    const auto call = [&](const OutlinedElement& element) {
      const std::string_view name = attributes(element).name();
      const bool is_own = !name.empty() && counts.at(IdKey(name)) == 1;
      return free_uid(is_own ? name : attributes(element).id());
    };
    for (const auto& node : outline_.nodes) node_uids_.push_back(call(node));
    for (const auto& link : outline_.links) link_uids_.push_back(call(link));
    for (std::uint32_t i = 0; i < outline_.nodes.size(); ++i)
      node_of_uid_.try_emplace(node_uids_[i], i);
  }

  // One that no element has got yet.
  std::string free_uid(std::string_view wanted) {
    std::string uid(wanted);
    while (!uids_.insert(uid).second) uid += '\'';
    return uid;
  }

  // ---- fields ----

  static constexpr std::string_view kNode = "node";
  static constexpr std::string_view kLink = "link";
  static constexpr std::string_view kUnknown = "GNPy knows nothing of that";

  void lose(std::string_view kind, RecordId record, std::string_view field,
            std::string_view reason) {
    losses_.lose({.field = std::string(field),
                  .reason = std::string(reason),
                  .pointer = fmt::format("{} {}", kind, graph_.attributes(record).id())});
  }

  static std::string field_name(Target target, std::string_view name) {
    return target == Target::property ? fmt::format("property {}", name)
                                      : std::string(target_text(target));
  }

  // 0/0 is what GNPy takes where a file says nothing: it is left out.
  static bool is_nowhere(const engine::Attributes& attributes) {
    const auto place = attributes.fields().coordinates;
    return place && place->latitude.value == 0 && place->longitude.value == 0;
  }

  // What the record says, sorted into `parts`; all else is lost.
  Parts parts_of(const OutlinedElement& element, std::string_view kind, std::string_view uid) {
    Parts parts;
    Pieces pieces{};
    const bool nowhere = is_nowhere(attributes(element));
    for_each_field(graph_, outline_, element, instants_,
                   [&](Target target, std::string_view name, std::string_view value) {
                     for (std::size_t i = 0; i < kObjects.size(); ++i)
                       if (target == Target::property && name == kObjects[i].property) {
                         parts.*kObjects[i].member += value;
                         ++pieces[i];
                         return;
                       }
                     const bool is_uid =
                         (target == Target::name || target == Target::identifier) && value == uid;
                     const bool is_left_out =
                         nowhere && (target == Target::latitude || target == Target::longitude);
                     if (is_uid || is_left_out || take(parts, kind == kLink, target, name, value))
                       losses_.carry();
                     else
                       lose(kind, element.record, field_name(target, name), kUnknown);
                   });
    drop_unsound(parts, pieces, kind, element.record);
    return parts;
  }

  void drop_unsound(Parts& parts, const Pieces& pieces, std::string_view kind, RecordId record) {
    for (std::size_t i = 0; i < kObjects.size(); ++i) {
      std::string& json = parts.*kObjects[i].member;
      if (is_sound_object(json, parts)) {
        losses_.carry(pieces[i]);
        continue;
      }
      json.clear();
      for (std::uint32_t piece = 0; piece < pieces[i]; ++piece)
        lose(kind, record, field_name(Target::property, kObjects[i].property),
             "it is no object of JSON, or repeats a member");
    }
  }

  // Whether it is a part.
  static bool take(Parts& parts, bool is_link, Target target, std::string_view name,
                   std::string_view value) {
    if (target == Target::latitude) return take_first(parts.latitude, value);
    if (target == Target::longitude) return take_first(parts.longitude, value);
    if (target != Target::property || value.empty()) return false;
    if (name == "type" && is_fiber_type(value) != is_link) return false;
    if (name == "to_node" && !is_link) {
      parts.to_nodes.emplace_back(value);
      return true;
    }
    const auto take_part = [&](const auto& all) {
      const auto part = std::ranges::find(all, name, &Part::property);
      return part != all.end() && (!part->is_number || is_json_number(value)) &&
             take_first(parts.*part->member, value);
    };
    return take_part(kTexts) || (is_link && take_part(kFiberTexts));
  }

  static bool take_first(std::string& part, std::string_view value) {
    if (!part.empty()) return false;
    part = value;
    return true;
  }

  // ---- elements ----

  // The map's own topology has a name here; those below it are not known.
  void network() {
    for (const RecordId topology : outline_.topologies) {
      const bool is_root = topology == outline_.topologies.front();
      for_each_field(graph_, outline_, topology, instants_,
                     [&](Target target, std::string_view name, std::string_view value) {
                       if (!is_root || target != Target::name)
                         return lose("topology", topology, field_name(target, name), kUnknown);
                       out_.member("network_name", value);
                       losses_.carry();
                     });
    }
    for (const auto& institution : outline_.institutions)
      for_each_field(graph_, outline_, institution, instants_,
                     [&](Target target, std::string_view name, std::string_view) {
                       lose("institution", institution.record, field_name(target, name),
                            "GNPy knows no institutions");
                     });
  }

  void node(std::size_t i) {
    Parts parts = parts_of(outline_.nodes[i], kNode, node_uids_[i]);
    if (parts.type.empty()) parts.type = kUsualNodeType;
    element(node_uids_[i], parts);
    for (const std::string& to : parts.to_nodes) {
      if (node_of_uid_.contains(to)) {
        connections_.emplace_back(node_uids_[i], to);
        continue;
      }
      losses_.uncarry();
      lose(kNode, outline_.nodes[i].record, "property to_node", "no node is called so");
    }
  }

  // A link is a fibre of each direction, unless it says from which node it comes.
  void link(std::size_t i) {
    const OutlinedLink& link = outline_.links[i];
    Parts parts = parts_of(link, kLink, link_uids_[i]);
    losses_.carry(2);
    const std::string& a = node_uids_[link.ends[0]];
    const std::string& b = node_uids_[link.ends[1]];
    if (parts.type.empty()) parts.type = "Fiber";
    if (parts.from_node == a) return fiber(link_uids_[i], parts, a, b);
    if (parts.from_node == b) return fiber(link_uids_[i], parts, b, a);
    if (!parts.from_node.empty()) {
      losses_.uncarry();
      lose(kLink, link.record, "property from_node", "it is no end of the link");
    }
    fiber(link_uids_[i], parts, a, b);
    fiber(free_uid(fmt::format("{} back", link_uids_[i])), parts, b, a);
  }

  void fiber(const std::string& uid, const Parts& parts, const std::string& from,
             const std::string& to) {
    element(uid, parts);
    connections_.emplace_back(from, uid);
    connections_.emplace_back(uid, to);
  }

  void element(std::string_view uid, const Parts& parts) {
    out_.line();
    out_.open('{');
    out_.member("uid", uid);
    out_.member("type", parts.type);
    if (!parts.type_variety.empty()) out_.member("type_variety", parts.type_variety);
    location(parts);
    params(parts);
    if (!parts.operational.empty()) out_.number_member("operational", parts.operational);
    out_.close('}');
  }

  void location(const Parts& parts) {
    if (parts.city.empty() && parts.region.empty() && parts.latitude.empty() &&
        parts.longitude.empty())
      return;
    out_.name("metadata");
    out_.open('{');
    out_.name("location");
    out_.open('{');
    if (!parts.city.empty()) out_.member("city", parts.city);
    if (!parts.region.empty()) out_.member("region", parts.region);
    if (!parts.latitude.empty()) out_.number_member("latitude", parts.latitude);
    if (!parts.longitude.empty()) out_.number_member("longitude", parts.longitude);
    out_.close('}');
    out_.close('}');
  }

  void params(const Parts& parts) {
    if (parts.params.empty() && parts.length.empty() && parts.length_units.empty()) return;
    out_.name("params");
    out_.open('{');
    if (!parts.length.empty()) out_.number_member("length", parts.length);
    if (!parts.length_units.empty()) out_.member("length_units", parts.length_units);
    if (!parts.params.empty()) {
      const auto tree = JsonTree::parse(parts.params, {});
      for (const auto& [name, value] : tree->root().members())
        out_.number_member(name, value.json());
    }
    out_.close('}');
  }

  const Graph& graph_;
  const MapOutline& outline_;
  engine::LossList& losses_;
  boost::unordered_flat_set<std::string> uids_;
  std::vector<std::string> node_uids_;
  std::vector<std::string> link_uids_;
  boost::unordered_flat_map<std::string, std::uint32_t> node_of_uid_;
  std::vector<std::pair<std::string, std::string>> connections_;
  JsonOut out_;
  InstantText instants_;
};

}  // namespace

Result<WrittenMap> write_gnpy(const Graph& graph, RecordId topology) {
  return written_by<Writer>(graph, topology);
}

}  // namespace netml::codecs
