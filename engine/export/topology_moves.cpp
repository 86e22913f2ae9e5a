// A topology moves when it is there before and after, and its parent is another one. Whether that
// takes it out of the export depends on all that is above it, before and after: a topology that
// leaves its place may come to another one below the main topology, or its new parent may leave
// with it. What is above is asked step by step; no transaction leaves a topology below itself, so
// each walk ends.
#include "engine/export/topology_moves.hpp"

#include <fmt/format.h>

#include <optional>
#include <unordered_map>

#include "engine/export/export_order.hpp"

namespace netml::engine {

namespace {

// Topologies as they would be, looked up in the graph and in the changes to it.
class PlannedTopologies {
 public:
  PlannedTopologies(const Graph& before, const Transaction& transaction) : before_(before) {
    // A topology that is deleted is noted with an empty value, so that nobody looks it up in the
    // graph, which still has it.
    for (const RecordChange& change : transaction.records) {
      const Record& known = change.after ? change.after : change.before;
      if (known.kind() == Kind::topology) changed_.emplace(change.id, &change.after);
    }
  }

  Record at(RecordId topology) const {
    if (const auto found = changed_.find(topology); found != changed_.end()) return *found->second;
    return before_.contains(topology) ? before_.record(topology) : Record();
  }
  std::optional<TopologyName> name(RecordId topology) const {
    const Record record = at(topology);
    if (!record) return std::nullopt;
    return TopologyName{std::string(record.id()), std::string(record.attributes->name())};
  }
  bool is_below(RecordId topology, RecordId root) const {
    for (RecordId above = topology; above;) {
      if (above == root) return true;
      const Record record = at(above);
      above = record ? record.relations->parent() : RecordId{};
    }
    return false;
  }

 private:
  const Graph& before_;
  std::unordered_map<RecordId, const Record*> changed_;
};

// In the graph as it was every parent is there, while one of what is planned may be deleted.
bool was_below(const Graph& graph, RecordId topology, RecordId root) {
  for (RecordId above = topology; above; above = graph.relations(above).parent())
    if (above == root) return true;
  return false;
}

std::string place_text(const std::optional<TopologyName>& place) {
  return place ? fmt::format("{} <{}>", place->name, place->id) : "the top level";
}

}  // namespace

std::vector<TopologyMove> topology_moves(const Graph& before, const Transaction& transaction) {
  std::optional<PlannedTopologies> planned;  // once something moves
  // Without exactly one main topology there is no export that anything could leave.
  const auto root = export_root(before);
  std::vector<TopologyMove> moves;
  for (const RecordChange& change : transaction.records) {
    if (!change.before || !change.after || change.before.kind() != Kind::topology) continue;
    const RecordId from = change.before.relations->parent();
    const RecordId to = change.after.relations->parent();
    if (from == to) continue;
    if (!planned) planned.emplace(before, transaction);
    TopologyMove move;
    move.topology = *planned->name(change.id);
    // The old place has the name that it had, the new one the name that it gets.
    if (from)
      move.from = TopologyName{std::string(before.attributes(from).id()),
                               std::string(before.attributes(from).name())};
    move.to = planned->name(to);
    move.leaves_export =
        root && was_below(before, change.id, *root) && !planned->is_below(change.id, *root);
    moves.push_back(std::move(move));
  }
  return moves;
}

std::string move_text(const TopologyMove& move) {
  return fmt::format("{} <{}> moves from {} to {}{}", move.topology.name, move.topology.id,
                     place_text(move.from), place_text(move.to),
                     move.leaves_export ? ", and leaves the export" : "");
}

}  // namespace netml::engine
