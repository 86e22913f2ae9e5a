// Which source a topology belongs to follows from what was stored when it came, not from what a map
// says now: so no map can claim what is there already. What an import does to others is judged on
// the planned transaction, record by record, because matching, merging and collation rules may
// change far more than the file names. Each change counts for the topology where the record was at
// home before it; a new record was nowhere, and takes nothing from anybody. Being overwritten by
// others, even where that is allowed, makes nobody lose a topology; it only makes the file that
// brought it due again.
#include "engine/import/source_authority.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "engine/base/wording.hpp"
#include "engine/graph/document.hpp"
#include "engine/import/plan_polls.hpp"

namespace netml::engine {

namespace {

// A topology is its own home. An element is at home in the oldest of its topologies: who adds it to
// another one later takes it from nobody.
RecordId home_of(RecordId id, const Record& record) {
  return record.kind() == Kind::topology ? id : record.relations->parent();
}

RecordId origin_of(const Graph& graph, RecordId topology) {
  return graph.contains(topology) ? graph.relations(topology).origin() : RecordId{};
}

// Every map brings the global institution as it is defined, so a change of it overwrites nobody.
bool is_global(const Record& record) {
  return record.kind() == Kind::institution && record.id() == kGlobalInstitutionId;
}

// Judges the changes that an import of one source makes.
class ChangeJudge {
 public:
  ChangeJudge(const State& before, std::uint64_t source)
      : graph_(before.graph), owners_(before), source_(source) {}

  std::uint64_t owner_of(RecordId topology) const { return owners_.of(topology); }

  // Whether something that was there is not as it was.
  bool overwrites(const RecordChange& change) const {
    if (!change.before || is_global(change.before)) return false;
    return !change.after || !only_joins(change.before, change.after);
  }

 private:
  // What belongs to the source may be added, and left out again; an element stays at home.
  bool only_joins(const Record& before, const Record& after) const {
    const Relations& was = *before.relations;
    const Relations& is = *after.relations;
    return before.kind() != Kind::topology && *before.attributes == *after.attributes &&
           was.parent() == is.parent() && std::ranges::equal(was.ends(), is.ends()) &&
           keeps_others(was.topologies(), is.topologies()) &&
           keeps_others(was.owners(), is.owners());
  }
  bool keeps_others(std::span<const RecordId> was, std::span<const RecordId> is) const {
    return std::ranges::all_of(was, [&](RecordId id) {
      return std::ranges::binary_search(is, id) || owners_.of(id, graph_.record(id)) == source_;
    });
  }

