// NML tells a link through its ports: a node has two one-way ports for each end, a port of both
// directions has these as parts, and each of the two one-way links begins at one port and ends at
// another. A map has none of them, so they are made where no half link names them; the reader knows
// their identifiers and keeps nothing of them.
#include "codecs/formats/nml/nml_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/unordered/unordered_flat_set.hpp>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "codecs/document/text_buffer.hpp"
#include "codecs/document/xml_text.hpp"
#include "codecs/formats/draft/map_fields.hpp"
#include "codecs/formats/draft/map_outline.hpp"
#include "codecs/formats/nml/nml_fields.hpp"
#include "engine/half_links/half_link.hpp"

namespace netml::codecs {

namespace {

using engine::Graph;
using engine::HalfLink;
namespace half_link = engine::half_link;

constexpr std::string_view kRelation = "http://schemas.ogf.org/nml/2013/05/base#";

// A port of both directions, with the one-way links that begin and end at it; empty: none.
struct Port {
  // A range of labels is of a group.
  std::string_view one_way() const { return labels.empty() ? "Port" : "PortGroup"; }

  std::string id;
  std::string in;
  std::string out;
  std::string peer_in = {};
  std::string peer_out = {};
  std::string name = {};
  std::vector<std::string> labels = {};
  std::string label_type = {};
  std::string link_in = {};
  std::string link_out = {};
};

class Writer {
 public:
  Writer(const Graph& graph, const MapOutline& outline, engine::LossList& losses)
      : graph_(graph), outline_(outline), losses_(losses) {}

