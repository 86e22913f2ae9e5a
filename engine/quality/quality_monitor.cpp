#include "engine/quality/quality_monitor.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>

#include "engine/graph/document.hpp"

namespace netml::engine {

namespace {

// ---- the themes: each bit is of one ----

// What neighbours say of a place stands so many bits higher.
constexpr unsigned kOfNeighbours = 40;
static_assert(kCheckCount <= kOfNeighbours);

// What is said of a place so that others are not compared with it.
constexpr CheckSet kDoubtful =
    set_of(Check::place_missing, Check::place_zero, Check::place_swapped, Check::place_mirrored,
           Check::place_elsewhere, Check::place_far);
constexpr CheckSet kNeighbours =
    set_of(Check::place_swapped, Check::place_mirrored, Check::place_far) << kOfNeighbours;
constexpr CheckSet kDates = set_of(Check::version_ahead, Check::topology_old,
                                   Check::lifetime_reversed, Check::lifetime_over);
constexpr CheckSet kAssociations = set_of(Check::owner_missing, Check::topology_empty,
                                          Check::institution_dead, Check::node_isolated);
constexpr CheckSet kLink =
    set_of(Check::link_loop, Check::link_one_place, Check::link_too_long, Check::link_length_short,
           Check::link_outlives_node, Check::link_capacity_odd);
constexpr CheckSet kCompared = set_of(Check::identifier_repeated, Check::name_repeated,
                                      Check::link_repeated, Check::link_one_sided);
// What a record says by itself.
constexpr CheckSet kAlone = ~(kNeighbours | kAssociations | kLink | kCompared);

CheckSet checks_of(CheckSet bits) {
  constexpr CheckSet kAll = (CheckSet{1} << kCheckCount) - 1;
  return (bits | bits >> kOfNeighbours) & kAll;
}

// Gathers what is found of one record at a time.
class Found {
 public:
  Found() = default;
  Found(const Found&) = delete;

  const Report& report() const { return report_; }
  CheckSet take() { return std::exchange(found_, 0); }

