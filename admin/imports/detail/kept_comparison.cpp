#include "admin/imports/detail/kept_comparison.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "engine/base/guarded.hpp"

namespace netml::admin {

Result<std::unique_ptr<KeptComparison>> KeptComparison::begin(std::unique_ptr<wal::File> kept,
                                                              const SpooledFile& accepted,
                                                              MemoryBudget& memory) {
  NETML_TRY(const std::uint64_t size, kept->size());
  if (size != accepted.bytes || size == 0)
    return fail(Errc::corruption, kept->path() + ": its length is not that of the upload");
  return guarded([&]() -> Result<std::unique_ptr<KeptComparison>> {
    std::unique_ptr<KeptComparison> made(new KeptComparison(std::move(kept), accepted, memory));
    made->reader_ = std::thread([&all = *made] { all.read_all(); });
    made->hasher_ = std::thread([&all = *made] { all.hash_all(); });
    return made;
  });
}

KeptComparison::KeptComparison(std::unique_ptr<wal::File> kept, const SpooledFile& accepted,
                               MemoryBudget& memory)
    : kept_(std::move(kept)),
      hash_(accepted.hash),
      bytes_(accepted.bytes),
      count_((bytes_ + kBlockBytes - 1) / kBlockBytes),
      memory_(
          memory.account(MemoryUse::imports, std::min<std::uint64_t>(count_, kBlocks) *
                                                 std::min<std::uint64_t>(bytes_, kBlockBytes))) {
  for (std::uint64_t block = 0; block < std::min<std::uint64_t>(count_, kBlocks); ++block)
    blocks_[block] = wal::AlignedMemory(size_of(block));
}

KeptComparison::~KeptComparison() {
  stop();
}

template <class Change>
void KeptComparison::tell(Change&& change) {
  {
    const std::lock_guard lock(mutex_);
    change();
  }
  changed_.notify_all();
}

void KeptComparison::stop() {
  tell([&] { stopping_ = true; });
  if (reader_.joinable()) reader_.join();
  if (hasher_.joinable()) hasher_.join();
}

std::unique_ptr<wal::File> KeptComparison::release() {
  stop();
  return std::move(kept_);
}

// The blocks that are used again are as long as the first ones: only the last one is shorter.
std::size_t KeptComparison::size_of(std::uint64_t block) const {
  return static_cast<std::size_t>(
      std::min<std::uint64_t>(kBlockBytes, bytes_ - block * kBlockBytes));
}

// ---- the caller's side ----

bool KeptComparison::wait_until_read(std::uint64_t block) {
  if (block < known_read_) return true;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return read_ > block || failed_; });
  known_read_ = read_;
  return read_ > block;
}

bool KeptComparison::take(std::string_view piece) {
  agrees_ = agrees_ && piece.size() <= bytes_ - taken_;
  std::uint64_t at = taken_;
  for (std::string_view rest = piece; agrees_ && !rest.empty();) {
    const std::uint64_t block = at / kBlockBytes;
    const std::size_t begin = at % kBlockBytes;
    const std::size_t size = std::min(rest.size(), size_of(block) - begin);
    agrees_ =
        wait_until_read(block) && std::memcmp(bytes_of(block) + begin, rest.data(), size) == 0;
    rest.remove_prefix(size);
    at += size;
    if (begin + size == size_of(block)) tell([&] { compared_ = block + 1; });
  }
  if (agrees_) taken_ = at;
  return agrees_;
}

bool KeptComparison::is_whole() {
  if (!agrees_ || taken_ != bytes_) return false;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return hashed_ == count_ || failed_; });
  return !failed_ && found_ == hash_;
}

// ---- the threads ----

void KeptComparison::read_all() {
  for (std::uint64_t block = 0; block < count_; ++block) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock,
                    [&] { return stopping_ || block < std::min(hashed_, compared_) + kBlocks; });
      if (stopping_) return;
    }
    const bool done = guarded([&] { return read_block(block); }).has_value();
    tell([&] {
      read_ += done ? 1 : 0;
      failed_ = failed_ || !done;
    });
    if (!done) return;
  }
}

Status KeptComparison::read_block(std::uint64_t block) {
  const std::span<std::byte> bytes(bytes_of(block), size_of(block));
  NETML_TRY(const std::size_t got, kept_->read(block * kBlockBytes, bytes));
  if (got == bytes.size()) return {};
  return fail(Errc::io_error, kept_->path() + " has become shorter");
}

void KeptComparison::hash_all() {
  const Status done = guarded([&]() -> Status {
    Sha256Hasher hasher;
    for (std::uint64_t block = 0; block < count_; ++block) {
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return stopping_ || failed_ || read_ > block; });
        if (stopping_ || read_ <= block) return {};
      }
      hasher.add(std::span<const std::byte>(bytes_of(block), size_of(block)));
      const bool last = block + 1 == count_;
      const Sha256 found = last ? hasher.finish() : Sha256{};
      tell([&] {
        ++hashed_;
        found_ = found;
      });
    }
    return {};
  });
  if (!done) tell([&] { failed_ = true; });
}

}  // namespace netml::admin
