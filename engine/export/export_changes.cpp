// A part that is said to be written alike is sent again as it was, so a topology must be named
// whenever its part could differ, and may be named for nothing. So the search follows the
// associations that lead to a changed record, mostly without asking what of it changed, and it
// follows those of both versions: a part may have shown the record before, or show it only now.
#include "engine/export/export_changes.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "engine/graph/record_sets.hpp"

namespace netml::engine {

namespace {

// A part shows the members of a topology, the nodes at which its links end, and the institutions
// that own any of these. So a changed record is looked for over at most two associations.
class Affected {
 public:
  Affected(const Graph& before, const Graph& after)
      : graphs_{&before, &after},
        limit_(kLimitMin + std::max(before.size(), after.size()) / kShareMax) {}

  bool find() {
    graphs_[0]->for_each_difference(*graphs_[1], [this](RecordId id) { add(id); });
    const std::size_t changed = found_.size();
    // Copies elsewhere name the topologies that an element belongs to.
    for (std::size_t i = 0; i < changed && within_limit(); ++i)
      if (!is_topology_of_that_name(found_[i])) add_referrers(found_[i]);
    const std::size_t near = found_.size();
    for (std::size_t i = changed; i < near && within_limit(); ++i) add_users(found_[i]);
    const std::size_t nearer = found_.size();
    for (std::size_t i = near; i < nearer && within_limit(); ++i) add_users(found_[i]);
    return within_limit();
  }

  std::vector<RecordId> topologies() const {
    std::vector<RecordId> result;
    for (const RecordId id : found_)
      for (const Graph* graph : graphs_) add_topologies(*graph, id, result);
    sort_each_once(result);
    return result;
  }

 private:
  static constexpr std::size_t kLimitMin = 10'000;
  static constexpr std::size_t kShareMax = 10;  // of all records: a tenth

  bool within_limit() const { return found_.size() <= limit_; }
  void add(RecordId id) {
    if (within_limit() && known_.insert(id).second) found_.push_back(id);
  }
  void add_referrers(RecordId id) {
    for (const Graph* graph : graphs_)
      if (graph->contains(id)) graph->for_each_referrer(id, [this](RecordId user) { add(user); });
  }
  // Its members name it by its identifier and show nothing else of it.
  bool is_topology_of_that_name(RecordId id) const {
    for (const Graph* graph : graphs_)
      if (!graph->contains(id) || graph->kind(id) != Kind::topology) return false;
    return graphs_[0]->attributes(id).id() == graphs_[1]->attributes(id).id();
  }
  // What shows `id`; members do not show the topology that they belong to.
  void add_users(RecordId id) {
    for (const Graph* graph : graphs_)
      if (graph->contains(id) && graph->kind(id) != Kind::topology)
        graph->for_each_referrer(id, [this](RecordId user) { add(user); });
  }
  static void add_topologies(const Graph& graph, RecordId id, std::vector<RecordId>& result) {
    if (!graph.contains(id)) return;
    if (graph.kind(id) == Kind::topology) {
      result.push_back(id);
      return;
    }
    const auto topologies = graph.relations(id).topologies();
    result.insert(result.end(), topologies.begin(), topologies.end());
  }

  const std::array<const Graph*, 2> graphs_;
  const std::size_t limit_;
  std::vector<RecordId> found_;
  RecordSet known_;
};

}  // namespace

std::optional<std::vector<RecordId>> topologies_written_differently(const Graph& before,
                                                                    const Graph& after) {
  // Where records share an identifier the newest of them is written. Their numbers say which that
  // is, and a number may change where no value does, which the search would not see.
  const bool numbers_count = before.has_duplicates() || after.has_duplicates();
  if (numbers_count && !(before.digest() == after.digest())) return std::nullopt;
  Affected affected(before, after);
  if (!affected.find()) return std::nullopt;
  return affected.topologies();
}

}  // namespace netml::engine
