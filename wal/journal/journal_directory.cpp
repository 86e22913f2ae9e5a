#include "wal/journal/journal_directory.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace netml::wal {

namespace {

Status check_neighbours(Storage& journal, const SegmentHeader& before, const SegmentHeader& after) {
  const auto refuse = [&](const char* what) {
    return fail(Errc::corruption, fmt::format("{}: {} between {} and {}", journal.path(), what,
                                              segment_name(before), segment_name(after)));
  };
  if (after.number == before.number) return refuse("two segments with one number:");
  if (after.number.value != before.number.value + 1) return refuse("a segment is missing");
  if (after.first < before.first) return refuse("the order of LSNs is broken");
  return {};
}

}  // namespace

Result<std::vector<SegmentHeader>> list_segments(Storage& journal, const NodeUuid& node,
                                                 std::optional<SegmentNumber> last) {
  NETML_TRY(const std::vector<DirectoryEntry> entries, journal.list());
  std::vector<SegmentHeader> segments;
  for (const DirectoryEntry& entry : entries) {
    if (entry.directory || !is_segment_name(entry.name)) continue;
    NETML_TRY(const SegmentHeader header, read_segment_header(journal, entry.name));
    if (last && header.number > *last) continue;
    if (!(header.node == node))
      return fail(Errc::corruption,
                  fmt::format("{}/{}: belongs to node {}, not to {}", journal.path(), entry.name,
                              to_string(header.node), to_string(node)));
    if (segment_name(header) != entry.name)
      return fail(Errc::corruption, fmt::format("{}/{}: is a copy of {}", journal.path(),
                                                entry.name, segment_name(header)));
    segments.push_back(header);
  }
  std::ranges::sort(segments, {}, &SegmentHeader::number);
  for (std::size_t i = 1; i < segments.size(); ++i)
    NETML_TRY_VOID(check_neighbours(journal, segments[i - 1], segments[i]));
  return segments;
}

std::vector<SegmentHeader> segments_after(const std::vector<SegmentHeader>& segments, Lsn lsn) {
  const Position wanted{lsn.next(), 0};
  auto first = segments.begin();
  for (auto it = segments.begin(); it != segments.end() && it->first <= wanted; ++it) first = it;
  return {first, segments.end()};
}

}  // namespace netml::wal
