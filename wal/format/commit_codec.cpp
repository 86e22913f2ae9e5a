#include "wal/format/commit_codec.hpp"

#include <fmt/format.h>

#include "wal/format/format.hpp"
#include "wal/schema/wal.capnp.h"

namespace netml::wal {

namespace {

// Generous: the inline part of the root struct, and two hashes.
constexpr std::size_t kCommitRootWords = 48;

std::size_t provenance_words(const engine::Provenance& provenance) {
  return text_words(provenance.actor.size()) + text_words(provenance.source.size()) +
         text_words(provenance.request_id.size());
}

void encode_provenance(const engine::Provenance& provenance, schema::Commit::Builder out) {
  out.setActorKind(static_cast<std::uint8_t>(provenance.actor_kind));
  put_bytes<&schema::Commit::Builder::initActor>(out, provenance.actor);
  out.setCause(static_cast<std::uint8_t>(provenance.cause));
  put_bytes<&schema::Commit::Builder::initSource>(out, provenance.source);
  if (provenance.file_hash)
    put_bytes<&schema::Commit::Builder::initFileHash>(out, *provenance.file_hash);
  put_bytes<&schema::Commit::Builder::initRequestId>(out, provenance.request_id);
  out.setBatch(provenance.batch);
  out.setWallTime(provenance.wall_time.microseconds);
  out.setEffectiveTime(provenance.effective_time.microseconds);
}

Result<engine::Provenance> decode_provenance(schema::Commit::Reader in) {
  engine::Provenance provenance;
  // Actor kinds and causes only describe: one that a newer program knows is kept as it is.
  provenance.actor_kind = static_cast<engine::ActorKind>(in.getActorKind());
  provenance.actor = view(in.getActor());
  provenance.cause = static_cast<engine::Cause>(in.getCause());
  provenance.source = view(in.getSource());
  if (in.getFileHash().size() != 0) {
    NETML_TRY(provenance.file_hash, read_hash(in.getFileHash()));
  }
  provenance.request_id = view(in.getRequestId());
  provenance.batch = in.getBatch();
  provenance.wall_time = WallTime{in.getWallTime()};
  provenance.effective_time = WallTime{in.getEffectiveTime()};
  return provenance;
}

}  // namespace

Status encode(const Commit& commit, MessageScratch& scratch, const PayloadConsumer& consume) {
  const auto fill = [&](schema::Commit::Builder out) {
    out.setFrames(commit.totals.frames);
    out.setBytes(commit.totals.bytes);
    put_bytes<&schema::Commit::Builder::initPayloadsHash>(out, commit.totals.payloads_hash);
    out.setCreated(commit.counts.created);
    out.setUpdated(commit.counts.updated);
    out.setDeleted(commit.counts.deleted);
    out.setNextId(commit.next_id.value);
    out.setNextNumber(commit.next_number.value);
    out.setDigestLow(commit.digest.low);
    out.setDigestHigh(commit.digest.high);
    encode_provenance(commit.provenance, out);
  };
  return scratch.build<schema::Commit>(kCommitRootWords + provenance_words(commit.provenance), fill,
                                       consume);
}

Result<Commit> decode_commit(std::span<const std::byte> payload) {
  return read_message<schema::Commit>(payload, [](schema::Commit::Reader in) -> Result<Commit> {
    Commit commit;
    commit.totals.frames = in.getFrames();
    commit.totals.bytes = in.getBytes();
    NETML_TRY(commit.totals.payloads_hash, read_hash(in.getPayloadsHash()));
    commit.counts = {in.getCreated(), in.getUpdated(), in.getDeleted()};
    commit.next_id = RecordId{in.getNextId()};
    commit.next_number = RecordNumber{in.getNextNumber()};
    commit.digest = {in.getDigestLow(), in.getDigestHigh()};
    NETML_TRY(commit.provenance, decode_provenance(in));
    return commit;
  });
}

Status encode(const Abort& abort, MessageScratch& scratch, const PayloadConsumer& consume) {
  const auto fill = [&](schema::Abort::Builder out) {
    put_bytes<&schema::Abort::Builder::initReason>(out, abort.reason);
    out.setFrames(abort.frames);
    out.setBytes(abort.bytes);
  };
  return scratch.build<schema::Abort>(kCommitRootWords + text_words(abort.reason.size()), fill,
                                      consume);
}

Result<Abort> decode_abort(std::span<const std::byte> payload) {
  return read_message<schema::Abort>(payload, [](schema::Abort::Reader in) -> Result<Abort> {
    return Abort{std::string(view(in.getReason())), in.getFrames(), in.getBytes()};
  });
}

Status encode(const Seal& seal, MessageScratch& scratch, const PayloadConsumer& consume) {
  const auto fill = [&](schema::Seal::Builder out) {
    out.setFrames(seal.frames);
    out.setBytes(seal.bytes);
  };
  return scratch.build<schema::Seal>(kCommitRootWords, fill, consume);
}

Result<Seal> decode_seal(std::span<const std::byte> payload) {
  return read_message<schema::Seal>(payload, [](schema::Seal::Reader in) -> Result<Seal> {
    return Seal{in.getFrames(), in.getBytes()};
  });
}

Status check_encodable(const engine::Provenance& provenance) {
  const std::size_t bytes =
      (kCommitRootWords + provenance_words(provenance)) * sizeof(std::uint64_t);
  if (bytes <= format::kPayloadBytesMax) return {};
  return fail(Errc::too_large, fmt::format("actor, source and request id take {} bytes", bytes));
}

}  // namespace netml::wal
