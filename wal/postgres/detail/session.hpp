// What one call of the port is to the database: a transaction that only reads, or one that is
// confirmed. Connects when it must and checks what it has found there.
//
// What counts as confirmed. `synchronous_commit` is on, so a COMMIT is answered when the standby
// has flushed it, or when its wait was cancelled: then a WARNING comes before the answer, and it
// is in doubt. It is in doubt, too, where the server was set meanwhile to wait for nobody. Each
// confirmed transaction writes something, so what it has read is confirmed with it: on the way to
// the standby all that it could see comes before.
//
// Thread: its owner.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wal/postgres/detail/connection.hpp"
#include "wal/shared/shared_log.hpp"

namespace netml::wal::postgres {

// Where the log stands, as read: confirmed only when Session::confirm() says so.
struct State {
  SharedHead shared;
  Lsn begins;  // the first append that is there comes behind this
};
Statement read_state();
Result<State> state_in(const Rows& rows);

// What became of a transaction that writes.
enum class Fate : std::uint8_t {
  confirmed,
  undone,    // and never happens
  in_doubt,  // it may be there, or come, or not
};

struct Written {
  Fate fate = Fate::in_doubt;
  std::vector<Rows> rows;  // confirmed: of each statement
  Error error = {};        // undone, in doubt
  std::string state = {};  // undone: SQLSTATE
};
// Of a call that may simply be repeated.
Status status_of(const Written& written);

class Session {
 public:
  // With `check`, a connection is refused when the log there is none, of another version, or of
  // another cluster than the settings say.
  enum class Check : bool { nothing, log };
  Session(SharedEngineSettings settings, Check check)
      : settings_(std::move(settings)), check_(check) {}

  // Connects unless it is connected.
  Status connect();

  // All statements in one snapshot; Rows for each.
  Result<std::vector<Rows>> read(const std::vector<Statement>& statements);
  // In one transaction, that is confirmed.
  Written write(const std::vector<Statement>& statements);
  // The same in steps, for what is large: begin() and any number of send(), then write() with the
  // rest. After an error of a step nothing happened, and nothing will.
  Status begin();
  Status send(const Statement& statement);
  // Ends the connection: what was begun never happens, unless it was committed.
  void drop();

  // Errc::unavailable unless all that `state` shows is confirmed. Writes only when there is
  // something in it that this session has not confirmed before.
  Status confirm(const State& state);
  // It is: a confirmed transaction has read or made it.
  void confirmed(const State& state) { confirmed_ = state.shared; }
  // All but the head is as it was confirmed before, or it matches nothing.
  void confirmed(const Head& head) {
    if (confirmed_) confirmed_->head = head;
  }

  // Whether somebody notified on the channel of the log. Listens from the first call on.
  Result<bool> notified(std::chrono::nanoseconds at_most);
  Status listen();
  // Where the head was read to be, if whatever came behind it is still to notify.
  void saw(const State& state) {
    if (listens_) seen_ = state.shared.head.lsn;
  }
  std::optional<Lsn> seen() const { return seen_; }

  const SharedEngineSettings& settings() const { return settings_; }
  Result<std::string> quoted(std::string_view name);

 private:
  Result<Answers> ask(const std::vector<Statement>& statements);
  Status queue_begin();
  Written commit(const std::vector<Statement>& statements);
  Written outcome(Answers answers, std::size_t given);
  Status check_log();

  const SharedEngineSettings settings_;
  const Check check_;
  std::unique_ptr<Connection> connection_;
  bool begun_ = false;
  bool listens_ = false;
  std::optional<Lsn> seen_;              // since it listens, and since the last notification
  std::optional<SharedHead> confirmed_;  // by this connection
};

}  // namespace netml::wal::postgres
