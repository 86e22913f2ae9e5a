#include "admin/node/spool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "admin/base/import_memory.hpp"
#include "engine/base/guarded.hpp"
#include "engine/base/priority.hpp"
#include "wal/commit/store.hpp"
#include "wal/format/data_directory.hpp"
#include "wal/storage/aligned_memory.hpp"
#include "wal/storage/posix_storage.hpp"

namespace netml::admin {

namespace {
constexpr std::size_t kBlockBytes = 1 << 20;
constexpr std::size_t kBlocks = kImportBuffersMax / kBlockBytes;
constexpr std::size_t kBlocksAlways = 2;  // one is filled while the other is written
// What is smaller takes as much of the disk either way.
constexpr std::size_t kPackedFromBytes = 4096;
}  // namespace

struct Spool::Block {
  // Aligned like the pages of the file, so that storage can write without another copy.
  wal::AlignedMemory memory{kBlockBytes};
  std::size_t size = 0;

  std::size_t room() const { return kBlockBytes - size; }
  std::span<const std::byte> bytes() const { return memory.bytes().first(size); }
  void add(std::span<const std::byte> more) {
    std::ranges::copy(more, memory.bytes().subspan(size).begin());
    size += more.size();
  }
};

Result<std::unique_ptr<Spool>> Spool::create(const std::string& directory, Random& random,
                                             MemoryBudget& memory, int level) {
  std::uint64_t number = 0;
  random.fill(std::as_writable_bytes(std::span(&number, 1)));
  std::string name = fmt::format("upload-{:016x}", number);
  auto storage =
      wal::PosixStorage::open_path(fmt::format("{}/{}", directory, wal::kTemporaryDirectory));
  // Nothing of what the caller asked for is missing: the data directory is not as it should be.
  if (!storage) return fail(Errc::io_error, storage.error().message);
  NETML_TRY(std::unique_ptr<wal::File> file, (*storage)->open(name, wal::OpenMode::create_new));
  return guarded([&]() -> Result<std::unique_ptr<Spool>> {
    return std::unique_ptr<Spool>(
        new Spool(*std::move(storage), std::move(name), std::move(file), memory, level));
  });
}

Spool::Spool(std::unique_ptr<wal::Storage> storage, std::string name,
             std::unique_ptr<wal::File> file, MemoryBudget& memory, int level)
    : storage_(std::move(storage)),
      name_(std::move(name)),
      file_(std::move(file)),
      level_(level),
      memory_(memory),
      reserved_(memory.account(MemoryUse::imports, 0)) {
  free_.reserve(kBlocks);
  waiting_.reserve(kBlocks);
}

Spool::~Spool() {
  if (thread_.joinable()) static_cast<void>(guarded([&] { return finish(); }).has_value());
  // What cannot be removed now is removed at the next start.
  if (!kept_) static_cast<void>(guarded([&] { return storage_->unlink(name_); }).has_value());
}

// ---- the caller's side ----

Status Spool::write(std::string_view text) {
  std::span<const std::byte> bytes = std::as_bytes(std::span(text));
  while (room_ && !bytes.empty()) {
    if (filling_ == nullptr) filling_ = take_block();
    const auto part = bytes.first(std::min(bytes.size(), filling_->room()));
    filling_->add(part);
    bytes = bytes.subspan(part.size());
    if (filling_->room() == 0) room_ = send();
  }
  return room_;
}

// With what compressing takes they are as much in all as without.
bool Spool::may_have_another() const {
  constexpr std::size_t kPackedBlocks = wal::PackedWriter::kMemoryBytes / kBlockBytes;
  const std::size_t most = level_ == 0 ? kBlocks : kBlocks - kPackedBlocks;
  return blocks_ < kBlocksAlways || (blocks_ < most && memory_.has_spare(kBlockBytes));
}

std::unique_ptr<Spool::Block> Spool::take_block() {
  std::unique_lock lock(mutex_);
  if (free_.empty() && may_have_another()) {
    lock.unlock();
    // A file of one block takes hardly more compressed.
    const std::uint64_t packing = level_ == 0 || blocks_ == 0 ? 0 : wal::PackedWriter::kMemoryBytes;
    reserved_.set((blocks_ + 1) * kBlockBytes + packing);
    auto block = std::make_unique<Block>();
    ++blocks_;
    return block;
  }
  changed_.wait(lock, [&] { return !free_.empty(); });
  auto block = std::move(free_.back());
  free_.pop_back();
  block->size = 0;
  return block;
}

// The thread begins with the first block behind which more may come.
Status Spool::send() {
  if (filling_ == nullptr) return {};
  sent_ += filling_->size;
  if (Status room = check_room(); !room) {
    filling_.reset();
    return room;
  }
  {
    const std::lock_guard lock(mutex_);
    if (!closed_ && !thread_.joinable())
      thread_ = std::thread([this] {
        give_way();
        run();
      });
    waiting_.push_back(std::move(filling_));
  }
  changed_.notify_all();
  return {};
}

// What an import needs besides its file is its journal and a checkpoint; and a floor is left for
// all that is to be written besides (E3). Asked with each block: others write, too.
Status Spool::check_room() const {
  constexpr std::uint64_t kSmallDiskShare = 20;
  NETML_TRY(const wal::Space space, storage_->space());
  const std::uint64_t floor =
      std::min(wal::StoreOptions().free_bytes_min, space.total_bytes / kSmallDiskShare);
  const std::uint64_t needed = std::max(2 * sent_, floor);
  if (space.free_bytes >= needed) return {};
  return fail(Errc::no_space,
              fmt::format("not enough free space for this import: after {} bytes of it {} are free "
                          "and {} are needed",
                          sent_, space.free_bytes, needed));
}

void Spool::wait_until_written() {
  if (room_) room_ = send();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_.empty() && !writing_; });
}

