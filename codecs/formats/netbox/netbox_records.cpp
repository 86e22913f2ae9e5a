#include "codecs/formats/netbox/netbox_records.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

namespace netml::codecs::netbox {

namespace {

struct NamedPort {
  std::string_view model;
  PortKind kind;
};
// All others are ports of power and consoles, and may be called as one of them.
constexpr std::array kPorts{
    NamedPort{"dcim.interface", PortKind::interface},
    NamedPort{"dcim.frontport", PortKind::front_port},
    NamedPort{"dcim.rearport", PortKind::rear_port},
    NamedPort{"circuits.circuittermination", PortKind::circuit},
    NamedPort{"dcim.powerport", PortKind::other},
};

template <class Number>
Number number_of(std::string_view text, Number otherwise) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : otherwise;
}

// "dcim.interface"
std::string model_of(JsonValue value) {
  std::string model;
  for (const JsonValue part : value.items()) {
    if (!model.empty()) model += '.';
    model += part.text();
  }
  return model.empty() ? std::string(value.text()) : model;
}

Port port_of(JsonValue model, JsonValue id) {
  const auto* const found = std::ranges::find(kPorts, model_of(model), &NamedPort::model);
  return {found == kPorts.end() ? PortKind::other : found->kind, id_of(id)};
}

// Of no meaning where it has no number: such a port would be the same as others.
constexpr std::string_view kNoPort = "an end of a cable is at a port without a number";
constexpr std::string_view kNoSide = "it is at neither of two ends";

std::string_view add_port(Tables& tables, Id cable, Side side, Port port) {
  if (port.id == kNoId) return kNoPort;
  tables.cable_terminations.push_back({cable, side, port});
  return {};
}

// The ends of a cable stand in the cable itself: in lists, and before version 3.3 one port each.
std::string_view add_cable(Id cable, JsonValue fields, Tables& tables) {
  const auto add_end = [&](Side side, std::string_view list, std::string_view type,
                           std::string_view id) {
    std::string_view problem;
    for (const JsonValue end : fields[list].items()) {
      const Port port = port_of(end["object_type"], end["object_id"]);
      if (problem.empty()) problem = add_port(tables, cable, side, port);
    }
    const JsonValue port_id = fields[id];
    if (!problem.empty() || port_id.text().empty() || port_id.kind() == JsonKind::null)
      return problem;
    return add_port(tables, cable, side, port_of(fields[type], port_id));
  };
  const std::string_view problem =
      add_end(Side::a, "a_terminations", "termination_a_type", "termination_a_id");
  if (!problem.empty()) return problem;
  return add_end(Side::b, "b_terminations", "termination_b_type", "termination_b_id");
}

std::string_view add_cable_termination(JsonValue fields, Tables& tables) {
  const std::string_view side = word_of(fields["cable_end"]);
  const Id cable = id_of(fields["cable"]);
  if ((side != "A" && side != "B") || cable == kNoId) return kNoSide;
  return add_port(tables, cable, side == "A" ? Side::a : Side::b,
                  port_of(fields["termination_type"], fields["termination_id"]));
}

// From version 4.2 on an end is at a site or something else; before that, at a site or in the
// network of a provider.
std::string_view add_circuit_termination(Id id, JsonValue fields, Named named, Tables& tables) {
  const std::string_view side = word_of(fields["term_side"]);
  if (side != "A" && side != "Z") return kNoSide;
  CircuitTermination termination{.id = id, .circuit = id_of(fields["circuit"]), .side = side[0]};
  const std::string model = model_of(fields["termination_type"]);
  const Id at = id_of(fields["termination_id"]);
  const auto place = [&](std::string_view model_there, std::string_view before,
                         std::string_view cached) {
    if (model == model_there) return at;
    const Id found = id_of(fields[before]);
    return found != kNoId ? found : id_of(fields[cached]);
  };
  termination.site = place("dcim.site", "site", "_site");
  termination.location = place("dcim.location", "location", "_location");
  termination.provider_network =
      place("circuits.providernetwork", "provider_network", "_provider_network");
  termination.named = std::move(named);
  tables.circuit_terminations.add(std::move(termination));
  return {};
}

}  // namespace

Sort sort_of(std::string_view model) {
  const auto* const found = std::ranges::find(kSorts, model, &NamedSort::model);
  return found == kSorts.end() ? Sort::none : found->sort;
}

std::string_view model_of(PortKind kind) {
  return std::ranges::find(kPorts, kind, &NamedPort::kind)->model;
}

Id id_of(JsonValue reference) {
  if (reference.is_object()) reference = reference["id"];
  return reference.is_number() ? number_of<Id>(reference.text(), kNoId) : kNoId;
}

std::string_view word_of(JsonValue value) {
  if (value.is_object()) value = value["value"];
  return value.kind() == JsonKind::null ? std::string_view() : value.text();
}

bool is_named(const Mapping& mapping, Sort sort) {
  switch (sort) {
    case Sort::site:
    case Sort::tenant:
    case Sort::provider:
    case Sort::circuit:
    case Sort::circuit_termination:
      return true;
    case Sort::region:
      return mapping.topologies == TopologyKind::region;
    case Sort::location:
      return mapping.nodes == NodeKind::location;
    case Sort::device:
      return mapping.nodes == NodeKind::device;
    default:
      return false;
  }
}

bool is_named(const Mapping& mapping, const FoundRule& rule) {
  return rule.own_row &&
         (rule.target != Target::topology || mapping.topologies == TopologyKind::region);
}

std::string_view add_record(Sort sort, Id id, JsonValue fields, Named named, Tables& tables) {
  const auto reference = [&](std::string_view name) { return id_of(fields[name]); };
  const auto named_reference = [&](std::string_view name) {
    return named.has(name) ? reference(name) : kNoId;
  };
  const auto count = [&](std::string_view name) {
    return number_of<std::uint32_t>(fields[name].text(), 1);
  };
  if (id == kNoId && sort != Sort::none && sort != Sort::cable_termination)
    return "it has no number";
  switch (sort) {
    case Sort::none:
      break;
    case Sort::region:
      tables.regions.add({id, named_reference("parent"), std::move(named)});
      break;
    case Sort::site:
      tables.sites.add({id, reference("tenant"), named_reference("region"), std::move(named)});
      break;
    case Sort::location:
      tables.locations.add({id, reference("site"), named_reference("tenant"), std::move(named)});
      break;
    case Sort::tenant:
      tables.tenants.add({id, std::move(named)});
      break;
    case Sort::provider:
      tables.providers.add({id, std::move(named)});
      break;
    case Sort::circuit:
      tables.circuits.add({id, reference("provider"), reference("tenant"), std::move(named)});
      break;
    case Sort::circuit_termination:
      return add_circuit_termination(id, fields, std::move(named), tables);
    case Sort::device:
      tables.devices.add({id, reference("site"), reference("location"), named_reference("tenant"),
                          std::move(named)});
      break;
    case Sort::interface:
      tables.interfaces.add({id, reference("device")});
      break;
    case Sort::front_port:
      tables.front_ports.add({id, reference("rear_port"), count("rear_port_position")});
      break;
    case Sort::rear_port:
      tables.rear_ports.add({id, count("positions")});
      break;
    case Sort::cable:
      tables.cables.add({id});
      return add_cable(id, fields, tables);
    case Sort::cable_termination:
      return add_cable_termination(fields, tables);
  }
  return {};
}

}  // namespace netml::codecs::netbox
