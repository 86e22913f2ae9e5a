// What stands in the last segment above the durable mark.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wal/journal/segment.hpp"

namespace netml::wal {

struct JournalTail {
  std::shared_ptr<const Segment> segment;  // the frames point into it
  std::vector<Frame> frames;
  std::uint64_t open_frames = 0;  // of a transaction without end
  std::uint64_t open_bytes = 0;
  std::uint64_t torn_offset = 0;  // where frames end and something else begins
  bool torn = false;
};

}  // namespace netml::wal
