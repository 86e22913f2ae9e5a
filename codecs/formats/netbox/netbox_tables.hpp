// Records of NetBox, in one table for each sort, whether they come from a dump or from pages of its
// API. Only what a trace and the mapping need is in them: names of ports, addresses, serial numbers
// and comments never get here.
//
// Ownership: the tables own their texts. Thread: their owner; any, once sealed.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codecs/document/error_list.hpp"
#include "codecs/formats/draft/field_rules.hpp"

namespace netml::codecs::netbox {

// The number that NetBox gives a record, from 1, unique among records of its sort.
using Id = std::uint64_t;
inline constexpr Id kNoId = 0;

// A value that the mapping names, and where it stands.
struct NamedField {
  const FoundRule* rule = nullptr;  // lives as long as the rules
  std::string value = {};           // empty: the record says nothing
  TextPosition at = {};
};

// What of a record may leave NetBox.
struct Named {
  std::vector<NamedField> fields = {};
  TextPosition at = {};  // of the record

  // Of the first field that is called so; empty where there is none.
  std::string_view value(std::string_view name) const;
  // Whether the mapping names it, whatever it says.
  bool has(std::string_view name) const;
};

// References that a mapping names are kNoId where it does not.
struct Region {
  Id id = kNoId;
  Id parent = kNoId;
  Named named = {};
};

struct Site {
  Id id = kNoId;
  Id tenant = kNoId;
  Id region = kNoId;
  Named named = {};
};

struct Location {
  Id id = kNoId;
  Id site = kNoId;
  Id tenant = kNoId;
  Named named = {};
};

struct Tenant {
  Id id = kNoId;
  Named named = {};
};

struct Provider {
  Id id = kNoId;
  Named named = {};
};

struct Circuit {
  Id id = kNoId;
  Id provider = kNoId;
  Id tenant = kNoId;
  Named named = {};
};

// An end of a circuit is at a site or location, or somewhere in the network of a provider.
struct CircuitTermination {
  Id id = kNoId;
  Id circuit = kNoId;
  char side = ' ';  // A or Z
  Id site = kNoId;
  Id location = kNoId;
  Id provider_network = kNoId;
  Named named = {};
};

struct Device {
  Id id = kNoId;
  Id site = kNoId;
  Id location = kNoId;
  Id tenant = kNoId;
  Named named = {};
};

struct Interface {
  Id id = kNoId;
  Id device = kNoId;
};

// What is at its ends is a table of its own.
struct Cable {
  Id id = kNoId;
};

// The front of a patch panel: each port leads to a position of a rear port.
struct FrontPort {
  Id id = kNoId;
  Id rear_port = kNoId;
  std::uint32_t position = 1;
};

struct RearPort {
  Id id = kNoId;
  std::uint32_t positions = 1;
};

// What a cable may end at.
enum class PortKind : std::uint8_t { interface, front_port, rear_port, circuit, other };

struct Port {
  PortKind kind = PortKind::other;
  Id id = kNoId;
  auto operator<=>(const Port&) const = default;
};

// Cables have two ends, and a port or several at each.
enum class Side : std::uint8_t { a = 0, b = 1 };
constexpr Side other(Side side) {
  return side == Side::a ? Side::b : Side::a;
}

struct CableTermination {
  Id cable = kNoId;
  Side side = Side::a;
  Port port = {};
  auto operator<=>(const CableTermination&) const = default;
};

// Records by their id.
template <class Record>
class Table {
 public:
  void add(Record record) { records_.push_back(std::move(record)); }

  // Puts them in order; of several with one id the last one stays.
  void seal() {
    if (!std::ranges::is_sorted(records_, {}, &Record::id))
      std::ranges::stable_sort(records_, {}, &Record::id);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < records_.size(); ++i) {
      if (i + 1 < records_.size() && records_[i].id == records_[i + 1].id) continue;
      if (kept != i) records_[kept] = std::move(records_[i]);
      ++kept;
    }
    records_.erase(records_.begin() + static_cast<std::ptrdiff_t>(kept), records_.end());
  }

  // Forgets all others; `ids` are in order.
  void keep_only(std::span<const Id> ids) {
    std::erase_if(records_, [&](const Record& record) {
      return !std::ranges::binary_search(ids, record.id);
    });
  }

  // Null where there is none.
  const Record* find(Id id) const {
    const auto found = std::ranges::lower_bound(records_, id, {}, &Record::id);
    return found != records_.end() && found->id == id ? &*found : nullptr;
  }

  std::span<const Record> all() const { return records_; }
  std::size_t size() const { return records_.size(); }
  // Without what records refer to.
  std::size_t bytes() const { return records_.capacity() * sizeof(Record); }

 private:
  std::vector<Record> records_;
};

struct Tables {
  Table<Region> regions;
  Table<Site> sites;
  Table<Location> locations;
  Table<Tenant> tenants;
  Table<Provider> providers;
  Table<Circuit> circuits;
  Table<CircuitTermination> circuit_terminations;
  Table<Device> devices;
  Table<Interface> interfaces;
  Table<FrontPort> front_ports;
  Table<RearPort> rear_ports;
  Table<Cable> cables;
  std::vector<CableTermination> cable_terminations;

  // After the last record was added.
  void seal() {
    for_each_table(*this, [](auto& table) { table.seal(); });
  }
  std::size_t bytes() const {
    std::size_t sum = cable_terminations.capacity() * sizeof(CableTermination);
    for_each_table(*this, [&](const auto& table) { sum += table.bytes(); });
    return sum;
  }

 private:
  template <class Self, class Visit>
  static void for_each_table(Self& self, Visit&& visit) {
    visit(self.regions);
    visit(self.sites);
    visit(self.locations);
    visit(self.tenants);
    visit(self.providers);
    visit(self.circuits);
    visit(self.circuit_terminations);
    visit(self.devices);
    visit(self.interfaces);
    visit(self.front_ports);
    visit(self.rear_ports);
    visit(self.cables);
  }
};

}  // namespace netml::codecs::netbox