  std::string write() {
    list_members();
    list_ports();
    out_.append("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
    write_topologies();
    return std::string(out_.view());
  }

 private:
  // ---- what is where ----

  // Elements that a topology describes, and those that it only names.
  struct Members {
    std::vector<std::size_t> described[3];  // institutions, nodes, links
    std::vector<std::size_t> named[3];
    std::vector<std::size_t> children;
  };

  void list_members() {
    members_.resize(outline_.topologies.size());
    const auto list = [&](std::size_t kind, std::size_t i, const OutlinedElement& element) {
      const auto listed = outline_.topologies_of(element);
      const std::size_t first = listed.empty() ? 0 : listed.front();
      members_[first].described[kind].push_back(i);
      for (const std::uint32_t other : listed)
        if (other != first) members_[other].named[kind].push_back(i);
    };
    for (std::size_t i = 0; i < outline_.institutions.size(); ++i)
      list(0, i, outline_.institutions[i]);
    for (std::size_t i = 0; i < outline_.nodes.size(); ++i) list(1, i, outline_.nodes[i]);
    for (std::size_t i = 0; i < outline_.links.size(); ++i) list(2, i, outline_.links[i]);
    for (std::size_t i = 1; i < outline_.topologies.size(); ++i) {
      const RecordId parent = graph_.relations(outline_.topologies[i]).parent();
      const auto found = std::ranges::find(outline_.topologies, parent);
      members_[static_cast<std::size_t>(found - outline_.topologies.begin())].children.push_back(i);
    }
  }

  std::string_view id_of(RecordId record) const { return graph_.attributes(record).id(); }

  // An identifier that no other port or link of the file has.
  std::string unused(std::string id) { return used_.insert(id).second ? id : made("part"); }
  std::string made(std::string_view what) {
    return fmt::format("{}{}:{}", kMadeForNml, what, ++made_);
  }

  static std::string text(const HalfLink& half, std::string_view name) {
    return std::string(half.value(name));
  }

  Port port_of(const HalfLink& half) {
    Port port{.id = unused(half.port()), .in = {}, .out = {}};
    const bool has_in = !half.value(half_link::kIn).empty();
    const bool has_out = !half.value(half_link::kOut).empty();
    port.in = has_in ? unused(text(half, half_link::kIn)) : made("in");
    port.out = has_out ? unused(text(half, half_link::kOut)) : made("out");
    if (has_in) port.peer_in = text(half, half_link::kPeerIn);
    if (has_out) port.peer_out = text(half, half_link::kPeerOut);
    port.name = text(half, half_link::kName);
    port.label_type = text(half, half_link::kLabelType);
    if (port.label_type.empty()) return port;
    for (const auto& member : half.values(half_link::kLabels)) port.labels.push_back(member.value);
    return port;
  }

  void list_ports() {
    ports_.resize(outline_.nodes.size());
    for (std::size_t i = 0; i < outline_.nodes.size(); ++i)
      for (const HalfLink& half :
           engine::half_links_of(graph_.attributes(outline_.nodes[i].record))) {
        if (!is_spellable(half)) continue;
        port_at_.emplace(std::pair(i, half.port()), ports_[i].size());
        ports_[i].push_back(port_of(half));
      }
    for (const OutlinedLink& link : outline_.links) list_ports_of(link);
  }

  // The port that the link remembers at this end, or one that is made.
  void list_ports_of(const OutlinedLink& link) {
    const auto halves = engine::half_links_of(graph_.attributes(link.record));
    auto& ways = ways_.emplace_back();
    for (std::string& way : ways) way = made("link");
    for (std::size_t end = 0; end < 2; ++end) {
      const std::string_view node = id_of(outline_.nodes[link.ends[end]].record);
      const auto half = std::ranges::find(
          halves, node, [](const HalfLink& one) { return one.value(half_link::kNode); });
      const bool remembered = half != halves.end() && is_spellable(*half);
      Port& port = port_for_link(link.ends[end], remembered ? &*half : nullptr);
      port.link_out = ways[end];
      port.link_in = ways[1 - end];
    }
  }

  // The node may have it as a half link, too.
  Port& port_for_link(std::size_t node, const HalfLink* half) {
    std::vector<Port>& ports = ports_[node];
    if (half == nullptr)
      return ports.emplace_back(Port{.id = made("port"), .in = made("in"), .out = made("out")});
    const auto same = port_at_.find({node, half->port()});
    const bool is_free = same != port_at_.end() && ports[same->second].link_out.empty();
    Port& port = is_free ? ports[same->second] : ports.emplace_back(port_of(*half));
    port.labels.clear();  // a Link is of Ports, not of groups
    return port;
  }

  // The reader refuses others.
  static bool is_spellable(const HalfLink& half) {
    return engine::may_be_in_half_link(half.port()) &&
           std::ranges::all_of(half.members(), [](const auto& member) {
             const bool is_id = member.name == half_link::kIn || member.name == half_link::kOut ||
                                member.name == half_link::kPeerIn ||
                                member.name == half_link::kPeerOut;
             return !is_id || engine::may_be_in_half_link(member.value);
           });
  }

  // ---- XML ----

  void escaped(std::string_view text) {
    out_.wrote(put_escaped(out_.room(kEscapedBytesMax * text.size()), text));
  }
  void attribute(std::string_view name, std::string_view value) {
    out_.append(" ");
    out_.append(name);
    out_.append("=");
    out_.wrote(put_quoted(out_.room(quoted_bytes_max(value.size())), value));
  }
  void leaf(std::string_view name, std::string_view value) {
    out_.append("<");
    out_.append(name);
    out_.append(">");
    escaped(value);
    out_.append("</");
    out_.append(name);
    out_.append(">");
  }
  void reference(std::string_view element, std::string_view id) {
    out_.append("<");
    out_.append(element);
    attribute("id", id);
    out_.append("/>");
  }
  void open_relation(std::string_view type) {
    out_.append("<Relation");
    attribute("type", fmt::format("{}{}", kRelation, type));
    out_.append(">");
  }
  void related(std::string_view type, std::string_view element, std::string_view id) {
    open_relation(type);
    reference(element, id);
    out_.append("</Relation>");
  }

  // ---- fields: attributes, then what NML has elements for, then the rest ----

  struct Value {
    Target target;
    std::string name;
    std::string value;
  };

  template <class Element>
  void take_fields(const Element& element) {
    values_.clear();
    for_each_field(graph_, outline_, element, instants_,
                   [&](Target target, std::string_view name, std::string_view value) {
                     losses_.carry();
                     if (target != Target::topology && target != Target::parent)
                       values_.push_back({target, std::string(name), std::string(value)});
                   });
  }

  const Value* value_of(Target target) const {
    const auto found = std::ranges::find(values_, target, &Value::target);
    return found == values_.end() ? nullptr : &*found;
  }

  // Leaves the element open.
  void open_element(std::string_view element) {
    out_.append("<");
    out_.append(element);
    attribute("id", value_of(Target::identifier)->value);
    if (const Value* version = value_of(Target::version)) attribute("version", version->value);
    out_.append(">");
    if (const Value* name = value_of(Target::name)) leaf("name", name->value);
    lifetime();
    location();
  }

  void lifetime() {
    const Value* const start = value_of(Target::start);
    const Value* const end = value_of(Target::end);
    if (start == nullptr && end == nullptr) return;
    out_.append("<Lifetime>");
    if (start != nullptr) leaf("start", start->value);
    if (end != nullptr) leaf("end", end->value);
    out_.append("</Lifetime>");
  }

  void location() {
    constexpr std::array kPlaces{
        std::pair(Target::longitude, "long"), std::pair(Target::latitude, "lat"),
        std::pair(Target::altitude, "alt"), std::pair(Target::unlocode, "unlocode")};
    const bool is_placed = std::ranges::any_of(
        kPlaces, [&](const auto& place) { return value_of(place.first) != nullptr; });
    const Value* const address = value_of(Target::address);
    if (!is_placed && address == nullptr) return;
    out_.append("<Location>");
    for (const auto& [target, name] : kPlaces)
      if (const Value* value = value_of(target)) leaf(name, value->value);
    if (address != nullptr) leaf("x:address", address->value);
    out_.append("</Location>");
  }

  void extensions() {
    for (const Value& value : values_) {
      if (value.target == Target::short_name) leaf("x:short_name", value.value);
      if (value.target == Target::owner) leaf("x:owner", value.value);
      if (value.target != Target::property) continue;
      out_.append("<x:property");
      attribute("name", value.name);
      out_.append(">");
      escaped(value.value);
      out_.append("</x:property>");
    }
  }

  // ---- elements ----

  void node(std::size_t i) {
    take_fields(outline_.nodes[i]);
    open_element("Node");
    for (const Port& port : ports_[i]) {
      related("hasInboundPort", port.one_way(), port.in);
      related("hasOutboundPort", port.one_way(), port.out);
    }
    extensions();
    out_.append("</Node>\n");
    for (const Port& port : ports_[i]) ports(port);
  }

  void one_way_port(std::string_view id, const Port& port, std::string_view peer,
                    std::string_view relation, std::string_view link) {
    out_.append("<");
    out_.append(port.one_way());
    attribute("id", id);
    out_.append(">");
    for (const std::string& labels : port.labels) {
      out_.append("<LabelGroup");
      attribute("labeltype", port.label_type);
      out_.append(">");
      escaped(labels);
      out_.append("</LabelGroup>");
    }
    if (!link.empty()) related(relation, "Link", link);
    if (!peer.empty()) related("isAlias", port.one_way(), peer);
    out_.append("</");
    out_.append(port.one_way());
    out_.append(">");
  }

  void ports(const Port& port) {
    one_way_port(port.in, port, port.peer_in, "isSink", port.link_in);
    one_way_port(port.out, port, port.peer_out, "isSource", port.link_out);
    out_.append("<BidirectionalPort");
    attribute("id", port.id);
    out_.append(">");
    if (!port.name.empty()) leaf("name", port.name);
    reference(port.one_way(), port.in);
    reference(port.one_way(), port.out);
    out_.append("</BidirectionalPort>\n");
  }

  void link(std::size_t i) {
    take_fields(outline_.links[i]);
    losses_.carry(2);
    open_element("BidirectionalLink");
    for (const std::string& way : ways_[i]) reference("Link", way);
    extensions();
    out_.append("</BidirectionalLink>\n");
  }

  void institution(std::size_t i) {
    take_fields(outline_.institutions[i]);
    open_element("x:Institution");
    extensions();
    out_.append("</x:Institution>\n");
  }

  void topology(std::size_t i) {
    take_fields(outline_.topologies[i]);
    out_.append("<Topology");
    if (i == 0) {
      attribute("xmlns", kNmlBaseNamespace);
      attribute("xmlns:x", kNmlExtension);
    }
    attribute("id", value_of(Target::identifier)->value);
    if (const Value* version = value_of(Target::version)) attribute("version", version->value);
    out_.append(">");
    if (const Value* name = value_of(Target::name)) leaf("name", name->value);
    out_.append("\n");
    const Members& members = members_[i];
    extensions();
    for (const std::size_t number : members.described[1]) node(number);
    for (const std::size_t number : members.described[2]) link(number);
    for (const std::size_t number : members.named[1])
      related("hasNode", "Node", id_of(outline_.nodes[number].record));
    for (const std::size_t number : members.named[2])
      related("hasLink", "BidirectionalLink", id_of(outline_.links[number].record));
    for (const std::size_t number : members.described[0]) institution(number);
    for (const std::size_t number : members.named[0])
      related("hasInstitution", "x:Institution", id_of(outline_.institutions[number].record));
  }

  // Without recursion: a chain of topologies may be long.
  void write_topologies() {
    std::vector<std::pair<std::size_t, std::size_t>> open{{0, 0}};
    topology(0);
    while (!open.empty()) {
      auto& [number, child] = open.back();
      const auto& children = members_[number].children;
      if (child == children.size()) {
        out_.append("</Topology>\n");
        open.pop_back();
        continue;
      }
      const std::size_t next = children[child++];
      topology(next);
      open.emplace_back(next, 0);
    }
  }

  const Graph& graph_;
  const MapOutline& outline_;
  engine::LossList& losses_;
  TextBuffer out_;
  InstantText instants_;
  std::vector<Members> members_;                                        // by topology
  std::vector<std::vector<Port>> ports_;                                // by node
  std::map<std::pair<std::size_t, std::string>, std::size_t> port_at_;  // by node and port
  std::vector<std::array<std::string, 2>> ways_;  // of each link: from its first end, and back
  boost::unordered_flat_set<std::string> used_;
  std::size_t made_ = 0;
  std::vector<Value> values_;  // of the element that is written
};

}  // namespace

Result<WrittenMap> write_nml(const Graph& graph, RecordId topology) {
  return written_by<Writer>(graph, topology);
}

}  // namespace netml::codecs
