#include "engine/transaction/difference.hpp"

#include <algorithm>
#include <span>
#include <tuple>

#include "engine/graph/record_sets.hpp"

namespace netml::engine {

namespace {

FieldValue identifiers(const Graph& graph, std::span<const RecordId> ids, bool ordered) {
  if (ids.empty()) return {};
  std::vector<std::string> texts;
  for (const RecordId id : ids) texts.emplace_back(graph.attributes(id).id());
  if (!ordered) std::ranges::sort(texts);
  return texts;
}

FieldValue association(const Graph& graph, RecordId id, Field field) {
  const Relations& relations = graph.relations(id);
  if (field == Field::topologies) return identifiers(graph, relations.topologies(), false);
  if (field == Field::owners) return identifiers(graph, relations.owners(), false);
  return identifiers(graph, relations.ends(), true);
}

// All values of a record; none of a record that is not there.
class Values {
 public:
  Values(const Graph& graph, RecordId id) : graph_(graph), id_(id) {
    if (!id) return;
    fields_ = graph.attributes(id).fields();
    properties_ = graph.attributes(id).properties();
    std::ranges::stable_sort(properties_, {}, &Property::name);  // as exports group them
    fields_.properties = properties_;
  }
  FieldValue value(Field field) const {
    if (!id_) return {};
    return is_attribute(field) ? attribute_value(fields_, field) : association(graph_, id_, field);
  }

