// A data directory on a simulated disk, and stores opened on it.
#pragma once

#include <memory>

#include "tests/support/ports.hpp"
#include "tests/support/sim_storage.hpp"
#include "tests/support/transaction_builder.hpp"
#include "wal/commit/store.hpp"

namespace netml::wal::test {

// Small enough that a few transactions fill segments.
inline StoreOptions small_options(std::uint64_t segment_bytes = 16 << 10) {
  StoreOptions options;
  options.journal.segment_bytes = segment_bytes;
  options.ballast_bytes = 4096;
  return options;
}

class Node {
 public:
  explicit Node(StoreOptions options = small_options()) : Node(testing::SimDisk(), options) {}
  explicit Node(testing::SimDisk disk, StoreOptions options = small_options())
      : disk_(std::make_unique<testing::SimDisk>(std::move(disk))),
        root_(disk_->root()),
        options_(options) {}

  testing::SimDisk& disk() { return *disk_; }
  Storage& root() { return *root_; }
  testing::ManualClock& clock() { return clock_; }
  Random& random() { return random_; }
  StoreOptions& options() { return options_; }

  Result<std::unique_ptr<Store>> open() { return Store::open(*root_, clock_, random_, options_); }

 private:
  std::unique_ptr<testing::SimDisk> disk_;
  std::unique_ptr<Storage> root_;
  testing::ManualClock clock_;
  testing::SeededRandom random_;
  StoreOptions options_;
};

// Appends and syncs.
inline Result<Lsn> commit(Store& store, const engine::Transaction& transaction) {
  NETML_TRY(const Lsn lsn, store.append(transaction));
  NETML_TRY_VOID(store.sync());
  return lsn;
}

// The state there, from its checkpoint; Errc::not_found when it is not published.
inline Result<Checkpoint> read_published(Store& store, Lsn lsn) {
  const CheckpointEntry* entry = find_published(store.manifest().checkpoints, lsn);
  if (entry == nullptr) return fail(Errc::not_found, "the state is not published");
  InlineParallel parallel;
  return read_checkpoint(store.checkpoints().storage(), store.manifest().node,
                         {entry->lsn, entry->graph, entry->catalog}, parallel);
}

// From now on `changed` tells whether the disk was asked for anything but syncs.
inline void watch_changes(testing::SimDisk& disk, bool& changed) {
  disk.observe([&changed](std::uint64_t, const std::string& operation) {
    changed = changed || !operation.starts_with("fsync ");
  });
}

}  // namespace netml::wal::test
