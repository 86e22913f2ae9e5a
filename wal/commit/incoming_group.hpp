// The frames of a group as they come from the shared log, each verified before it is given on:
// length, checksum, place in the order, chain of hashes. The mirror of held_group.hpp.
// Thread: its owner.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "wal/format/frame.hpp"
#include "wal/journal/segment.hpp"

namespace netml::wal {

// Takes a frame; its payload is valid during the call only.
using TakeFrame = std::function<Status(const Frame&)>;

class IncomingGroup {
 public:
  // `before` and `after` are what the shared log says of the group.
  IncomingGroup(const NodeUuid& node, const Head& before, const Head& after)
      : node_(node),
        before_(before),
        after_(after),
        next_(Position::after(before.lsn)),
        chain_(before.chain) {}

  // The next piece, wherever it was cut: calls take(frame) for each frame that is whole by it, in
  // order, until one fails. Errc::corruption when something is not what was written;
  // Errc::newer_version when this program does not know such frames. Not to be used after an error.
  Status add(std::span<const std::byte> piece, const TakeFrame& take);
  // That nothing is missing: the last frame led to `after`. Errc::corruption.
  Status finish() const;

  const Head& before() const { return before_; }
  const Head& after() const { return after_; }

 private:
  Result<bool> take_next(std::size_t& at, const TakeFrame& take);
  Status check(Frame& frame);
  tl::unexpected<Error> damaged(const char* what) const;

  const NodeUuid node_;
  const Head before_;
  const Head after_;
  Position next_;
  Chain chain_;
  std::uint64_t offset_ = 0;     // of the next frame in the group
  std::vector<std::byte> rest_;  // from there on; payloads lie at multiples of 8
};

}  // namespace netml::wal