  const Graph& graph_;
  const TopologyOwners owners_;
  const std::uint64_t source_;
};

bool is_listed(const Graph& graph, const PollingSource& source, RecordId topology) {
  const auto listed = [&](RecordId id) {
    return graph.contains(id) &&
           std::ranges::find(source.listed_topologies, graph.attributes(id).id()) !=
               source.listed_topologies.end();
  };
  return source.authority == SourceAuthority::listed &&
         (listed(topology) || listed(origin_of(graph, topology)));
}

std::string whose(const Catalog& catalog, std::uint64_t owner) {
  const auto source = catalog.sources.find(owner);
  return source ? fmt::format("came from source \"{}\" first", source->name)
                : std::string("is this node's own");
}

}  // namespace

TopologyOwners::TopologyOwners(const State& state) : graph_(state.graph) {
  state.catalog.peer_states.for_each([&](std::uint64_t source, const PeerState& peer) {
    // Data written before there were such lists has the root alone: there a topology belongs to the
    // source that brought it last.
    if (!peer.topologies && peer.root) roots_.emplace(peer.root, source);
    if (!peer.topologies) return;
    for (const RecordId topology : *peer.topologies) first_.emplace(topology, source);
  });
}

// The list goes first: the origin is the root that a topology came with last, perhaps in a file of
// another source.
std::uint64_t TopologyOwners::of(RecordId topology) const {
  if (const auto first = first_.find(topology); first != first_.end()) return first->second;
  const auto root = roots_.find(origin_of(graph_, topology));
  return root == roots_.end() ? 0 : root->second;
}

std::uint64_t TopologyOwners::of(RecordId id, const Record& record) const {
  return of(home_of(id, record));
}

std::vector<ForeignTopology> foreign_topologies(const State& before, const ImportPlan& plan,
                                                std::uint64_t source) {
  const ChangeJudge judge(before, source);
  std::map<RecordId, std::uint64_t> changed;
  // A map is the whole truth about the topologies that it lists, so to list one is to claim it,
  // even where nothing of it changes now.
  for (const RecordId topology : plan.covered) changed.emplace(topology, 0);
  for (const RecordChange& change : plan.transaction.records)
    if (judge.overwrites(change)) ++changed[home_of(change.id, change.before)];
  std::vector<ForeignTopology> foreign;
  for (const auto& [topology, count] : changed)
    if (const std::uint64_t owner = judge.owner_of(topology); owner != source)
      foreign.push_back({topology, owner, count});
  return foreign;
}

std::optional<std::string> beyond_authority(const State& before, const ImportPlan& plan,
                                            std::uint64_t source) {
  const auto setting = before.catalog.sources.find(source);
  if (setting == nullptr || setting->authority == SourceAuthority::any) return std::nullopt;
  std::vector<ForeignTopology> foreign = foreign_topologies(before, plan, source);
  // A listed topology stands for all that came with it in one file: that has it for its origin.
  std::erase_if(foreign, [&](const ForeignTopology& part) {
    return is_listed(before.graph, *setting, part.topology);
  });
  if (foreign.empty()) return std::nullopt;
  // One reason is enough for a line: the topology that would lose most, and how many more.
  const ForeignTopology& most = *std::ranges::max_element(foreign, {}, &ForeignTopology::changed);
  std::string text = most.changed == 0
                         ? "it contains"
                         : fmt::format("it would change {} of", counted(most.changed, "element"));
  if (most.topology) {
    const Attributes& attributes = before.graph.attributes(most.topology);
    text += fmt::format(" topology {} <{}>, which {}", attributes.name(), attributes.id(),
                        whose(before.catalog, most.owner));
  } else {
    text += " this node's own outside of all topologies";
  }
  if (foreign.size() > 1)
    text +=
        fmt::format(", and {} that belong to others", counted(foreign.size() - 1, "more topology"));
  return text;
}

std::vector<RecordId> topologies_with(const State& before, const Transaction& transaction,
                                      std::uint64_t source) {
  const Graph& graph = before.graph;
  std::set<RecordId> topologies;
  const auto peer = before.catalog.peer_states.find(source);
  if (peer && peer->topologies) {
    // A topology that an earlier transaction deleted may still be listed.
    for (const RecordId topology : *peer->topologies)
      if (graph.contains(topology)) topologies.insert(topology);
  } else if (peer && peer->root) {
    // In older data the root alone says what is the source's. The caller stores the result, so that
    // from then on the list says it.
    const TopologyOwners owners(before);
    graph.for_each_record([&](RecordId id) {
      if (graph.kind(id) == Kind::topology && owners.of(id) == source) topologies.insert(id);
    });
  }
  for (const RecordChange& change : transaction.records) {
    if (!change.after)
      topologies.erase(change.id);
    else if (!change.before && change.after.kind() == Kind::topology)
      topologies.insert(change.id);
  }
  return {topologies.begin(), topologies.end()};
}

// The file that no longer stands may be that of the source to which the topology belongs, or of the
// one that brought it last. Without its hash and tag the next poll fetches the same file again and
// imports it.
void forget_overwritten(Transaction& transaction, const State& before, std::uint64_t source) {
  if (before.catalog.peer_states.count() == 0) return;
  const ChangeJudge judge(before, source);
  std::set<RecordId> homes;
  for (const RecordChange& change : transaction.records)
    if (judge.overwrites(change)) homes.insert(home_of(change.id, change.before));
  std::set<std::uint64_t> owners;
  std::set<RecordId> roots;
  for (const RecordId home : homes) {
    owners.insert(judge.owner_of(home));
    roots.insert(origin_of(before.graph, home));
  }
  before.catalog.peer_states.for_each([&](std::uint64_t number, const PeerState& peer) {
    const bool brought = owners.contains(number) || (peer.root && roots.contains(peer.root));
    if (!brought || number == source || peer.file_hash == Sha256{}) return;
    PeerState again = peer;
    again.etag.clear();
    again.file_hash = {};
    again.changes_of.clear();
    set_peer_state(transaction, before, number, std::move(again));
  });
}

}  // namespace netml::engine
