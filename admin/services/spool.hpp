// A file on its way in: written to `tmp/` and hashed on a thread of its own while the caller goes
// on reading it, then kept for audit under its hash, or gone.
//
// Thread: one caller.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>

#include "engine/ids.hpp"
#include "engine/random.hpp"
#include "engine/result.hpp"
#include "net/unique_fd.hpp"

namespace netml::admin {

struct SpooledFile {
  std::string name;  // below tmp/
  Sha256 hash{};
  std::uint64_t bytes = 0;
};

class Spool {
 public:
  // `directory` is the data directory; its `tmp/` exists.
  static Result<std::unique_ptr<Spool>> create(const std::string& directory, Random& random);
  // A spool that was not kept leaves nothing behind.
  ~Spool();

  // Copies the bytes; blocks while too many wait to be written.
  void write(std::string_view bytes);

  // Gives all bytes from the start, until `take` wants no more.
  Status replay(const std::function<bool(std::span<const std::byte>)>& take);

  // Waits until all is written. The file is not yet durable.
  Result<SpooledFile> finish();
  // The file is somebody else's now.
  void release() { path_.clear(); }

 private:
  Spool(std::string path, std::string name, net::UniqueFd file);
  void run();
  void wait_until_written();

  static constexpr std::size_t kWaitingBytesMax = 16 << 20;

  std::string path_;
  const std::string name_;
  net::UniqueFd file_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> waiting_;  // guarded by mutex_
  std::size_t waiting_bytes_ = 0;    // guarded by mutex_
  bool closed_ = false;              // guarded by mutex_
  Result<SpooledFile> outcome_;      // guarded by mutex_ until the thread has ended
  std::thread thread_;
};

}  // namespace netml::admin
