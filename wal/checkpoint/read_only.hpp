// A data directory as it lies there, for looking only: nothing in it is written, made or removed,
// so that it may be damaged, or on a medium that cannot be written
// (docs/requirements/durability-and-security.md, section 1.5; rule E4).
//
// Thread: any, once it is open (immutable).
#pragma once

#include "wal/checkpoint/recovery.hpp"

namespace netml::wal {

struct ReadOnlyData {
  DataDirectory directory;
  Manifest manifest;
  engine::StatePtr state;
  Head head;
  std::uint64_t journal_bytes = 0;  // of all segments, as far as they are used
  RecoveryReport report;            // `damage`: why the state is not the newest one
};

// The state before any damage: Errc::corruption only when nothing can be shown. `data` must
// outlive the result.
Result<ReadOnlyData> open_read_only(Storage& data, const Clock& clock, Parallel& parallel);

}  // namespace netml::wal
