// What is read is shown when it is confirmed: commits whose confirmation was cancelled, or that a
// restart of the primary recovered, are visible like all others.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "wal/postgres/detail/postgres_log.hpp"

namespace netml::wal::postgres {

Result<SharedHead> PostgresLog::head() {
  NETML_TRY(const std::vector<Rows> rows, session_.read({read_state()}));
  NETML_TRY(State state, state_in(rows.front()));
  NETML_TRY_VOID(session_.confirm(state));
  return std::move(state.shared);
}

Result<std::vector<SharedPiece>> PostgresLog::read_from(const ReadPlace& place,
                                                        std::uint64_t bytes_max) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  Statement frames{
      "SELECT before_lsn, before_chain, after_lsn, after_chain, epoch, piece, pieces, bytes,"
      " compressed, data FROM netml.read_frames($1, $2, $3)"};
  frames.parameters.add(std::min(place.after.value, kMost));
  frames.parameters.add(std::uint64_t{place.piece}).add(std::min(bytes_max, kMost));
  NETML_TRY(const std::vector<Rows> rows, session_.read({read_state(), std::move(frames)}));
  NETML_TRY(const State state, state_in(rows.front()));
  session_.saw(state);
  NETML_TRY_VOID(session_.confirm(state));
  const Lsn end = state.shared.head.lsn;
  if (place.after < state.begins)
    return fail(Errc::not_found, fmt::format("the log begins behind LSN {}", state.begins.value));
  if (place.after > end)
    return fail(Errc::conflict, fmt::format("the log ends at LSN {}", end.value));
  if (place.after == end) return std::vector<SharedPiece>{};
  NETML_TRY(std::vector<SharedPiece> pieces, pieces_in(rows.back()));
  const bool begins_there = !pieces.empty() && pieces.front().number == place.piece &&
                            pieces.front().before.lsn <= place.after;
  if (!begins_there)
    return fail(Errc::invalid_input, fmt::format("the append behind LSN {} has no piece {}",
                                                 place.after.value, place.piece));
  return pieces;
}

Result<std::vector<SharedPiece>> PostgresLog::pieces_in(const Rows& rows) {
  NETML_TRY_VOID(
      rows.expect({Type::integer, Type::bytes, Type::integer, Type::bytes, Type::integer,
                   Type::integer, Type::integer, Type::integer, Type::truth, Type::bytes}));
  std::vector<SharedPiece> pieces;
  pieces.reserve(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    SharedPiece piece;
    piece.before.lsn = Lsn{rows.count(row, 0)};
    NETML_TRY(piece.before.chain, rows.array<32>(row, 1));
    piece.after.lsn = Lsn{rows.count(row, 2)};
    NETML_TRY(piece.after.chain, rows.array<32>(row, 3));
    piece.epoch = Epoch{rows.count(row, 4)};
    piece.number = static_cast<std::uint32_t>(rows.count(row, 5));
    piece.count = static_cast<std::uint32_t>(rows.count(row, 6));
    NETML_TRY(piece.bytes,
              codec_.unpack({rows.truth(row, 8), rows.bytes(row, 9)}, rows.count(row, 7)));
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

// Who reads until nothing more comes has looked. What is found is not given to anybody, so it need
// not be confirmed.
Result<Lsn> PostgresLog::newest() {
  if (const std::optional<Lsn> seen = session_.seen()) return *seen;
  NETML_TRY(const std::vector<Rows> rows, session_.read({read_state()}));
  NETML_TRY(const State state, state_in(rows.front()));
  session_.saw(state);
  return state.shared.head.lsn;
}

// Listening comes before looking, so nothing is missed between them.
Status PostgresLog::wait_beyond(Lsn after, std::chrono::nanoseconds at_most) {
  constexpr std::chrono::nanoseconds kUnnotified = std::chrono::milliseconds(100);
  NETML_TRY_VOID(session_.connect());
  const bool listens = session_.listen().has_value();
  NETML_TRY(const Lsn found, newest());
  if (found > after) return {};
  NETML_TRY_VOID(session_.notified(listens ? at_most : std::min(at_most, kUnnotified)));
  return {};
}

}  // namespace netml::wal::postgres
