#include "bench/codecs/made_files.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

#include "engine/base/json_string.hpp"

namespace netml::bench {

namespace {

using engine::Attributes;
using engine::Graph;

template <class... Parts>
void add(std::string& out, fmt::format_string<Parts...> form, Parts&&... parts) {
  fmt::format_to(std::back_inserter(out), form, std::forward<Parts>(parts)...);
}

// What stands before the next item of a list.
std::string_view comma(const std::string& out) {
  return out.ends_with('[') ? "" : ",\n";
}

double degrees(engine::Micro micro) {
  return static_cast<double>(micro.value) / 1e6;
}

std::string name_of(const Graph& graph, RecordId id) {
  return json_string(graph.attributes(id).name());
}

// ---- OFDS ----

// The institution that owns an element, by its key and its name.
void add_provider(std::string& out, const Graph& graph, RecordId element) {
  const RecordId owner = graph.relations(element).owner();
  if (owner)
    add(out, R"(,"physicalInfrastructureProvider":{{"id":"{}","name":{}}})", owner.value,
        name_of(graph, owner));
}

void add_ofds_node(std::string& out, const Graph& graph, RecordId node) {
  add(out, R"({}{{"id":"{}","name":{})", comma(out), node.value, name_of(graph, node));
  if (const auto place = graph.attributes(node).coordinates())
    add(out, R"(,"location":{{"type":"Point","coordinates":[{},{}]}})", degrees(place->longitude),
        degrees(place->latitude));
  add_provider(out, graph, node);
  out += R"(,"status":"operational","power":true,"technologies":["ip"]})";
}

void add_ofds_span(std::string& out, const Graph& graph, RecordId link) {
  const auto ends = graph.relations(link).ends();
  if (ends.size() != 2) return;
  add(out, R"({}{{"id":"{}","name":{},"start":"{}","end":"{}","directed":false)", comma(out),
      link.value, name_of(graph, link), ends[0].value, ends[1].value);
  add_provider(out, graph, link);
  out += R"(,"status":"operational","darkFibre":false,"transmissionMedium":["fibre"]})";
}

// ---- OSCARS ----

void add_device(std::string& out, const Graph& graph, RecordId node) {
  const auto place = graph.attributes(node).coordinates().value_or(engine::Coordinates{});
  add(out,
      R"({}{{"urn":"d{}","model":"JUNIPER_MX","location":{},"latitude":"{}","longitude":"{}",)"
      R"("capabilities":["ETHERNET","MPLS"],"reservableVlans":[],"ports":[)",
      comma(out), node.value, name_of(graph, node), degrees(place.latitude),
      degrees(place.longitude));
  graph.for_each_referrer(node, [&](RecordId link) {
    if (graph.kind(link) == Kind::link)
      add(out,
          R"({}{{"urn":"d{}:{}","reservableIngressBw":100000,"ifces":[],)"
          R"("reservableVlans":[{{"floor":2,"ceiling":4095}}]}})",
          comma(out), node.value, link.value);
    return true;
  });
  out += "]}";
}

void add_adjacency(std::string& out, const Graph& graph, RecordId link) {
  const auto ends = graph.relations(link).ends();
  if (ends.size() != 2) return;
  add(out,
      R"({0}{{"a":{{"device":"d{1}","port":"d{1}:{3}"}},"z":{{"device":"d{2}","port":"d{2}:{3}"}},)"
      R"("metrics":{{"MPLS":10}}}})",
      comma(out), ends[0].value, ends[1].value, link.value);
}

// ---- NetBox ----

void add_site(std::string& out, const Graph& graph, RecordId node) {
  add(out, R"({0}{{"model":"dcim.site","pk":{1},"fields":{{"name":{2},"slug":"s{1}",)", comma(out),
      node.value, name_of(graph, node));
  if (const auto place = graph.attributes(node).coordinates())
    add(out, R"("latitude":"{}","longitude":"{}",)", degrees(place->latitude),
        degrees(place->longitude));
  out += R"("status":"active","tenant":null,"comments":"","custom_field_data":{}}})";
}

void add_circuit(std::string& out, const Graph& graph, RecordId link) {
  const auto ends = graph.relations(link).ends();
  if (ends.size() != 2) return;
  add(out,
      R"({0}{{"model":"circuits.circuit","pk":{1},"fields":{{"cid":{2},"provider":1,)"
      R"("status":"active","commit_rate":10000000,"comments":""}}}})",
      comma(out), link.value, name_of(graph, link));
  for (std::size_t i = 0; i < ends.size(); ++i)
    add(out,
        R"({0}{{"model":"circuits.circuittermination","pk":{1},"fields":{{"circuit":{2},)"
        R"("term_side":"{3}","site":{4},"provider_network":null,"description":""}}}})",
        comma(out), 2 * std::uint64_t{link.value} + i, link.value, i == 0 ? 'A' : 'Z',
        ends[i].value);
}

// ---- lists ----

template <class Add>
void add_all(std::string& out, const Graph& graph, Kind kind, Add&& one) {
  graph.for_each_of(kind, [&](RecordId id) {
    one(out, graph, id);
    return true;
  });
}

}  // namespace

std::string made_ofds(const Graph& graph) {
  std::string out = R"({"networks":[)";
  graph.for_each_of(Kind::topology, [&](RecordId topology) {
    add(out, R"({}{{"id":{},"name":{},"nodes":[)", comma(out),
        json_string(graph.attributes(topology).id()), name_of(graph, topology));
    for (const RecordId node : graph.members(topology, Kind::node)) add_ofds_node(out, graph, node);
    out += R"(],"spans":[)";
    for (const RecordId link : graph.members(topology, Kind::link)) add_ofds_span(out, graph, link);
    out += "]}";
    return true;
  });
  return out + "]}\n";
}

std::string made_oscars(const Graph& graph) {
  std::string out = R"({"devices":[)";
  add_all(out, graph, Kind::node, add_device);
  out += R"(],"problems":[],"adjcies":[)";
  add_all(out, graph, Kind::link, add_adjacency);
  return out + "]}\n";
}

std::string made_netbox(const Graph& graph) {
  std::string out = R"([{"model":"circuits.provider","pk":1,"fields":{"name":"Provider"}})";
  add_all(out, graph, Kind::node, add_site);
  add_all(out, graph, Kind::link, add_circuit);
  return out + "]\n";
}

}  // namespace netml::bench
