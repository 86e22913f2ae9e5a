#include "codecs/formats/netbox/netbox_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "codecs/formats/netbox/netbox_count.hpp"
#include "codecs/formats/netbox/netbox_joins.hpp"
#include "codecs/formats/netbox/netbox_nodes.hpp"

namespace netml::codecs::netbox {

namespace {

// What the file does not say in so many words.
constexpr FoundRule kName{.target = Target::name, .field = "name", .called = "name"};
constexpr FoundRule kKey{.target = Target::key, .field = "key", .called = "key"};
constexpr FoundRule kReference{
    .target = Target::reference, .field = "reference", .called = "reference"};
constexpr FoundRule kOwner{.target = Target::owner, .field = "owner", .called = "owner"};
constexpr FoundRule kTopology{
    .target = Target::topology, .field = "topology", .called = "topology"};
constexpr FoundRule kEnd{.target = Target::link_end, .field = "site", .called = "site"};

constexpr std::string_view kNotThere = "what it refers to is not there";
constexpr std::string_view kNetwork = "\x7fnetwork";  // its topology, for links that leave another

std::string_view port_text(PortKind kind) {
  return kind == PortKind::circuit ? "circuit end" : "interface";
}

std::string tenant_key(Id tenant) {
  return fmt::format("tenant {}", tenant);
}
std::string provider_key(Id provider) {
  return fmt::format("provider {}", provider);
}
std::string region_key(Id region) {
  return fmt::format("region {}", region);
}
std::string key_of(Place place) {
  switch (place.kind) {
    case NodeKind::site:
      return fmt::format("site {}", place.id);
    case NodeKind::location:
      return fmt::format("location {}", place.id);
    case NodeKind::device:
      return fmt::format("device {}", place.id);
  }
  return {};
}

bool is_position(const NamedField& field) {
  return field.rule->target == Target::latitude || field.rule->target == Target::longitude;
}

class Mapper {
 public:
  Mapper(const Tables& tables, std::string_view network, const Mapping& mapping, MapDraft& draft)
      : tables_(tables),
        mapping_(mapping),
        draft_(draft),
        fields_(network, draft),
        nodes_(tables, mapping),
        cabling_(tables) {}

  void map() {
    const Joins found = find_joins(cabling_, mapping_.nodes);
    shown_ = nodes_.all(found);
    add_topologies();
    for (const Place& node : shown_) add_node(node);
    for (const Join& join : found.joins) add_link(join);
    for (const Unjoined& unjoined : found.unjoined) tell(unjoined);
    account_for_rest();
  }

 private:
  // ---- topologies ----

  std::string home_key(Id home) const {
    return mapping_.topologies == TopologyKind::region ? region_key(home) : tenant_key(home);
  }

  void add_topologies() {
    draft_.open(Kind::topology, {});
    draft_.add(kReference, kNetwork);
    draft_.close();
    for (const Id home : nodes_.homes(shown_)) {
      if (mapping_.topologies == TopologyKind::region)
        add_region(*tables_.regions.find(home));
      else
        add_home(*tables_.tenants.find(home));
      homes_.insert(home);
    }
  }

  // A parent comes before it, or is in a circle with it.
  void add_region(const Region& region) {
    fields_.open(Kind::topology, region.named, region_key(region.id));
    for (const NamedField& field : region.named.fields) {
      const bool is_parent = field.rule->target == Target::parent;
      if (is_parent && field.value.empty())
        fields_.carry();
      else if (is_parent && !homes_.contains(region.parent))
        fields_.lose(field, tables_.regions.find(region.parent) != nullptr
                                ? "regions are in each other in a circle"
                                : kNotThere);
      else if (is_parent)
        fields_.set(field, region_key(region.parent));
      else
        fields_.set(field, field.rule->target == Target::key ? region_key(region.id) : field.value);
    }
    draft_.close();
  }

  // What it is called is counted where it owns.
  void add_home(const Tenant& tenant) {
    const std::string key = tenant_key(tenant.id);
    fields_.open(Kind::topology, tenant.named, key);
    draft_.add(kKey, key);
    draft_.add(kName, tenant.named.value("name"));
    if (mapping_.owner == OwnerKind::tenant)
      draft_.add(kOwner, fields_.identifier(Kind::institution, key));
    draft_.close();
  }

  // In those of both ends.
  void add_homes(const Join& join) {
    const Id first = nodes_.home(join.ends[0]);
    const Id second = nodes_.home(join.ends[1]);
    if (first == kNoId && second == kNoId) return;  // that of the network, as ever
    const auto add = [&](Id home) {
      draft_.add(kTopology, home == kNoId ? std::string(kNetwork) : home_key(home));
    };
    add(first);
    if (second != first) add(second);
  }

  // ---- fields ----

