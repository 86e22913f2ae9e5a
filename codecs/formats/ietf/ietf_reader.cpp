#include "codecs/formats/ietf/ietf_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_set.hpp>
#include <string>
#include <vector>

#include "codecs/document/id_key.hpp"
#include "codecs/formats/draft/json_fields.hpp"
#include "codecs/formats/ietf/ietf_fields.hpp"
#include "codecs/formats/ietf/ietf_index.hpp"
#include "codecs/formats/ietf/ietf_links.hpp"
#include "engine/base/texts.hpp"

namespace netml::codecs {

namespace {

constexpr std::string_view kOfNetwork = "network.";
constexpr std::string_view kOfNode = "node.";
constexpr std::string_view kOfLink = "link.";
constexpr std::string_view kOfInstitution = "institution.";
constexpr char kModuleMark = ':';

bool is_list(JsonValue value) {
  return value.is_array() && !value.is_empty();
}

// Whether latitudes are those of the Earth, as WGS 84 has them.
bool is_on_earth(JsonValue place) {
  const JsonValue frame = place["reference-frame"];
  const auto is = [](JsonValue value, std::string_view usual) {
    return value.is_absent() || lower_ascii(value.text()) == usual;
  };
  return is(frame["astronomical-body"], "earth") && frame["alternate-system"].is_absent() &&
         is(frame["geodetic-system"]["geodetic-datum"], "wgs-84");
}

// Of a termination point in its network.
std::string point_key(std::string_view node, std::string_view point) {
  return fmt::format("{} {}/{}", node.size(), node, point);
}

class Reader {
 public:
  Reader(const JsonTree& tree, const ReadLimits& limits)
      : root_(tree.root()), errors_(limits.errors) {
    const auto names = [&tree](TextPosition at) { return tree.pointer(at); };
    draft_.name_places(names);
    draft_.identify_by_keys();
    errors_.name_places(names);
  }

  ReadResult read(const DraftOptions& options) && {
    const IetfIndex index(root_, objects_);
    index_ = &index;
    if (errors_.empty()) {
      set_topologies();
      for (std::uint32_t i = 0; i < index.networks().size(); ++i)
        set_members(index.networks()[i], i != index.root());
      set_institutions();
    }
    return std::move(draft_).take(options, std::move(errors_));
  }

 private:
  // ---- topologies ----

  void set_topologies() {
    const auto& networks = index_->networks();
    const bool has_root = index_->root() != IetfIndex::kNone;
    draft_.open(Kind::topology,
                has_root ? networks[index_->root()].value.position() : root_.position());
    fields_.set("networks.", root_, {ietf::kNetworks});
    for (const auto& [name, value] : root_[ietf::kNetworks].members())
      if (name != ietf::kNetwork && !(name == ietf::kInstitutions && is_list(value)))
        fields_.set("networks.", name, value);
    if (has_root) set_network(networks[index_->root()]);
    draft_.close();
    for (std::uint32_t i = 0; i < networks.size(); ++i) {
      if (i == index_->root()) continue;
      draft_.open(Kind::topology, networks[i].value.position());
      set_network(networks[i]);
      draft_.close();
    }
  }

  void set_network(const IetfNetwork& network) {
    for (const auto& [name, value] : network.value.members()) {
      const bool holds_elements = name == ietf::kNode || name == ietf::kLink;
      if (name == ietf::kParent && value.is_string() && !opened_.contains(IdKey(value.text())))
        draft_.set_together(rules_.find(kOfNetwork, "unknown parent", "parent"), value.text(), 1);
      else if (!holds_elements || !is_list(value))
        set_member(kOfNetwork, name, value);
    }
    name_by_id(kOfNetwork, network.value, network.id);
    opened_.insert(IdKey(network.id));
    opened_.insert(IdKey(text_member(network.value, ietf::kIdentifier)));
  }

  // ---- fields of all ----

  void set_member(std::string_view owner, std::string_view name, JsonValue value) {
    const bool is_ours =
        name == ietf::kProperties || (owner == kOfInstitution && name == ietf::kPropertiesInside);
    if (is_ours && is_list(value))
      set_properties(owner, name, value);
    else
      fields_.set(owner, name, value);
  }

  // A list of names and values; names may repeat.
  void set_properties(std::string_view owner, std::string_view list, JsonValue properties) {
    const std::string rows = fmt::format("{}{}.", owner, list);
    for (const JsonValue property : properties.items()) {
      const JsonValue name = property["name"];
      const JsonValue value = property["value"];
      if (!name.is_string() || !value.is_string() || property.size() != 2) {
        fields_.set_together(owner, list, property);
        continue;
      }
      draft_.losses().carry();
      draft_.set({rules_.find(rows, name.text(), name.text()), value.position()}, value.text());
    }
  }

