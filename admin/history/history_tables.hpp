// The journal as tables for analysis (docs/analysis.md): versions of records, ends of versions that
// began earlier, effects and import records. What a row says is given here; its columns are
// described once, in the source.
//
// Failure: Errc::internal when a table cannot be compressed. Thread: its owner.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "codecs/parquet/parquet_writer.hpp"
#include "engine/graph/record.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::admin {

// A transaction: its LSN, and its effective time.
struct HistoryPoint {
  Lsn lsn;
  WallTime time;
};

// What a record said from one transaction up to another; up to now where there is none.
struct VersionRow {
  RecordId id;
  const engine::Record& record;
  HistoryPoint from;
  std::optional<HistoryPoint> to = {};
};

// The end of a version that is a row of an earlier table.
struct EndRow {
  RecordId id;
  HistoryPoint to;
};

struct EffectRow {
  Lsn lsn;
  std::uint64_t change = 0;  // its place in the transaction, from 1
  const engine::Transaction& transaction;
  const engine::RecordChange& effect;
};

// An import record as a transaction left it.
struct ImportRow {
  std::uint64_t number = 0;
  HistoryPoint written;
  const engine::ImportRecord& record;
};

class HistoryTables {
 public:
  // `notes` stand in each file.
  explicit HistoryTables(const codecs::ParquetWriter::Notes& notes);
  ~HistoryTables();

  Status add(const VersionRow& row);
  Status add(const EndRow& row);
  Status add(const EffectRow& row);
  Status add(const ImportRow& row);
  // No row comes after it.
  Status finish();

  // Whether a file has bytes to take.
  bool has_made() const;
  // Gives what was made of each file since it was asked last.
  using Take = std::function<void(std::string_view file, std::string_view bytes)>;
  void take(const Take& take);

 private:
  struct All;
  std::unique_ptr<All> all_;
};

}  // namespace netml::admin
