// How one record goes back: a merge of three values. `before -> after` is what the transaction did,
// `now` is what the record holds. A part that the transaction did not change stays as it is now;
// one that nobody changed since becomes what it was before; one that others changed since is a
// conflict, noted and left alone, or overwritten where that was asked for. So an undo never takes
// the work of others back unasked, and undoing twice changes nothing the second time. Each part
// that is merged is the smallest that makes sense alone: a field, a property name, a member of a
// set. The two parts of a lifetime go together, as each limits the other.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/graph/attributes.hpp"
#include "engine/graph/record_sets.hpp"
#include "engine/undo/detail/undo_parts.hpp"

namespace netml::engine {

namespace {

constexpr const char* kChanged = "it was changed since";
constexpr const char* kOtherPart = "the other part of the lifetime was changed since";
constexpr const char* kMissing = "what it referred to is not there any more";

bool same(std::span<const RecordId> a, std::span<const RecordId> b) {
  return std::ranges::equal(a, b);
}

bool holds(std::span<const RecordId> ids, RecordId id) {
  return std::ranges::find(ids, id) != ids.end();
}

std::vector<std::string_view> values_of(std::span<const Property> properties,
                                        std::string_view name) {
  std::vector<std::string_view> values;
  for (const Property& property : properties)
    if (property.name == name) values.push_back(property.value);
  return values;
}

// Takes the place of what the list has under that name.
void replace_values(std::vector<Property>& properties, std::string_view name,
                    std::span<const std::string_view> values) {
  const auto named = [&](const Property& property) { return property.name == name; };
  // The order of properties is part of the record, so what comes back takes the place of what goes.
  const auto place = std::ranges::find_if(properties, named) - properties.begin();
  std::erase_if(properties, named);
  std::vector<Property> wanted;
  for (const std::string_view value : values) wanted.push_back({name, value});
  properties.insert(properties.begin() + place, wanted.begin(), wanted.end());
}

FieldValue property_texts(std::string_view name, std::span<const std::string_view> values) {
  if (values.empty()) return {};
  std::vector<std::string> texts;
  for (const std::string_view value : values) texts.push_back(fmt::format("{}={}", name, value));
  return texts;
}

class Merge {
 public:
  Merge(const Workspace& workspace, RecordId id, const RecordChange& change, UndoForce force,
        UndoConflicts& conflicts)
      : workspace_(workspace),
        now_(workspace.record(id)),
        before_(change.before),
        after_(change.after),
        force_(force == UndoForce::overwrite),
        conflicts_(conflicts) {}

  Record result() { return {merged_attributes(), merged_relations()}; }

 private:
  // Whether a value goes back: one that others changed since does only where that is forced.
  template <class Value>
  bool goes_back(const Value& before, const Value& after, const Value& now) {
    // Not what the transaction left alone, and not what is as it was already.
    return !(before == after) && !(now == before) && (now == after || force_);
  }
  template <class Value>
  bool overwritten(const Value& before, const Value& after, const Value& now) {
    return !(before == after) && !(now == before) && !(now == after);
  }

  void note(Field field, const char* reason, FieldValue wanted, FieldValue now, bool forced) {
    conflicts_.note(conflict_about(now_, field, reason, std::move(wanted), std::move(now), forced));
  }

  AttributesPtr merged_attributes() {
    if (*before_.attributes == *after_.attributes) return now_.attributes;
    // Nobody touched it since: the former object itself goes back, which costs no memory.
    if (*now_.attributes == *after_.attributes) return before_.attributes;
    before_fields_ = before_.attributes->fields();
    after_fields_ = after_.attributes->fields();
    now_fields_ = now_.attributes->fields();
    fields_ = now_fields_;
    for_each_attribute([this](const auto& attribute) {
      if (attribute.field == Field::start)
        merge_lifetime();
      else if (attribute.field != Field::end)
        merge(attribute);
    });
    const std::vector<Property> properties = merged_properties();
    fields_.properties = properties;
    return Attributes::make(fields_);
  }

  template <class T>
  void merge(const Attribute<T>& attribute) {
    const T& before = before_fields_.*attribute.member;
    const T& after = after_fields_.*attribute.member;
    const T& now = now_fields_.*attribute.member;
    if (overwritten(before, after, now))
      note(attribute.field, kChanged, attribute_value(before_fields_, attribute.field),
           attribute_value(now_fields_, attribute.field), force_);
    if (goes_back(before, after, now)) fields_.*attribute.member = before;
  }

  // One value: an end of one time beside a start of another would be a lifetime that never was, or
  // one without a start.
  void merge_lifetime() {
    using Lifetime = std::pair<std::optional<Instant>, std::optional<Instant>>;
    const auto lifetime = [](const AttributeFields& fields) {
      return Lifetime(fields.start, fields.end);
    };
    const Lifetime before = lifetime(before_fields_);
    const Lifetime after = lifetime(after_fields_);
    const Lifetime now = lifetime(now_fields_);
    if (overwritten(before, after, now))
      for (const auto& [field, part] : {std::pair(Field::start, &AttributeFields::start),
                                        std::pair(Field::end, &AttributeFields::end)})
        if (before_fields_.*part != now_fields_.*part)
          note(field, now_fields_.*part == after_fields_.*part ? kOtherPart : kChanged,
               attribute_value(before_fields_, field), attribute_value(now_fields_, field), force_);
    if (goes_back(before, after, now)) std::tie(fields_.start, fields_.end) = before;
  }

  std::vector<Property> merged_properties() {
    const std::vector<Property> before = before_.attributes->properties();
    const std::vector<Property> after = after_.attributes->properties();
    std::vector<Property> merged = now_.attributes->properties();
    if (before == after) return merged;
    if (merged == after) return before_.attributes->properties();
    // Name by name: who adds a property does not stand in the way of one who changed another.
    std::vector<std::string_view> names;
    for (const auto* list : {&before, &after})
      for (const Property& property : *list) names.push_back(property.name);
    sort_each_once(names);
    for (const std::string_view name : names) merge_property(name, before, after, merged);
    return merged;
  }

