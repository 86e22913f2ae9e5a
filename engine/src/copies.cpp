#include "engine/src/copies.hpp"

#include <algorithm>

namespace netml::engine {

Standing standing_of(Workspace& workspace, RecordId record) {
  const Record value = workspace.record(record);
  if (value.kind() == Kind::link || !value.attributes->is_copy()) return Standing::original;
  return originals_of(workspace, record).empty() ? Standing::lone_copy : Standing::copy_of_others;
}

std::vector<RecordId> originals_of(Workspace& workspace, RecordId copy) {
  const Record value = workspace.record(copy);
  std::vector<RecordId> named;  // topologies
  for (const std::string& id : split_from_topology(*value.attributes->from_topology()))
    std::ranges::copy(workspace.find(Kind::topology, id), std::back_inserter(named));
  std::vector<RecordId> originals = workspace.find(value.kind(), value.id());
  std::erase_if(originals, [&](RecordId other) {
    if (other == copy) return true;
    const Record candidate = workspace.record(other);
    return std::ranges::none_of(named, [&](RecordId topology) {
      return std::ranges::binary_search(candidate.relations->topologies(), topology);
    });
  });
  return originals;
}

void resolve_copies(Workspace& workspace) {
  std::vector<RecordId> copies = workspace.copies();
  std::ranges::sort(copies, {}, [&](RecordId copy) {
    return std::pair(workspace.record(copy).kind(), workspace.age(copy));
  });
  std::erase_if(copies, [&](RecordId copy) { return workspace.record(copy).kind() == Kind::link; });
  while (std::erase_if(copies, [&](RecordId copy) {
    const std::vector<RecordId> originals = originals_of(workspace, copy);
    if (originals.size() == 1) workspace.forward(copy, originals.front());
    return originals.size() == 1;
  })) {
  }
}

}  // namespace netml::engine