Status Spool::replay(const std::function<bool(std::span<const std::byte>)>& take) {
  wait_until_written();
  std::vector<std::byte> buffer(kBlockBytes);
  std::uint64_t offset = 0;
  while (true) {
    NETML_TRY(const std::size_t got, read_some(offset, buffer));
    if (got == 0 || !take(std::span(buffer).first(got))) return {};
    offset += got;
  }
}

std::uint64_t Spool::size() {
  return sent_ + (filling_ == nullptr ? 0 : filling_->size);
}

Status Spool::read(std::uint64_t offset, std::span<std::byte> out) {
  wait_until_written();
  while (!out.empty()) {
    NETML_TRY(const std::size_t got, read_some(offset, out));
    if (got == 0) return fail(Errc::io_error, fmt::format("{} has become shorter", name_));
    offset += got;
    out = out.subspan(got);
  }
  return {};
}

Result<std::size_t> Spool::read_some(std::uint64_t offset, std::span<std::byte> out) {
  return packed_ == nullptr ? file_->read(offset, out) : packed_->read(offset, out);
}

// A file of one block is written by the caller, who would only wait for a thread that gives way to
// all others.
Result<SpooledFile> Spool::finish() {
  if (closed_ && !room_) return tl::unexpected(room_.error());  // once it failed it has failed
  const bool begun = thread_.joinable();
  if (begun && room_) room_ = send();
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
  if (begun) {
    thread_.join();
  } else {
    if (room_) room_ = send();
    run();
  }
  if (room_ && !outcome_) room_ = tl::unexpected(outcome_.error());
  if (!room_) return tl::unexpected(room_.error());
  return std::move(outcome_);  // to copy a Result may not fail
}

// ---- the thread's side ----

void Spool::run() {
  Status status;
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return !waiting_.empty() || closed_; });
    if (waiting_.empty()) break;
    std::unique_ptr<Block> block = std::move(waiting_.front());
    waiting_.erase(waiting_.begin());
    writing_ = true;
    lock.unlock();
    if (status) {
      status = guarded([&] {
        hasher_.add(block->bytes());
        return put(*block);
      });
    }
    lock.lock();
    writing_ = false;
    free_.push_back(std::move(block));
    changed_.notify_all();
  }
  outcome_ = guarded([&]() -> Result<SpooledFile> {
    if (!status) return tl::unexpected(std::move(status).error());
    return end();
  });
}

Status Spool::put(const Block& block) {
  NETML_TRY(const bool compressed, put_packed(block));
  if (!compressed) NETML_TRY_VOID(file_->write(written_, block.bytes()));
  written_ += block.size;
  return {};
}

// The first block decides for the file.
Result<bool> Spool::put_packed(const Block& block) {
  if (packed_ != nullptr) {
    NETML_TRY_VOID(packed_->add(block.bytes()));
    return true;
  }
  if (level_ == 0 || written_ != 0 || block.size < kPackedFromBytes) return false;
  auto compressed = std::make_unique<wal::PackedWriter>(*file_, level_);
  NETML_TRY(const bool smaller, compressed->add_if_smaller(block.bytes()));
  if (smaller) packed_ = std::move(compressed);
  return smaller;
}

Result<SpooledFile> Spool::end() {
  if (packed_ != nullptr) NETML_TRY_VOID(packed_->finish());
  const auto how = packed_ == nullptr ? wal::StoredAs::itself : wal::StoredAs::compressed;
  return SpooledFile{name_, hasher_.finish(), written_, how};
}

}  // namespace netml::admin