  void merge_property(std::string_view name, std::span<const Property> before_list,
                      std::span<const Property> after_list, std::vector<Property>& merged) {
    const auto before = values_of(before_list, name);
    const auto after = values_of(after_list, name);
    const auto now = values_of(merged, name);
    if (overwritten(before, after, now))
      note(Field::properties, kChanged, property_texts(name, before), property_texts(name, now),
           force_);
    if (goes_back(before, after, now)) replace_values(merged, name, before);
  }

  RelationsPtr merged_relations() {
    // Sets of members and of owners merge member by member, because two people may add to one. A
    // topology has one parent and one owner, and a link two ends: they go back whole or stay.
    const Relations& before = *before_.relations;
    const Relations& after = *after_.relations;
    const Relations& now = *now_.relations;
    if (before == after) return now_.relations;
    const bool topology = now_.kind() == Kind::topology;
    const auto list = [&](Field field, std::span<const RecordId> b, std::span<const RecordId> a,
                          std::span<const RecordId> n) {
      return topology ? merged_whole(field, b, a, n) : merged_set(field, b, a, n);
    };
    const std::vector<RecordId> topologies =
        list(Field::topologies, before.topologies(), after.topologies(), now.topologies());
    const std::vector<RecordId> owners =
        list(Field::owners, before.owners(), after.owners(), now.owners());
    const std::vector<RecordId> ends =
        merged_whole(Field::ends, before.ends(), after.ends(), now.ends());
    RelationFields fields{topologies, owners, ends, now.origin()};
    // Nobody sees an origin, so it can be in no conflict.
    if (now.origin() == after.origin()) fields.origin = before.origin();
    // An element that belongs nowhere is in no export and in no list, so it keeps what it has.
    if (!topology && topologies.empty() && !before.topologies().empty() &&
        !now.topologies().empty()) {
      note(Field::topologies, "it would belong to no topology", FieldValue(),
           identifiers_of(workspace_, now.topologies()), false);
      fields.topologies = now.topologies();
    }
    return Relations::make(fields);
  }

  // A parent, an owner, or both ends of a link: one end alone would make a link that never was.
  std::vector<RecordId> merged_whole(Field field, std::span<const RecordId> before,
                                     std::span<const RecordId> after,
                                     std::span<const RecordId> now) {
    std::vector<RecordId> kept(now.begin(), now.end());
    if (same(before, after) || same(now, before)) return kept;
    const bool changed = !same(now, after);
    const auto missing = [&](RecordId id) { return !workspace_.contains(id); };
    // Force overwrites what others wrote. It cannot bring back a record that is gone.
    if (std::ranges::any_of(before, missing)) {
      note(field, kMissing, identifiers_of(workspace_, before), identifiers_of(workspace_, now),
           false);
      return kept;
    }
    if (changed)
      note(field, kChanged, identifiers_of(workspace_, before), identifiers_of(workspace_, now),
           force_);
    if (changed && !force_) return kept;
    return {before.begin(), before.end()};
  }

  std::vector<RecordId> merged_set(Field field, std::span<const RecordId> before,
                                   std::span<const RecordId> after, std::span<const RecordId> now) {
    std::vector<RecordId> merged;
    for (const RecordId id : now)
      // Stays: it was there before, or somebody else added it since.
      if (holds(before, id) || !holds(after, id)) merged.push_back(id);
    for (const RecordId id : before) {
      // Comes back: the transaction removed it, and nobody added it again.
      if (holds(after, id) || holds(now, id)) continue;
      if (workspace_.contains(id))
        merged.push_back(id);
      else
        note(field, kMissing, identifiers_of(workspace_, std::span(&id, 1)), FieldValue(), false);
    }
    // As relations are kept.
    std::ranges::sort(merged);
    return merged;
  }

  const Workspace& workspace_;
  const Record now_;
  const Record& before_;
  const Record& after_;
  const bool force_;
  UndoConflicts& conflicts_;
  AttributeFields before_fields_;
  AttributeFields after_fields_;
  AttributeFields now_fields_;
  AttributeFields fields_;
};

}  // namespace

void UndoConflicts::note(UndoConflict conflict) {
  ++conflict_count;
  forced_count += conflict.forced ? 1 : 0;
  if (conflicts.size() < kUndoConflictsMax) conflicts.push_back(std::move(conflict));
}

UndoConflict conflict_about(const Record& record, std::string reason, bool forced) {
  return {.kind = kind_name(record.kind()),
          .identifier = std::string(record.id()),
          .reason = std::move(reason),
          .forced = forced};
}

UndoConflict conflict_about(const Record& record, Field field, std::string reason,
                            FieldValue wanted, FieldValue now, bool forced) {
  UndoConflict conflict = conflict_about(record, std::move(reason), forced);
  conflict.field = field_name(record.kind(), field);
  conflict.wanted = std::move(wanted);
  conflict.now = std::move(now);
  return conflict;
}

FieldValue identifiers_of(const Workspace& workspace, std::span<const RecordId> ids) {
  if (ids.empty()) return {};
  std::vector<std::string> texts;
  for (const RecordId id : ids) {
    const Record record = workspace.record(id);
    texts.push_back(record ? std::string(record.id()) : "(deleted)");
  }
  return texts;
}

Record revert(const Workspace& workspace, RecordId id, const RecordChange& change, UndoForce force,
              UndoConflicts& conflicts) {
  return Merge(workspace, id, change, force, conflicts).result();
}

}  // namespace netml::engine
