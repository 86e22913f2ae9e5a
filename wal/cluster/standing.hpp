// What a member is at the moment: its role and why, what it has seen of the shared log, and the
// events for whoever acts by them. All parts of a member write to it and read from it.
// Thread: any (locks).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/time.hpp"
#include "wal/shared/shared_log.hpp"

namespace netml::wal {

enum class Role : std::uint8_t {
  starting,  // not begun, or the shared log has not been reached yet
  follower,  // reads what another member writes, or waits for the lease to be free
  leader,    // holds the lease and takes writes
  stopped,   // for good: stop(), a fork, another cluster, a newer format; `reason` says which
};
const char* to_string(Role role);  // "starting", "follower", "leader", "stopped"

struct MembershipOptions {
  std::string name;     // 1 to 180 bytes without '#'; unique in the cluster
  std::string address;  // where the others and their clients reach it: "https://alpha.example:8443"
  std::string version;  // of the program
  std::chrono::nanoseconds lease = std::chrono::seconds(3);  // renewed every third of it
  // Of the log, while nothing comes.
  std::chrono::nanoseconds poll = std::chrono::milliseconds(100);
  std::chrono::nanoseconds report = std::chrono::seconds(1);  // to `members`
  // Refuses writes while no second machine confirms.
  bool require_standby = true;
  // The leader removes from the shared log what is older and what every member has; 0: nothing.
  std::chrono::nanoseconds keep = std::chrono::days(7);
  // Whether this member ever takes the lease; false: it only follows.
  bool may_lead = true;
  // Both are called by the membership's own threads, one call at a time and in their order, and
  // must be brief: they must not call the membership, but may post to whoever does. The first
  // comes when writes are taken; the second before the first answer that refuses one, or just
  // after it, also while stopping. Polls, schedules and retention run between the two.
  std::function<void(Epoch)> became_leader = {};
  std::function<void(const std::string& reason)> ceased_to_lead = {};
};

struct MembershipStatus {
  Role role = Role::starting;
  std::string reason;  // why it does not lead, or stopped; empty where there is nothing to say
  Epoch epoch;         // the newest that it has seen
  Head shared;         // of the shared log, as last seen
  Head own;            // durable in the own journal, and shown
  // Transactions that the shared log has and this one does not, as last seen.
  std::uint64_t behind = 0;
  // Since the own state was last known to be the newest: 0 for a leader under its lease.
  std::chrono::nanoseconds lag{};
  bool reached = false;        // whether the last question to the shared log was answered
  bool synchronous = false;    // whether a second machine confirms, as last seen
  std::string leader;          // its name; empty: nobody holds the lease
  std::string leader_address;  // empty while it is not known
  std::string last_error;      // of the shared log or of following; empty: the last call did
  std::chrono::nanoseconds lease_left{};  // of the leader, by the own clock; 0: run out
};

// Became leader (under `epoch`), or ceased.
struct RoleEvent {
  bool leads = false;
  Epoch epoch;
  std::string reason;
};

class Standing {
 public:
  explicit Standing(const Clock& clock) : clock_(clock) {}

  Role role() const;
  // Only a starting or following member takes writes from here on.
  void lead(Epoch epoch);
  // Nothing where it does not lead.
  void cease(const std::string& reason);
  // For good.
  void stop(const std::string& reason);
  void follow();  // from `starting`

  // What the shared log said, asked at `asked`.
  void note(const SharedHead& found, std::chrono::nanoseconds asked);
  // The own journal holds all that the shared log had at `asked`.
  void note_newest(std::chrono::nanoseconds asked);
  void note_own(const Head& own);
  // A group of the shared log that the own journal has, or has next: heads that answers name.
  void note_group(const Head& after);
  // The hash there, if it is one of the newest of them.
  std::optional<Sha256> hash_at(Lsn lsn) const;
  void note_address(const std::string& leader, const std::string& address);
  void note_error(const Error& error);
  void note_success();

  SharedHead seen() const;
  // Errc::unavailable, unless it leads and, where that is required, a second machine confirms.
  Status may_write(bool require_standby) const;
  // Without `own`, `behind` and `lease_left`; `lag` as that of a follower.
  MembershipStatus status() const;
  // Those since the last call, in their order.
  std::vector<RoleEvent> take_events();

 private:
  const Clock& clock_;
  mutable std::mutex mutex_;
  Role role_ = Role::starting;
  std::string reason_;
  bool reached_ = false;
  SharedHead seen_;
  std::chrono::nanoseconds seen_at_{};
  std::chrono::nanoseconds newest_at_{};
  Epoch epoch_;
  std::string address_of_;
  std::string address_;
  std::string last_error_;
  std::vector<RoleEvent> events_;
  std::map<Lsn, Sha256> groups_;
};

// The name of the member in that of a holder: "alpha" of "alpha#8c2b0a3e".
std::string name_of_holder(const std::string& holder);

}  // namespace netml::wal
