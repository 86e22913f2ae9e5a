// The changes behind a place in the journal as text, event by event (docs/following.md, "The stream
// of changes").
//
// Failure: what reading the journal gives. Thread: one at a time.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "admin/history/change_reading.hpp"
#include "admin/node/node.hpp"

namespace netml::admin {

enum class FeedForm : std::uint8_t { json_lines, server_sent_events };

struct FeedEvent {
  const char* type;
  boost::json::object data;
  std::string place = {};  // to go on from, once all before it was taken
};

void write_event(FeedForm form, FeedEvent event, std::string& text);

// Where a reading goes on: behind a transaction, or within the one that follows.
struct FeedPlace {
  wal::Head after = {};
  std::uint64_t frame = 0;           // of the one that follows
  std::uint64_t changes_before = 0;  // in its earlier frames
  std::uint64_t changes = 0;         // in these, and those of this frame that were given
  bool operator==(const FeedPlace&) const = default;
};

// It holds the version that names are taken from until nothing is left.
class FeedReading {
 public:
  FeedReading(Node& node, FeedForm form, FeedPlace place)
      : node_(node), form_(form), place_(place) {}
  FeedReading(const FeedReading&) = delete;
  FeedReading& operator=(const FeedReading&) = delete;

  // Some events, of about so many bytes where there are more; empty where there is none for now.
  // After a failure it is of no use any more.
  Result<std::string> next();
  static constexpr std::size_t kPieceBytes = 64 << 10;
  // Behind what was given.
  const FeedPlace& place() const { return place_; }

 private:
  struct Placed {
    FeedEvent event;
    FeedPlace end;
  };

  Result<bool> read();
  Result<bool> begin();
  Status read_frame();
  boost::json::object of_transaction() const;

  Node& node_;
  const FeedForm form_;
  FeedPlace place_;
  std::unique_ptr<ChangeReading> reading_;
  bool inside_ = false;      // of a transaction
  FeedPlace next_;           // behind what was read of it
  std::uint64_t given_ = 0;  // of its changes, before this reading began
  std::deque<Placed> events_;
};

}  // namespace netml::admin
