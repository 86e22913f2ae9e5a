#include "codecs/formats/ietf/ietf_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "codecs/document/id_key.hpp"
#include "codecs/formats/draft/field_names.hpp"
#include "codecs/formats/draft/json_out.hpp"
#include "codecs/formats/draft/map_fields.hpp"
#include "codecs/formats/draft/map_outline.hpp"
#include "codecs/formats/ietf/ietf_fields.hpp"

namespace netml::codecs {

namespace {

using engine::Graph;

constexpr std::size_t kTargets = static_cast<std::size_t>(Target::nothing) + 1;

constexpr std::size_t index_of(Target target) {
  return static_cast<std::size_t>(target);
}

constexpr FieldNames kNetworkNames{kIetfFields, {"network."}};
constexpr FieldNames kNodeNames{kIetfFields, {"node."}};
constexpr FieldNames kLinkNames{kIetfFields, {"link."}};
constexpr FieldNames kInstitutionNames{kIetfFields, {"institution."}};

// The members of one topology that stand in its network, by their places in the outline.
struct Network {
  std::vector<std::uint32_t> nodes;
  std::vector<std::uint32_t> links;
};

class Writer {
 public:
  Writer(const Graph& graph, const MapOutline& outline, engine::LossList& losses)
      : graph_(graph), outline_(outline), losses_(losses), networks_(outline.topologies.size()) {
    for (std::uint32_t i = 0; i < outline.nodes.size(); ++i)
      networks_[home_of(outline.nodes[i])].nodes.push_back(i);
    for (std::uint32_t i = 0; i < outline.links.size(); ++i)
      networks_[home_of(outline.links[i])].links.push_back(i);
  }

  std::string write() {
    out_.open('{');
    out_.name(ietf::kNetworks);
    out_.open('{');
    out_.name(ietf::kNetwork);
    out_.open('[');
    for (std::uint32_t i = 0; i < networks_.size(); ++i) network(i);
    out_.close(']');
    institutions();
    out_.close('}');
    out_.close('}');
    return std::move(out_).take().append("\n");
  }

 private:
  // The topology whose network an element stands in: the first one that lists it.
  std::uint32_t home_of(const OutlinedElement& element) const {
    const auto listed = outline_.topologies_of(element);
    return listed.empty() ? 0 : listed.front();
  }
  std::string_view id_of(RecordId record) const { return graph_.attributes(record).id(); }
  std::string_view node_id(std::uint32_t node) const { return id_of(outline_.nodes[node].record); }

  // ---- fields ----

  auto put_field(const FieldNames& names) {
    return [this, &names](Target target, std::string_view name, std::string_view value) {
      losses_.carry();
      if (target != list_) end_list();
      const std::string_view member = names[target];
      if (target == Target::property || target == Target::owner || target == Target::topology) {
        if (target != list_) begin_list(target, member);
        return target == Target::property ? property(name, value) : out_.string(value);
      }
      if (!is_number(target)) return out_.member(member, value);
      if (&names == &kInstitutionNames) return out_.number_member(member, value);
      place_[index_of(target)] = value;
    };
  }

  // The network says which topology lists it, if that is the only one.
  void element(const OutlinedElement& element, const FieldNames& names) {
    const bool is_told =
        &names != &kInstitutionNames && outline_.topologies_of(element).size() == 1;
    const auto put = put_field(names);
    for_each_field(graph_, outline_, element, instants_,
                   [&](Target target, std::string_view name, std::string_view value) {
                     if (is_told && target == Target::topology)
                       losses_.carry();
                     else
                       put(target, name, value);
                   });
    end_list();
  }

  void begin_list(Target target, std::string_view name) {
    list_ = target;
    out_.name(name);
    out_.open('[');
  }

  void end_list() {
    if (std::exchange(list_, Target::nothing) != Target::nothing) out_.close(']');
  }

  void property(std::string_view name, std::string_view value) {
    out_.open('{');
    out_.member("name", name);
    out_.member("value", value);
    out_.close('}');
  }

  // By RFC 9179; decimals are texts there.
  void place() {
    constexpr std::array<std::pair<Target, std::string_view>, 3> kNames{
        {{Target::latitude, "latitude"},
         {Target::longitude, "longitude"},
         {Target::altitude, "height"}}};
    bool open = false;
    for (const auto& [target, name] : kNames) {
      std::string& value = place_[index_of(target)];
      if (value.empty()) continue;
      if (!std::exchange(open, true)) {
        out_.name(ietf::kPlace);
        out_.open('{');
      }
      out_.member(name, value);
      value.clear();
    }
    if (open) out_.close('}');
  }

  // ---- networks ----

