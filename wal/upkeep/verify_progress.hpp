// How much of what a verification has to read it has read: bytes of files, as they are stored. Each
// checkpoint counts twice, since it is hashed and then decoded; of the last segment counts what is
// used.
//
// Thread: its owner.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "engine/base/work_now.hpp"
#include "wal/format/data_directory.hpp"
#include "wal/format/manifest.hpp"
#include "wal/journal/journal_walk.hpp"

namespace netml::wal {

class VerifyProgress {
 public:
  explicit VerifyProgress(ReportWork report) : report_(std::move(report)) {}

  // Looks how large all of it is, segments up to `last`; what cannot be read counts nothing. Does
  // nothing where nobody wants to know, as all that follows.
  void measure(DataDirectory& data, const Manifest& manifest, std::optional<SegmentNumber> last);

  void checkpoint_read(const CheckpointEntry& entry);
  void at(const WalkStep& step);
  void journal_read();
  void upload_read(const std::string& name);

 private:
  void measure_journal(DataDirectory& data, const NodeUuid& node,
                       std::optional<SegmentNumber> last);
  void measure_uploads(DataDirectory& data);
  void come_to(std::uint64_t done);

  const ReportWork report_;
  std::uint64_t done_ = 0;
  std::uint64_t told_ = 0;  // of that
  std::uint64_t total_ = 0;
  std::uint64_t checkpoint_bytes_ = 0;
  std::uint64_t journal_bytes_ = 0;
  std::map<std::string, std::uint64_t> segment_starts_;  // by name: bytes of those before it
  std::map<std::string, std::uint64_t> upload_bytes_;    // by name
};

}  // namespace netml::wal
