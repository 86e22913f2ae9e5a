// Where the schema of the journal keeps a table of the catalog and the fields of its entries: found
// once, by the names that their description gives them. A name that the schema lacks ends the
// program the first time, which is in every test of the codec.
//
// Thread: any (constants).
#pragma once

#include "wal/format/message.hpp"
//
#include <capnp/dynamic.h>
#include <capnp/schema.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/catalog/catalog.hpp"
#include "wal/schema/wal.capnp.h"

namespace netml::wal {

using SchemaField = ::capnp::StructSchema::Field;

// Of the name in snake case.
SchemaField find_stored(const ::capnp::StructSchema& schema, std::string_view name);

// Some values are kept as two: whether there is one, or the other half.
struct StoredField {
  SchemaField value;
  SchemaField other;
};

struct StoredTable {
  SchemaField list;  // among schema::Effects
  SchemaField number;
  SchemaField before;
  SchemaField after;
  std::vector<StoredField> fields;  // as the entity describes them

  explicit StoredTable(std::string_view table);
  ::capnp::StructSchema entry_schema() const { return after.getType().asStruct(); }
};

template <class Value>
StoredField stored_field(const ::capnp::StructSchema& schema, const std::string& name) {
  if constexpr (std::is_same_v<Value, engine::Digest>)
    return {find_stored(schema, name + "_low"), find_stored(schema, name + "_high")};
  else if constexpr (std::is_same_v<Value, std::array<engine::ImportCounts, kKindCount>>)
    return {find_stored(schema, "parsed"), find_stored(schema, "imported")};
  else if constexpr (std::is_same_v<Value, std::optional<Instant>> ||
                     std::is_same_v<Value, std::optional<std::vector<RecordId>>>)
    return {find_stored(schema, name), find_stored(schema, "has_" + name)};
  else
    return {find_stored(schema, name), {}};
}

template <class T>
const StoredTable& stored_table() {
  static const StoredTable stored = [] {
    StoredTable table(T::kKind.table);
    engine::for_each_field<T>([&]<class Value>(const engine::EntryField<T, Value>& field) {
      table.fields.push_back(stored_field<Value>(table.entry_schema(), field.name));
    });
    return table;
  }();
  return stored;
}

}  // namespace netml::wal
