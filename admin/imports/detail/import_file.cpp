#include "admin/imports/detail/import_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <span>
#include <tuple>
#include <utility>

#include "admin/base/import_memory.hpp"
#include "admin/node/kept_file.hpp"
#include "engine/base/guarded.hpp"
#include "engine/base/wording.hpp"

namespace netml::admin {

namespace {

// A spooled file, read here and there.
class SpooledBytes final : public codecs::RandomAccessFile {
 public:
  explicit SpooledBytes(Spool& spool) : spool_(spool), size_(spool.size()) {}
  std::uint64_t size() const override { return size_; }
  Status read_at(std::uint64_t offset, std::span<std::byte> out) override {
    return spool_.read(offset, out);
  }

 private:
  Spool& spool_;
  const std::uint64_t size_;
};

}  // namespace

Result<std::unique_ptr<ImportFile>> ImportFile::begin(Node& node, std::string name,
                                                      const codecs::FileFormat& format,
                                                      std::uint64_t bytes, ReadWhen when,
                                                      const SpooledFile* likely) {
  std::unique_ptr<ImportFile> file(new ImportFile(node, std::move(name), format));
  file->expected_ = bytes;
  file->state_ = node.memory().check_possible(import_memory_bytes(file->format_, bytes));
  if (likely != nullptr && file->state_) file->compare_with(*likely);
  // One that is compared is not read, so its memory is asked for once it must be.
  const bool claimed =
      when == ReadWhen::arriving && file->state_ &&
      (file->comparison_ != nullptr ||
       node.memory().grow(file->memory_, import_document_bytes(file->format_, bytes)));
  NETML_TRY(file->spool_, Spool::create(node.directory(), node.random(), node.memory(),
                                        node.stored_file_level()));
  file->put_off_ = !claimed;
  if (claimed && file->comparison_ == nullptr) file->make_reader();
  return file;
}

Result<std::unique_ptr<ImportFile>> ImportFile::open(Node& node, std::string name,
                                                     const codecs::FileFormat& format,
                                                     const SpooledFile& accepted) {
  std::unique_ptr<ImportFile> file(new ImportFile(node, std::move(name), format));
  file->stored_ = accepted;
  NETML_TRY(file->kept_, open_kept_file(node, accepted));
  file->put_off_ = true;
  return file;
}

std::uint64_t ImportFile::size() {
  std::ignore = end_comparison();
  return stored_ ? stored_->bytes : spool_->size();
}

Status ImportFile::replay(const codecs::ByteSink& take) {
  return kept_ ? replay_kept_file(*kept_, take) : spool_->replay(take);
}

void ImportFile::make_reader() {
  if (format_.read != nullptr) return;
  const codecs::ReplaySource again = [this](const codecs::ByteSink& take) { return replay(take); };
  const std::uint64_t bytes = stored_ ? stored_->bytes : expected_;
  reader_.emplace(node_.file_limits().xml, codecs::ReadOptions{.replay = again, .bytes = bytes});
}

// ---- while it may be one that is kept ----

// Where that cannot be found out, it is not.
void ImportFile::compare_with(const SpooledFile& likely) {
  node_.spare_upload(likely.hash);  // it stays while this one arrives
  auto kept = node_.open_upload(likely.hash);
  if (!kept) return;
  auto begun = KeptComparison::begin(std::move(*kept), likely, node_.memory());
  if (!begun) return;
  comparison_ = std::move(*begun);
  likely_ = likely;
}

Status ImportFile::receive(std::string_view bytes) {
  if (comparison_ != nullptr) {
    if (comparison_->take(bytes)) return {};
    NETML_TRY_VOID(send_the_usual_way());
  }
  return take_in(bytes);
}

// It is another file: what agreed so far arrives again, from the one that is kept.
Status ImportFile::send_the_usual_way() {
  std::uint64_t left = comparison_->taken();
  const std::unique_ptr<wal::File> kept = comparison_->release();
  comparison_.reset();
  if (!put_off_) make_reader();
  if (left == 0) return {};
  Status taken;
  NETML_TRY_VOID(replay_kept_file(*kept, [&](std::span<const std::byte> piece) {
    const auto part = piece.first(std::min<std::uint64_t>(piece.size(), left));
    left -= part.size();
    taken = take_in({reinterpret_cast<const char*>(part.data()), part.size()});
    return taken && left > 0;
  }));
  NETML_TRY_VOID(taken);
  if (left == 0) return {};
  return fail(Errc::io_error, kept->path() + " has become shorter");
}

// All was written: it is the stored file, or it is not.
Status ImportFile::end_comparison() {
  if (comparison_ == nullptr) return {};
  if (!comparison_->is_whole()) {
    state_ = guarded([&] { return send_the_usual_way(); }, Errc::too_large);
    if (!state_) give_up(state_.error());
    return state_;
  }
  kept_ = comparison_->release();
  comparison_.reset();
  stored_ = likely_;
  put_off_ = true;
  memory_.set(0);
  node_.spare_upload(likely_.hash);
  return {};
}

const SpooledFile* ImportFile::kept_unread() {
  const bool unread = end_comparison() && state_ && kept_ != nullptr && put_off_;
  return unread ? &*stored_ : nullptr;
}

// ---- while it arrives ----

bool ImportFile::write(std::string_view bytes) {
  if (!state_) return false;
  state_ = guarded([&] { return receive(bytes); }, Errc::too_large);
  if (!state_) give_up(state_.error());
  if (put_off_) memory_.set(0);
  return state_ && !(reader_ && reader_->stopped());
}

Status ImportFile::take_in(std::string_view bytes) {
  NETML_TRY_VOID(spool_->write(bytes));
  written_ += bytes.size();
  if (reader_) NETML_TRY_VOID(claim());
  if (reader_) reader_->feed(std::as_bytes(std::span(bytes)));
  return {};
}

// How long the file will be is often not known, so memory is asked for as it grows. Where the
// budget has none now, what was read so far is dropped: all of it is on the disk.
Status ImportFile::claim() {
  constexpr std::uint64_t kAskedAgain = 1 << 20;
  if (written_ - looked_at_ >= kAskedAgain) {
    looked_at_ = written_;
    NETML_TRY_VOID(node_.memory().check_room());
  }
  const std::uint64_t taken = import_document_bytes(format_, written_);
  if (taken <= memory_.bytes()) return {};
  NETML_TRY_VOID(node_.memory().check_possible(import_memory_bytes(format_, written_)));
  if (node_.memory().grow(memory_, taken + taken / 8)) return {};
  reader_.reset();
  put_off_ = true;
  return {};
}

// Nothing is read any more.
void ImportFile::give_up(Error error) {
  reader_.reset();
  memory_.set(0);
  if (error.code == Errc::too_large) lacks_memory(std::move(error));
}

// An allocation that failed is reported with the numbers.
Error ImportFile::lacks_memory(Error error) {
  state_ = tl::unexpected(std::move(error));
  if (is_out_of_memory(state_.error()))
    state_ = guarded([&]() -> Status { return node_.memory().ran_out(); }, Errc::too_large);
  return state_.error();
}

// ---- once all is there ----

Result<SpooledFile> ImportFile::spooled() {
  if (!spooled_) {
    NETML_TRY(spooled_, spool_->finish());
  }
  return *spooled_;
}

Result<Sha256> ImportFile::hash() {
  NETML_TRY_VOID(end_comparison());
  if (stored_) return stored_->hash;
  NETML_TRY(const SpooledFile file, spooled());
  return file.hash;
}

Result<SpooledFile> ImportFile::store() {
  NETML_TRY_VOID(end_comparison());
  if (stored_) return *stored_;
  NETML_TRY(SpooledFile file, spooled());
  NETML_TRY_VOID(node_.keep_upload(file));
  spool_->release();
  stored_ = file;
  return file;
}

Status ImportFile::claim_all(bool patient) {
  constexpr std::chrono::seconds kPatience{10};
  const std::uint64_t bytes = import_document_bytes(format_, size());
  MemoryBudget& budget = node_.memory();
  NETML_TRY_VOID(budget.check_possible(import_memory_bytes(format_, size())));
  if (reader_ || bytes <= memory_.bytes()) return budget.grow(memory_, bytes);
  memory_.set(0);
  NETML_TRY(memory_, budget.reserve_within(patient ? kPatience : std::chrono::seconds(0),
                                           MemoryUse::imports, bytes));
  return {};
}

// What was not read when it was written.
Status ImportFile::feed_stored(const ReadProgress& progress) {
  if (!std::exchange(put_off_, false)) return {};
  make_reader();
  if (!reader_) return {};
  std::uint64_t done = 0;
  Status room;
  const auto take = [&](std::span<const std::byte> piece) {
    reader_->feed(piece);
    done += piece.size();
    if (kept_) progress(done, stored_->bytes);
    room = node_.memory().check_room();
    return room.has_value();
  };
  NETML_TRY_VOID(replay(take));
  return room;
}

ImportFile::Parsed ImportFile::parse_whole(codecs::RandomAccessFile& file,
                                           const Named& named) const {
  const codecs::FileReadOptions options{.topology_name = named.root,
                                        .file_name = codecs::without_ending(name_),
                                        .owner = named.owner,
                                        .headings = named.as.headings,
                                        .mapping = named.as.mapping,
                                        .limits = node_.file_limits()};
  if (named.as.is_update) return format_.read_update(file, options);
  return format_.read(file, options);
}

ImportFile::Parsed ImportFile::parse(const Named& named) {
  if (format_.read != nullptr && kept_) {
    KeptFile file(*kept_, stored_->bytes);
    return parse_whole(file, named);
  }
  if (format_.read != nullptr) {
    SpooledBytes file(*spool_);
    return parse_whole(file, named);
  }
  codecs::ReadResult read = reader_->finish();
  if (read && !named.root.empty()) rename_root(*read, named.root);
  return read;
}

tl::expected<FileContent, ImportFailure> ImportFile::read(const Named& named, bool patient,
                                                          const ReadProgress& progress) {
  std::optional<Parsed> parsed;
  const auto steps = [&]() -> Status {
    NETML_TRY_VOID(state_);
    NETML_TRY_VOID(end_comparison());
    NETML_TRY_VOID(claim_all(patient));
    NETML_TRY_VOID(feed_stored(progress));
    parsed = parse(named);
    return {};
  };
  if (const Status done = guarded(steps, Errc::too_large); !done) {
    give_up(done.error());
    return tl::unexpected(ImportFailure{.error = state_ ? done.error() : state_.error(),
                                        .no_room = lacks_room(state_)});
  }
  Parsed& read = *parsed;
  if (read) return std::move(*read);
  ImportFailure failure;
  failure.error = {Errc::invalid_input,
                   fmt::format("{} is not valid: {}", name_, counted(read.error().count, "error"))};
  failure.errors = std::move(read.error());
  return tl::unexpected(std::move(failure));
}

}  // namespace netml::admin
