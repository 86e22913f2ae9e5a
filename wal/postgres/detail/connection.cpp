#include "wal/postgres/detail/connection.hpp"

#include <fmt/format.h>
#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <utility>

#include "engine/base/guarded.hpp"

namespace netml::wal::postgres {

using std::chrono::nanoseconds;

namespace {

std::string_view first_line(const char* text) {
  const std::string_view all = text == nullptr ? "" : text;
  return all.substr(0, all.find('\n'));
}

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t comma = list.find(',');
    parts.emplace_back(list.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    list.remove_prefix(comma + 1);
  }
}

// Whether the descriptor is ready before `until`. An interrupted wait goes on.
Result<bool> ready(int descriptor, short events, const Clock& clock, nanoseconds until) {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - clock.steady()).count();
    const int at_most = static_cast<int>(std::clamp<std::int64_t>(left, 0, INT_MAX));
    pollfd wanted{descriptor, events, 0};
    const int count = ::poll(&wanted, 1, at_most);
    if (count > 0) return true;
    if (count < 0 && errno != EINTR)
      return fail(Errc::unavailable, fmt::format("cannot wait: {}", error_text(errno)));
    if (count == 0 && left <= INT_MAX) return false;
  }
}

// What a server answers that does not let us in; the text before it may be in any language.
bool is_denied(std::string_view message) {
  return std::ranges::any_of(std::array{"28P01", "28000", "42501"}, [&](const char* state) {
    return message.find(fmt::format(":  {}: ", state)) != std::string_view::npos;
  });
}

}  // namespace

// ---- connecting ----

struct Connection::Place {
  std::string host;
  std::string address;
  std::string port;
};

void Connection::Close::operator()(pg_conn* connection) const {
  PQfinish(connection);
}

// Lists are taken apart here: libpq goes on to the next host by itself only where it does the
// waiting, too.
Result<std::vector<Connection::Place>> Connection::places_of(const std::string& connection) {
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> options(
      PQconninfoParse(connection.c_str(), nullptr), &PQconninfoFree);
  // What libpq says about it repeats a part of it.
  if (options == nullptr) return fail(Errc::invalid_input, "the connection string cannot be read");
  const auto value = [&](std::string_view name) -> std::string {
    for (const PQconninfoOption* each = options.get(); each->keyword != nullptr; ++each)
      if (name == each->keyword && each->val != nullptr) return each->val;
    return {};
  };
  const std::vector<std::string> hosts = split(value("host"));
  const std::vector<std::string> addresses = split(value("hostaddr"));
  const std::vector<std::string> ports = split(value("port"));
  const std::size_t count = std::max(hosts.size(), addresses.size());
  const auto fits = [&](const std::vector<std::string>& list) {
    return list.size() == count || list.size() == 1;
  };
  if (!fits(hosts) || !fits(addresses) || !fits(ports))
    return fail(Errc::invalid_input, "the connection string has other numbers of hosts and ports");
  const auto of = [](const std::vector<std::string>& list, std::size_t i) {
    return list.size() == 1 ? list.front() : list[i];
  };
  std::vector<Place> places;
  places.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    places.push_back({of(hosts, i), of(addresses, i), of(ports, i)});
  return places;
}

Result<Connection::Handle> Connection::connect(const SharedEngineSettings& settings,
                                               const Place& place, nanoseconds at_most) {
  // Before the string stands what it may say otherwise, behind it what it must not.
  std::vector<const char*> keys{"target_session_attrs", "fallback_application_name", "dbname",
                                "client_encoding"};
  std::vector<const char*> values{"read-write", "netml", settings.connection.c_str(), "UTF8"};
  for (const auto& [key, value] :
       {std::pair("host", &place.host), std::pair("hostaddr", &place.address),
        std::pair("port", &place.port)}) {
    if (value->empty()) continue;
    keys.push_back(key);
    values.push_back(value->c_str());
  }
  keys.push_back(nullptr);
  values.push_back(nullptr);
  Handle handle(PQconnectStartParams(keys.data(), values.data(), 1));
  check_allocated(handle != nullptr);
  PQsetNoticeReceiver(handle.get(), [](void*, const pg_result*) {}, nullptr);  // not to stderr
  PQsetErrorVerbosity(handle.get(), PQERRORS_VERBOSE);                         // says the SQLSTATE
  const nanoseconds until = settings.clock->steady() + at_most;
  PostgresPollingStatusType next = PGRES_POLLING_WRITING;
  while (PQstatus(handle.get()) != CONNECTION_BAD && next != PGRES_POLLING_OK) {
    const short events = next == PGRES_POLLING_READING ? POLLIN : POLLOUT;
    NETML_TRY(const bool now, ready(PQsocket(handle.get()), events, *settings.clock, until));
    if (!now) return fail(Errc::unavailable, "no connection to the database in time");
    next = PQconnectPoll(handle.get());
    if (next == PGRES_POLLING_FAILED) break;
  }
  if (PQstatus(handle.get()) == CONNECTION_OK) return handle;
  const std::string_view why = first_line(PQerrorMessage(handle.get()));
  return fail(is_denied(why) ? Errc::denied : Errc::unavailable,
              fmt::format("the database: {}", why));
}

