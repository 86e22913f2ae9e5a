// The segments of a journal, as found in its directory.
#pragma once

#include <optional>
#include <vector>

#include "wal/journal/segment.hpp"

namespace netml::wal {

// Headers of all segments, ascending and consecutive. Errc::corruption when one is missing, of
// another node, there twice, or unreadable. With `last`, those up to that number: later ones may be
// coming into being.
Result<std::vector<SegmentHeader>> list_segments(Storage& journal, const NodeUuid& node,
                                                 std::optional<SegmentNumber> last = std::nullopt);

// The segments from the one on that holds the frame after `lsn`.
std::vector<SegmentHeader> segments_after(const std::vector<SegmentHeader>& segments, Lsn lsn);

}  // namespace netml::wal