 private:
  CheckSet found_ = 0;
  Report report_ = [this](const Finding& finding) { found_ |= set_of(finding.check); };
};

// ---- what differs ----

// Without touching reference counts.
const Record& record_in(const Graph& graph, RecordId id) {
  static const Record none;
  const Graph::Records& all = graph.stored_records();
  return id.value < all.size() ? all.at(id.value) : none;
}

struct OwnedPlace {
  RecordId owner;
  Coordinates place;
  bool operator==(const OwnedPlace&) const = default;
};
// Where others of its first owner are compared with it. `bits`: what was found of it.
std::optional<OwnedPlace> owned_place(const Record& record, CheckSet bits) {
  if (!record || record.kind() != Kind::node || (bits & kDoubtful) != 0) return std::nullopt;
  const RecordId owner = record.relations->owner();
  const auto place = record.attributes->coordinates();
  if (!owner || !place) return std::nullopt;
  return OwnedPlace{owner, *place};
}

bool counts_for_links(const Record& before, const Record& after) {
  return before && after && after.kind() == Kind::node &&
         (before.attributes->coordinates() != after.attributes->coordinates() ||
          before.attributes->end() != after.attributes->end());
}

bool is_global(const Record& record) {
  return record && record.kind() == Kind::institution && record.id() == kGlobalInstitutionId;
}

bool count_the_same(const Record& before, const Record& after) {
  return before && after && before.kind() == after.kind() &&
         std::ranges::equal(before.relations->topologies(), after.relations->topologies());
}

// Both as they are, ascending.
Neighbourhood merged(const Neighbourhood& known, Records gone, const Neighbourhood& come) {
  Neighbourhood all;
  all.nodes.reserve(known.nodes.size() + come.nodes.size() - gone.size());
  all.directions.reserve(known.nodes.size() + come.nodes.size() - gone.size());
  auto next_gone = gone.begin();
  std::size_t next_come = 0;
  const auto add_come = [&](RecordId below) {
    for (; next_come < come.nodes.size() && come.nodes[next_come] < below; ++next_come) {
      all.nodes.push_back(come.nodes[next_come]);
      all.directions.push_back(come.directions[next_come]);
    }
  };
  for (std::size_t i = 0; i < known.nodes.size(); ++i) {
    if (next_gone != gone.end() && *next_gone == known.nodes[i]) {
      ++next_gone;
      continue;
    }
    add_come(known.nodes[i]);
    all.nodes.push_back(known.nodes[i]);
    all.directions.push_back(known.directions[i]);
  }
  add_come(RecordId{0xffffffff});
  return all;
}

}  // namespace

void QualityMonitor::take(const Graph& next, Instant now) {
  std::vector<RecordId> changed;
  last_.for_each_difference(next, [&](RecordId id) { changed.push_back(id); });
  if (findings_.size() < next.next_id().value) findings_.resize(next.next_id().value);
  const Findings before = findings_;
  const Inspection map{next, countries_, now};
  if (now != now_ && last_.size() != 0) check_dates(map);
  check_records(map, changed);
  check_neighbourhoods(next, changed, before);
  check_associations_around(map, changed);
  check_links(map, changed, before);
  check_identifiers(next, changed);
  compare(names_, check_names, set_of(Check::name_repeated), next, changed);
  compare(circuits_, check_circuits, set_of(Check::link_repeated), next, changed);
  compare(ports_, check_half_links, set_of(Check::link_one_sided), next, changed);
  count(next, changed, before);
  last_ = next;
  now_ = now;
}

std::size_t QualityMonitor::count_differences(const Graph& next) const {
  std::size_t count = 0;
  last_.for_each_difference(next, [&](RecordId) { ++count; });
  return count;
}

CheckSet QualityMonitor::findings(RecordId id) const {
  return id.value < findings_.size() ? checks_of(findings_.at(id.value)) : 0;
}

std::size_t QualityMonitor::memory_bytes() const {
  std::size_t bytes = findings_.memory_bytes() + names_.memory_bytes() + circuits_.memory_bytes() +
                      ports_.memory_bytes() +
                      tallies_.topologies.capacity() * sizeof(TopologyTally);
  for (const auto& [owner, known] : neighbourhoods_)
    bytes += sizeof(owner) + sizeof(known) +
             known.all.nodes.capacity() * (sizeof(RecordId) + sizeof(Direction));
  return bytes;
}

Tallies tally(const Inspection& map) {
  QualityMonitor monitor(map.countries);
  monitor.take(map.graph, map.now);
  return monitor.tallies();
}

// ---- of one record ----

void QualityMonitor::check_dates(const Inspection& map) {
  Found found;
  map.graph.for_each_record([&](RecordId id) {
    check_lifetime(map, id, found.report());
    replace(id, kDates, found.take());
  });
}

void QualityMonitor::check_records(const Inspection& map, Records changed) {
  Found found;
  for (const RecordId id : changed) {
    const Record& before = record_in(last_, id);
    const Record& after = record_in(map.graph, id);
    if (!before || !after || before.kind() != after.kind()) replace(id, ~CheckSet{0}, 0);
    if (!after) continue;
    const Kind kind = after.kind();
    if (kind == Kind::node || kind == Kind::institution) check_place(map, id, found.report());
    check_values(map, id, found.report());
    replace(id, kAlone, found.take());
  }
}

void QualityMonitor::check_associations_around(const Inspection& map, Records changed) {
  const Graph& next = map.graph;
  std::vector<RecordId> around(changed.begin(), changed.end());
  const auto add = [&](Records ids) {  // those that are new are among the changed ones
    std::ranges::copy_if(ids, std::back_inserter(around),
                         [&](RecordId id) { return last_.contains(id); });
  };
  for (const RecordId id : changed) {
    const Record& before = record_in(last_, id);
    const Record& after = record_in(next, id);
    if (is_global(before) != is_global(after) && after) add(next.referrers(id));
    if (before && after && before.relations == after.relations) continue;
    for (const Record* each : {&before, &after}) {
      if (!*each) continue;
      add(each->relations->topologies());
      add(each->relations->owners());
      add(each->relations->ends());
    }
  }
  sort_each_once(around);
  Found found;
  for (const RecordId id : around) {
    if (!next.contains(id)) continue;
    check_associations(map, id, found.report());
    replace(id, kAssociations, found.take());
  }
}

void QualityMonitor::check_links(const Inspection& map, Records changed, const Findings& before) {
  const Graph& next = map.graph;
  const auto is_doubtful = [](CheckSet bits) { return (checks_of(bits) & kDoubtful) != 0; };
  std::vector<RecordId> links;
  const auto add_links_of = [&](RecordId node) {
    next.for_each_referrer(node, [&](RecordId link) { links.push_back(link); });
  };
  for (const RecordId id : changed)
    if (next.contains(id) && next.kind(id) == Kind::link)
      links.push_back(id);
    else if (counts_for_links(record_in(last_, id), record_in(next, id)))
      add_links_of(id);
  before.for_each_difference(findings_, [&](std::size_t index) {
    const RecordId id{static_cast<std::uint32_t>(index)};
    if (next.contains(id) && next.kind(id) == Kind::node &&
        is_doubtful(before.at(index)) != is_doubtful(findings_.at(index)))
      add_links_of(id);
  });
  sort_each_once(links);
  const std::function<bool(RecordId)> has_doubtful_place = [&](RecordId node) {
    return is_doubtful(findings_.at(node.value));
  };
  Found found;
  for (const RecordId link : links) {
    check_link(map, link, has_doubtful_place, found.report());
    replace(link, kLink, found.take());
  }
}

// ---- of the nodes of an owner ----

struct QualityMonitor::Moves {
  std::vector<RecordId> gone;
  Neighbourhood come;
};

void QualityMonitor::check_neighbourhoods(const Graph& next, Records changed,
                                          const Findings& before) {
  RecordMap<Moves> moves;
  for (const RecordId id : changed) {
    const Record& record = record_in(next, id);
    const auto was = owned_place(record_in(last_, id), before.at(id.value));
    const auto is = owned_place(record, findings_.at(id.value));
    if (was == is) continue;
    if (was) moves[was->owner].gone.push_back(id);
    if (!is) continue;
    moves[is->owner].come.nodes.push_back(id);
    moves[is->owner].come.directions.push_back(direction(is->place));
  }
  for (const auto& [owner, each] : moves) {
    KnownNeighbourhood& known = neighbourhoods_[owner];
    known.all = merged(known.all, each.gone, each.come);
    check_neighbourhood_of(next, known);
    if (known.all.nodes.empty()) neighbourhoods_.erase(owner);
  }
}

void QualityMonitor::check_neighbourhood_of(const Graph& next, KnownNeighbourhood& known) {
  for (const RecordId id : std::exchange(known.far, {})) replace(id, kNeighbours, 0);
  check_neighbourhood(next, known.all, [&](const Finding& finding) {
    add(finding.record, set_of(finding.check) << kOfNeighbours);
    known.far.push_back(finding.record);
  });
}

// ---- of records that have something in common ----

// The graph has the index that the others have here.
void QualityMonitor::check_identifiers(const Graph& next, Records changed) {
  std::vector<RecordId> affected;
  const auto add_all_with_id_of = [&](const Record& record) {
    next.for_each_with_id(record.kind(), record.id(), [&](RecordId id) {
      affected.push_back(id);
      return true;
    });
  };
  const auto is_only = [&](RecordId id) {
    return next.is_only(id, next.kind(id), next.attributes(id).id());  // or false
  };
  for (const RecordId id : changed) {
    const Record& before = record_in(last_, id);
    const Record& after = record_in(next, id);
    if (before && after && before.kind() == after.kind() && before.id() == after.id()) continue;
    if (before) add_all_with_id_of(before);
    if (!after) continue;
    affected.push_back(id);
    if (!is_only(id)) add_all_with_id_of(after);
  }
  sort_each_once(affected);
  for (const RecordId id : affected) {
    constexpr CheckSet kRepeated = set_of(Check::identifier_repeated);
    const bool repeated =
        !is_only(id) && next.find(next.kind(id), next.attributes(id).id()).size() > 1;
    replace(id, kRepeated, repeated ? kRepeated : 0);
  }
}

void QualityMonitor::compare(KeyIndex& index, CompareRecords* check, CheckSet theme,
                             const Graph& next, Records changed) {
  const KeyIndex::Affected affected = index.take(changed, last_, next);
  for (const RecordId id : affected.records) replace(id, theme, 0);
  check(next, affected.compared, [&](const Finding& finding) {
    if (std::ranges::binary_search(affected.records, finding.record)) add(finding.record, theme);
  });
}

// ---- the sum ----

void QualityMonitor::count(const Graph& next, Records changed, const Findings& before) {
  std::vector<RecordId> others;
  before.for_each_difference(findings_, [&](std::size_t index) {
    others.push_back(RecordId{static_cast<std::uint32_t>(index)});
  });
  std::vector<RecordId> affected;
  std::ranges::set_union(changed, others, std::back_inserter(affected));
  for (const RecordId id : changed)
    if (next.contains(id) && next.kind(id) == Kind::topology) tallies_.add_topology(id);
  for (const RecordId id : affected) {
    const CheckSet old = checks_of(before.at(id.value));
    const CheckSet now = checks_of(findings_.at(id.value));
    if (old == now && count_the_same(record_in(last_, id), record_in(next, id))) continue;
    if (last_.contains(id)) tallies_.remove(last_, id, old);
    if (next.contains(id)) tallies_.add(next, id, now);
  }
  std::erase_if(tallies_.topologies, [&](const TopologyTally& each) {
    return !next.contains(each.topology) || next.kind(each.topology) != Kind::topology;
  });
}

void QualityMonitor::replace(RecordId id, CheckSet theme, CheckSet found) {
  const CheckSet old = findings_.at(id.value);
  const CheckSet now = (old & ~theme) | found;
  if (now != old) findings_.set(id.value, now);
}

}  // namespace netml::engine
