// One connection to a server: statements are sent one behind the other without waiting, and every
// wait ends.
//
// Errors say neither password nor connection string; host, port and role may be in them. Once a
// call has failed the connection is of no more use.
//
// Looking up the name of a host is libpq's, and is not bounded by the time-outs.
// Thread: its owner.
#pragma once

#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/base/time.hpp"
#include "wal/postgres/detail/values.hpp"
#include "wal/shared/shared_engine.hpp"

struct pg_conn;

namespace netml::wal::postgres {

struct SqlError {
  std::string state;    // SQLSTATE, five characters
  std::string message;  // without what was sent
};

struct Answers {
  std::vector<Rows> rows;                // of each statement, up to the one that failed
  std::optional<SqlError> error = {};    // of that one; the server did none of those behind it
  std::optional<SqlError> warning = {};  // the first that came
};

class Connection {
 public:
  // To the first host of the connection string that takes writes. Each has an equal part of the
  // time, so one that is gone does not use up that of the others.
  // Errc::invalid_input when the string cannot be read, denied, unavailable.
  static Result<std::unique_ptr<Connection>> open(const SharedEngineSettings& settings);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  // Whether it has not been cut, as far as can be seen without asking the server.
  bool alive();
  // Sent with what is queued behind it, at the latest by flush() or finish(). The server plans each
  // text once for the connection: values belong into the parameters.
  Status queue(const Statement& statement);
  // Returns when all that was queued is with the operating system.
  Status flush();
  // Waits for the answers to all that was queued since the last time. What is still to be sent
  // goes out in one piece when it is small, so a process that is stopped then has sent all or
  // nothing of it. Errc::unavailable: cut, or silent for too long.
  Result<Answers> finish();
  // Whether a notification came, before now or by `at_most` from now.
  Result<bool> notified(std::chrono::nanoseconds at_most);
  // As a name in a statement.
  Result<std::string> quoted(std::string_view name) const;

 private:
  struct Close {
    void operator()(pg_conn* connection) const;
  };
  using Handle = std::unique_ptr<pg_conn, Close>;
  struct Place;

  Connection(Handle handle, const Clock& clock, std::chrono::nanoseconds answer_time);
  static Result<std::vector<Place>> places_of(const std::string& connection);
  static Result<Handle> connect(const SharedEngineSettings& settings, const Place& place,
                                std::chrono::nanoseconds at_most);
  static void notice(void* self, const struct pg_result* notice);

  struct Prepared {
    std::string name;
    bool there = false;  // the server has said so
  };

  Error lost(std::string_view doing) const;
  Result<const Prepared*> prepared(const std::string& sql, const std::vector<unsigned>& types);
  Status wait(short events);
  Status take_input();
  // Null between the results of two statements.
  Result<pg_result*> next_result();

  const Handle handle_;
  const Clock& clock_;
  const std::chrono::nanoseconds answer_time_;
  std::map<std::string, Prepared> prepared_;  // by their text
  std::size_t names_given_ = 0;
  // Of what an answer is still to come to: the statement that is prepared, null where one is done.
  std::vector<Prepared*> queued_;
  // Filled by libpq's code, which no exception may pass: hence no memory of its own.
  bool warned_ = false;
  std::array<char, 6> warning_state_{};
  std::array<char, 200> warning_text_{};
};

}  // namespace netml::wal::postgres
