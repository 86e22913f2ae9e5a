// What many listeners are given, read from the journal once and written once (docs/following.md).
// They are given the same immutable texts, piece after piece, each at its own speed.
//
//   listeners:      ..    :::     .       ......
//   pieces:       | 64K | 64K | 64K | 64K |       made when a listener at the end asks
//
// A piece is kept as long as somebody stands before it, and no longer than there is room: whoever
// is so far behind falls out, and reads for itself from where it is (FeedReading). It comes back
// where it reaches a place at which a piece begins. So memory is bounded, the slow hold up nobody,
// and where nobody listens nothing is kept.
//
// Thread: any; nobody waits for the one that reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "admin/history/feed_reading.hpp"
#include "engine/base/bell.hpp"

namespace netml::admin {

// Of text that is kept for those who are behind others.
inline constexpr std::size_t kSharedBytesMax = 16 << 20;

class SharedFeed {
 public:
  struct Piece {
    std::string text;
    FeedPlace end;
  };
  using PiecePtr = std::shared_ptr<const Piece>;
  struct Room {
    std::size_t bytes_max = kSharedBytesMax;
    std::size_t ahead = 512 << 10;  // bytes that one who is at the end makes for all
  };

  // `node` outlives this, and this those who listen.
  SharedFeed(Node& node, FeedForm form, Room room) : node_(node), form_(form), room_(room) {}
  SharedFeed(const SharedFeed&) = delete;
  SharedFeed& operator=(const SharedFeed&) = delete;

  // Rings when there may be more pieces; whoever knows of a new version rings it, too.
  Bell& bell() { return bell_; }

  // A listener among the others. It leaves when this is destroyed.
  class Standing {
   public:
    Standing(SharedFeed& feed, std::uint64_t spot) : feed_(feed), spot_(spot) {}
    Standing(const Standing&) = delete;
    Standing& operator=(const Standing&) = delete;
    ~Standing() { feed_.leave(spot_); }

    struct Taken {
      PiecePtr piece;  // null: there is none for now, or it fell out
      bool fell_out = false;
    };
    // A failure says nothing about those that read for themselves.
    Result<Taken> take() { return feed_.take(spot_); }

   private:
    SharedFeed& feed_;
    std::uint64_t spot_;
  };

  // For a listener that stands there and has read all that was in the journal. Null where no piece
  // begins there: it reads on for itself, when there is more.
  std::unique_ptr<Standing> join(const FeedPlace& place);

  // Of text that is kept.
  std::size_t kept_bytes() const;

 private:
  // Where a piece begins.
  struct Spot {
    FeedPlace place;
    std::size_t listeners = 0;  // that stand here
    PiecePtr piece = nullptr;   // null: here is the end
  };
  using Lock = std::unique_lock<std::mutex>;

  Result<Standing::Taken> take(std::uint64_t& spot);
  void leave(std::uint64_t spot);
  Status make(Lock& lock);
  Status make_pieces(std::unique_ptr<FeedReading>& reading, const FeedPlace& begin);
  bool push(const FeedPlace& begin, PiecePtr piece);
  std::optional<std::uint64_t> find(const FeedPlace& place) const;
  bool has_fallen_out(std::uint64_t spot) const { return spot < first_; }
  Spot& at(std::uint64_t spot) { return spots_.at(spot - first_); }
  void drop_first();
  std::unique_ptr<FeedReading> drop_passed();

  Node& node_;
  const FeedForm form_;
  const Room room_;
  Bell bell_;
  mutable std::mutex mutex_;
  // All guarded by mutex_. Spots are numbered, and no number is given twice. None: nobody listens.
  std::deque<Spot> spots_;
  std::uint64_t first_ = 0;  // the number of the first
  std::size_t bytes_ = 0;
  bool is_making_ = false;
  std::unique_ptr<FeedReading> reading_;  // with whoever makes pieces; null: it begins anew
};

struct SharedFeeds {
  explicit SharedFeeds(Node& node, SharedFeed::Room room = {})
      : lines(node, FeedForm::json_lines, room), events(node, FeedForm::server_sent_events, room) {}

  SharedFeed& of(FeedForm form) { return form == FeedForm::json_lines ? lines : events; }
  // There is a new version, or they end.
  void ring() {
    lines.bell().ring();
    events.bell().ring();
  }

  SharedFeed lines;
  SharedFeed events;
};

}  // namespace netml::admin