Result<std::unique_ptr<Connection>> Connection::open(const SharedEngineSettings& settings) {
  NETML_TRY(const std::vector<Place> places, places_of(settings.connection));
  const nanoseconds until = settings.clock->steady() + settings.connect_time;
  Error last;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto rest = static_cast<std::int64_t>(places.size() - i);
    const nanoseconds part = (until - settings.clock->steady()) / rest;
    Result<Handle> handle = connect(settings, places[i], part);
    if (handle) {
      PQsetnonblocking(handle->get(), 1);
      PQenterPipelineMode(handle->get());
      PQsetErrorVerbosity(handle->get(), PQERRORS_DEFAULT);
      return std::unique_ptr<Connection>(
          new Connection(std::move(*handle), *settings.clock, settings.answer_time));
    }
    last = std::move(handle).error();
  }
  return tl::unexpected<Error>(std::move(last));
}

Connection::Connection(Handle handle, const Clock& clock, nanoseconds answer_time)
    : handle_(std::move(handle)), clock_(clock), answer_time_(answer_time) {
  PQsetNoticeReceiver(handle_.get(), &Connection::notice, this);
}

Connection::~Connection() = default;

// The level of a notice in English; the text is in the language of the server.
void Connection::notice(void* self, const pg_result* notice) {
  auto& connection = *static_cast<Connection*>(self);
  const char* const level = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
  if (level == nullptr || std::strcmp(level, "WARNING") != 0 || connection.warned_) return;
  connection.warned_ = true;
  const auto keep = [&](auto& out, int field) {
    const char* const text = PQresultErrorField(notice, field);
    if (text != nullptr) std::strncpy(out.data(), text, out.size() - 1);
  };
  keep(connection.warning_state_, PG_DIAG_SQLSTATE);
  keep(connection.warning_text_, PG_DIAG_MESSAGE_PRIMARY);
}

// ---- statements ----

Error Connection::lost(std::string_view doing) const {
  return {Errc::unavailable, fmt::format("the database, while {}: {}", doing,
                                         first_line(PQerrorMessage(handle_.get())))};
}

// Every movement begins the time anew: a large append may take long, silence may not.
Status Connection::wait(short events) {
  NETML_TRY(const bool now,
            ready(PQsocket(handle_.get()), events, clock_, clock_.steady() + answer_time_));
  if (!now) return fail(Errc::unavailable, "the database did not answer in time");
  return {};
}

Status Connection::take_input() {
  if (PQconsumeInput(handle_.get()) == 1) return {};
  return tl::unexpected<Error>(lost("reading"));
}

// What a server says last comes before the end, so all that is there is taken.
bool Connection::alive() {
  while (true) {
    const Result<bool> more = ready(PQsocket(handle_.get()), POLLIN, clock_, clock_.steady());
    if (!more || PQstatus(handle_.get()) != CONNECTION_OK) return false;
    if (!*more) return true;
    if (PQconsumeInput(handle_.get()) != 1) return false;
  }
}

