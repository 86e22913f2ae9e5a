// Places of nodes and institutions: against the country that they name, and against all else of
// their owner. What is not where it should be is tried with latitude and longitude exchanged and
// with other signs: where that fits, it is a proposal.
#include <vector>

#include "engine/base/texts.hpp"
#include "engine/quality/geography.hpp"
#include "engine/quality/stated_country.hpp"
#include "engine/quality/themes.hpp"

namespace netml::engine {

namespace {

constexpr std::int64_t kDegree = 1'000'000;  // Micro
constexpr Micro kHighest{9'000 * kDegree};
constexpr Micro kLowest{-4'000 * kDegree};
// Networks of continents have outposts overseas, so that being far alone tells little: what is far
// must stand near with a misreading, or be farther than the others are from each other.
constexpr double kFarKm = 2'000;
constexpr double kNearKm = 500;
constexpr std::size_t kOthersMin = 5;

Finding misread(RecordId id, const Misreading& reading) {
  return {.check = reading.swapped ? Check::place_swapped : Check::place_mirrored,
          .record = id,
          .place = reading.place};
}

bool is_coarse(const Coordinates& place) {
  return place.latitude.value % kDegree == 0 && place.longitude.value % kDegree == 0;
}

// Whether its place has been reported.
bool check_country(const Inspection& map, RecordId id, const Coordinates& place,
                   const StatedCountry& stated, const Report& report) {
  const auto country = stated.get();
  if (!country || map.countries.holds(*country, place)) return false;
  for (const Misreading& reading : misreadings(place))
    if (map.countries.holds(*country, reading.place)) {
      report(misread(id, reading));
      return true;
    }
  report({Check::place_elsewhere, id});
  return true;
}

// Of one node of a neighbourhood, which is so far from the nearest other one.
void check_far(const Graph& graph, const Neighbourhood& all, std::size_t i, double apart,
               const Report& report) {
  const RecordId node = all.nodes[i];
  for (const Misreading& reading : misreadings(*graph.attributes(node).coordinates()))
    if (nearest(direction(reading.place), all.directions, i) <= kNearKm)
      return report(misread(node, reading));
  // How far the others are from one of them: at least half as far as any two are apart.
  const double spread = farthest(all.directions[i == 0 ? 1 : 0], all.directions, i);
  if (apart > 2 * spread) report({.check = Check::place_far, .record = node, .kilometres = apart});
}

}  // namespace

// Whether its place is one to compare others with.
bool check_place(const Inspection& map, RecordId id, const Report& report) {
  const Attributes& record = map.graph.attributes(id);
  const StatedCountry stated(map.countries, record);
  if (const auto altitude = record.altitude();
      altitude && (*altitude > kHighest || *altitude < kLowest))
    report({Check::altitude_impossible, id});
  if (!record.unlocode().empty() && !is_unlocode(trimmed(record.unlocode())))
    report({Check::unlocode_malformed, id});
  if (stated.is_disputed()) report({Check::country_disputed, id});
  const auto place = record.coordinates();
  if (!place) {
    if (record.kind() == Kind::node) report({Check::place_missing, id});
    return false;
  }
  if (*place == Coordinates{}) {
    report({Check::place_zero, id});
    return false;
  }
  const bool reported = check_country(map, id, *place, stated, report);
  if (!reported && is_coarse(*place)) report({Check::place_coarse, id});
  return !reported;
}

void check_neighbourhood(const Graph& graph, const Neighbourhood& neighbourhood,
                         const Report& report) {
  if (neighbourhood.nodes.size() <= kOthersMin) return;
  const std::vector<double> apart = nearest_others(neighbourhood.directions, kFarKm);
  for (std::size_t i = 0; i < apart.size(); ++i)
    if (apart[i] > kFarKm) check_far(graph, neighbourhood, i, apart[i], report);
}

}  // namespace netml::engine