  // What has no other name is called as the file calls it; where that is too long, a property has
  // all of it.
  void name_by_id(std::string_view owner, JsonValue object, std::string_view id) {
    if (!text_member(object, ietf::kName).empty()) return;
    draft_.add(rules_.find(owner, ietf::kName), id);
    if (id.size() > engine::kNameCharactersMax)
      draft_.set_together(rules_.find(owner, "long id", "id"), id, 0);
  }

  // Of the open element: the network that it stands in, unless it names others.
  void set_topology(std::string_view owner, JsonValue object) {
    if (!topology_.empty() && !is_list(object[ietf::kTopology]))
      draft_.add(rules_.find(owner, ietf::kTopologyRow), topology_);
  }

  // ---- nodes ----

  void set_members(const IetfNetwork& network, bool is_below) {
    const std::string_view identifier = text_member(network.value, ietf::kIdentifier);
    topology_ = !is_below ? std::string_view() : identifier.empty() ? network.id : identifier;
    const std::vector<OneWayLink> links = links_of(network);
    for (std::uint32_t i = network.nodes_begin; i < network.nodes_end; ++i) {
      const IetfNode& node = index_->nodes()[i];
      node.stands_for == i ? set_node(node) : set_copy(node);
    }
    set_links(network, links);
  }

  void set_node(const IetfNode& node) {
    draft_.open(Kind::node, node.value.position());
    for (const auto& [name, value] : node.value.members()) {
      if (name == "node-id")
        draft_.set({rules_.find(kOfNode, name), value.position()}, node.key);
      else if (name == ietf::kPoints && is_list(value))
        set_points(node, value);
      else if (name == ietf::kPlace && value.is_object() && !value.is_empty())
        set_place(value);
      else
        set_member(kOfNode, name, value);
    }
    name_by_id(kOfNode, node.value, node.id);
    set_topology(kOfNode, node.value);
    draft_.close();
  }

  // Those of which links say all that is to be said are in the links.
  void set_points(const IetfNode& node, JsonValue points) {
    for (const JsonValue point : points.items())
      if (is_in_a_link(node, point))
        draft_.losses().carry();
      else
        fields_.set_together(kOfNode, ietf::kPoints, point);
  }

  bool is_in_a_link(const IetfNode& node, JsonValue point) const {
    const std::string_view id = text_member(point, "tp-id");
    return point.size() == 1 && !id.empty() && joined_.contains(point_key(node.id, id));
  }

  void set_place(JsonValue place) {
    objects_.refuse_repeated(place);
    if (!is_on_earth(place)) return fields_.set_together(kOfNode, ietf::kPlace, place);
    for (JsonLeaves leaves(place); leaves.next();) {
      const JsonValue leaf = leaves.leaf();
      const std::string_view path = leaves.path();
      const auto& rule =
          rules_.find(kOfNode, fmt::format("{}.{}", ietf::kPlace, path),
                      fmt::format("geo-location.{}", path.substr(path.rfind('.') + 1)));
      if (leaf.kind() == JsonKind::null || leaf.is_empty())
        draft_.losses().carry();
      else
        draft_.set({rule, leaf.position()}, leaf.text());
    }
  }

  void set_copy(const IetfNode& node) {
    constexpr std::string_view kReason = "it is said of a copy of a node";
    for (const auto& [name, value] : node.value.members()) {
      if (name == "node-id" || name == "supporting-node" || name == ietf::kCopy) {
        fields_.carry(value);
      } else if (name == ietf::kPoints && is_list(value)) {
        for (const JsonValue point : value.items())
          if (is_in_a_link(node, point))
            draft_.losses().carry();
          else
            fields_.lose(kOfNode, name, point, kReason);
      } else {
        fields_.lose(kOfNode, name, value, kReason);
      }
    }
  }

  // ---- links ----

  // Those that join two nodes; the others are lost. Remembers what they join.
  std::vector<OneWayLink> links_of(const IetfNetwork& network) {
    joined_.clear();
    std::vector<OneWayLink> links;
    boost::unordered_flat_set<IdKey, IdKeyHash> ids;
    for (const JsonValue value : network.value[ietf::kLink].items()) {
      OneWayLink link{.value = value, .id = objects_.id_of(value, "a link", "link-id")};
      if (!link.id.empty() && !ids.insert(IdKey(link.id)).second)
        objects_.report("duplicate-id",
                        fmt::format("two links of one network are {}", excerpt(link.id)), value);
      link.is_ours = !text_member(value, ietf::kIdentifier).empty();
      link.source = side_of(network, value, kSource);
      link.destination = side_of(network, value, kDestination);
      const auto ends = {link.source.node, link.destination.node};
      const bool complete = std::ranges::find(ends, IetfIndex::kNone) == ends.end();
      if (!complete || link.source.node == link.destination.node) {
        fields_.lose(kOfLink, "", value,
                     complete ? "a link joins two different nodes"
                              : "an end of the link is no node of its network");
        continue;
      }
      for (const LinkSide& side : {link.source, link.destination})
        joined_.insert(point_key(side.node_id, side.point));
      links.push_back(link);
    }
    return links;
  }