// To plan a statement takes the server longer than to do it. No name is given twice: one whose
// answer was lost may be there.
Result<const Connection::Prepared*> Connection::prepared(const std::string& sql,
                                                         const std::vector<unsigned>& types) {
  const auto [entry, added] = prepared_.try_emplace(sql);
  Prepared& statement = entry->second;
  if (!added) return &statement;
  statement.name = fmt::format("netml_{}", ++names_given_);
  if (PQsendPrepare(handle_.get(), statement.name.c_str(), sql.c_str(),
                    static_cast<int>(types.size()), types.data()) == 0)
    return tl::unexpected<Error>(lost("sending"));
  queued_.push_back(&statement);
  return &statement;
}

Status Connection::queue(const Statement& statement) {
  const Parameters::Arrays given = statement.parameters.arrays();
  NETML_TRY(const Prepared* const prepared, prepared(statement.sql, given.types));
  constexpr int kBinaryResult = 1;
  if (PQsendQueryPrepared(handle_.get(), prepared->name.c_str(),
                          static_cast<int>(given.types.size()), given.values.data(),
                          given.sizes.data(), given.formats.data(), kBinaryResult) == 0)
    return tl::unexpected<Error>(lost("sending"));
  queued_.push_back(nullptr);
  return {};
}

// Answers are taken meanwhile: a server that cannot send does not read either.
Status Connection::flush() {
  while (true) {
    const int rest = PQflush(handle_.get());
    if (rest < 0) return tl::unexpected<Error>(lost("sending"));
    if (rest == 0) return {};
    NETML_TRY_VOID(wait(POLLIN | POLLOUT));
    NETML_TRY_VOID(take_input());
  }
}

Result<pg_result*> Connection::next_result() {
  while (PQisBusy(handle_.get()) == 1) {
    NETML_TRY_VOID(wait(POLLIN));
    NETML_TRY_VOID(take_input());
  }
  return PQgetResult(handle_.get());
}

Result<Answers> Connection::finish() {
  NETML_TRY_VOID(wait(POLLOUT));  // so there is room for all of what is small
  if (PQpipelineSync(handle_.get()) == 0) return tl::unexpected<Error>(lost("sending"));
  NETML_TRY_VOID(flush());
  Answers answers;
  // For each of what is queued one result and a null, then that of the end.
  for (std::size_t i = 0; i <= 2 * queued_.size(); ++i) {
    NETML_TRY(pg_result* const result, next_result());
    if (PQstatus(handle_.get()) == CONNECTION_BAD) {
      PQclear(result);
      return tl::unexpected<Error>(lost("waiting for an answer"));
    }
    if (result == nullptr) continue;
    Rows rows(result);
    switch (PQresultStatus(result)) {
      case PGRES_PIPELINE_SYNC:
        queued_.clear();
        std::erase_if(prepared_, [](const auto& entry) { return !entry.second.there; });
        if (std::exchange(warned_, false))
          answers.warning = {warning_state_.data(), warning_text_.data()};
        return answers;
      case PGRES_COMMAND_OK:
      case PGRES_TUPLES_OK:
        if (i / 2 < queued_.size() && queued_[i / 2] != nullptr)
          queued_[i / 2]->there = true;
        else
          answers.rows.push_back(std::move(rows));
        break;
      case PGRES_PIPELINE_ABORTED:
        break;
      default: {
        const char* const state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
        const char* const text = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
        if (!answers.error)
          answers.error = {state == nullptr ? "" : state, text == nullptr ? "" : text};
      }
    }
  }
  return fail(Errc::unavailable, "the database answers in another order");
}

Result<bool> Connection::notified(nanoseconds at_most) {
  const nanoseconds until = clock_.steady() + at_most;
  bool came = false;
  while (true) {
    NETML_TRY_VOID(take_input());
    while (PGnotify* const each = PQnotifies(handle_.get())) {
      PQfreemem(each);
      came = true;
    }
    if (came) return true;
    NETML_TRY(const bool now, ready(PQsocket(handle_.get()), POLLIN, clock_, until));
    if (!now) return false;
  }
}

Result<std::string> Connection::quoted(std::string_view name) const {
  const std::unique_ptr<char, decltype(&PQfreemem)> text(
      PQescapeIdentifier(handle_.get(), name.data(), name.size()), &PQfreemem);
  if (text == nullptr) return fail(Errc::invalid_input, "a name that the database cannot have");
  return std::string(text.get());
}

}  // namespace netml::wal::postgres
