#include "codecs/formats/netbox/netbox_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstddef>
#include <string>
#include <utility>

#include "codecs/formats/netbox/netbox_joins.hpp"
#include "engine/base/sha256.hpp"

namespace netml::codecs::netbox {

namespace {

// What the file does not say in so many words.
constexpr FoundRule kIdentifier{
    .target = Target::identifier, .field = "identifier", .called = "identifier"};
constexpr FoundRule kName{.target = Target::name, .field = "name", .called = "name"};
constexpr FoundRule kOwner{.target = Target::owner, .field = "owner", .called = "owner"};
constexpr FoundRule kEnd{.target = Target::link_end, .field = "site", .called = "site"};

constexpr std::string_view kNotThere = "what it refers to is not there";

std::string_view port_text(PortKind kind) {
  return kind == PortKind::circuit ? "circuit end" : "interface";
}

class Mapper {
 public:
  Mapper(const Tables& tables, const Mapping& mapping, MapDraft& draft)
      : tables_(tables), mapping_(mapping), draft_(draft), cabling_(tables) {}

  void map() {
    const Joins found = find_joins(cabling_, NodeKind::site);
    draft_.open(Kind::topology, {});
    draft_.close();
    for (const Site& site : tables_.sites.all()) add_site(site);
    for (const Join& join : found.joins) {
      if (join.circuit != kNoId)
        add_circuit(join);
      else
        add_path(join);
    }
    for (const Unjoined& unjoined : found.unjoined) tell(unjoined);
    lose_loose_terminations();
    for (const Tenant& tenant : tables_.tenants.all()) add_tenant(tenant);
    for (const Provider& provider : tables_.providers.all()) add_provider(provider);
  }

 private:
  // ---- what elements are called ----

  std::string identifier(Kind kind, std::string_view key) const {
    return generated_id(kind, mapping_.network, key);
  }

  void open(Kind kind, const Named& named, std::string_view key) {
    draft_.open(kind, named.at);
    draft_.add(kIdentifier, identifier(kind, key));
  }

  static std::string site_key(Id site) { return fmt::format("site {}", site); }
  static std::string tenant_key(Id tenant) { return fmt::format("tenant {}", tenant); }
  static std::string provider_key(Id provider) { return fmt::format("provider {}", provider); }

  // ---- fields ----

  void set(const NamedField& field, std::string_view value) {
    const bool says_nothing = value.empty() && field.rule->target != Target::nothing;
    if (says_nothing) return draft_.losses().carry();
    draft_.set({*field.rule, field.at}, value);
  }

  void lose(const NamedField& field, std::string_view reason) {
    if (field.rule->target == Target::nothing) reason = field.rule->lost_because;
    draft_.lose(field.rule->field, {}, field.at, reason);
  }

  void lose(const Named& named, std::string_view reason) {
    for (const NamedField& field : named.fields) lose(field, reason);
  }

  // The tenant owns it, unless providers do.
  void set_tenant(const NamedField& field, Id tenant) {
    if (mapping_.owners != Owners::tenants) return lose(field, "providers are owners");
    if (field.value.empty()) return draft_.losses().carry();
    if (tables_.tenants.find(tenant) == nullptr) return lose(field, kNotThere);
    owners_.insert(tenant);
    set(field, identifier(Kind::institution, tenant_key(tenant)));
  }

  void set_provider(const NamedField& field, Id id) {
    if (field.value.empty()) return draft_.losses().carry();
    const Provider* const provider = tables_.providers.find(id);
    if (provider == nullptr) return lose(field, kNotThere);
    providers_.insert(id);
    set(field, provider->named.value("name"));
    if (mapping_.owners == Owners::providers)
      draft_.add(kOwner, identifier(Kind::institution, provider_key(id)));
  }

  // ---- elements ----

  void add_site(const Site& site) {
    const std::string key = site_key(site.id);
    open(Kind::node, site.named, key);
    for (const NamedField& field : site.named.fields) {
      if (field.rule->target == Target::owner)
        set_tenant(field, site.tenant);
      else
        set(field, field.rule->target == Target::key ? key : field.value);
    }
    draft_.close();
  }

  void add_circuit(const Join& join) {
    const Circuit& circuit = *tables_.circuits.find(join.circuit);
    const std::string key = fmt::format("circuit {}", circuit.id);
    open(Kind::link, circuit.named, key);
    for (const NamedField& field : circuit.named.fields) {
      if (field.rule->target == Target::owner)
        set_tenant(field, circuit.tenant);
      else if (field.rule->name == "provider")
        set_provider(field, circuit.provider);
      else
        set(field, field.rule->target == Target::key ? key : field.value);
    }
    const auto terminations = cabling_.circuit_ends(circuit.id).sides;
    for (std::size_t i = 0; i < terminations.size(); ++i) add_end(*terminations[i], join.ends[i]);
    draft_.close();
  }

  // The end is the site that was found: where the termination names a location, it is that one's.
  void add_end(const CircuitTermination& termination, Place place) {
    draft_.add(kEnd, site_key(place.id));
    for (const NamedField& field : termination.named.fields) {
      if (field.rule->target == Target::link_end)
        draft_.losses().carry();
      else
        set(field, field.value);
    }
  }

  // It is known by its two ports, whatever panels are between.
  void add_path(const Join& join) {
    const auto& [first, second] = std::minmax(join.ports[0], join.ports[1]);
    const std::string key = fmt::format("path {} {} {} {}", port_text(first.kind), first.id,
                                        port_text(second.kind), second.id);
    open(Kind::link, {}, key);
    for (const Place& place : join.ends) draft_.add(kEnd, site_key(place.id));
    draft_.close();
  }

  void add_tenant(const Tenant& tenant) {
    if (!owners_.contains(tenant.id)) return lose(tenant.named, "nothing on the map is its own");
    const std::string key = tenant_key(tenant.id);
    open(Kind::institution, tenant.named, key);
    for (const NamedField& field : tenant.named.fields)
      set(field, field.rule->target == Target::key ? key : field.value);
    draft_.close();
  }

  // Its name is at its circuits already.
  void add_provider(const Provider& provider) {
    if (!providers_.contains(provider.id))
      return lose(provider.named, "no circuit on the map is from it");
    draft_.losses().carry(provider.named.fields.size());
    if (mapping_.owners != Owners::providers) return;
    open(Kind::institution, provider.named, provider_key(provider.id));
    draft_.add(kName, provider.named.value("name"));
    draft_.close();
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
    const std::string reason = fmt::format("the circuit is no link: {}", unjoined.reason);
    lose(circuit.named, reason);
    for (const CircuitTermination* const termination : cabling_.terminations(circuit.id))
      lose(termination->named, reason);
  }

  void lose_loose_terminations() {
    for (const CircuitTermination& termination : tables_.circuit_terminations.all())
      if (tables_.circuits.find(termination.circuit) == nullptr)
        lose(termination.named, "its circuit is not there");
  }

  const Tables& tables_;
  const Mapping& mapping_;
  MapDraft& draft_;
  const Cabling cabling_;
  boost::unordered_flat_set<Id> owners_;     // tenants
  boost::unordered_flat_set<Id> providers_;  // that circuits name
};

}  // namespace

void draft_map(const Tables& tables, const Mapping& mapping, MapDraft& draft) {
  Mapper(tables, mapping, draft).map();
}

ReadResult make_document(const Tables& tables, const Mapping& mapping,
                         const DraftOptions& options) {
  MapDraft draft;
  draft_map(tables, mapping, draft);
  return std::move(draft).take(options, ErrorList(ReadLimits().errors));
}

}  // namespace netml::codecs::netbox
