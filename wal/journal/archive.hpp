// Old segments of the journal, moved out of the data directory (rule K5; docs/format/archive.md):
// compressed, each with its hash, in a directory that the manifest names. Whatever reads the
// journal reads them there.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/base/work_now.hpp"
#include "wal/format/manifest.hpp"
#include "wal/storage/storage.hpp"

namespace netml::wal {

// Of its file in an archive.
std::string compressed_name(const SegmentEntry& entry);

struct ArchivedSegments {
  std::string directory;               // path, as the manifest will name it
  std::vector<SegmentEntry> segments;  // with their hashes
  std::uint64_t bytes = 0;             // of the segments
  std::uint64_t compressed_bytes = 0;  // of their files in the archive
};

// The segments that no start needs: every byte since the older of the kept recovery bases
// stays, and all of it while there is one base only.
std::vector<SegmentEntry> archivable_segments(const Manifest& manifest);

// Packs them into the directory `path`, which exists, reads each back and compares. In `data`
// nothing changes: CheckpointSet::archive() does the rest. What is there from an attempt before is
// not written again; Errc::conflict when a file has the name of one but other content.
// Thread: any; the node goes on meanwhile. Reported are segments.
Result<ArchivedSegments> pack_segments(Storage& data, const Manifest& manifest,
                                       const std::string& path, const ReportWork& report = {});

// journal/ with all segments that the manifest says are archived: read-only, and for as long as
// `data` lives. Segments that move to an archive meanwhile are followed there. Errc::unavailable
// when an archive cannot be read. Thread: any.
Result<std::unique_ptr<Storage>> open_whole_journal(Storage& data);

}  // namespace netml::wal