  void network(std::uint32_t number) {
    const RecordId topology = outline_.topologies[number];
    const Network& network = networks_[number];
    list_points(network);
    out_.line();
    out_.open('{');
    out_.member("network-id", id_of(topology));
    for_each_field(graph_, outline_, topology, instants_, put_field(kNetworkNames));
    end_list();
    out_.name(ietf::kNode);
    out_.open('[');
    for (std::uint32_t i = 0; i < local_nodes_.size(); ++i)
      i < network.nodes.size() ? node(i) : copy(i);
    out_.close(']');
    out_.name(ietf::kLink);
    out_.open('[');
    for (const std::uint32_t i : network.links) link(outline_.links[i]);
    out_.close(']');
    out_.close('}');
  }

  // The nodes of a network, those of others that its links join behind them; and the links of each,
  // which have a termination point there.
  void list_points(const Network& network) {
    boost::unordered_flat_map<IdKey, std::uint32_t, IdKeyHash> number_of(network.nodes.size());
    local_nodes_.clear();
    points_.clear();
    const auto number = [&](std::uint32_t node) {
      const auto next = static_cast<std::uint32_t>(local_nodes_.size());
      const auto [found, added] = number_of.try_emplace(IdKey(node_id(node)), next);
      if (added) local_nodes_.push_back(node);
      return found->second;
    };
    for (const std::uint32_t node : network.nodes) number(node);
    for (const std::uint32_t link : network.links)
      for (const std::uint32_t end : outline_.links[link].ends)
        points_.emplace_back(number(end), link);
    std::ranges::sort(points_);
  }

  void node(std::uint32_t local) {
    const std::uint32_t node = local_nodes_[local];
    out_.line();
    out_.open('{');
    out_.member("node-id", node_id(node));
    element(outline_.nodes[node], kNodeNames);
    place();
    points(local);
    out_.close('}');
  }

  // RFC 8345 joins nodes of one network: that of another one is a node that it supports.
  void copy(std::uint32_t local) {
    const std::uint32_t node = local_nodes_[local];
    const std::uint32_t home = home_of(outline_.nodes[node]);
    out_.line();
    out_.open('{');
    out_.member("node-id", node_id(node));
    out_.name("supporting-node");
    out_.open('[');
    out_.open('{');
    out_.member("network-ref", id_of(outline_.topologies[home]));
    out_.member("node-ref", node_id(node));
    out_.close('}');
    out_.close(']');
    out_.number_member(ietf::kCopy, "true");
    points(local);
    out_.close('}');
  }

  void points(std::uint32_t local) {
    auto point = std::ranges::lower_bound(points_, std::pair(local, std::uint32_t{0}));
    if (point == points_.end() || point->first != local) return;
    out_.name(ietf::kPoints);
    out_.open('[');
    for (; point != points_.end() && point->first == local; ++point) {
      out_.open('{');
      out_.member("tp-id", id_of(outline_.links[point->second].record));
      out_.close('}');
    }
    out_.close(']');
  }

  // Both directions; the first one says all of the link.
  void link(const OutlinedLink& link) {
    const std::string_view id = id_of(link.record);
    out_.line();
    one_way(fmt::format("{}#forward", id), id, node_id(link.ends[0]), node_id(link.ends[1]));
    losses_.carry(2);
    element(link, kLinkNames);
    out_.close('}');
    out_.line();
    one_way(fmt::format("{}#back", id), id, node_id(link.ends[1]), node_id(link.ends[0]));
    out_.close('}');
  }

  void one_way(std::string_view id, std::string_view point, std::string_view from,
               std::string_view to) {
    out_.open('{');
    out_.member("link-id", id);
    out_.name("source");
    out_.open('{');
    out_.member("source-node", from);
    out_.member("source-tp", point);
    out_.close('}');
    out_.name("destination");
    out_.open('{');
    out_.member("dest-node", to);
    out_.member("dest-tp", point);
    out_.close('}');
  }

  void institutions() {
    out_.name(ietf::kInstitutions);
    out_.open('[');
    for (const OutlinedElement& institution : outline_.institutions) {
      out_.line();
      out_.open('{');
      element(institution, kInstitutionNames);
      out_.close('}');
    }
    out_.close(']');
  }

  const Graph& graph_;
  const MapOutline& outline_;
  engine::LossList& losses_;
  std::vector<Network> networks_;  // of the topologies
  std::vector<std::uint32_t> local_nodes_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> points_;  // local node, link
  JsonOut out_;
  InstantText instants_;
  Target list_ = Target::nothing;  // whose list is open
  std::array<std::string, kTargets> place_;
};

}  // namespace

Result<WrittenMap> write_ietf(const Graph& graph, RecordId topology) {
  return written_by<Writer>(graph, topology);
}

}  // namespace netml::codecs
