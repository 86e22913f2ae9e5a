#include "engine/rehearsal/detail/counterparts.hpp"

#include <algorithm>
#include <vector>

namespace netml::engine {

bool Counterparts::is_itself(RecordId id) const {
  return id < first_own_ && from_.contains(id) && to_.contains(id) &&
         from_.kind(id) == to_.kind(id) && from_.attributes(id).id() == to_.attributes(id).id();
}

RecordId Counterparts::of(RecordId id) {
  if (!id) return id;
  if (const auto found = known_.find(id); found != known_.end()) return found->second;
  if (!from_.contains(id)) return kNowhere;
  if (is_itself(id)) return id;
  match(from_.kind(id), from_.attributes(id).id());
  return known_.at(id);
}

// All of one identifier at once: there may be as many as there are records.
void Counterparts::match(Kind kind, std::string_view identifier) {
  const auto others = [&](const Graph& graph) {
    std::vector<RecordId> found = graph.find(kind, identifier);
    std::erase_if(found, [&](RecordId id) { return is_itself(id); });
    return found;
  };
  const std::vector<RecordId> here = others(from_);
  const std::vector<RecordId> there = others(to_);
  for (std::size_t i = 0; i < here.size(); ++i)
    known_.insert_or_assign(here[i], i < there.size() ? there[i] : kNowhere);
}

Record Counterparts::translated(const Record& record) {
  if (!record) return {};
  const auto list = [&](std::span<const RecordId> ids) {
    std::vector<RecordId> found;
    found.reserve(ids.size());
    for (const RecordId id : ids) found.push_back(of(id));
    return found;
  };
  const Relations& relations = *record.relations;
  std::vector<RecordId> topologies = list(relations.topologies());
  std::vector<RecordId> owners = list(relations.owners());
  const std::vector<RecordId> ends = list(relations.ends());
  // As relations are kept.
  sort_each_once(topologies);
  sort_each_once(owners);
  const RecordId origin = of(relations.origin());
  return {record.attributes,
          Relations::make({topologies, owners, ends, origin == kNowhere ? RecordId{} : origin})};
}

}  // namespace netml::engine
