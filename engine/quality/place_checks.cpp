// Places of nodes and institutions: against the country that they name, and against all else of
// their owner. What is not where it should be is tried with latitude and longitude exchanged and
// with other signs: where that fits, it is a proposal.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "engine/base/texts.hpp"
#include "engine/graph/properties.hpp"
#include "engine/quality/countries.hpp"
#include "engine/quality/geography.hpp"
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

bool is_unlocode(std::string_view code) {
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  return code.size() == 5 && is_capital(code[0]) && is_capital(code[1]) &&
         std::ranges::all_of(code.substr(2),
                             [&](char c) { return is_capital(c) || (c >= '2' && c <= '9'); });
}

// Of a record; nothing where it names none, or two.
class StatedCountry {
 public:
  StatedCountry(const Countries& countries, const Attributes& record) {
    const std::string_view code = trimmed(record.unlocode());
    if (is_unlocode(code)) by_unlocode_ = countries.find(code.substr(0, 2));
    const std::string_view name = first_property(record, kCountryProperties);
    if (!name.empty()) by_name_ = countries.find(name);
  }
  bool is_disputed() const { return by_unlocode_ && by_name_ && by_unlocode_ != by_name_; }
  std::optional<std::size_t> get() const {
    if (is_disputed()) return std::nullopt;
    return by_name_ ? by_name_ : by_unlocode_;
  }

 private:
  std::optional<std::size_t> by_unlocode_;
  std::optional<std::size_t> by_name_;
};

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

struct OwnedPlace {
  RecordId owner;
  RecordId node;
  Coordinates place;
};

// Of the nodes of one owner.
class Neighbourhood {
 public:
  explicit Neighbourhood(std::span<const OwnedPlace> nodes) : nodes_(nodes) {
    for (const OwnedPlace& node : nodes) directions_.push_back(direction(node.place));
  }

  // Marks whom it reports.
  void check(std::vector<bool>& doubtful, const Report& report) const {
    const std::vector<double> nearest = nearest_others(directions_, kFarKm);
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (nearest[i] > kFarKm && check_far(i, nearest[i], report))
        doubtful[nodes_[i].node.value] = true;
  }

 private:
  bool check_far(std::size_t i, double apart, const Report& report) const {
    for (const Misreading& reading : misreadings(nodes_[i].place))
      if (distance_to_others(i, direction(reading.place)) <= kNearKm) {
        report(misread(nodes_[i].node, reading));
        return true;
      }
    if (apart <= 2 * spread_of_others(i)) return false;
    report({.check = Check::place_far, .record = nodes_[i].node, .kilometres = apart});
    return true;
  }

  double distance_to_others(std::size_t i, const Direction& from) const {
    double nearest = 2 * kFarKm;
    for (std::size_t j = 0; j < directions_.size(); ++j)
      if (j != i) nearest = std::min(nearest, kilometres(from, directions_[j]));
    return nearest;
  }
  // How far the others are from one of them: at least half as far as any two are apart.
  double spread_of_others(std::size_t i) const {
    const Direction& from = directions_[i == 0 ? 1 : 0];
    double farthest = 0;
    for (std::size_t j = 0; j < directions_.size(); ++j)
      if (j != i) farthest = std::max(farthest, kilometres(from, directions_[j]));
    return farthest;
  }

  std::span<const OwnedPlace> nodes_;
  std::vector<Direction> directions_;
};

}  // namespace

std::vector<bool> check_places(const Inspection& map, const Report& report) {
  std::vector<bool> doubtful(map.graph.next_id().value);
  std::vector<OwnedPlace> owned;
  map.graph.for_each_record([&](RecordId id) {
    const Kind kind = map.graph.kind(id);
    if (kind != Kind::node && kind != Kind::institution) return;
    doubtful[id.value] = !check_place(map, id, report);
    if (doubtful[id.value] || kind != Kind::node) return;
    const auto owners = map.graph.relations(id).owners();
    if (!owners.empty()) owned.push_back({owners[0], id, *map.graph.attributes(id).coordinates()});
  });
  std::ranges::stable_sort(owned, {}, &OwnedPlace::owner);
  for (std::size_t begin = 0; begin < owned.size();) {
    std::size_t end = begin;
    while (end < owned.size() && owned[end].owner == owned[begin].owner) ++end;
    if (end - begin > kOthersMin)
      Neighbourhood(std::span(owned).subspan(begin, end - begin)).check(doubtful, report);
    begin = end;
  }
  return doubtful;
}

}  // namespace netml::engine
