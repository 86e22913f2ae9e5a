// The segments of a journal, as found in its directory.
#pragma once

#include <vector>

#include "wal/src/segment.hpp"

namespace netml::wal {

// Headers of all segments, ascending and consecutive. Errc::corruption when one is missing, of
// another node, there twice, or unreadable.
Result<std::vector<SegmentHeader>> list_segments(Storage& journal, const NodeUuid& node);

// The segments from the one on that holds the frame after `lsn`.
std::vector<SegmentHeader> segments_after(const std::vector<SegmentHeader>& segments, Lsn lsn);

}  // namespace netml::wal
