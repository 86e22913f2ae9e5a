#include "codecs/formats/netbox/netbox_trace.hpp"

#include <algorithm>
#include <tuple>

namespace netml::codecs::netbox {

std::string_view stop_text(Stop stop) {
  switch (stop) {
    case Stop::whole:
      return "it is whole";
    case Stop::no_other_end:
      return "a cable has no other end";
    case Stop::not_patched:
      return "a panel has no cable on its other side";
    case Stop::no_port:
      return "a port it leads to is not there";
    case Stop::several_cables:
      return "a port has several cables";
    case Stop::several_sorts:
      return "the ports at an end of a cable are not of one sort";
    case Stop::split:
      return "it splits";
    case Stop::within_trunk:
      return "it ends where several positions of a rear port come together";
    case Stop::circuit_end:
      return "a circuit on the way has no other end";
    case Stop::circuit_unpatched:
      return "the other end of a circuit has no cable";
    case Stop::provider_network:
      return "it leads into the network of a provider";
    case Stop::endless:
      return "it has no end: it is a loop, or longer than 100 cables";
  }
  return "";
}

// ---- cables and their ends ----

Cabling::Cabling(const Tables& tables) : tables_(tables) {
  index_ends();
  index_panels();
}

void Cabling::index_ends() {
  std::vector<CableTermination> all = tables_.cable_terminations;
  if (!std::ranges::is_sorted(all)) std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  ports_.reserve(all.size());
  ends_of_ports_.reserve(all.size());
  for (const CableTermination& termination : all) {
    const auto place = static_cast<std::uint32_t>(ports_.size());
    const bool same_end = !ends_.empty() && ends_.back().cable == termination.cable &&
                          ends_.back().side == termination.side;
    if (!same_end) ends_.push_back({termination.cable, termination.side, place, place});
    ports_.push_back(termination.port);
    ++ends_.back().end;
    ends_of_ports_.push_back({termination.port, static_cast<EndIndex>(ends_.size() - 1)});
  }
  std::ranges::sort(ends_of_ports_);
}

void Cabling::index_panels() {
  positions_.reserve(tables_.front_ports.size());
  for (const FrontPort& port : tables_.front_ports.all())
    positions_.push_back({port.rear_port, port.position, port.id});
  if (!std::ranges::is_sorted(positions_)) std::ranges::sort(positions_);
  for (const CircuitTermination& termination : tables_.circuit_terminations.all())
    terminations_.push_back(&termination);
  std::ranges::sort(terminations_, {}, [](const CircuitTermination* termination) {
    return std::tuple(termination->circuit, termination->side, termination->id);
  });
}

// Ends of a cable are beside each other.
EndIndex Cabling::opposite(EndIndex end) const {
  const bool is_first = ends_[end].side == Side::a;
  if (!is_first && end == 0) return kNoEnd;
  const EndIndex beside = is_first ? end + 1 : end - 1;
  const bool there = beside < ends_.size() && ends_[beside].cable == ends_[end].cable;
  return there ? beside : kNoEnd;
}

Cabling::Plugged Cabling::plugged(Port port) const {
  const auto found = std::ranges::equal_range(ends_of_ports_, port, {}, &PortAt::port);
  if (found.empty()) return {};
  if (found.size() > 1) return {Plug::several, kNoEnd};
  return {Plug::one, found.front().end};
}

Id Cabling::front_port(Id rear_port, std::uint32_t position) const {
  const auto found = std::ranges::equal_range(
      positions_, std::tuple(rear_port, position), {},
      [](const Position& each) { return std::tuple(each.rear_port, each.position); });
  return found.size() == 1 ? found.front().front_port : kNoId;
}

std::span<const CircuitTermination* const> Cabling::terminations(Id circuit) const {
  return std::ranges::equal_range(terminations_, circuit, {}, &CircuitTermination::circuit);
}

CircuitEnds Cabling::circuit_ends(Id circuit) const {
  CircuitEnds ends;
  for (const CircuitTermination* const termination : terminations(circuit)) {
    const CircuitTermination*& side = ends.sides[termination->side == 'A' ? 0 : 1];
    if (side != nullptr) ends.several = true;
    side = termination;
  }
  return ends;
}

// ---- one path ----

const Path& Tracer::trace(EndIndex from) {
  path_.stop = Stop::whole;
  path_.legs.clear();
  path_.circuits.clear();
  positions_.clear();
  group_of_each_.clear();
  path_.last = leg_begin_ = from;
  const std::span<const Port> ports = cabling_.ports(from);
  if (!is_sound(ports)) return path_;
  if (ports.front().kind == PortKind::circuit && ports.size() > 1) {
    path_.stop = Stop::split;
    return path_;
  }
  EndIndex at = from;
  for (std::size_t cables = 0; cables < kCablesMax; ++cables) {
    const EndIndex reached = cabling_.opposite(at);
    path_.last = reached == kNoEnd ? at : reached;
    at = reached == kNoEnd ? stop(Stop::no_other_end) : go_on(reached);
    if (at == kNoEnd) return path_;
  }
  path_.stop = Stop::endless;
  return path_;
}

// Whether the ports at an end of a cable are of one sort, and at no other end.
bool Tracer::is_sound(std::span<const Port> ports) {
  for (const Port& port : ports) {
    if (port.kind != ports.front().kind) return fail(Stop::several_sorts);
    if (cabling_.plugged(port).plug == Cabling::Plug::several) return fail(Stop::several_cables);
  }
  return true;
}

EndIndex Tracer::go_on(EndIndex reached) {
  const std::span<const Port> ports = cabling_.ports(reached);
  if (!is_sound(ports)) return kNoEnd;
  switch (ports.front().kind) {
    case PortKind::front_port:
      return cross_to_rear(ports) ? leave() : kNoEnd;
    case PortKind::rear_port:
      return cross_to_front(ports) ? leave() : kNoEnd;
    case PortKind::circuit:
      if (ports.size() > 1) return stop(Stop::split);
      path_.legs.push_back({leg_begin_, reached});
      return cross_circuit(ports.front().id);
    case PortKind::interface:
      if (!positions_.empty()) return stop(Stop::within_trunk);
      path_.legs.push_back({leg_begin_, reached});
      return stop(Stop::whole);
    case PortKind::other:
      return stop(positions_.empty() ? Stop::whole : Stop::within_trunk);
  }
  return stop(Stop::no_port);
}

EndIndex Tracer::cross_circuit(Id termination_id) {
  const CircuitTermination* const termination = tables_.circuit_terminations.find(termination_id);
  if (termination == nullptr) return stop(Stop::no_port);
  const CircuitEnds ends = cabling_.circuit_ends(termination->circuit);
  const CircuitTermination* const other = ends.sides[termination == ends.sides[0] ? 1 : 0];
  if (ends.several || other == nullptr) return stop(Stop::circuit_end);
  if (other->provider_network != kNoId) return stop(Stop::provider_network);
  const auto [plug, end] = cabling_.plugged({PortKind::circuit, other->id});
  if (plug == Cabling::Plug::several) return stop(Stop::several_cables);
  if (plug == Cabling::Plug::none) return stop(Stop::circuit_unpatched);
  if (cabling_.ports(end).size() > 1) return stop(Stop::split);
  path_.circuits.push_back(termination->circuit);
  return leg_begin_ = end;
}

// Several front ports lead on together where they share a rear port, or have one of their own each.
bool Tracer::cross_to_rear(std::span<const Port> ports) {
  leaving_.clear();
  const std::size_t group = positions_.size();
  for (const Port& port : ports) {
    const FrontPort* const front = tables_.front_ports.find(port.id);
    if (front == nullptr) return fail(Stop::no_port);
    const RearPort* const rear = tables_.rear_ports.find(front->rear_port);
    if (rear == nullptr || front->position > rear->positions) return fail(Stop::no_port);
    if (cabling_.front_port(rear->id, front->position) != front->id) return fail(Stop::split);
    const Port behind{PortKind::rear_port, rear->id};
    if (rear->positions == 1) {
      leaving_.push_back(behind);
      continue;
    }
    if (leaving_.empty()) leaving_.push_back(behind);
    positions_.push_back(front->position);
    if (leaving_.front() != behind) return fail(Stop::split);
  }
  if (positions_.size() == group) return true;
  if (leaving_.size() > 1) return fail(Stop::split);
  std::ranges::sort(positions_.begin() + static_cast<std::ptrdiff_t>(group), positions_.end());
  group_of_each_.push_back(group);
  return true;
}

bool Tracer::cross_to_front(std::span<const Port> ports) {
  leaving_.clear();
  const auto add = [&](Id rear_port, std::uint32_t position) {
    const Id front = cabling_.front_port(rear_port, position);
    if (front == kNoId) return fail(Stop::no_port);
    leaving_.push_back({PortKind::front_port, front});
    return true;
  };
  for (const Port& port : ports) {
    const RearPort* const rear = tables_.rear_ports.find(port.id);
    if (rear == nullptr) return fail(Stop::no_port);
    if (rear->positions == 1) {
      if (!add(rear->id, 1)) return false;
      continue;
    }
    if (ports.size() > 1 || group_of_each_.empty()) return fail(Stop::split);
    const std::size_t group = group_of_each_.back();
    for (const std::uint32_t position : std::span(positions_).subspan(group))
      if (!add(rear->id, position)) return false;
    positions_.resize(group);
    group_of_each_.pop_back();
  }
  return true;
}

// All ports on the other side must be all that is at one end of a cable.
EndIndex Tracer::leave() {
  EndIndex end = kNoEnd;
  std::size_t plugged = 0;
  for (const Port& port : leaving_) {
    const auto found = cabling_.plugged(port);
    if (found.plug == Cabling::Plug::several) return stop(Stop::several_cables);
    if (found.plug == Cabling::Plug::none) continue;
    if (plugged++ > 0 && found.end != end) return stop(Stop::split);
    end = found.end;
  }
  if (plugged == 0) return stop(Stop::not_patched);
  const bool all = plugged == leaving_.size() && plugged == cabling_.ports(end).size();
  return all ? end : stop(Stop::split);
}

}  // namespace netml::codecs::netbox
