#include "wal/history/detail/effects_reader.hpp"

#include "engine/transaction/catalog_tables.hpp"
#include "wal/format/entry_codec.hpp"
#include "wal/format/record_codec.hpp"
#include "wal/schema/wal.capnp.h"

namespace netml::wal {

namespace {

using engine::Field;
using engine::FieldValue;

EffectAction action_of(bool before, bool after) {
  if (!before) return EffectAction::created;
  return after ? EffectAction::updated : EffectAction::deleted;
}

FieldValue ids_value(std::vector<RecordId> ids) {
  if (ids.empty()) return {};
  return ids;
}

FieldValue list_value(::capnp::List<std::uint32_t>::Reader in) {
  std::vector<RecordId> ids;
  for (const std::uint32_t id : in) ids.push_back(RecordId{id});
  return ids_value(std::move(ids));
}

FieldValue association_value(schema::RecordPart::Reader in, Field field) {
  if (field == Field::topologies) return list_value(in.getTopologies());
  if (field == Field::owners) return list_value(in.getOwners());
  if (field == Field::origin)
    return in.getOrigin() == 0 ? FieldValue() : ids_value({RecordId{in.getOrigin()}});
  return in.getHasEnds() ? ids_value({RecordId{in.getEndA()}, RecordId{in.getEndB()}})
                         : FieldValue();
}

// What a part says of each field.
class PartValues {
 public:
  PartValues(schema::RecordPart::Reader in, RecordTexts texts, Side side) : in_(in) {
    read_all_attributes(in, texts, side, fields_, properties_);
  }
  FieldValue value(Field field) const {
    return is_attribute(field) ? attribute_value(fields_, field) : association_value(in_, field);
  }

 private:
  schema::RecordPart::Reader in_;
  engine::AttributeFields fields_;
  std::vector<engine::Property> properties_;
};

Result<RecordEffect> read_change(schema::RecordChange::Reader in, RecordTexts texts) {
  RecordEffect effect;
  effect.id = RecordId{in.getId()};
  const bool before = in.getAction() != schema::Action::CREATE;
  const bool after = in.getAction() != schema::Action::DELETE;
  effect.action = action_of(before, after);
  const schema::RecordPart::Reader from = in.getBefore();  // once: each look counts (message.hpp)
  const schema::RecordPart::Reader to = in.getAfter();
  NETML_TRY(effect.kind, decode_kind((after ? to : from).getKind()));
  const PartValues old_values(from, texts, Side::before);
  const PartValues new_values(to, texts, Side::after);
  NETML_TRY(const FieldBits named, read_field_bits(to));
  for (std::size_t i = 0; i < engine::kFieldCount; ++i) {
    const auto field = static_cast<Field>(i);
    if (before && after && (named >> i & 1) == 0) continue;
    engine::FieldChange change{field, before ? old_values.value(field) : FieldValue(),
                               after ? new_values.value(field) : FieldValue()};
    if (change.before != change.after) effect.fields.push_back(std::move(change));
  }
  return effect;
}

Status read_entries(schema::Effects::Reader in, std::vector<EntryEffect>& out) {
  engine::Transaction entries;
  NETML_TRY_VOID(decode_entries(in, entries));
  engine::for_each_catalog_table([&](const auto& table) {
    for (const auto& change : entries.*table.changes)
      out.push_back({table.kKind.name, change.number,
                     action_of(change.before != nullptr, change.after != nullptr),
                     compare_entries(change.before.get(), change.after.get())});
  });
  return {};
}

}  // namespace

Result<JournalEffects> read_effects(std::span<const std::byte> payload,
                                    const std::function<bool(RecordId)>& wanted) {
  return read_message<schema::Effects>(
      payload, [&](schema::Effects::Reader in) -> Result<JournalEffects> {
        JournalEffects effects;
        TextReader texts(in.getTexts());
        for (std::size_t place = 0; const auto record : in.getRecords()) {
          NETML_TRY(const RecordTexts of_record, texts.of(place++));
          if (wanted && !wanted(RecordId{record.getId()})) continue;
          NETML_TRY(RecordEffect effect, read_change(record, of_record));
          effects.records.push_back(std::move(effect));
        }
        read_numbers(in, effects.numberings, effects.renumberings);
        NETML_TRY_VOID(read_entries(in, effects.entries));
        return effects;
      });
}

Status count_records(std::span<const std::byte> payload, CountsByKind& counts) {
  const auto counted =
      read_message<schema::Effects>(payload, [&](schema::Effects::Reader in) -> Result<bool> {
        for (const auto record : in.getRecords()) {
          const schema::Action action = record.getAction();
          const bool deleted = action == schema::Action::DELETE;
          NETML_TRY(const Kind kind,
                    decode_kind((deleted ? record.getBefore() : record.getAfter()).getKind()));
          engine::ChangeCounts& of_kind = counts[static_cast<std::size_t>(kind)];
          ++(deleted                            ? of_kind.deleted
             : action == schema::Action::CREATE ? of_kind.created
                                                : of_kind.updated);
        }
        return true;
      });
  NETML_TRY_VOID(counted);
  return {};
}

}  // namespace netml::wal
