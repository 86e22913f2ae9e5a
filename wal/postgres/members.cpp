#include "wal/postgres/detail/postgres_log.hpp"

namespace netml::wal::postgres {

Status PostgresLog::report(const Member& member) {
  if (!is_shared_name(member.name))
    return fail(Errc::invalid_input, "name", "must be a text of 1 to 200 bytes");
  Statement upsert{
      "INSERT INTO netml.members (name, address, lsn, chain, version, seen)"
      " VALUES ($1, $2, $3, $4, $5, clock_timestamp())"
      " ON CONFLICT (name) DO UPDATE SET address = excluded.address, lsn = excluded.lsn,"
      " chain = excluded.chain, version = excluded.version, seen = excluded.seen"};
  upsert.parameters.add(std::string_view(member.name)).add(std::string_view(member.address));
  upsert.parameters.add(member.applied.lsn.value);
  upsert.parameters.add(std::span<const std::byte>(member.applied.chain));
  upsert.parameters.add(std::string_view(member.version));
  return status_of(session_.write({std::move(upsert)}));
}

Result<std::vector<Member>> PostgresLog::members() {
  NETML_TRY(const std::vector<Rows> answers,
            session_.read({{"SELECT name, address, lsn, chain, version,"
                            " (extract(epoch FROM clock_timestamp() - seen) * 1000000)::bigint"
                            " FROM netml.members ORDER BY name"}}));
  const Rows& rows = answers.front();
  NETML_TRY_VOID(
      rows.expect({Type::text, Type::text, Type::integer, Type::bytes, Type::text, Type::integer}));
  std::vector<Member> members;
  members.reserve(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    Member member;
    member.name = rows.text(row, 0);
    member.address = rows.text(row, 1);
    member.applied.lsn = Lsn{rows.count(row, 2)};
    NETML_TRY(member.applied.chain, rows.array<32>(row, 3));
    member.version = rows.text(row, 4);
    member.seen_ago = std::chrono::microseconds(rows.integer(row, 5));
    members.push_back(std::move(member));
  }
  return members;
}

Status PostgresLog::remove_member(std::string_view name) {
  if (!is_shared_name(name)) return {};  // so it is not there
  Statement remove{"DELETE FROM netml.members WHERE name = $1"};
  remove.parameters.add(name);
  return status_of(session_.write({std::move(remove)}));
}

// No more at once than the server removes within the time that a statement has.
Result<bool> PostgresLog::forget(Lsn upto, std::chrono::nanoseconds age) {
  constexpr std::uint64_t kBytesAtOnce = 64 << 20;
  Statement forget{"SELECT netml.forget($1, $2, $3)"};
  forget.parameters.add(upto.value).add(microseconds(age)).add(kBytesAtOnce);
  const Written written = session_.write({std::move(forget)});
  NETML_TRY_VOID(status_of(written));
  NETML_TRY_VOID(written.rows.front().expect({Type::truth}));
  return written.rows.front().truth(0, 0);
}

}  // namespace netml::wal::postgres
