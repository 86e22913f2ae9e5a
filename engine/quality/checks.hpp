// What is looked at to tell how good a map is (docs/quality.md). Each check is described here once:
// answers, the command line, the site and the page of documentation go by this table.
//
// Thread: any (constants).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/graph/attributes.hpp"

namespace netml::engine {

enum class Check : std::uint8_t {
  place_missing,
  place_zero,
  place_swapped,
  place_mirrored,
  place_elsewhere,
  place_far,
  place_coarse,
  altitude_impossible,
  unlocode_malformed,
  country_disputed,
  identifier_repeated,
  identifier_odd,
  name_missing,
  name_placeholder,
  name_garbled,
  name_repeated,
  owner_missing,
  institution_dead,
  topology_empty,
  topology_old,
  node_isolated,
  link_loop,
  link_one_place,
  link_too_long,
  link_length_short,
  link_repeated,
  link_one_sided,
  link_capacity_odd,
  link_outlives_node,
  lifetime_reversed,
  lifetime_over,
  version_ahead,
  property_empty,
  property_placeholder,
  property_garbled,
  property_repeated,
  contact_malformed,
};

struct CheckDescription {
  Check check;
  const char* name;  // in answers and on the command line
  KindSet kinds;     // of the records that it looks at
  // What a topology loses of its score where a tenth of them or more have it; less in proportion.
  unsigned points;
  const char* text;  // of a record that has it
};

inline constexpr auto kChecks = std::to_array<CheckDescription>({
    {Check::place_missing, "place-missing", set_of(Kind::node), 20, "it has no place"},
    {Check::place_zero, "place-zero", kPlaces, 15, "it stands at 0, 0"},
    {Check::place_swapped, "place-swapped", kPlaces, 15,
     "its latitude and longitude look exchanged"},
    {Check::place_mirrored, "place-mirrored", kPlaces, 15,
     "the sign of its latitude or longitude looks wrong"},
    {Check::place_elsewhere, "place-elsewhere", kPlaces, 10,
     "it stands outside of the country that it names"},
    {Check::place_far, "place-far", set_of(Kind::node), 5, "it is far from all else of its owner"},
    {Check::place_coarse, "place-coarse", kPlaces, 5, "its place is in whole degrees"},
    {Check::altitude_impossible, "altitude-impossible", kPlaces, 2,
     "nothing on Earth has such an altitude"},
    {Check::unlocode_malformed, "unlocode-malformed", kPlaces, 2, "its UN/LOCODE is none"},
    {Check::country_disputed, "country-disputed", kPlaces, 2,
     "its UN/LOCODE and its country are not of one country"},
    {Check::identifier_repeated, "identifier-repeated", kAllKinds, 15,
     "another one has its identifier"},
    {Check::identifier_odd, "identifier-odd", kAllKinds, 2,
     "its identifier has blanks or characters that cannot be seen"},
    {Check::name_missing, "name-missing", kAllKinds, 10, "it has no name of its own"},
    {Check::name_placeholder, "name-placeholder", kAllKinds, 5, "its name is a placeholder"},
    {Check::name_garbled, "name-garbled", kAllKinds, 5,
     "its name was read in the wrong character set, or has marks of one"},
    {Check::name_repeated, "name-repeated", set_of(Kind::topology, Kind::institution, Kind::node),
     5, "another one has its name"},
    {Check::owner_missing, "owner-missing", set_of(Kind::topology, Kind::node, Kind::link), 10,
     "nobody owns it"},
    {Check::institution_dead, "institution-dead", set_of(Kind::institution), 5, "it owns nothing"},
    {Check::topology_empty, "topology-empty", set_of(Kind::topology), 20, "nothing is in it"},
    {Check::topology_old, "topology-old", set_of(Kind::topology), 10,
     "its version is older than two years"},
    {Check::node_isolated, "node-isolated", set_of(Kind::node), 5, "no link leads to it"},
    {Check::link_loop, "link-loop", set_of(Kind::link), 10, "both its ends are one node"},
    {Check::link_one_place, "link-one-place", set_of(Kind::link), 3,
     "both its ends are at one place"},
    {Check::link_too_long, "link-too-long", set_of(Kind::link), 10,
     "it is longer than its medium allows"},
    {Check::link_length_short, "link-length-short", set_of(Kind::link), 5,
     "its ends are farther apart than it says to be long"},
    {Check::link_repeated, "link-repeated", set_of(Kind::link), 10,
     "another link of its nodes is the same circuit"},
    {Check::link_one_sided, "link-one-sided", set_of(Kind::node), 5,
     "the other half of one of its links is missing"},
    {Check::link_capacity_odd, "link-capacity-odd", set_of(Kind::link), 3,
     "its capacity cannot be"},
    {Check::link_outlives_node, "link-outlives-node", set_of(Kind::link), 5,
     "it lasts longer than a node at its end"},
    {Check::lifetime_reversed, "lifetime-reversed", kLasting, 10, "it ends before it begins"},
    {Check::lifetime_over, "lifetime-over", kLasting, 5, "it has ended and is still there"},
    {Check::version_ahead, "version-ahead", kAllKinds, 5, "its version is of a day to come"},
    {Check::property_empty, "property-empty", kAllKinds, 1, "one of its properties has no value"},
    {Check::property_placeholder, "property-placeholder", kAllKinds, 1,
     "one of its properties has a placeholder as its value"},
    {Check::property_garbled, "property-garbled", kAllKinds, 2,
     "one of its properties was read in the wrong character set, or has marks of one"},
    {Check::property_repeated, "property-repeated", kAllKinds, 1,
     "one of its properties is there twice with one value"},
    {Check::contact_malformed, "contact-malformed", kAllKinds, 2,
     "an address of the web or of mail in it is none"},
});
inline constexpr std::size_t kCheckCount = kChecks.size();

static_assert([] {
  for (std::size_t i = 0; i < kCheckCount; ++i)
    if (kChecks[i].check != static_cast<Check>(i)) return false;
  return true;
}());

// A bit for each check.
using CheckSet = std::uint64_t;
template <class... Checks>
constexpr CheckSet set_of(Check first, Checks... others) {
  return ((CheckSet{1} << static_cast<unsigned>(first)) | ... |
          (CheckSet{1} << static_cast<unsigned>(others)));
}

constexpr const CheckDescription& description(Check check) {
  return kChecks[static_cast<std::size_t>(check)];
}

// By its name; nothing where there is none of that name.
std::optional<Check> check_named(std::string_view name);

}  // namespace netml::engine
