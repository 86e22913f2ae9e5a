// What a store of a cluster asks before a group of transactions counts: the small port between the
// write path and the leader (wal/cluster/leader.hpp). A store without one is a node alone.
//
// Thread: the one that owns the store. Calls may block.
#pragma once

#include <span>

#include "engine/base/ids.hpp"
#include "engine/base/result.hpp"

namespace netml::wal {

struct Append;

class GroupLog {
 public:
  virtual ~GroupLog() = default;

  // Whether a transaction may be planned now. Errc::unavailable where another member leads, with
  // a reason for the client.
  virtual Status may_write() = 0;
  // Appends the group to the shared log, under the leader's epoch, with the stored files that it
  // names or behind them. Success: it holds, on every machine that there must be, and goes into the
  // own journal next.
  //   unavailable      refused: nothing of it is there, and nothing ever will be
  //   outcome_unknown  nobody could find out in time; the shared log knows
  virtual Status append(const Append& group, std::span<const Sha256> files) = 0;
  // For a group in which nothing changed: that no other member has written meanwhile.
  virtual Status confirm() = 0;
  // The group held, and the own journal could not be written: this member leads no more.
  virtual void fell_behind(const Error& error) = 0;
};

}  // namespace netml::wal
