// The frames of a group of transactions before it counts: for the shared log first, then for the
// own journal (docs/cluster.md). They are those of a journal for the place segment 0, offset in the
// group, with incarnation and durable LSN 0: equal groups are equal bytes, and no segment has that
// number.
//
// A large group lies in a file of tmp/, which is mapped to be sent. Thread: its owner.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "wal/journal/frame_writer.hpp"
#include "wal/shared/shared_log.hpp"
#include "wal/storage/storage.hpp"

namespace netml::wal {

// Of a group for the shared log.
inline constexpr SegmentNumber kSharedSegment{0};

class HeldGroup {
 public:
  struct Options {
    JournalOptions journal;
    std::uint64_t memory_bytes = 64ULL << 20;  // above it, the file
  };
  // Empty, behind `at`. `temporary` must outlive it.
  HeldGroup(const NodeUuid& node, const Head& at, Storage& temporary, const Options& options);
  HeldGroup(const HeldGroup&) = delete;
  HeldGroup& operator=(const HeldGroup&) = delete;

  // Empty again, behind `at`.
  void begin(const Head& at);

  // As those of JournalWriter.
  Status append_effects(const engine::Transaction& transaction);
  Status append_effects(const engine::Transaction& transaction, Parallel& parallel);
  Result<Lsn> append_commit(const engine::Transaction& transaction, const engine::Digest& after);
  // Takes away what was appended of a transaction without COMMIT.
  void drop_open();

  const NodeUuid& node() const { return node_; }
  // Whether it has no transaction.
  bool empty() const { return closed_ == 0; }
  // Behind the last transaction.
  const Sha256& chain() const { return frames_.chain(); }
  // The stored files that the transactions bring.
  const std::vector<Sha256>& files() const { return files_; }
  // The whole group, under epoch 0. What it points to stays until the next call that is not const.
  Result<Append> append();

 private:
  friend class FrameWriter;  // this is a sink for it
  std::uint16_t format() const { return format::kVersion; }
  Status raise_format(std::uint16_t /*format*/) { return {}; }
  Status make_room(std::uint64_t bytes);
  Status put(const FramePayload& payload, const Sha256& hash);

  std::uint64_t bytes() const { return in_file_ + memory_.size(); }
  Status spill();
  Result<std::span<const std::byte>> whole();

  const NodeUuid node_;
  Storage& temporary_;
  const Options options_;
  Head before_;
  FrameWriter frames_;
  FrameOrder closed_order_;   // behind the last transaction
  std::uint64_t closed_ = 0;  // bytes up to there
  std::vector<std::byte> memory_;
  std::unique_ptr<File> file_;
  std::uint64_t in_file_ = 0;  // bytes of the group, before those in memory
  std::shared_ptr<const Mapping> mapping_;
  std::vector<std::span<const std::byte>> pieces_;
  std::vector<Sha256> files_;
};

}  // namespace netml::wal
