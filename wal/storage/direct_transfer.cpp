#include "wal/storage/direct_transfer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace netml::wal {

namespace {

// Below this a copy is cheaper than waiting for the device.
constexpr std::size_t kDirectBytesMin = 256 << 10;
constexpr std::size_t kTransferBytes = 4 << 20;

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

// Calls transfer(part, done) for piece after piece; it answers how many bytes it moved.
template <class Byte, class Transfer>
ssize_t DirectTransfer::run(int descriptor, std::span<Byte> bytes, Transfer&& transfer) {
  if (!possible_) return 0;
  const DirectMode direct(descriptor);
  possible_ = direct.on();
  std::size_t done = 0;
  while (possible_ && done < bytes.size()) {
    const auto part = bytes.subspan(done, std::min(bytes.size() - done, kTransferBytes));
    const ssize_t count = transfer(part, done);
    if (count < 0 && errno == EINTR) continue;
    possible_ = count >= 0 || errno != EINVAL;
    if (count < 0 && possible_) return count;
    if (count > 0) done += static_cast<std::size_t>(count);
    if (count != static_cast<ssize_t>(part.size())) break;
  }
  return static_cast<ssize_t>(done);
}

ssize_t DirectTransfer::read(int descriptor, std::uint64_t offset, std::span<std::byte> bytes) {
  return run(descriptor, bytes, [&](std::span<std::byte> part, std::size_t done) {
    const bool copied = !is_aligned(part.data());
    const std::span<std::byte> into = copied ? buffer(part.size()) : part;
    const ssize_t count =
        ::pread(descriptor, into.data(), into.size(), static_cast<off_t>(offset + done));
    if (copied && count > 0) std::memcpy(part.data(), into.data(), static_cast<std::size_t>(count));
    return count;
  });
}

ssize_t DirectTransfer::write(int descriptor, std::uint64_t offset,
                              std::span<const std::byte> bytes) {
  return run(descriptor, bytes, [&](std::span<const std::byte> part, std::size_t done) {
    if (!is_aligned(part.data())) {
      const std::span<std::byte> copy = buffer(part.size());
      std::memcpy(copy.data(), part.data(), part.size());
      part = copy;
    }
    return ::pwrite(descriptor, part.data(), part.size(), static_cast<off_t>(offset + done));
  });
}

std::span<std::byte> DirectTransfer::buffer(std::size_t size) {
  if (buffer_.bytes().empty()) buffer_ = AlignedMemory(kTransferBytes);
  return buffer_.bytes().first(size);
}

}  // namespace netml::wal