  LinkSide side_of(const IetfNetwork& network, JsonValue link, const SideNames& names) {
    const JsonValue object = link[names.member];
    objects_.refuse_repeated(object);
    LinkSide side;
    side.node_id = text_member(object, names.node);
    side.point = text_member(object, names.point);
    side.node = index_->find_node(network.id, side.node_id);
    if (side.node != IetfIndex::kNone) side.node = index_->nodes()[side.node].stands_for;
    return side;
  }

  void set_links(const IetfNetwork& network, const std::vector<OneWayLink>& links) {
    const std::vector<std::uint32_t> back = find_links_back(links);
    for (std::size_t i = 0; i < links.size(); ++i) {
      const OneWayLink* const other = back[i] == kNoLink ? nullptr : &links[back[i]];
      if (other != nullptr && !comes_first(links[i], *other)) continue;
      draft_.open(Kind::link, links[i].value.position());
      set_link(network, links[i]);
      if (other != nullptr)
        set_link_back(links[i], *other);
      else
        tell_one_way(network, links[i]);
      draft_.close();
    }
  }

  // Of the two directions of a link, whatever their order in the file.
  static bool comes_first(const OneWayLink& link, const OneWayLink& other) {
    return link.is_ours != other.is_ours ? link.is_ours : link.id < other.id;
  }

  // What we have made up, to write a link, becomes no property.
  void set_link(const IetfNetwork& network, const OneWayLink& link) {
    for (const auto& [name, value] : link.value.members()) {
      if (name == "link-id")
        draft_.set({rules_.find(kOfLink, name), value.position()}, ietf_key(network.id, link.id));
      else if (name == kSource.member)
        set_side(kSource, value, link.source, link.is_ours);
      else if (name == kDestination.member)
        set_side(kDestination, value, link.destination, link.is_ours);
      else
        set_member(kOfLink, name, value);
    }
    if (!link.is_ours) draft_.set_together(id_rule(), link.id, 0);
    set_topology(kOfLink, link.value);
  }

  const FoundRule& id_rule() { return rules_.find(kOfLink, "link-id as property", "link-id"); }

  void set_side(const SideNames& names, JsonValue object, const LinkSide& side, bool is_ours) {
    for (const auto& [name, value] : object.members()) {
      const std::string field = fmt::format("{}.{}", names.member, name);
      const bool is_point = name == names.point && !side.point.empty();
      if (name == names.node)
        draft_.set({rules_.find(kOfLink, field), value.position()}, index_->nodes()[side.node].key);
      else if (is_point && is_ours)
        draft_.losses().carry();
      else if (is_point)
        draft_.set({rules_.find(kOfLink, field, name), value.position()},
                   fmt::format("{}/{}", side.node_id, side.point));
      else
        fields_.set(kOfLink, field, value);
    }
  }

  // What the other direction says is what the first one says, or one property.
  void set_link_back(const OneWayLink& link, const OneWayLink& back) {
    const LinkBack said = compare_link_back(link, back);
    draft_.losses().carry(said.known);
    if (!link.is_ours) draft_.set_together(id_rule(), back.id, 1);
    if (!said.more.empty())
      draft_.set_together(rules_.find(kOfLink, "link-back"), said.more, said.more_leaves);
  }

  void tell_one_way(const IetfNetwork& network, const OneWayLink& link) {
    draft_.set_together(rules_.find(kOfLink, "one-way-from"), link.source.node_id, 0);
    draft_.notes().add(
        {true, Kind::link,
         fmt::format("link {} of network {} goes one way, from {} to {}: not exactly one link goes "
                     "back between the same termination points",
                     excerpt(link.id), excerpt(network.id), excerpt(link.source.node_id),
                     excerpt(link.destination.node_id))});
  }

  // ---- institutions ----

  void set_institutions() {
    for (const JsonValue institution : root_[ietf::kNetworks][ietf::kInstitutions].items()) {
      if (objects_.id_of(institution, "an institution", "identifier").empty()) continue;
      draft_.open(Kind::institution, institution.position());
      for (const auto& [name, value] : institution.members())
        set_member(kOfInstitution, name, value);
      draft_.close();
    }
  }

  const JsonValue root_;
  ErrorList errors_;
  JsonObjects objects_{errors_};
  MapDraft draft_;
  FieldRules rules_{kIetfFields, kModuleMark};
  JsonFields fields_{draft_, rules_};
  const IetfIndex* index_ = nullptr;
  // By id and by identifier: what networks that come later may stand in.
  boost::unordered_flat_set<IdKey, IdKeyHash> opened_;
  boost::unordered_flat_set<std::string> joined_;  // termination points, by links of a network
  std::string_view topology_;  // of the network that is read; empty: the map's own
};

}  // namespace

ReadResult read_ietf(RandomAccessFile& file, const DraftOptions& options,
                     const ReadLimits& limits) {
  NETML_TRY(const JsonTree tree, JsonTree::read(file, limits));
  return Reader(tree, limits).read(options);
}

}  // namespace netml::codecs