  // The tenant owns it, unless providers do; a node may be in its topology.
  void set_tenant(const NamedField& field, Id tenant, bool is_node) {
    if (field.value.empty()) return fields_.carry();
    if (tables_.tenants.find(tenant) == nullptr) return fields_.lose(field, kNotThere);
    if (mapping_.owner == OwnerKind::tenant) {
      owners_.insert(tenant);
      return fields_.set(field, fields_.identifier(Kind::institution, tenant_key(tenant)));
    }
    if (is_node && mapping_.topologies == TopologyKind::tenant) return fields_.carry();
    fields_.lose(field, "providers are owners");
  }

  void set_provider(const NamedField& field, Id id) {
    if (field.value.empty()) return fields_.carry();
    const Provider* const provider = tables_.providers.find(id);
    if (provider == nullptr) return fields_.lose(field, kNotThere);
    providers_.insert(id);
    fields_.set(field, provider->named.value("name"));
    if (mapping_.owner == OwnerKind::provider)
      draft_.add(kOwner, fields_.identifier(Kind::institution, provider_key(id)));
  }

  void carry_region(const NamedField& field, const Site& site) {
    if (!field.value.empty() && tables_.regions.find(site.region) == nullptr)
      return fields_.lose(field, kNotThere);
    fields_.carry();
  }

  // ---- elements ----

  // A location or device is where its site is.
  void add_node(Place node) {
    const std::string key = key_of(node);
    const Named& record = nodes_.named(node);
    const Site& site = nodes_.site(node);
    fields_.open(Kind::node, record, key);
    for (const NamedField& field : record.fields) {
      if (field.rule->target == Target::owner)
        set_tenant(field, nodes_.tenant(node), true);
      else if (field.rule->target == Target::topology)
        carry_region(field, site);
      else
        fields_.set(field, field.rule->target == Target::key ? key : field.value);
    }
    if (node.kind != NodeKind::site) add_position(site);
    if (const Id home = nodes_.home(node); home != kNoId) draft_.add(kTopology, home_key(home));
    draft_.close();
  }

  void add_position(const Site& site) {
    sites_around_.insert(site.id);
    for (const NamedField& field : site.named.fields)
      if (is_position(field) && !field.value.empty()) draft_.add(*field.rule, field.value);
  }

  void add_link(const Join& join) {
    if (join.circuit != kNoId)
      add_circuit(join);
    else
      add_path(join);
  }

  void add_circuit(const Join& join) {
    const Circuit& circuit = *tables_.circuits.find(join.circuit);
    const std::string key = fmt::format("circuit {}", circuit.id);
    circuits_.insert(circuit.id);
    fields_.open(Kind::link, circuit.named, key);
    for (const NamedField& field : circuit.named.fields)
      if (field.rule->target == Target::key)
        fields_.set(field, key);
      else
        set_of_circuit(field, circuit);
    add_ends(join);
    for (const CircuitTermination* const termination : cabling_.circuit_ends(circuit.id).sides)
      count_end(*termination, "");
    draft_.close();
  }

  void set_of_circuit(const NamedField& field, const Circuit& circuit) {
    if (field.rule->target == Target::owner)
      set_tenant(field, circuit.tenant, false);
    else if (field.rule->name == "provider")
      set_provider(field, circuit.provider);
    else
      fields_.set(field, field.value);
  }

  void add_ends(const Join& join) {
    for (const Place& place : join.ends) draft_.add(kEnd, key_of(place));
    add_homes(join);
  }

  // The end of a link is what was found: where the termination names a location, its site.
  void count_end(const CircuitTermination& termination, std::string_view lost_because) {
    for (const NamedField& field : termination.named.fields) {
      if (field.rule->target != Target::link_end)
        fields_.set(field, field.value);
      else if (lost_because.empty())
        fields_.carry();
      else
        fields_.lose(field, lost_because);
    }
  }

  // It is known by its two ports, whatever panels and circuits are between.
  void add_path(const Join& join) {
    const auto& [first, second] = std::minmax(join.ports[0], join.ports[1]);
    const std::string key = fmt::format("path {} {} {} {}", port_text(first.kind), first.id,
                                        port_text(second.kind), second.id);
    fields_.open(Kind::link, {}, key);
    add_ends(join);
    for (const Id id : join.circuits)
      if (const Circuit* const circuit = tables_.circuits.find(id)) add_on_the_way(*circuit);
    draft_.close();
  }

  void add_on_the_way(const Circuit& circuit) {
    fields_.set_repeated(!circuits_.insert(circuit.id).second);
    for (const NamedField& field : circuit.named.fields)
      if (field.rule->target == Target::key)
        fields_.carry();
      else
        set_of_circuit(field, circuit);
    if (!fields_.is_repeated())
      for (const CircuitTermination* const termination : cabling_.circuit_ends(circuit.id).sides)
        count_end(*termination, "devices are the ends of links");
    fields_.set_repeated(false);
  }

  // ---- what is no link ----

