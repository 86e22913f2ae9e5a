// Checkpoints: the whole state at one LSN in two files, one with the graph, which may be published,
// and one with the private catalog (rules K1 and K3; docs/format/checkpoint.md).
//
// Writing needs nothing but an immutable state, so any thread can do it while others read and
// commit. A checkpoint counts when a manifest names it.
#pragma once

#include "engine/base/parallel.hpp"
#include "engine/transaction/state.hpp"
#include "wal/checkpoint/graph_file.hpp"
#include "wal/format/format.hpp"
#include "wal/format/manifest.hpp"
#include "wal/storage/storage.hpp"

namespace netml::wal {

// What a checkpoint is taken of.
struct CheckpointSource {
  NodeUuid node;
  Head head;  // durable, and the head that `state` is the state at
  engine::StatePtr state;
  std::uint16_t format = format::kVersion;  // of the data directory
};

struct CheckpointFiles {
  Lsn lsn;
  FileReference graph;
  FileReference catalog;
  Sha256 chain{};  // of the head; set by write_checkpoint()
  std::uint16_t format = format::kVersion;
};

// Both files, durable and read back, when it succeeds. `checkpoints` is the directory for them.
Result<CheckpointFiles> write_checkpoint(Storage& checkpoints, const CheckpointSource& source,
                                         Parallel& parallel);

struct Checkpoint {
  Head head;
  engine::StatePtr state;
  // Of open_checkpoint(): must outlive every pointer to a record of `state` and of what follows it.
  // Null when the records were decoded.
  std::shared_ptr<const GraphFile> graph_file;
  bool proved = true;  // else graph_file->prove() is still to be done
};

// Checks all of it and the digest of what it builds; Errc::corruption. Not the SHA-256 of the
// files: see verify_checkpoint().
Result<Checkpoint> read_checkpoint(Storage& checkpoints, const NodeUuid& node,
                                   const CheckpointFiles& files, Parallel& parallel);

// The same for use where it is mapped, if it has a format that can be. A graph of more than
// `proved_bytes` is not proved before it is given; then its damage shows where it is looked at.
Result<Checkpoint> open_checkpoint(Storage& checkpoints, const NodeUuid& node,
                                   const CheckpointFiles& files, Parallel& parallel,
                                   std::uint64_t proved_bytes);

// Recomputes the SHA-256 of both files.
Status verify_checkpoint(Storage& checkpoints, const CheckpointFiles& files, Parallel& parallel);

}  // namespace netml::wal
