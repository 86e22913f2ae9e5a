#include "wal/journal/frame_writer.hpp"

#include <array>

#include "wal/storage/crc32c.hpp"

namespace netml::wal {

FrameHeader header_of(const FramePayload& payload, std::uint16_t version,
                      const Position& position) {
  FrameHeader header;
  header.kind = static_cast<std::uint8_t>(payload.kind);
  header.flags = payload.flags;
  header.version = version;
  header.position = position;
  return header;
}

void add_frame(std::vector<std::byte>& out, FrameHeader header, const FramePlace& place,
               std::span<const std::byte> payload, const Sha256& hash) {
  NETML_ASSERT(payload.size() % format::kPayloadAlignment == 0);
  NETML_ASSERT(payload.size() <= format::kPayloadBytesMax);
  header.payload_bytes = static_cast<std::uint32_t>(payload.size());
  header.payload_crc = crc32c(payload);
  std::array<std::byte, format::kFrameHeaderBytes> head;
  encode_frame_header(header, place, head);
  out.insert(out.end(), head.begin(), head.end());
  out.insert(out.end(), payload.begin(), payload.end());
  out.insert(out.end(), hash.begin(), hash.end());
}

// Null where nothing is to be compressed. An older program would take it for damage.
std::unique_ptr<PayloadPacker> FrameWriter::make_packer(std::uint16_t format) const {
  if (options_.compression_level == 0 || format < format::kVersion4) return nullptr;
  return std::make_unique<PayloadPacker>(options_.compression_level);
}

Commit FrameWriter::commit_of(const engine::Transaction& transaction, const engine::Digest& after) {
  Commit commit;
  commit.totals = {order_.transaction_frames, order_.transaction_bytes, payload_hashes_.finish()};
  commit.counts = engine::count_changes(transaction);
  commit.provenance = transaction.provenance;
  commit.next_id = transaction.next_id;
  commit.next_number = transaction.next_number;
  commit.digest = after;
  return commit;
}

void FrameWriter::advance(const FramePayload& payload, const Sha256& payload_hash,
                          const Sha256& hash) {
  chain_.reset(hash);
  if ((payload.flags & format::kLastOfTransaction) == 0) {
    payload_hashes_.add(payload_hash);
    ++order_.transaction_frames;
    order_.transaction_bytes += payload.bytes.size();
    ++order_.next.ordinal;
  } else {
    order_.transaction_frames = 0;
    order_.transaction_bytes = 0;
    payload_hashes_.finish();
    order_.next = Position::after(order_.next.lsn);
  }
}

FrameOrder FrameWriter::mark() const {
  FrameOrder mark = order_;
  mark.chain = chain_.head();
  return mark;
}

void FrameWriter::back_to(const FrameOrder& mark) {
  payload_hashes_.finish();
  order_ = mark;
  chain_.reset(mark.chain);
}

}  // namespace netml::wal
