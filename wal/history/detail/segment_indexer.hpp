// Makes the index of a segment by reading it, as far as it is wanted: of the segment in use, more
// may follow later.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "wal/history/segment_index.hpp"
#include "wal/journal/frame_file.hpp"

namespace netml::wal {

enum class IndexDepth : std::uint8_t {
  places,   // where transactions lie: headers are enough
  changes,  // also what they change
};

// Thread: its owner; the indexes it gives, any.
class SegmentIndexer {
 public:
  SegmentIndexer(const SegmentHeader& header, IndexDepth depth);

  // Takes in the frames before `until`. Errc::corruption when one is damaged: those before it are
  // in the index then.
  Status extend(FrameFile& file, Position until);
  // What was taken in so far; later frames do not change it.
  std::shared_ptr<const SegmentIndex> index() const;
  const Position& position() const { return point_.position; }  // of the next frame

 private:
  Status read(FrameFile& file, Position until);
  Status add(FrameFile& file, const PlacedHeader& frame);

  const IndexDepth depth_;
  ScanPoint point_;
  std::uint32_t first_ = 0;  // of the open transaction
  std::shared_ptr<SegmentIndex> index_;
  // Who has the index as it is. A use_count() would not say that they have read all they wanted.
  std::shared_ptr<std::atomic<std::size_t>> readers_;
};

}  // namespace netml::wal
