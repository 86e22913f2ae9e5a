// Proves that a data directory is whole without changing it (rule L4): every checksum, the whole
// chain, every checkpoint, every file that an import names, and that replaying the journal from its
// beginning leads to the states that checkpoints and COMMIT frames name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/base/ed25519.hpp"
#include "engine/base/parallel.hpp"
#include "engine/base/work_now.hpp"
#include "wal/commit/store.hpp"
#include "wal/format/data_directory.hpp"
#include "wal/format/journal.hpp"

namespace netml::wal {

struct VerifyReport {
  Head head;
  std::uint64_t segments = 0;
  std::uint64_t transactions = 0;
  std::uint64_t aborted = 0;
  std::uint64_t journal_bytes = 0;
  std::uint64_t checkpoints = 0;
  std::uint64_t uploads = 0;
  std::uint64_t uploads_gone = 0;      // named and rightly not there: gone by retention
  std::uint64_t uploads_left_out = 0;  // the same: left out of the backup that this came from
  std::uint64_t signatures = 0;        // of checkpoints, by the key wanted, or by any
  Lsn signed_lsn;                      // the newest of them
  engine::StatePtr state;              // what replay has led to
  std::vector<std::string> findings;   // what is wrong; empty = all is well
  std::vector<std::string> remains;    // of crashes: nothing is wrong, and no byte of it counts
  bool journal_damaged = false;        // some of it is in the journal, which may be cut there
  bool newer_version = false;          // some of it was written by a newer version
  bool another_history = false;        // some of it is about a head or key that was noted outside
};

struct VerifyOptions {
  // A head noted outside of this machine. A journal that does not pass through it was changed,
  // however well it fits together.
  std::optional<Head> known = {};
  // Of whoever signs the checkpoints: at least one must be signed by it, and only those count.
  std::optional<Ed25519PublicKey> key = {};
  // Of the store that goes on writing meanwhile: what it held then is verified, up to its head,
  // where replay must have led to its state. None: nobody writes.
  std::optional<LiveView> live = {};
  ReportWork report = {};  // of bytes of files
};

Result<VerifyReport> verify(Storage& data, Parallel& parallel, const VerifyOptions& options = {});

}  // namespace netml::wal
