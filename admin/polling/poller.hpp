// Collects the maps of peers (docs/requirements/polling-and-publishing.md, sections 4 to 6 and 15):
// fetches several at once and imports one after another, in the order of the sources. One that
// fails stops no other, and one that is slow delays none.
//
// A run over sources is a batch. The catalog has it, with a record for each source, from its start
// to its end; what a record goes through in between is reported by now() alone. Batches wait for
// one another. However a batch ends, its records are final then; one that a crash left open is
// closed at the next start.
//
// Owner: the services of a node. Thread: any, except stop().
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "admin/base/limits.hpp"
#include "admin/imports/intake.hpp"
#include "admin/polling/sources.hpp"
#include "engine/base/parallel.hpp"
#include "engine/base/work_now.hpp"
#include "net/client/outgoing.hpp"

namespace netml::admin {

struct PollRules {
  net::OutgoingRules outgoing;
  net::ClientLimits limits = default_limits();
  bool may_skip_verification = false;  // of sources that ask for it: development mode
  bool sandbox = false;                // nothing is polled (N11)
  std::size_t fetches_at_once = 4;
  // They are imported in the order of the sources, but those that take longer are not waited for.
  std::chrono::milliseconds order_patience = std::chrono::seconds(10);
  // How often a peer is asked that cannot be reached, and the first pause, which then grows.
  std::size_t attempts_max = 3;
  std::chrono::milliseconds retry_after = std::chrono::seconds(1);

  static net::ClientLimits default_limits();
  static PollRules within(const cli::Limits& limits);
};

enum class PollEnd : std::uint8_t { imported, unchanged, failed };

struct PollReport {
  std::uint64_t source = 0;
  std::string name;
  PollEnd end = PollEnd::failed;
  std::string reason;  // of a failure, for programs (docs/polling.md)
  std::optional<int> http_status;
  std::string message;            // of a failure, at most 255 bytes
  ImportResult result;            // when imported
  std::uint64_t record = 0;       // of the import, done or aborted; 0 when there was none
  std::uint64_t poll_record = 0;  // in the catalog
};

struct PollOrder {
  Caller caller;
  bool scheduled = false;
  bool force = false;                        // also files that did not change
  std::vector<net::IpNetwork> allowed = {};  // internal networks that may be reached besides
  ReportWork report = {};                    // of sources that are done with, once it is its turn
};

struct StartedPoll {
  std::uint64_t batch = 0;
  std::shared_future<std::vector<PollReport>> reports;  // set when the batch has ended
};

class LivePolls;
class TakenMaps;

class Poller {
 public:
  static constexpr std::size_t kBatchesWaitingMax = 100;

  // All of them outlive it.
  Poller(Node& node, const Sources& sources, Intake& intake);
  ~Poller();
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  // For polls that begin from now on.
  void set_rules(PollRules rules) {
    const std::lock_guard lock(rules_mutex_);
    std::swap(rules_, rules);
  }
  PollRules rules() const {
    const std::lock_guard lock(rules_mutex_);
    return rules_;
  }

  // Whether this node polls at all now; another member of its cluster does otherwise, and nobody is
  // asked from here. Before the first poll; called by any thread. Without it the node always polls.
  void set_leads(std::function<bool()> leads) { leads_ = std::move(leads); }

  // Closes what a crash left open, once. Before the first poll; start() does it otherwise.
  Status close_open();

  // Returns when the batch is durable; the rest goes on in the background. Sources that are gone
  // are left out. Errc::denied in a sandbox; Errc::unavailable when too many batches wait.
  Result<StartedPoll> start(PollOrder order, const std::vector<std::uint64_t>& sources);

  // Whether a batch runs or waits.
  bool busy() const;
  // How many batches run or wait.
  std::size_t waiting() const;
  // A stored record with what is going on now.
  engine::PollRecord now(std::uint64_t number, const engine::PollRecord& stored) const;

  // Breaks off what is being fetched, and drops the batches that wait. Returns when an import in
  // hand is done.
  void stop();

 private:
  struct Waiting;
  Status close_open_now();
  void run();

  Node& node_;
  const Sources& sources_;
  Intake& intake_;
  mutable std::mutex rules_mutex_;
  PollRules rules_;  // guarded by rules_mutex_
  std::function<bool()> leads_ = [] { return true; };
  const std::unique_ptr<LivePolls> live_;
  const std::unique_ptr<TakenMaps> taken_;
  HelperThreads helpers_{1};  // for what changed at a peer
  std::stop_source stopping_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::unique_ptr<Waiting>> waiting_;  // guarded by mutex_; the first is in hand
  bool closed_open_ = false;                      // guarded by mutex_
  std::thread thread_;                            // started with the first batch; by mutex_
};

}  // namespace netml::admin
