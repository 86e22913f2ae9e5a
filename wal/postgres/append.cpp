// Frames first, the files and the head last and together with COMMIT: until then no row that
// anybody else needs is locked, however long the frames take and whatever becomes of this process.
#include <fmt/format.h>

#include "wal/postgres/detail/postgres_log.hpp"
#include "wal/postgres/detail/schema.hpp"

namespace netml::wal::postgres {

namespace {

// A piece that is there comes from the same append, by an earlier call: then the head is beyond
// `before`, and advance() refuses.
constexpr const char* kInsertPiece =
    "INSERT INTO netml.frames (before_lsn, before_chain, after_lsn, after_chain, epoch, piece,"
    " pieces, bytes, compressed, data) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
    " ON CONFLICT DO NOTHING";

Parameters place_of(const Append& append) {
  Parameters place;
  place.add(append.before.lsn.value).add(std::span<const std::byte>(append.before.chain));
  place.add(append.after.lsn.value).add(std::span<const std::byte>(append.after.chain));
  place.add(append.epoch.value);
  return place;
}

}  // namespace

Status PostgresLog::send_frames(const Append& append) {
  NETML_TRY_VOID(session_.begin());
  for (std::size_t number = 0; number < append.pieces.size(); ++number) {
    const std::span<const std::byte> piece = append.pieces[number];
    NETML_TRY(const Payload payload, codec_.pack(piece));
    Parameters row = place_of(append);
    row.add(std::uint64_t{number}).add(std::uint64_t{append.pieces.size()});
    row.add(std::uint64_t{piece.size()}).add(payload.compressed).add(payload.bytes);
    NETML_TRY_VOID(session_.send({kInsertPiece, std::move(row)}));
  }
  return {};
}

Appended PostgresLog::append_if(const Append& append) {
  if (Status fits = check(append); !fits)
    return {Outcome::refused, {}, std::move(fits).error().message};
  // Nothing happened then, but neither is it known what stands there: so it counts as unknown.
  if (Status sent = send_frames(append); !sent) {
    session_.drop();
    return {Outcome::unknown, {}, std::move(sent).error().message};
  }
  std::vector<Statement> last;
  for (const SharedFile& file : append.files) last.push_back(insert_file(file));
  last.push_back({"SELECT netml.advance($1, $2, $3, $4, $5)", place_of(append)});
  Written written = session_.write(last);
  switch (written.fate) {
    case Fate::confirmed:
      session_.confirmed(append.after);
      return {Outcome::done, {}, {}};
    case Fate::undone:
      if (written.state == kRefusedState) return refused_append();
      return {Outcome::unknown, {}, std::move(written.error.message)};
    case Fate::in_doubt:
      return {Outcome::unknown, {}, std::move(written.error.message)};
  }
  NETML_ASSERT(false);
}

Appended PostgresLog::refused_append() {
  Result<SharedHead> found = head();
  if (!found) return {Outcome::unknown, {}, std::move(found).error().message};
  return {Outcome::refused, std::move(*found), "another head or epoch stands there"};
}

}  // namespace netml::wal::postgres
