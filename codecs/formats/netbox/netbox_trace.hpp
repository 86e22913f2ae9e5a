// Follows cables: from an end of a cable at an interface or circuit, through front and rear ports
// of patch panels and through circuits, until a port where nothing leads on.
//
// A path goes from one whole end of a cable to the other. Entering a panel at the front keeps the
// positions of its rear port; leaving another one at the front takes them again, the last ones
// first: so many paths share a trunk. A path that is whole from one end is whole from the other.
// Where it is not certain how a path goes on, it ends, with the reason.
//
// Time: of one trace that of kCablesMax cables at most. Thread: cabling any, once made; a tracer
// its owner.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "codecs/formats/netbox/netbox_tables.hpp"

namespace netml::codecs::netbox {

// Why a path ends.
enum class Stop : std::uint8_t {
  whole,              // at interfaces, or at ports of power and consoles
  no_other_end,       // a cable has one end only
  not_patched,        // a panel has no cable on its other side
  no_port,            // where a cable or a front port leads is not in the tables
  several_cables,     // a port is at several ends of cables
  several_sorts,      // the ports at an end of a cable are not of one sort
  split,              // ports lead to different cables, or a rear port to all of its positions
  within_trunk,       // where positions of a rear port come together
  circuit_end,        // a circuit has no other end, or several of them
  circuit_unpatched,  // the other end of a circuit has no cable
  provider_network,   // that end is in the network of a provider
  endless,            // after kCablesMax cables
};
// "its cable has no other end"
std::string_view stop_text(Stop stop);

// An end of a cable; the ports at it lie together.
struct CableEnd {
  Id cable = kNoId;
  Side side = Side::a;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};
using EndIndex = std::uint32_t;
inline constexpr EndIndex kNoEnd = 0xffffffff;

// Cables and panels from an interface or circuit to an interface or circuit.
struct Leg {
  EndIndex from = kNoEnd;
  EndIndex to = kNoEnd;
};

struct Path {
  Stop stop = Stop::whole;
  EndIndex last = kNoEnd;    // the end of a cable that it came to
  std::vector<Leg> legs;     // those that are whole, with a circuit between each and the next
  std::vector<Id> circuits;  // that it went through
};

// The terminations A and Z of a circuit; null where there is none.
struct CircuitEnds {
  std::array<const CircuitTermination*, 2> sides{};
  bool several = false;  // of one side
};

// Cables and what is at their ends. The tables are sealed and outlive this.
class Cabling {
 public:
  explicit Cabling(const Tables& tables);

  const Tables& tables() const { return tables_; }
  std::span<const CableEnd> ends() const { return ends_; }
  // In order.
  std::span<const Port> ports(EndIndex end) const {
    return std::span(ports_).subspan(ends_[end].begin, ends_[end].end - ends_[end].begin);
  }
  // The other end of its cable; kNoEnd where there is none.
  EndIndex opposite(EndIndex end) const;

  enum class Plug : std::uint8_t { none, one, several };
  struct Plugged {
    Plug plug = Plug::none;
    EndIndex end = kNoEnd;  // where it is one
  };
  // The end of a cable that is at a port.
  Plugged plugged(Port port) const;
  // The front port at a position of a rear port; kNoId where there is none, or several.
  Id front_port(Id rear_port, std::uint32_t position) const;
  // The terminations of a circuit, A before Z.
  std::span<const CircuitTermination* const> terminations(Id circuit) const;
  CircuitEnds circuit_ends(Id circuit) const;

 private:
  struct PortAt {
    Port port;
    EndIndex end;
    auto operator<=>(const PortAt&) const = default;
  };
  struct Position {
    Id rear_port;
    std::uint32_t position;
    Id front_port;
    auto operator<=>(const Position&) const = default;
  };
  void index_ends();
  void index_panels();

  const Tables& tables_;
  std::vector<CableEnd> ends_;                           // by cable and side
  std::vector<Port> ports_;                              // by end
  std::vector<PortAt> ends_of_ports_;                    // by port
  std::vector<Position> positions_;                      // by rear port and position
  std::vector<const CircuitTermination*> terminations_;  // by circuit and side
};

class Tracer {
 public:
  static constexpr std::size_t kCablesMax = 100;  // of a path

  explicit Tracer(const Cabling& cabling) : cabling_(cabling), tables_(cabling.tables()) {}

  // From an end of a cable whose ports are interfaces or circuit terminations. Valid until the next
  // trace.
  const Path& trace(EndIndex from);

 private:
  // The next end of a cable, or kNoEnd with the reason in path_.stop.
  EndIndex go_on(EndIndex reached);
  bool is_sound(std::span<const Port> ports);
  EndIndex cross_circuit(Id termination);
  bool cross_to_rear(std::span<const Port> ports);
  bool cross_to_front(std::span<const Port> ports);
  EndIndex leave();
  EndIndex stop(Stop reason) {
    path_.stop = reason;
    return kNoEnd;
  }
  bool fail(Stop reason) {
    path_.stop = reason;
    return false;
  }

  const Cabling& cabling_;
  const Tables& tables_;
  Path path_;
  EndIndex leg_begin_ = kNoEnd;
  std::vector<Port> leaving_;               // ports on the other side of a panel
  std::vector<std::uint32_t> positions_;    // entered and not left
  std::vector<std::size_t> group_of_each_;  // where the positions of each panel begin
};

}  // namespace netml::codecs::netbox
