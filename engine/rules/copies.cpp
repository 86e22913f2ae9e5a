#include "engine/rules/copies.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "engine/graph/record_sets.hpp"

namespace netml::engine {

Namesakes::Namesakes(Workspace& workspace, Kind kind, std::string_view id)
    : workspace_(workspace), records_(workspace.find(kind, id)) {
  for (const RecordId record : records_)
    for (const RecordId topology : workspace.record(record).relations->topologies())
      holders_[topology].push_back(record);
}

std::vector<RecordId> Namesakes::originals_of(RecordId copy) {
  const Record value = workspace_.record(copy);
  std::vector<RecordId> originals;
  for (const std::string& id : split_from_topology(*value.attributes->from_topology()))
    for (const RecordId topology : workspace_.find(Kind::topology, id))
      if (const auto held = holders_.find(topology); held != holders_.end())
        std::ranges::copy(held->second, std::back_inserter(originals));
  // One that belongs to several of the named topologies is still one.
  sort_each_once(originals);
  // Records that gave way meanwhile are still in the index.
  std::erase_if(originals,
                [&](RecordId other) { return other == copy || !workspace_.contains(other); });
  return originals;
}

Standing Namesakes::standing_of(RecordId record) {
  const Record value = workspace_.record(record);
  if (value.kind() == Kind::link || !value.attributes->is_copy()) return Standing::original;
  return originals_of(record).empty() ? Standing::lone_copy : Standing::copy_of_others;
}

void resolve_copies(Workspace& workspace) {
  std::map<std::pair<Kind, std::string>, std::vector<RecordId>> groups;
  for (const RecordId copy : workspace.copies())
    if (const Record value = workspace.record(copy); value.kind() != Kind::link)
      groups[{value.kind(), std::string(value.id())}].push_back(copy);
  for (auto& [name, copies] : groups) {
    Namesakes namesakes(workspace, name.first, name.second);
    // The oldest first, as an import does: the order decides who is left when copies name each
    // other.
    std::ranges::sort(copies, {}, [&](RecordId copy) { return workspace.age(copy); });
    // A copy that gives way may leave one original to the next, so until nothing changes; each turn
    // takes at least one away.
    while (std::erase_if(copies, [&](RecordId copy) {
      const std::vector<RecordId> originals = namesakes.originals_of(copy);
      if (originals.size() == 1) workspace.forward(copy, originals.front());
      return originals.size() == 1;
    })) {
    }
  }
}

}  // namespace netml::engine
