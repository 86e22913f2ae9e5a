#include "engine/overrides/plan_overrides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "engine/edit/plan_entries.hpp"

namespace netml::engine {

namespace {

// ---- what an edit does to the overrides of a state ----

class EditFollower {
 public:
  EditFollower(Transaction& edit, const State& state, const std::optional<OverrideTerms>& keep)
      : edit_(edit),
        state_(state),
        keep_(keep),
        before_(state),
        after_(state),
        next_number_(state.catalog.overrides.next_number()) {
    for (RecordId id = state.graph.next_id(); id < edit.next_id; ++id.value) after_.create({});
    for (const RecordChange& change : edit.records) after_.put(change.id, change.after);
  }

  void follow() {
    for (const RecordChange& change : edit_.records) {
      if (!change.before)
        set(change, {Field::topologies}, "", field_text(after_, change.after, {Field::topologies}));
      else if (!change.after)
        follow_deletion(change);
      else
        follow_update(change);
    }
  }

 private:
  bool is_deleted(RecordId record) const { return !after_.contains(record); }

  void follow_deletion(const RecordChange& change) {
    // A link goes with a node at its end, and a member with its topology: so it does whenever that
    // is deleted again.
    const auto is_gone = [&](RecordId record) { return is_deleted(record); };
    if (std::ranges::any_of(change.before.relations->ends(), is_gone) ||
        std::ranges::any_of(change.before.relations->topologies(), is_gone))
      return;
    set(change, {Field::topologies}, field_text(before_, change.before, {Field::topologies}), "");
  }

  void follow_update(const RecordChange& change) {
    std::vector<OverriddenField> fields = overridden_fields(change.before.kind());
    for (const std::string& name : property_names(change))
      if (auto field = overridden_field(change.before.kind(), "property:" + name))
        fields.push_back(*std::move(field));
    for (const OverriddenField& field : fields) {
      if (field.is_membership()) continue;  // kept is only that an element is there, or is not
      // What lost an owner with its deletion was not corrected itself.
      if (field.field == Field::owners &&
          std::ranges::any_of(change.before.relations->owners(),
                              [&](RecordId owner) { return is_deleted(owner); }))
        continue;
      std::string from = field_text(before_, change.before, field);
      std::string to = field_text(after_, change.after, field);
      if (from != to) set(change, field, std::move(from), std::move(to));
    }
  }

  static std::set<std::string, std::less<>> property_names(const RecordChange& change) {
    std::set<std::string, std::less<>> names;
    for (const Record* record : {&change.before, &change.after})
      record->attributes->for_each_property(
          [&](const Property& property) { names.emplace(property.name); });
    return names;
  }

  // The edit changes the value, if it has a place for overrides of that kind.
  void set(const RecordChange& change, const OverriddenField& field, std::string from,
           std::string to) {
    const Record& record = change.before ? change.before : change.after;
    if (record.kind() == Kind::topology && field.is_membership()) return;
    const std::string name = field.name();
    for (const NumberedOverride& existing :
         overrides_of(state_.catalog, record.kind(), record.id()))
      if (existing.entry->field_name == name) return replace(existing, std::move(to));
    if (!keep_) return;
    Override added;
    added.kind = record.kind();
    added.element = record.id();
    added.field_name = name;
    added.value = std::move(to);
    added.delivered = std::move(from);
    put_on_terms(next_number_++, std::move(added));
  }

  void replace(const NumberedOverride& existing, std::string to) {
    if (to == (existing.entry->to_decide ? existing.entry->contested : existing.entry->delivered))
      return remove_entry<Override>(edit_, state_, existing.number);
    Override changed = *existing.entry;
    changed.value = std::move(to);
    put_on_terms(existing.number, std::move(changed));
  }

  // Those of an edit that is kept; else as they were.
  void put_on_terms(std::uint64_t number, Override entry) {
    if (keep_) {
      entry.reason = keep_->reason;
      entry.author = keep_->author;
      entry.made = keep_->made;
      entry.until = keep_->until;
    }
    const auto before = state_.catalog.overrides.find(number);
    if (before == nullptr || entry != *before) put_entry(edit_, state_, number, std::move(entry));
  }

  Transaction& edit_;
  const State& state_;
  const std::optional<OverrideTerms>& keep_;
  Workspace before_;
  Workspace after_;
  std::uint64_t next_number_;
};

}  // namespace

std::vector<NumberedOverride> overrides_of(const Catalog& catalog, Kind kind, std::string_view id) {
  std::vector<NumberedOverride> found;
  catalog.overrides.for_each_with<&Override::element>(
      std::string(id), [&](std::uint64_t number, const Override& entry) {
        if (entry.kind == kind) found.push_back({number, catalog.overrides.find(number)});
      });
  return found;
}

void followed_by_overrides(Transaction& edit, const State& state,
                           const std::optional<OverrideTerms>& keep) {
  if (!edit.overrides.empty()) return;  // it is about them itself
  if (!keep && state.catalog.overrides.count() == 0) return;
  EditFollower(edit, state, keep).follow();
}

Result<Transaction> plan_override_keep(const State& state, std::uint64_t number) {
  NETML_TRY(const auto entry, find_entry<Override>(state.catalog, number));
  if (!entry->to_decide) return fail(Errc::conflict, "there is nothing to decide about it");
  Override kept = *entry;
  kept.delivered = std::exchange(kept.contested, {});
  kept.to_decide = false;
  return entry_replaced(state, number, std::move(kept));
}

Result<Transaction> plan_overrides_end(const State& state, std::span<const std::uint64_t> numbers) {
  Workspace workspace(state);
  for (const std::uint64_t number : numbers) {
    NETML_TRY(const auto entry, find_entry<Override>(state.catalog, number));
    const RecordId record = state.graph.find_newest(entry->kind, entry->element);
    const auto field = overridden_field(entry->kind, entry->field_name);
    if (!record || !field || field->is_membership()) continue;
    // An owner who is gone cannot be had back: the value stays until the source says it again.
    if (const auto restored =
            with_field_text(workspace, workspace.record(record), *field,
                            entry->to_decide ? entry->contested : entry->delivered))
      workspace.put(record, *restored);
  }
  Transaction transaction = workspace.finish();
  for (const std::uint64_t number : numbers) remove_entry<Override>(transaction, state, number);
  return transaction;
}

}  // namespace netml::engine