 private:
  const Graph& graph_;
  const RecordId id_;
  AttributeFields fields_;
  std::vector<Property> properties_;
};

std::vector<FieldChange> differing_fields(const Values& before, const Values& after) {
  std::vector<FieldChange> changes;
  for (std::size_t i = 0; i < kFieldCount; ++i) {
    const auto field = static_cast<Field>(i);
    if (field == Field::origin) continue;
    FieldChange change{field, before.value(field), after.value(field)};
    if (change.before != change.after) changes.push_back(std::move(change));
  }
  return changes;
}

bool belongs_to(const Graph& graph, RecordId id, std::string_view topology) {
  const Attributes& attributes = graph.attributes(id);
  if (attributes.kind() == Kind::topology && attributes.id() == topology) return true;
  return std::ranges::any_of(graph.relations(id).topologies(), [&](RecordId group) {
    return graph.attributes(group).id() == topology;
  });
}

}  // namespace

// A record of one of the graphs that may have to be reported.
struct Difference::Candidate {
  Kind kind;
  std::string_view identifier;
  bool after;  // which graph it is in
  RecordId id;
  bool wanted;  // belongs to the topology that was asked for
  auto key() const { return std::tuple(kind, identifier, after, id); }
  bool same_element(const Candidate& other) const {
    return kind == other.kind && identifier == other.identifier;
  }
};

Difference::Difference(Graph before, Graph after, std::string_view topology)
    : before_(std::move(before)), after_(std::move(after)) {
  match_all(candidates(topology));
}

Difference::Difference(Graph before, Graph after, std::vector<ElementName> elements)
    : before_(std::move(before)), after_(std::move(after)) {
  match_all(candidates(std::move(elements)));
}

void Difference::match_all(std::vector<Candidate> found) {
  std::ranges::sort(found, {}, &Candidate::key);
  for (auto begin = found.cbegin(); begin != found.cend();) {
    const auto end = std::find_if(begin, found.cend(), [&](const Candidate& candidate) {
      return !candidate.same_element(*begin);
    });
    if (std::any_of(begin, end, [](const Candidate& candidate) { return candidate.wanted; }))
      match(begin, end);
    begin = end;
  }
}

// All records but those that are plainly the same in both: comparing what is shared costs nothing.
std::vector<Difference::Candidate> Difference::candidates(std::string_view topology) const {
  const std::vector<bool> other_names = renamed();
  std::vector<Candidate> found;
  const auto add_all = [&](const Graph& graph, bool after) {
    graph.for_each_record([&](RecordId id) {
      if (same_record(id, other_names)) return;
      const Attributes& attributes = graph.attributes(id);
      found.push_back({attributes.kind(), attributes.id(), after, id,
                       topology.empty() || belongs_to(graph, id, topology)});
    });
  };
  add_all(before_, false);
  add_all(after_, true);
  return found;
}

std::vector<Difference::Candidate> Difference::candidates(std::vector<ElementName> elements) const {
  sort_each_once(elements);
  std::vector<Candidate> found;
  for (const ElementName& element : elements)
    for (const bool after : {false, true}) {
      const Graph& graph = after ? after_ : before_;
      for (const RecordId id : graph.find(element.kind, element.identifier))
        found.push_back({element.kind, graph.attributes(id).id(), after, id, true});
    }
  return found;
}

// Records of another identifier than before: what refers to them reads differently, too.
std::vector<bool> Difference::renamed() const {
  std::vector<bool> changed(before_.next_id().value, false);
  before_.for_each_record([&](RecordId id) {
    changed[id.value] =
        after_.contains(id) && after_.attributes(id).id() != before_.attributes(id).id();
  });
  return changed;
}

bool Difference::same_record(RecordId id, const std::vector<bool>& renamed) const {
  if (!before_.contains(id) || !after_.contains(id)) return false;
  const Relations& relations = before_.relations(id);
  if (!(before_.attributes(id) == after_.attributes(id)) || !(relations == after_.relations(id)))
    return false;
  const auto is_renamed = [&](RecordId target) { return renamed[target.value]; };
  return std::ranges::none_of(relations.topologies(), is_renamed) &&
         std::ranges::none_of(relations.owners(), is_renamed) &&
         std::ranges::none_of(relations.ends(), is_renamed);
}

// Candidates of one kind and identifier: those before, then those after, each ascending.
void Difference::match(std::vector<Candidate>::const_iterator begin,
                       std::vector<Candidate>::const_iterator end) {
  std::vector<RecordId> gone;
  std::vector<RecordId> made;
  for (auto it = begin; it != end; ++it) (it->after ? made : gone).push_back(it->id);
  std::vector<RecordId> kept;
  std::ranges::set_intersection(gone, made, std::back_inserter(kept));
  for (const RecordId id : kept) {
    add(id, id);
    std::erase(gone, id);
    std::erase(made, id);
  }
  for (std::size_t i = 0; i < std::max(gone.size(), made.size()); ++i)
    add(i < gone.size() ? gone[i] : RecordId{}, i < made.size() ? made[i] : RecordId{});
}

// Most elements of two graphs that grew apart are the same in both, so this comes before any value
// is made.
bool Difference::reads_alike(RecordId before, RecordId after) const {
  if (!before || !after || !(before_.attributes(before) == after_.attributes(after))) return false;
  const Relations& old_relations = before_.relations(before);
  const Relations& new_relations = after_.relations(after);
  const auto alike = [&](std::span<const RecordId> old_ids, std::span<const RecordId> new_ids) {
    return std::ranges::equal(old_ids, new_ids, [&](RecordId a, RecordId b) {
      return before_.attributes(a).id() == after_.attributes(b).id();
    });
  };
  // In another order they may still be the same.
  return alike(old_relations.topologies(), new_relations.topologies()) &&
         alike(old_relations.owners(), new_relations.owners()) &&
         alike(old_relations.ends(), new_relations.ends());
}

void Difference::add(RecordId before, RecordId after) {
  if (reads_alike(before, after)) return;
  const Values old_values(before_, before);
  const Values new_values(after_, after);
  if (differing_fields(old_values, new_values).empty()) return;
  const Kind kind = before ? before_.kind(before) : after_.kind(after);
  ChangeCounts& counts = counts_[static_cast<std::size_t>(kind)];
  ++(!before ? counts.created : !after ? counts.deleted : counts.updated);
  pairs_.push_back({before, after});
}

ChangeCounts Difference::counts() const {
  ChangeCounts sum;
  for (const ChangeCounts& of_kind : counts_) {
    sum.created += of_kind.created;
    sum.updated += of_kind.updated;
    sum.deleted += of_kind.deleted;
  }
  return sum;
}

ElementDifference Difference::at(std::size_t index) const {
  const Pair& pair = pairs_[index];
  const Attributes& shown =
      pair.after ? after_.attributes(pair.after) : before_.attributes(pair.before);
  ElementDifference difference;
  difference.kind = shown.kind();
  difference.identifier = shown.id();
  difference.name = shown.name();
  difference.before = pair.before;
  difference.after = pair.after;
  difference.fields = differing_fields(Values(before_, pair.before), Values(after_, pair.after));
  return difference;
}

}  // namespace netml::engine
