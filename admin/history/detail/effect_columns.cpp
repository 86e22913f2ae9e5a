#include <algorithm>

#include "admin/history/audit_json.hpp"
#include "admin/history/detail/history_columns.hpp"
#include "engine/transaction/field_change.hpp"

namespace netml::admin::tables {

namespace {

const engine::Record& known(const engine::RecordChange& effect) {
  return effect.after ? effect.after : effect.before;
}

wal::EffectAction action_of(const engine::RecordChange& effect) {
  if (!effect.before) return wal::EffectAction::created;
  return effect.after ? wal::EffectAction::updated : wal::EffectAction::deleted;
}

// visit(field) for each in which two versions of a record differ.
template <class Visit>
void for_each_changed(const engine::Record& before, const engine::Record& after, Visit&& visit) {
  if (before.attributes != after.attributes) {
    const engine::AttributeFields from = before.attributes->fields();
    const engine::AttributeFields to = after.attributes->fields();
    engine::for_each_attribute([&](const auto& attribute) {
      if (from.*attribute.member != to.*attribute.member) visit(attribute.field);
    });
    if (before.attributes->properties() != after.attributes->properties())
      visit(engine::Field::properties);
  }
  const engine::Relations& from = *before.relations;
  const engine::Relations& to = *after.relations;
  if (!std::ranges::equal(from.topologies(), to.topologies())) visit(engine::Field::topologies);
  if (!std::ranges::equal(from.owners(), to.owners())) visit(engine::Field::owners);
  if (!std::ranges::equal(from.ends(), to.ends())) visit(engine::Field::ends);
  if (from.origin() != to.origin()) visit(engine::Field::origin);
}

void put_changed_fields(const EffectRow& row, ParquetValues& values) {
  values.begin_list();
  if (row.effect.before && row.effect.after)
    for_each_changed(row.effect.before, row.effect.after, [&](engine::Field field) {
      put(values, engine::field_name(row.effect.after.kind(), field));
    });
  values.end_list();
}

// Of the import that the transaction is.
void put_import(const EffectRow& row, ParquetValues& values) {
  for (const auto& change : row.transaction.imports)
    if (change.after != nullptr) return put(values, change.number);
  values.add_none();
}

}  // namespace

Columns<EffectRow> effect_columns() {
  using enum ParquetType;
  using enum ParquetShape;
  using Row = EffectRow;
  return {
      {{"lsn", integer, required}, [](const Row& row, ParquetValues& to) { put(to, row.lsn); }},
      {{"change", integer, required},
       [](const Row& row, ParquetValues& to) { put(to, row.change); }},
      {{"time", time, required},
       [](const Row& row, ParquetValues& to) { put(to, row.transaction.provenance.wall_time); }},
      {{"effective_time", time, required},
       [](const Row& row, ParquetValues& to) {
         put(to, row.transaction.provenance.effective_time);
       }},
      {{"cause", text, required},
       [](const Row& row, ParquetValues& to) {
         put(to, engine::cause_name(row.transaction.provenance.cause));
       }},
      {{"actor_kind", text, required},
       [](const Row& row, ParquetValues& to) {
         put(to, actor_kind_name(row.transaction.provenance.actor_kind));
       }},
      {{"actor", text, optional},
       [](const Row& row, ParquetValues& to) { put(to, row.transaction.provenance.actor); }},
      {{"source", text, optional},
       [](const Row& row, ParquetValues& to) { put(to, row.transaction.provenance.source); }},
      {{"import", integer, optional}, put_import},
      {{"record", integer, required},
       [](const Row& row, ParquetValues& to) { put(to, row.effect.id); }},
      {{"kind", text, required},
       [](const Row& row, ParquetValues& to) { put(to, kind_name(known(row.effect).kind())); }},
      {{"id", text, required},
       [](const Row& row, ParquetValues& to) { put(to, known(row.effect).id()); }},
      {{"action", text, required},
       [](const Row& row, ParquetValues& to) { put(to, action_name(action_of(row.effect))); }},
      {{"fields", text, list}, put_changed_fields}};
}

}  // namespace netml::admin::tables
