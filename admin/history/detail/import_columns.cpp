#include <string>
#include <utility>

#include "admin/answers/json_answers.hpp"
#include "admin/history/detail/history_columns.hpp"
#include "engine/base/sha256.hpp"

namespace netml::admin::tables {

namespace {

using engine::ImportRecord;

// All but `changes_of`, which says how the file is kept.
static_assert(engine::kFieldsOf<ImportRecord> == 15, "what an import record says has its columns");

template <std::string ImportRecord::* Text>
void put_text(const ImportRow& row, ParquetValues& values) {
  put(values, row.record.*Text);
}
template <std::size_t KindIndex, std::uint64_t engine::ImportCounts::* Count>
void put_count(const ImportRow& row, ParquetValues& values) {
  put(values, row.record.counts[KindIndex].*Count);
}
void put_file_hash(const ImportRow& row, ParquetValues& values) {
  put(values, row.record.file_hash == Sha256{} ? std::string() : to_hex(row.record.file_hash));
}

template <std::size_t... KindIndex>
void add_counts(Columns<ImportRow>& columns, std::index_sequence<KindIndex...>) {
  using engine::ImportCounts;
  const auto add = [&](std::size_t kind, const char* what, auto put_it) {
    columns.push_back(
        {{std::string(collection_name(kKinds[kind])) + what, ParquetType::integer}, put_it});
  };
  ((add(KindIndex, "_parsed", put_count<KindIndex, &ImportCounts::parsed>),
    add(KindIndex, "_imported", put_count<KindIndex, &ImportCounts::imported>)),
   ...);
}

}  // namespace

Columns<ImportRow> import_columns() {
  using enum ParquetType;
  using enum ParquetShape;
  using Row = ImportRow;
  Columns<Row> columns{
      {{"import", integer, required},
       [](const Row& row, ParquetValues& to) { put(to, row.number); }},
      {{"lsn", integer, required},
       [](const Row& row, ParquetValues& to) { put(to, row.written.lsn); }},
      {{"time", time, required},
       [](const Row& row, ParquetValues& to) { put(to, row.written.time); }},
      {{"status", text, required},
       [](const Row& row, ParquetValues& to) {
         put(to, engine::enumerant_name(row.record.status));
       }},
      {{"source", text, required},
       [](const Row& row, ParquetValues& to) {
         put(to, engine::enumerant_name(row.record.source));
       }},
      {{"name", text, optional}, put_text<&ImportRecord::name>},
      {{"token", text, optional}, put_text<&ImportRecord::token_client_name>},
      {{"parent_topology", integer, optional},
       [](const Row& row, ParquetValues& to) { put(to, row.record.parent_topology); }},
      {{"topology_name", text, optional}, put_text<&ImportRecord::topology_name>},
      {{"imported_at", time, required},
       [](const Row& row, ParquetValues& to) { put(to, row.record.imported_at); }},
      {{"file_hash", text, optional}, put_file_hash},
      {{"file_bytes", integer, required},
       [](const Row& row, ParquetValues& to) { put(to, row.record.file_bytes); }},
      {{"format", text, optional}, put_text<&ImportRecord::format>},
      {{"owner", text, optional}, put_text<&ImportRecord::owner>},
      {{"message", text, optional}, put_text<&ImportRecord::message>}};
  add_counts(columns, std::make_index_sequence<kKindCount>());
  return columns;
}

}  // namespace netml::admin::tables
