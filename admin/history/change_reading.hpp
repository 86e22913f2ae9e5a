// The transactions behind a place in the journal, one after the other with their changes, for those
// who follow the map (docs/following.md).
//
// Failure: what reading the journal gives. Thread: one at a time.
#pragma once

#include <boost/json/object.hpp>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "admin/history/audit_json.hpp"
#include "admin/node/node.hpp"

namespace netml::admin {

// Those that were committed, up to the head that the journal had when it was opened. It holds the
// version that names are taken from.
class ChangeReading {
 public:
  // The place must be of this history.
  static Result<std::unique_ptr<ChangeReading>> open(Node& node, const wal::Head& after);
  ChangeReading(wal::JournalReader reader, engine::StatePtr now, wal::Head after)
      : reader_(std::move(reader)), names_(reader_, std::move(now)), place_(after) {}
  ChangeReading(const ChangeReading&) = delete;
  ChangeReading& operator=(const ChangeReading&) = delete;

  // The end of the last transaction that was given to its end.
  const wal::Head& place() const { return place_; }

  // Goes to the next transaction; false: that was the last.
  Result<bool> begin();
  // What audits tell of it.
  const boost::json::object& transaction() const { return transaction_; }
  // Its changes, one frame at a time; nothing behind the last, with which it is given to its end.
  Result<std::optional<std::vector<boost::json::object>>> changes();
  // Leaves out so many of its frames, for who has their changes already.
  void skip_frames(std::uint64_t count) { frame_ += count; }
  // It is given to its end without the rest of its changes.
  void end();

 private:
  wal::JournalReader reader_;
  RecordNames names_;
  wal::Head place_;
  std::optional<wal::HistoryEntry> entry_;  // whose frames are read
  boost::json::object transaction_;         // of it
  std::uint64_t frame_ = 0;
};

}  // namespace netml::admin
