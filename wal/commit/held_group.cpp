#include "wal/commit/held_group.hpp"

#include <algorithm>

#include "wal/checkpoint/named_files.hpp"

namespace netml::wal {

namespace {
constexpr std::string_view kGroupFile = "shared-group.tmp";
// Memory that is kept for the next group.
constexpr std::size_t kKeptBytes = 1 << 20;

FrameOrder order_behind(const Head& head) {
  return {Position::after(head.lsn), head.chain};
}
}  // namespace

HeldGroup::HeldGroup(const NodeUuid& node, const Head& at, Storage& temporary,
                     const Options& options)
    : node_(node),
      temporary_(temporary),
      options_(options),
      before_(at),
      frames_(order_behind(at), options.journal),
      closed_order_(order_behind(at)) {}

// What is left of a file in tmp/ does no harm: it is emptied when the next one begins.
void HeldGroup::begin(const Head& at) {
  before_ = at;
  closed_order_ = order_behind(at);
  frames_.back_to(closed_order_);
  closed_ = 0;
  in_file_ = 0;
  memory_.clear();
  if (memory_.capacity() > kKeptBytes) memory_.shrink_to_fit();
  pieces_.clear();
  files_.clear();
  mapping_.reset();
  if (file_ != nullptr) static_cast<void>(temporary_.unlink(kGroupFile).has_value());
  file_.reset();
}

Status HeldGroup::append_effects(const engine::Transaction& transaction) {
  return frames_.append_effects(transaction, *this);
}

Status HeldGroup::append_effects(const engine::Transaction& transaction, Parallel& parallel) {
  return frames_.append_effects(transaction, parallel, *this);
}

Result<Lsn> HeldGroup::append_commit(const engine::Transaction& transaction,
                                     const engine::Digest& after) {
  NETML_TRY(const Lsn lsn, frames_.append_commit(transaction, after, *this));
  closed_order_ = frames_.mark();
  closed_ = bytes();
  const std::vector<Sha256> brought = files_brought(transaction);
  files_.insert(files_.end(), brought.begin(), brought.end());
  return lsn;
}

void HeldGroup::drop_open() {
  frames_.back_to(closed_order_);
  if (closed_ >= in_file_) {
    memory_.resize(closed_ - in_file_);
  } else {
    in_file_ = closed_;
    memory_.clear();
  }
}

Result<Append> HeldGroup::append() {
  NETML_ASSERT(!frames_.transaction_open());
  NETML_TRY(std::span<const std::byte> rest, whole());
  pieces_.clear();
  while (!rest.empty()) {
    pieces_.push_back(rest.first(std::min(rest.size(), kSharedPieceBytesMax)));
    rest = rest.subspan(pieces_.back().size());
  }
  return Append{before_, {frames_.last_closed(), frames_.chain()}, {}, pieces_};
}

Result<std::span<const std::byte>> HeldGroup::whole() {
  if (file_ == nullptr) return std::span<const std::byte>(memory_);
  NETML_TRY_VOID(spill());
  NETML_TRY(mapping_, file_->map());
  return mapping_->bytes().first(in_file_);
}

// ---- as a sink ----

Status HeldGroup::make_room(std::uint64_t bytes) {
  return memory_.size() + bytes <= options_.memory_bytes ? Status() : spill();
}

// It need not outlast a crash: nobody was answered.
Status HeldGroup::spill() {
  if (file_ == nullptr) {
    NETML_TRY(file_, temporary_.open(kGroupFile, OpenMode::create_empty));
  }
  NETML_TRY_VOID(file_->write(in_file_, memory_));
  in_file_ += memory_.size();
  memory_.clear();
  return {};
}

Status HeldGroup::put(const FramePayload& payload, const Sha256& hash) {
  const std::uint16_t version = payload.version != 0 ? payload.version : format();
  add_frame(memory_, header_of(payload, version, frames_.next()), {node_, kSharedSegment, bytes()},
            payload.bytes, hash);
  return {};
}

}  // namespace netml::wal
