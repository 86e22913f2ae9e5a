#include "wal/postgres/detail/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "wal/postgres/detail/schema.hpp"

namespace netml::wal::postgres {

namespace {

// What a session is, whatever server and role have as defaults. A WARNING is what tells that a
// confirmation was cancelled. What of a client remains that stopped or is gone must not hold the
// rows of the log: a transaction that waits for its client ends, and a dead connection is noticed.
Statement settings_of(std::chrono::nanoseconds answer_time) {
  const auto limit = std::chrono::ceil<std::chrono::milliseconds>(answer_time).count();
  std::string sql = fmt::format(
      "SELECT set_config('synchronous_commit', 'on', false),"
      " set_config('client_min_messages', 'warning', false),"
      " set_config('search_path', 'pg_catalog', false),"
      " set_config('statement_timeout', '{0}ms', false),"
      " set_config('idle_in_transaction_session_timeout', '{0}ms', false),"
      " set_config('tcp_keepalives_idle', '5', false),"
      " set_config('tcp_keepalives_interval', '2', false),"
      " set_config('tcp_keepalives_count', '3', false)",
      limit);
  return {std::move(sql)};
}

constexpr const char* kBegin = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";
// Writes, so that the transaction waits for the standby, and tells whether there is one to wait
// for.
constexpr const char* kMark =
    "SELECT current_setting('synchronous_standby_names') <> ''"
    " FROM pg_logical_emit_message(true, 'netml', '')";
// Behind COMMIT: whether it still waits for one. The server reads its settings before it ends the
// waits that these make needless, so a wait that ended so is seen here.
constexpr const char* kStill =
    "SELECT NOT pg_is_in_recovery(), current_setting('synchronous_standby_names') <> ''";

Errc code_of(std::string_view state) {
  if (state == "42501" || state.starts_with("28")) return Errc::denied;
  if (state == "42P01" || state == "3F000" || state == "42883") return Errc::not_found;
  if (state == "XX001" || state == "XX002") return Errc::corruption;
  return Errc::unavailable;
}

Error error_of(const SqlError& error) {
  const Errc code = code_of(error.state);
  if (code == Errc::not_found)
    return {code, fmt::format("the database has no log of a cluster, or not all of it ({})",
                              error.message)};
  return {code, fmt::format("the database: {} ({})", error.message, error.state)};
}

}  // namespace

Statement read_state() {
  constexpr const char* kSql =
      "SELECT cluster, begins, lsn, chain, epoch, holder, left_us, synchronous FROM netml.state";
  return {kSql};
}

Result<State> state_in(const Rows& rows) {
  NETML_TRY_VOID(rows.expect({Type::bytes, Type::integer, Type::integer, Type::bytes, Type::integer,
                              Type::text, Type::integer, Type::truth}));
  if (rows.size() != 1) return fail(Errc::corruption, "the database has no head, or several");
  State state;
  SharedHead& shared = state.shared;
  NETML_TRY(shared.cluster.bytes, rows.array<16>(0, 0));
  state.begins = Lsn{rows.count(0, 1)};
  shared.head.lsn = Lsn{rows.count(0, 2)};
  NETML_TRY(shared.head.chain, rows.array<32>(0, 3));
  shared.lease.epoch = Epoch{rows.count(0, 4)};
  shared.lease.holder = rows.text(0, 5);
  shared.lease.left = std::chrono::microseconds(rows.integer(0, 6));
  shared.synchronous = rows.truth(0, 7);
  return state;
}

Status status_of(const Written& written) {
  if (written.fate == Fate::confirmed) return {};
  return tl::unexpected<Error>(written.error);
}

// ---- connecting ----

Status Session::connect() {
  if (connection_ != nullptr && !connection_->alive()) drop();
  if (connection_ != nullptr) return {};
  NETML_TRY(connection_, Connection::open(settings_));
  const auto set = ask({settings_of(settings_.answer_time)});
  Status usable = set ? Status{} : Status(tl::unexpected<Error>(set.error()));
  if (set && set->error) usable = tl::unexpected<Error>(error_of(*set->error));
  if (usable && check_ == Check::log) usable = check_log();
  if (!usable) drop();
  return usable;
}

Status Session::check_log() {
  NETML_TRY(const Answers answers, ask({{"SELECT schema_version, cluster FROM netml.head"}}));
  if (answers.error) return tl::unexpected<Error>(error_of(*answers.error));
  const Rows& rows = answers.rows.front();
  NETML_TRY_VOID(rows.expect({Type::integer, Type::bytes}));
  if (rows.size() != 1) return fail(Errc::corruption, "the database has no head, or several");
  const std::int64_t version = rows.integer(0, 0);
  if (version > kSchemaVersion)
    return fail(Errc::newer_version,
                fmt::format("the log in the database has schema version {}, this program knows {}",
                            version, kSchemaVersion));
  if (version < kSchemaVersion)
    return fail(Errc::corruption, fmt::format("there is no schema version {}", version));
  NETML_TRY(const auto cluster, rows.array<16>(0, 1));
  if (settings_.cluster && settings_.cluster->bytes != cluster)
    return fail(Errc::conflict,
                fmt::format("the log in the database is of cluster {}, not of {}",
                            to_string(NodeUuid{cluster}), to_string(*settings_.cluster)));
  return {};
}

void Session::drop() {
  connection_.reset();
  begun_ = false;
  listens_ = false;
  seen_.reset();
  confirmed_.reset();
}

Result<std::string> Session::quoted(std::string_view name) {
  NETML_TRY_VOID(connect());
  return connection_->quoted(name);
}

// ---- transactions ----

Result<Answers> Session::ask(const std::vector<Statement>& statements) {
  for (const Statement& each : statements) NETML_TRY_VOID(connection_->queue(each));
  return connection_->finish();
}

Result<std::vector<Rows>> Session::read(const std::vector<Statement>& statements) {
  NETML_TRY_VOID(connect());
  std::vector<Statement> all{{"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"}};
  all.insert(all.end(), statements.begin(), statements.end());
  all.push_back({"COMMIT"});
  Result<Answers> answers = ask(all);
  if (!answers || answers->error) drop();  // rather than leave a transaction open
  if (!answers) return tl::unexpected<Error>(std::move(answers).error());
  if (answers->error) return tl::unexpected<Error>(error_of(*answers->error));
  std::vector<Rows>& rows = answers->rows;
  rows.pop_back();
  rows.erase(rows.begin());
  return std::move(rows);
}

Status Session::begin() {
  NETML_TRY_VOID(connect());
  begun_ = true;
  return send({kBegin});
}

// It goes out with what follows.
Status Session::queue_begin() {
  Status queued = connection_->queue({kBegin});
  if (!queued) drop();
  return queued;
}

Status Session::send(const Statement& statement) {
  Status sent = connection_->queue(statement);
  if (sent) sent = connection_->flush();
  if (!sent) drop();
  return sent;
}

Written Session::write(const std::vector<Statement>& statements) {
  if (!begun_) {
    if (Status connected = connect(); !connected)
      return {Fate::undone, {}, std::move(connected).error()};
    if (Status queued = queue_begin(); !queued)
      return {Fate::undone, {}, std::move(queued).error()};
  }
  begun_ = false;
  return commit(statements);
}

// The last statements and COMMIT go out together, so no transaction that holds the row of the head
// waits for this process.
Written Session::commit(const std::vector<Statement>& statements) {
  std::vector<Statement> all = statements;
  all.insert(all.end(), {{kMark}, {"COMMIT"}, {kStill}});
  Result<Answers> answers = ask(all);
  if (!answers) {
    drop();
    return {Fate::in_doubt, {}, std::move(answers).error()};
  }
  Written written = outcome(std::move(*answers), statements.size());
  if (written.fate == Fate::undone) drop();
  return written;
}

// Of the answers, the last are those to kMark, COMMIT and kStill; before the `given` statements
// come BEGIN and what was sent in steps.
Written Session::outcome(Answers answers, std::size_t given) {
  std::vector<Rows>& rows = answers.rows;
  constexpr std::size_t kBehind = 3;
  const bool ended =
      std::ranges::any_of(rows, [](const Rows& each) { return each.command() == "COMMIT"; });
  if (answers.error) {
    Written written{ended ? Fate::in_doubt : Fate::undone, {}, error_of(*answers.error)};
    written.state = answers.error->state;
    return written;
  }
  if (!ended || rows.size() < given + kBehind)
    return {Fate::in_doubt, {}, {Errc::unavailable, "the database did not commit"}};
  if (answers.warning)
    return {Fate::in_doubt, {}, {Errc::unavailable, "not confirmed: " + answers.warning->message}};
  const Rows& mark = rows[rows.size() - kBehind];
  const Rows& still = rows.back();
  if (!mark.expect({Type::truth}) || !still.expect({Type::truth, Type::truth}))
    return {Fate::in_doubt, {}, {Errc::corruption, "the database answers with other columns"}};
  if (!still.truth(0, 0) || (mark.truth(0, 0) && !still.truth(0, 1)))
    return {Fate::in_doubt,
            {},
            {Errc::unavailable, "not confirmed: the database stopped waiting for a standby"}};
  const auto last = rows.end() - kBehind;
  std::vector<Rows> result(std::make_move_iterator(last - static_cast<std::ptrdiff_t>(given)),
                           std::make_move_iterator(last));
  return {Fate::confirmed, std::move(result)};
}

Status Session::confirm(const State& state) {
  const auto same = [&](const SharedHead& known) {
    return known.head == state.shared.head && known.lease.epoch == state.shared.lease.epoch &&
           known.lease.holder == state.shared.lease.holder;
  };
  if (confirmed_ && same(*confirmed_)) return {};
  // By the connection that has read it: another may lead to another server, which lacks it.
  if (connection_ == nullptr) return fail(Errc::unavailable, "the connection was lost");
  NETML_TRY_VOID(queue_begin());
  NETML_TRY_VOID(status_of(commit({})));
  confirmed(state);
  return {};
}

// ---- notifications ----

Status Session::listen() {
  NETML_TRY_VOID(connect());
  if (listens_) return {};
  Result<Answers> answers = ask({{"LISTEN netml"}});
  if (!answers) {
    drop();
    return tl::unexpected<Error>(std::move(answers).error());
  }
  if (answers->error) return tl::unexpected<Error>(error_of(*answers->error));
  listens_ = true;
  return {};
}

Result<bool> Session::notified(std::chrono::nanoseconds at_most) {
  Result<bool> came = connection_->notified(at_most);
  if (!came) drop();
  if (came && *came) seen_.reset();
  return came;
}

}  // namespace netml::wal::postgres
