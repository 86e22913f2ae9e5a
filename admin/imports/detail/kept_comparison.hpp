// Whether what arrives is a file that is kept already, found out while it arrives: the stored file
// is read a little ahead and hashed by threads of its own, and each piece is compared with it. So a
// file that is the same is neither written nor parsed; of one that is not, all that agreed is in
// the stored file.
//
// Failure: a stored file that cannot be read, or that is not what was accepted, is not the same.
// Thread: one caller.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>

#include "admin/base/memory_budget.hpp"
#include "admin/node/spool.hpp"
#include "engine/base/sha256.hpp"
#include "wal/storage/aligned_memory.hpp"
#include "wal/storage/storage.hpp"

namespace netml::admin {

class KeptComparison {
 public:
  // `accepted` is what the stored file should be. `memory` outlives this. Errc::corruption when its
  // length is another one.
  static Result<std::unique_ptr<KeptComparison>> begin(std::unique_ptr<wal::File> kept,
                                                       const SpooledFile& accepted,
                                                       MemoryBudget& memory);
  ~KeptComparison();
  KeptComparison(const KeptComparison&) = delete;
  KeptComparison& operator=(const KeptComparison&) = delete;

  // Whether the piece is what comes next in the stored file. Once it is not, nothing is any more.
  bool take(std::string_view piece);
  // Of all pieces that were taken.
  std::uint64_t taken() const { return taken_; }
  // Whether they are all of the stored file, and that has the hash that was accepted. Waits for it.
  bool is_whole();
  // Ends it; the stored file is the caller's.
  std::unique_ptr<wal::File> release();

 private:
  static constexpr std::size_t kBlockBytes = 1 << 20;
  static constexpr std::size_t kBlocks = 4;  // that are read and not done with

  KeptComparison(std::unique_ptr<wal::File> kept, const SpooledFile& accepted,
                 MemoryBudget& memory);
  void stop();
  void read_all();
  Status read_block(std::uint64_t block);
  void hash_all();
  std::size_t size_of(std::uint64_t block) const;
  std::byte* bytes_of(std::uint64_t block) { return blocks_[block % kBlocks].bytes().data(); }
  bool wait_until_read(std::uint64_t block);
  template <class Change>
  void tell(Change&& change);

  std::unique_ptr<wal::File> kept_;  // the reading thread's until it has ended
  const Sha256 hash_;
  const std::uint64_t bytes_;
  const std::uint64_t count_;  // of blocks
  const MemoryReservation memory_;
  std::array<wal::AlignedMemory, kBlocks> blocks_;  // of each: its last place in the file

  // The caller's.
  bool agrees_ = true;
  std::uint64_t taken_ = 0;
  std::uint64_t known_read_ = 0;  // of read_, as it was last seen

  std::mutex mutex_;
  std::condition_variable changed_;
  // All below guarded by mutex_. How many blocks were read, hashed and compared.
  std::uint64_t read_ = 0;
  std::uint64_t hashed_ = 0;
  std::uint64_t compared_ = 0;
  bool failed_ = false;
  bool stopping_ = false;
  Sha256 found_{};  // once all are hashed
  std::thread reader_;
  std::thread hasher_;
};

}  // namespace netml::admin
