#include "admin/server/log_sink.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace netml::admin {

std::uint64_t LogSink::take_left_out() {
  const std::lock_guard lock(mutex_);
  if (left_out_ == 0 || !finish_line() || !has_room()) return 0;
  return std::exchange(left_out_, 0);
}

void LogSink::sink_it_(const spdlog::details::log_msg& message) {
  if (!finish_line() || !has_room()) {
    ++left_out_;
    return;
  }
  spdlog::memory_buf_t formatted;
  formatter_->format(message, formatted);
  line_.assign(formatted.data(), formatted.size());
  written_ = 0;
  static_cast<void>(finish_line());  // the rest of it comes before the next one
}

// A pipe says so when it takes PIPE_BUF bytes without waiting; a file always does. One whose other
// end is closed does, too, and fails.
bool LogSink::has_room() const {
  pollfd wanted{descriptor_, POLLOUT, 0};
  return ::poll(&wanted, 1, 0) == 1;
}

// False when a part of the line is still to be written. What cannot be written at all is given up.
bool LogSink::finish_line() {
  while (written_ < line_.size()) {
    if (!has_room()) return false;
    const std::size_t count = std::min<std::size_t>(line_.size() - written_, PIPE_BUF);
    const ssize_t done = ::write(descriptor_, line_.data() + written_, count);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0 && errno == EAGAIN) return false;
    if (done < 0) break;
    written_ += static_cast<std::size_t>(done);
  }
  line_.clear();
  written_ = 0;
  return true;
}

}  // namespace netml::admin
