// A file on its way in: hashed, compressed and written to `tmp/` on a thread of its own while the
// caller goes on reading it, then kept for audit under its hash, or gone. A small one is written by
// the caller in the end. One of which the first block hardly gets smaller is written as it is.
//
// It ends where there is too little room on the disk, however much was said to come.
//
// What waits to be written is accounted in the budget. Where nothing is left over there, next to
// nothing waits, and the caller does instead.
//
// Thread: one caller.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "admin/base/memory_budget.hpp"
#include "engine/base/ids.hpp"
#include "engine/base/random.hpp"
#include "engine/base/result.hpp"
#include "engine/base/sha256.hpp"
#include "wal/format/stored_files.hpp"
#include "wal/storage/packed_file.hpp"
#include "wal/storage/storage.hpp"

namespace netml::admin {

struct SpooledFile {
  std::string name;  // below tmp/
  Sha256 hash{};
  std::uint64_t bytes = 0;  // of the content, as its hash
  wal::StoredAs how = wal::StoredAs::itself;
};

class Spool {
 public:
  // `directory` is the data directory; its `tmp/` exists.
  // `memory` outlives the spool. `level`: of compression, 0 for none.
  static Result<std::unique_ptr<Spool>> create(const std::string& directory, Random& random,
                                               MemoryBudget& memory, int level = 0);
  // A spool that was not kept leaves nothing behind.
  ~Spool();

  // Copies the bytes; blocks while too many wait to be written. Errc::no_space, for all that comes
  // after it, too.
  Status write(std::string_view bytes);

  // Gives all bytes from the start, until `take` wants no more.
  Status replay(const std::function<bool(std::span<const std::byte>)>& take);

  // The bytes so far.
  std::uint64_t size();
  // A part of them; waits for what is on its way.
  Status read(std::uint64_t offset, std::span<std::byte> out);

  // Waits until all is written. The file is not yet durable.
  Result<SpooledFile> finish();
  // The file is somebody else's now.
  void release() { kept_ = true; }

 private:
  // A piece of the file that waits to be written; its memory is used again and again.
  struct Block;
  using Blocks = std::vector<std::unique_ptr<Block>>;

  Spool(std::unique_ptr<wal::Storage> storage, std::string name, std::unique_ptr<wal::File> file,
        MemoryBudget& memory, int level);
  void run();
  Status put(const Block& block);
  Result<bool> put_packed(const Block& block);
  Result<SpooledFile> end();
  Result<std::size_t> read_some(std::uint64_t offset, std::span<std::byte> out);
  std::unique_ptr<Block> take_block();
  bool may_have_another() const;
  Status send();
  Status check_room() const;
  void wait_until_written();

  const std::unique_ptr<wal::Storage> storage_;
  const std::string name_;
  const std::unique_ptr<wal::File> file_;
  const int level_;
  Sha256Hasher hasher_;                        // the thread's
  std::uint64_t written_ = 0;                  // by the thread; the caller's while nothing waits
  std::unique_ptr<wal::PackedWriter> packed_;  // the same; none for a file written as it is
  bool kept_ = false;

  // The caller's.
  std::unique_ptr<Block> filling_;
  std::uint64_t sent_ = 0;  // bytes handed to the thread
  Status room_;             // an error once there was too little
  MemoryBudget& memory_;
  MemoryReservation reserved_;  // for the blocks
  std::size_t blocks_ = 0;      // that there are

  std::mutex mutex_;
  std::condition_variable changed_;
  Blocks waiting_;               // guarded by mutex_; the oldest first
  Blocks free_;                  // guarded by mutex_
  bool writing_ = false;         // guarded by mutex_
  bool closed_ = false;          // guarded by mutex_
  Result<SpooledFile> outcome_;  // guarded by mutex_ until the thread has ended
  std::thread thread_;
};

}  // namespace netml::admin