  void tell(const Unjoined& unjoined) {
    if (unjoined.circuit == kNoId) {
      draft_.notes().add(
          {true, Kind::link,
           fmt::format("the path from end {} of cable {} is no link: {}",
                       unjoined.side == Side::a ? 'A' : 'B', unjoined.cable, unjoined.reason)});
      return;
    }
    const Circuit& circuit = *tables_.circuits.find(unjoined.circuit);
    draft_.notes().add({true, Kind::link,
                        fmt::format("circuit {} is no link: {}",
                                    excerpt(circuit.named.value("cid")), unjoined.reason)});
    lose_circuit(circuit, fmt::format("the circuit is no link: {}", unjoined.reason));
  }

  void lose_circuit(const Circuit& circuit, std::string_view reason) {
    circuits_.insert(circuit.id);
    fields_.lose(circuit.named, reason);
    for (const CircuitTermination* const termination : cabling_.terminations(circuit.id))
      fields_.lose(termination->named, reason);
  }

  // ---- the rest of the tables ----

  void account_for_rest() {
    for (const Circuit& circuit : tables_.circuits.all())
      if (!circuits_.contains(circuit.id)) lose_circuit(circuit, "no link goes through it");
    for (const CircuitTermination& termination : tables_.circuit_terminations.all())
      if (tables_.circuits.find(termination.circuit) == nullptr)
        fields_.lose(termination.named, "its circuit is not there");
    for (const Tenant& tenant : tables_.tenants.all()) add_tenant(tenant);
    for (const Provider& provider : tables_.providers.all()) add_provider(provider);
    for (const Region& region : tables_.regions.all())
      if (!homes_.contains(region.id)) fields_.lose(region.named, "no node of the map is in it");
    for (const Site& site : tables_.sites.all())
      if (!is_shown(NodeKind::site, site.id)) account_for(site);
    for (const Location& location : tables_.locations.all())
      if (!is_shown(NodeKind::location, location.id))
        fields_.lose(location.named, "its site is not there");
    for (const Device& device : tables_.devices.all())
      if (!is_shown(NodeKind::device, device.id))
        fields_.lose(device.named, site_of(tables_, device) == kNoId ? "its site is not there"
                                                                     : "it has no interface");
  }

  bool is_shown(NodeKind kind, Id id) const {
    return std::ranges::binary_search(shown_, Place{kind, id});
  }

  void add_tenant(const Tenant& tenant) {
    if (!owners_.contains(tenant.id)) {
      const bool is_home =
          mapping_.topologies == TopologyKind::tenant && homes_.contains(tenant.id);
      if (is_home) return fields_.carry(tenant.named.fields.size());
      return fields_.lose(tenant.named, "nothing on the map is its own");
    }
    const std::string key = tenant_key(tenant.id);
    fields_.open(Kind::institution, tenant.named, key);
    for (const NamedField& field : tenant.named.fields)
      fields_.set(field, field.rule->target == Target::key ? key : field.value);
    draft_.close();
  }

  // Its name is at its circuits already.
  void add_provider(const Provider& provider) {
    if (!providers_.contains(provider.id))
      return fields_.lose(provider.named, "no circuit on the map is from it");
    fields_.carry(provider.named.fields.size());
    if (mapping_.owner != OwnerKind::provider) return;
    fields_.open(Kind::institution, provider.named, provider_key(provider.id));
    draft_.add(kName, provider.named.value("name"));
    draft_.close();
  }

  // Of a site that is no node, what it says of the nodes that are there.
  void account_for(const Site& site) {
    const bool is_around = sites_around_.contains(site.id);
    for (const NamedField& field : site.named.fields) {
      if (is_around && field.rule->target == Target::topology)
        carry_region(field, site);
      else if (is_around && is_position(field))
        fields_.carry();
      else
        fields_.lose(field, "the site is no node");
    }
  }

  const Tables& tables_;
  const Mapping mapping_;
  MapDraft& draft_;
  FieldCount fields_;
  const Nodes nodes_;
  const Cabling cabling_;
  std::vector<Place> shown_;                    // the nodes, in order
  boost::unordered_flat_set<Id> homes_;         // regions or tenants that have a topology
  boost::unordered_flat_set<Id> sites_around_;  // nodes of another kind
  boost::unordered_flat_set<Id> circuits_;      // that are accounted for
  boost::unordered_flat_set<Id> owners_;        // tenants
  boost::unordered_flat_set<Id> providers_;     // that circuits name
};

}  // namespace

void draft_map(const Tables& tables, std::string_view network, const Mapping& mapping,
               MapDraft& draft) {
  Mapper(tables, network, mapping, draft).map();
}

ReadResult make_document(const Tables& tables, const Mapping& mapping,
                         const DraftOptions& options) {
  MapDraft draft;
  draft_map(tables, options.topology_name, mapping, draft);
  return std::move(draft).take(options, ErrorList(ReadLimits().errors));
}

}  // namespace netml::codecs::netbox
