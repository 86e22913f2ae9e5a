#include "wal/commit/incoming_group.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "wal/commit/held_group.hpp"
#include "wal/journal/journal_walk.hpp"
#include "wal/storage/crc32c.hpp"

namespace netml::wal {

Status IncomingGroup::add(std::span<const std::byte> piece, const TakeFrame& take) {
  rest_.insert(rest_.end(), piece.begin(), piece.end());
  std::size_t at = 0;
  bool more = true;
  while (more) {
    NETML_TRY(more, take_next(at, take));
  }
  rest_.erase(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(at));
  return {};
}

// False when what is there is no whole frame.
Result<bool> IncomingGroup::take_next(std::size_t& at, const TakeFrame& take) {
  const std::span<const std::byte> bytes = std::span(rest_).subspan(at);
  if (bytes.size() < format::kFrameHeaderBytes) return false;
  const auto header = decode_frame_header(bytes.first<format::kFrameHeaderBytes>(),
                                          {node_, kSharedSegment, offset_});
  if (!header || !header->is_possible()) return damaged("the header of a frame is damaged");
  const std::uint64_t size = frame_bytes(header->payload_bytes);
  if (bytes.size() < size) return false;
  Frame frame{
      *header, offset_, bytes.subspan(format::kFrameHeaderBytes, header->payload_bytes), {}, {}};
  std::ranges::copy(bytes.subspan(size - format::kFrameHashBytes, format::kFrameHashBytes),
                    frame.hash.begin());
  NETML_TRY_VOID(check(frame));
  NETML_TRY_VOID(take(frame));
  chain_.reset(frame.hash);
  next_ = frame.header.next();
  offset_ += size;
  at += size;
  return true;
}

Status IncomingGroup::check(Frame& frame) {
  NETML_TRY_VOID(check_known("the shared log", frame.header, offset_));
  if (crc32c(frame.payload) != frame.header.payload_crc)
    return damaged("the payload of a frame is damaged");
  if (!frame.header.in_order() || frame.header.position != next_ ||
      frame.header.position.lsn > after_.lsn)
    return damaged("a frame is not the one that belongs here");
  if (frame.header.compressed() && !frame.header.may_be_compressed())
    return damaged("a frame is compressed, which it cannot be");
  frame.payload_hash = chain_.hash_payload(frame.payload);
  if (chain_.next(frame.header, frame.payload_hash) != frame.hash)
    return damaged("the chain of hashes is broken");
  return {};
}

Status IncomingGroup::finish() const {
  if (!rest_.empty() || next_ != Position::after(after_.lsn)) return damaged("frames are missing");
  if (chain_.head() != after_.chain) return damaged("it does not lead to the head that it names");
  return {};
}

tl::unexpected<Error> IncomingGroup::damaged(const char* what) const {
  return fail(Errc::corruption,
              fmt::format("the shared log: the group behind LSN {}: offset {}: LSN {} frame {}: {}",
                          before_.lsn.value, offset_, next_.lsn.value, next_.ordinal, what));
}

}  // namespace netml::wal
