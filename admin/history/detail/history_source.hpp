// The body of an export of the history (history_export.hpp): replays transactions, and makes pieces
// of files of their rows.
//
// Each call of next() does a bounded amount of work. Where nothing came of it, it gives a piece
// without bytes, so that a client that has gone is noticed and one that waits sees a sign of life.
//
// Failure: an error ends the body, as its last piece. Thread: its owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "admin/base/memory_budget.hpp"
#include "codecs/parquet/parquet_writer.hpp"
#include "net/http/http.hpp"
#include "wal/history/past_state.hpp"

namespace netml::admin {

struct HistoryReplay {
  wal::NextTransaction next;  // those after `from`
  engine::StatePtr from;
  Lsn last;  // of the last one that is exported; Errc::corruption where `next` does not lead there
  std::size_t identities = 0;  // how many were given up to then, with the one that nobody has
};

// What the body takes in memory, beside states.
std::uint64_t history_bytes(std::size_t identities);

// `reservation` is of so many bytes, and held as long as the body.
std::unique_ptr<net::BodySource> history_source(HistoryReplay replay,
                                                const codecs::ParquetWriter::Notes& notes,
                                                MemoryReservation reservation);

}  // namespace netml::admin
