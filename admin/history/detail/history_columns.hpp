// What the columns of the tables are, and what a row gives each.
//
// Thread: any (pure functions).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "admin/history/history_tables.hpp"
#include "codecs/parquet/parquet_values.hpp"

namespace netml::admin::tables {

using codecs::ParquetColumn;
using codecs::ParquetShape;
using codecs::ParquetType;
using codecs::ParquetValues;

template <class Row>
struct Column {
  ParquetColumn shape;
  void (*put)(const Row& row, ParquetValues& values);
};
template <class Row>
using Columns = std::vector<Column<Row>>;

// With what its record says of itself, taken apart once.
struct VersionValues : VersionRow {
  engine::AttributeFields fields;
};

Columns<VersionValues> version_columns();
Columns<EndRow> end_columns();
Columns<EffectRow> effect_columns();
Columns<ImportRow> import_columns();

// ---- values of any table ----

inline void put(ParquetValues& values, std::uint64_t number) {
  values.add(static_cast<std::int64_t>(number));
}
inline void put(ParquetValues& values, Lsn lsn) {
  put(values, lsn.value);
}
inline void put(ParquetValues& values, WallTime time) {
  values.add(time);
}
inline void put(ParquetValues& values, Instant instant) {
  constexpr std::int64_t kMicrosecondsPerSecond = 1'000'000;
  put(values, WallTime{instant.seconds * kMicrosecondsPerSecond});
}
inline void put(ParquetValues& values, engine::Micro micro) {
  constexpr double kUnit = 1'000'000;
  values.add(static_cast<double>(micro.value) / kUnit);
}
inline void put(ParquetValues& values, RecordId id) {
  if (id)
    put(values, std::uint64_t{id.value});
  else
    values.add_none();
}
// An empty text says nothing, where that can be said.
inline void put(ParquetValues& values, std::string_view text) {
  if (text.empty() && values.column().shape == ParquetShape::optional)
    values.add_none();
  else
    values.add(text);
}
template <class T>
void put(ParquetValues& values, const std::optional<T>& value) {
  if (value)
    put(values, *value);
  else
    values.add_none();
}

}  // namespace netml::admin::tables
