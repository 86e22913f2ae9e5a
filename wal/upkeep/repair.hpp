// The one way to go on with a damaged journal and without a backup: cutting it after a named LSN
// (docs/requirements/durability-and-security.md, section 1.5). It is never done by itself:
// plan_repair() says what would be lost and changes nothing, repair() does it after everything it
// touches was copied to quarantine/, and the journal says for ever who did it.
//
// Wherever a crash comes, the directory is one that can be repaired again, or that opens at the
// LSN. Thread: one at a time, with the lock of the data directory.
#pragma once

#include <string>
#include <vector>

#include "engine/base/parallel.hpp"
#include "wal/commit/store.hpp"
#include "wal/format/manifest.hpp"

namespace netml::wal {

struct RepairPlan {
  Head kept;           // what the journal will end with before the record of the repair
  Lsn last_known;      // the highest transaction that anything readable speaks of
  std::string damage;  // why a start refuses the directory

  // How, for repair().
  Manifest manifest;              // of the directory afterwards
  std::string cut_segment;        // name
  std::uint64_t cut_at = 0;       // offset behind the last frame that stays
  std::uint64_t cut_bytes = 0;    // of the file as it was made
  std::vector<std::string> gone;  // names of segments behind it, the last first

  // Transactions; more when something behind the cut cannot be read at all.
  std::uint64_t lost() const { return last_known.value - kept.lsn.value; }
};

// Errc::invalid_input when nothing needs a repair, or `keep` cannot be kept: then the message names
// the last LSN that can.
Result<RepairPlan> plan_repair(Storage& data, const Clock& clock, Parallel& parallel, Lsn keep);

struct Repaired {
  Lsn record;         // of the transaction that tells of it
  Head head;          // after that
  std::string aside;  // path of the directory with what was cut, replaced or deleted
};

// `who` is the operating system user. Afterwards the directory is one that a node can open.
Result<Repaired> repair(Storage& data, const RepairPlan& plan, const std::string& who,
                        const Clock& clock, Random& random, const StoreOptions& options);

}  // namespace netml::wal
