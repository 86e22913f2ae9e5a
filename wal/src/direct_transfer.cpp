#include "wal/src/direct_transfer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace netml::wal {

namespace {

// Below this a copy is cheaper than waiting for the device.
constexpr std::size_t kDirectBytesMin = 256 << 10;
constexpr std::size_t kBufferBytes = 1 << 20;

bool is_aligned(const std::byte* address) {
  return reinterpret_cast<std::uintptr_t>(address) % kDirectAlignment == 0;
}

// Direct for as long as it lives, where the file system can.
class DirectMode {
 public:
  explicit DirectMode(int descriptor)
      : descriptor_(descriptor), flags_(::fcntl(descriptor, F_GETFL)) {
    on_ = flags_ >= 0 && ::fcntl(descriptor_, F_SETFL, flags_ | O_DIRECT) == 0;
  }
  ~DirectMode() {
    if (on_) ::fcntl(descriptor_, F_SETFL, flags_);
  }
  DirectMode(const DirectMode&) = delete;
  DirectMode& operator=(const DirectMode&) = delete;
  bool on() const { return on_; }

 private:
  int descriptor_;
  int flags_;
  bool on_ = false;
};

}  // namespace

DirectPart DirectPart::of(std::uint64_t offset, std::size_t bytes) {
  const std::size_t before = (kDirectAlignment - offset % kDirectAlignment) % kDirectAlignment;
  if (bytes < before + kDirectBytesMin) return {};
  const std::size_t size = (bytes - before) / kDirectAlignment * kDirectAlignment;
  return size < kDirectBytesMin ? DirectPart{} : DirectPart{before, size};
}

ssize_t DirectTransfer::write(int descriptor, std::uint64_t offset,
                              std::span<const std::byte> bytes) {
  if (!possible_) return 0;
  const DirectMode direct(descriptor);
  possible_ = direct.on() && (is_aligned(bytes.data()) || buffer() != nullptr);
  std::size_t done = 0;
  while (possible_ && done < bytes.size()) {
    auto part = bytes.subspan(done, std::min(bytes.size() - done, kBufferBytes));
    if (!is_aligned(part.data())) {
      std::memcpy(buffer(), part.data(), part.size());
      part = {buffer(), part.size()};
    }
    const ssize_t count =
        ::pwrite(descriptor, part.data(), part.size(), static_cast<off_t>(offset + done));
    possible_ = count >= 0 || errno != EINVAL;
    if (count < 0 && possible_) return count;
    if (count != static_cast<ssize_t>(part.size())) break;
    done += part.size();
  }
  return static_cast<ssize_t>(done);
}

std::byte* DirectTransfer::buffer() {
  if (buffer_ == nullptr)
    buffer_.reset(static_cast<std::byte*>(std::aligned_alloc(kDirectAlignment, kBufferBytes)));
  return buffer_.get();
}

}  // namespace netml::wal
