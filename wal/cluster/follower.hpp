// Reads what is in the shared log behind the own head, verifies it and puts it into the own
// journal, applied as recovery does. A transaction of which the own journal has only a beginning,
// from a crash or a full disk, is completed: its group is read again from its first piece. Thread:
// one, which owns the log that it is given; the store is used through the port.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "wal/cluster/standing.hpp"
#include "wal/commit/incoming_group.hpp"
#include "wal/commit/store.hpp"
#include "wal/shared/shared_log.hpp"

namespace netml::wal {

// The store of a member, which another thread may own: run() does the work between groups of
// transactions and waits for it. What moved the head is published then.
struct MemberStore {
  std::function<Status(const std::function<Status(Store&)>& work)> run;
  std::function<Head()> head;      // durable
  std::function<bool()> writable;  // whether the own journal can be written
};

class Follower {
 public:
  // All must outlive it. `data`: the directory of the store.
  Follower(const Clock& clock, Standing& standing, const MemberStore& store, DataDirectory& data,
           const NodeUuid& cluster)
      : clock_(clock), standing_(standing), store_(store), data_(data), cluster_(cluster) {}

  // One read and what comes of it; false when there was nothing behind the own head.
  //   conflict       another history, or the log ends before the own head
  //   not_found      the log begins later: a checkpoint is needed
  //   newer_version  a frame that this program does not know
  //   anything else  to be tried again
  Result<bool> step(SharedLog& log);

 private:
  Status take(Store& store, SharedLog& log, const std::vector<SharedPiece>& pieces);
  Status take_piece(Store& store, SharedLog& log, const SharedPiece& piece);
  Status fetch_files(Store& store, SharedLog& log, const engine::Transaction& transaction);
  Status fetch_one(Store& store, SharedLog& log, const Sha256& hash);

  const Clock& clock_;
  Standing& standing_;
  const MemberStore& store_;
  DataDirectory& data_;
  const NodeUuid cluster_;
  std::optional<IncomingGroup> group_;  // of which pieces are still to come
  std::uint32_t next_piece_ = 0;
};

}  // namespace netml::wal
