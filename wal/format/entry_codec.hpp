// Changes of catalog entries as the journal and checkpoints keep them: whole values. What a table
// and its fields are called there follows from their description (engine/catalog/entry_fields.hpp):
// `poll_batches` is `pollBatches` in wal/schema/wal.capnp.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/transaction/transaction.hpp"
#include "wal/format/effects_encoder.hpp"
#include "wal/format/message.hpp"
#include "wal/schema/wal.capnp.h"

namespace netml::wal {

// ---- how many words a value takes beside the struct that holds it ----

template <class Value>
std::size_t value_words(const Value&) {
  return 0;
}
inline std::size_t value_words(const std::string& text) {
  return text_words(text.size());
}
inline std::size_t value_words(const Sha256& hash) {
  return text_words(hash.size());
}
std::size_t value_words(const std::vector<std::string>& texts);
std::size_t value_words(const std::vector<engine::RulePart>& parts);
inline std::size_t value_words(const std::optional<std::vector<RecordId>>& ids) {
  return ids ? ids->size() : 0;
}

template <class T>
std::size_t encoded_words(const engine::EntryChange<T>& change) {
  // Generous: the inline parts of a change and of its two values.
  constexpr std::size_t kEntryWords = 64;
  static_assert(engine::kFieldsOf<T> <= 20);
  std::size_t words = kEntryWords;
  for (const T* entry : {change.before.get(), change.after.get()})
    if (entry != nullptr)
      engine::for_each_field<T>(
          [&](const auto& field) { words += value_words(entry->*field.member); });
  return words;
}

void encode_entries(const EffectsView& effects, schema::Effects::Builder out);

// Adds the changes of all tables to `transaction`. What is damaged or from a newer program is
// refused.
Status decode_entries(schema::Effects::Reader in, engine::Transaction& transaction);

}  // namespace netml::wal
