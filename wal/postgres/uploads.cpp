#include <fmt/format.h>

#include "wal/postgres/detail/postgres_log.hpp"

namespace netml::wal::postgres {

namespace {

Parameters key_of(const SharedUpload& upload) {
  Parameters key;
  key.add(std::span<const std::byte>(upload.hash));
  key.add(static_cast<std::uint64_t>(upload.how)).add(upload.bytes);
  return key;
}

Statement insert_piece(const SharedUpload& upload, std::uint32_t number, std::size_t bytes,
                       const Payload& payload) {
  Statement insert{
      "INSERT INTO netml.uploads (hash, how, file_bytes, piece, bytes, compressed, data)"
      " VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
      key_of(upload)};
  insert.parameters.add(std::uint64_t{number}).add(std::uint64_t{bytes});
  insert.parameters.add(payload.compressed).add(payload.bytes);
  return insert;
}

}  // namespace

// As it is: the codec has room for one payload at a time, and there is little to gain.
Statement insert_file(const SharedFile& file) {
  return insert_piece(file.upload, 0, file.bytes.size(), {false, file.bytes});
}

Status PostgresLog::put_upload(const SharedUpload& upload, std::uint32_t number,
                               std::span<const std::byte> piece) {
  if (number >= pieces_of(upload) || piece.size() != piece_bytes(upload, number))
    return fail(Errc::invalid_input,
                fmt::format("{} bytes are not piece {} of that file", piece.size(), number));
  Payload payload{false, piece};
  if (upload.how == StoredAs::itself) {
    NETML_TRY(payload, codec_.pack(piece));
  }
  return status_of(session_.write({insert_piece(upload, number, piece.size(), payload)}));
}

Result<SharedUpload> PostgresLog::find_upload(const Sha256& hash) {
  Statement select{
      "SELECT how, file_bytes, count(*) FROM netml.uploads WHERE hash = $1"
      " GROUP BY how, file_bytes ORDER BY how, file_bytes"};
  select.parameters.add(std::span<const std::byte>(hash));
  NETML_TRY(const std::vector<Rows> answers, session_.read({std::move(select)}));
  const Rows& rows = answers.front();
  NETML_TRY_VOID(rows.expect({Type::integer, Type::integer, Type::integer}));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::uint64_t how = rows.count(row, 0);
    if (how > static_cast<std::uint64_t>(StoredAs::compressed))
      return fail(Errc::newer_version, "a file is stored in a way that this program does not know");
    const SharedUpload upload{hash, static_cast<StoredAs>(how), rows.count(row, 1)};
    if (rows.count(row, 2) == pieces_of(upload)) return upload;
  }
  return fail(Errc::not_found, "the database has no such stored file");
}

Result<std::vector<std::byte>> PostgresLog::get_upload(const SharedUpload& upload,
                                                       std::uint32_t number) {
  Statement select{
      "SELECT bytes, compressed, data FROM netml.uploads"
      " WHERE hash = $1 AND how = $2 AND file_bytes = $3 AND piece = $4",
      key_of(upload)};
  select.parameters.add(std::uint64_t{number});
  NETML_TRY(const std::vector<Rows> answers, session_.read({std::move(select)}));
  const Rows& rows = answers.front();
  NETML_TRY_VOID(rows.expect({Type::integer, Type::truth, Type::bytes}));
  if (rows.size() == 0)
    return fail(Errc::not_found, fmt::format("the database has no piece {} of that file", number));
  return codec_.unpack({rows.truth(0, 1), rows.bytes(0, 2)}, rows.count(0, 0));
}

}  // namespace netml::wal::postgres
