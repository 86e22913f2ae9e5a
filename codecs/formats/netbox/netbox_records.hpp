// Puts records of NetBox into tables, as a dump and as the API spell them: a reference is a number,
// or an object with an `id`; a choice is a word, or an object with a `value`; a sort of records is
// "dcim.interface", or ["dcim", "interface"].
//
// Thread: any (pure functions).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "codecs/document/json_tree.hpp"
#include "codecs/formats/netbox/netbox_mapping.hpp"
#include "codecs/formats/netbox/netbox_tables.hpp"

namespace netml::codecs::netbox {

// The sorts that records are put into tables of.
enum class Sort : std::uint8_t {
  none,
  region,
  site,
  location,
  tenant,
  provider,
  circuit,
  circuit_termination,
  device,
  interface,
  front_port,
  rear_port,
  cable,
  cable_termination,
};
struct NamedSort {
  std::string_view model;
  Sort sort;
};
inline constexpr std::array kSorts{
    NamedSort{"dcim.region", Sort::region},
    NamedSort{"dcim.site", Sort::site},
    NamedSort{"dcim.location", Sort::location},
    NamedSort{"tenancy.tenant", Sort::tenant},
    NamedSort{"circuits.provider", Sort::provider},
    NamedSort{"circuits.circuit", Sort::circuit},
    NamedSort{"circuits.circuittermination", Sort::circuit_termination},
    NamedSort{"dcim.device", Sort::device},
    NamedSort{"dcim.interface", Sort::interface},
    NamedSort{"dcim.frontport", Sort::front_port},
    NamedSort{"dcim.rearport", Sort::rear_port},
    NamedSort{"dcim.cable", Sort::cable},
    NamedSort{"dcim.cabletermination", Sort::cable_termination},
};
Sort sort_of(std::string_view model);
// What cables may end at.
std::string_view model_of(PortKind kind);

// kNoId where there is none.
Id id_of(JsonValue reference);
// Of a text or number what it says, of a choice its value; else empty.
std::string_view word_of(JsonValue value);

// Whether fields of such records leave NetBox, so that Named is needed; of a sort that is named,
// whether that field does.
bool is_named(const Mapping& mapping, Sort sort);
bool is_named(const Mapping& mapping, const FoundRule& rule);

// Gives the table that records of the sort are in to `visit`; there is none of ends of cables.
template <class AnyTables, class Visit>
void with_table(Sort sort, AnyTables& tables, Visit&& visit) {
  switch (sort) {
    case Sort::region:
      return visit(tables.regions);
    case Sort::site:
      return visit(tables.sites);
    case Sort::location:
      return visit(tables.locations);
    case Sort::tenant:
      return visit(tables.tenants);
    case Sort::provider:
      return visit(tables.providers);
    case Sort::circuit:
      return visit(tables.circuits);
    case Sort::circuit_termination:
      return visit(tables.circuit_terminations);
    case Sort::device:
      return visit(tables.devices);
    case Sort::interface:
      return visit(tables.interfaces);
    case Sort::front_port:
      return visit(tables.front_ports);
    case Sort::rear_port:
      return visit(tables.rear_ports);
    case Sort::cable:
      return visit(tables.cables);
    case Sort::none:
    case Sort::cable_termination:
      return;
  }
}

// Why the record cannot be what it says it is; empty where all is well.
std::string_view add_record(Sort sort, Id id, JsonValue fields, Named named, Tables& tables);

}  // namespace netml::codecs::netbox
