// The list of what a change would do in groups: by topology, by what happens, and by what it
// happens to. "1,204 nodes are added to Coast" is read at a glance, 1,204 lines are not.
//
// Owner: a preview. Memory: four bytes for each item, and the groups. Thread: any (immutable once
// it is made).
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/transaction/difference.hpp"
#include "wal/history/journal_reader.hpp"

namespace netml::admin::web {

// Beyond so many groups an answer joins topologies.
inline constexpr std::size_t kChangeGroupsMax = 100;

// Which items of the list are asked for; what is not said is any.
struct WantedChanges {
  std::optional<wal::EffectAction> action;
  std::optional<std::string> kind;      // of elements, or the name of a table
  std::optional<std::string> topology;  // an identifier; empty: those in none
};

class ChangeGroups {
 public:
  // Of a list that begins with `entries`, each as entry_change_json() has it, and goes on with the
  // elements of `difference`, which is from `before` to `after`. An element counts to the first of
  // its topologies, and a topology to itself: as they are afterwards, or were where it is gone.
  ChangeGroups(const std::vector<boost::json::object>& entries,
               const engine::Difference& difference, const engine::Graph& before,
               const engine::Graph& after);

  // {"topology" {"id", "name"} or null for none, "kind", "action", "count", "examples"}: those with
  // a topology first, by its name. Of more than kChangeGroupsMax without "topology".
  boost::json::array json() const;
  // Their places in the list, ascending. Cost: one look at each item.
  std::vector<std::size_t> places(const WantedChanges& wanted) const;

 private:
  struct Group {
    std::string topology;  // its identifier; empty: none
    std::string topology_name;
    std::string kind;
    wal::EffectAction action = wal::EffectAction::created;
    std::size_t count = 0;
    std::vector<std::string> examples;
    void add(std::string_view name);
  };

  void sort();
  static boost::json::object group_json(const Group& group, bool with_topology);
  std::vector<Group> without_topologies() const;

  std::vector<Group> groups_;
  std::vector<std::uint32_t> group_of_;  // by place in the list
};

}  // namespace netml::admin::web
