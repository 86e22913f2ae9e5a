// A model of the database that holds the shared journal, for fault tests: a primary and a standby,
// and a network between them and the members that loses, cuts, delays and repeats calls as the test
// decides, or as a seed does. It keeps apart what the primary did and what the standby confirmed.
//
// Time is the test's clock: it goes on by a round trip with each call and by a time-out where the
// caller waits in vain. The engine's clock is the wall clock of it, which tests may move.
// Everything is deterministic: same calls, same seeds, same history.
//
// Thread: one.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/ports.hpp"
#include "wal/shared/shared_log.hpp"

namespace netml::testing {

// What becomes of one call.
enum class CallFate : std::uint8_t {
  arrives,
  lost,        // cut before it arrives; the caller waits in vain
  unanswered,  // done, and cut before the answer
  delayed,     // the caller waits in vain; it arrives later, behind calls that were made after it
  duplicated,  // answered, and arrives once more later
  cancelled,   // done on the primary, but the wait for the standby was cancelled
};
inline constexpr std::size_t kCallFates = 6;
std::string to_string(CallFate fate);

class SimSharedLog {
 public:
  struct Options {
    wal::NodeUuid cluster = {};
    wal::Head start = {};
    std::chrono::nanoseconds round_trip = std::chrono::milliseconds(1);
    std::chrono::nanoseconds time_out = std::chrono::seconds(2);
    std::chrono::nanoseconds delay_min = std::chrono::seconds(0);
    std::chrono::nanoseconds delay_max = std::chrono::seconds(10);
    std::uint64_t seed = 1;  // of the delays
  };
  // `clock` must outlive it.
  SimSharedLog(ManualClock& clock, const Options& options);
  SimSharedLog(const SimSharedLog&) = delete;
  SimSharedLog& operator=(const SimSharedLog&) = delete;

  // A member's connection; it must not outlive this.
  std::unique_ptr<wal::SharedLog> connect();

  // Asked before each call, with its number from 1 and its name, such as "append_if".
  using Decide = std::function<CallFate(std::uint64_t number, const std::string& call)>;
  void decide(Decide decide) { decide_ = std::move(decide); }

  enum class Standby : std::uint8_t {
    synchronous,  // confirms
    stalled,      // does not answer: writes wait in vain
    gone,         // nobody waits for it, and a fail-over loses what it does not have
  };
  void set_standby(Standby standby);
  // The standby takes the place of the primary, with what it has; what is on its way to the old one
  // is gone. Another standby takes its place.
  void fail_over();
  // All that is delayed arrives now, in the order in which it was to.
  void deliver_delayed();

  std::uint64_t calls() const { return calls_; }
  std::size_t delayed() const { return delayed_.size(); }
  // Whether a fail-over now would lose something.
  bool unconfirmed() const { return unconfirmed_; }

 private:
  friend class SimConnection;

  using Pieces = std::vector<std::vector<std::byte>>;
  struct Group {
    wal::Head before;
    wal::Head after;
    wal::Epoch epoch;
    std::shared_ptr<const Pieces> pieces;
    std::int64_t at = 0;  // microseconds, by the engine's clock
    std::vector<wal::SharedFile> files = {};
  };
  using UploadPieces = std::map<std::uint32_t, std::vector<std::byte>>;
  struct Upload {
    wal::SharedUpload upload;
    UploadPieces pieces;
  };
  struct MemberRow {
    wal::Member member;
    std::int64_t seen = 0;
  };
  // What one machine of the engine has.
  struct Data {
    wal::Head head;
    std::string holder;
    wal::Epoch epoch;
    std::int64_t until = 0;       // of the lease
    Lsn begins;                   // the first group comes behind this
    std::map<Lsn, Group> groups;  // by the LSN that the group is behind
    std::vector<Upload> uploads;
    std::map<std::string, MemberRow> members;
  };
  struct Delayed {
    std::chrono::nanoseconds due{};
    std::function<void()> act;
  };

  // What the network makes of a call. `act` does it on the primary; `in_doubt` is what a caller is
  // given that learns nothing.
  template <class Answer>
  Answer call(const std::string& name, const Answer& in_doubt, std::function<Answer()> act);
  CallFate begin_call(const std::string& name);
  void wait_in_vain() { clock_.advance(options_.time_out); }
  void delay(std::function<void()> act);
  void deliver(std::optional<std::chrono::nanoseconds> due);
  bool confirm();
  void changed() { unconfirmed_ = true; }

  std::int64_t now() const { return clock_.wall().microseconds; }
  wal::SharedHead stands() const;
  wal::Leased refuse_lease(std::string reason) const;
  bool holds(const std::string& holder, wal::Epoch epoch) const;

  // What the engine does.
  wal::Appended append(const Group& group);
  Result<std::vector<wal::SharedPiece>> read(const wal::ReadPlace& place,
                                             std::uint64_t bytes_max) const;
  wal::Leased take(const std::string& holder, wal::Epoch seen, std::chrono::nanoseconds length);
  wal::Leased renew(const std::string& holder, wal::Epoch epoch, std::chrono::nanoseconds length);
  wal::Leased release(const std::string& holder, wal::Epoch epoch);
  Status put(const wal::SharedUpload& upload, std::uint32_t number,
             const std::vector<std::byte>& piece);
  Result<wal::SharedUpload> find(const Sha256& hash) const;
  Result<std::vector<std::byte>> get(const wal::SharedUpload& upload, std::uint32_t number) const;
  Status report(const wal::Member& member);
  std::vector<wal::Member> members() const;
  Status remove(const std::string& name);
  Result<bool> forget(Lsn upto, std::chrono::nanoseconds age);

  ManualClock& clock_;
  const Options options_;
  std::mt19937_64 delays_;
  Decide decide_;
  std::uint64_t calls_ = 0;
  Data primary_;
  Data standby_data_;
  Standby standby_ = Standby::synchronous;
  bool unconfirmed_ = false;
  std::vector<Delayed> delayed_;
};

// Of a hundred calls, `percent` do not simply arrive; which, and what becomes of them, is up to the
// seed.
SimSharedLog::Decide random_fates(std::uint64_t seed, unsigned percent);

}  // namespace netml::testing
