// All of polling that people and programs ask for: what the administration site, the control socket
// and the functional-test endpoints stand on (docs/requirements/polling-and-publishing.md,
// sections 5, 6, 9).
//
// Owner: the services of a node. Thread: any.
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "admin/base/page.hpp"
#include "admin/base/slots.hpp"
#include "admin/polling/poller.hpp"
#include "admin/polling/sources.hpp"

namespace netml::admin {

// A source with what polls found out about it.
struct SourceStatus {
  std::uint64_t number = 0;
  std::shared_ptr<const engine::PollingSource> source;
  engine::PeerState peer;
  bool paused = false;  // it failed so often that the schedule leaves it out
};

// What a test of a connection found. `reason` is empty when it is good; otherwise as those of
// polls, or "xml" for an answer that is no map.
struct ConnectionReport {
  std::uint64_t source = 0;
  std::string name;
  bool good = false;
  std::string reason;
  std::optional<int> http_status;
  std::string message;
};

struct PollRecordView {
  std::uint64_t number = 0;
  engine::PollRecord record;
};
struct PollBatchView {
  std::uint64_t number = 0;
  engine::PollBatch batch;
  std::vector<PollRecordView> records;                      // in the order of work
  engine::PollStatus status = engine::PollStatus::pending;  // of them all
};

class Polling {
 public:
  static constexpr std::size_t kTestsAwaitedMax = 2;  // requests
  static constexpr std::size_t kPollsAwaitedMax = 2;
  static constexpr std::size_t kTestsAtOnce = 64;
  static constexpr std::size_t kTestsPerMinute = 10;
  static constexpr std::chrono::seconds kTestTime{10};  // for one; twice that where TLS hangs

  Polling(Node& node, const Sources& sources, Poller& poller)
      : node_(node), sources_(sources), poller_(poller) {}

  bool sandbox() const { return poller_.rules().sandbox; }

  std::vector<SourceStatus> list() const;
  // Errc::not_found for a name that no source has. A name given twice counts once.
  Result<std::vector<std::uint64_t>> numbers_of(const std::vector<std::string>& names) const;
  std::vector<std::uint64_t> active() const;

  // Nothing is stored and nothing is polled; takes some tens of seconds at most. `allowed` as in
  // PollOrder. Errc::denied in a sandbox; Errc::unavailable after too many tests in a minute (N9),
  // and while others wait for theirs.
  Result<std::vector<ConnectionReport>> test(const Caller& caller,
                                             const std::vector<std::uint64_t>& sources,
                                             const std::vector<net::IpNetwork>& allowed = {});

  // Active or not; none when there are none. Errors as Poller::start().
  Result<StartedPoll> collect(PollOrder order, const std::vector<std::uint64_t>& sources);
  // All that are active. A scheduled run leaves out those that failed of late, or are paused.
  // Nothing when none is left.
  Result<std::optional<StartedPoll>> collect_all(PollOrder order);

  // For a request that waits until a poll has ended, which takes a thread of the server that
  // answers sign-ins and uploads, too. Errc::unavailable when all places are taken.
  Result<std::shared_ptr<void>> place_for_poll();

  // The newest first.
  std::vector<PollBatchView> batches(const Page& page = {}) const;
  // Errc::not_found.
  Result<PollBatchView> batch(std::uint64_t number) const;
  // Of a batch of that catalog, with what is known of the run that goes on.
  PollBatchView view(const engine::Catalog& catalog, std::uint64_t batch,
                     const engine::PollBatch& stored) const;

 private:
  ConnectionReport test_one(std::uint64_t number, const engine::PollingSource& source,
                            const std::vector<net::IpNetwork>& allowed) const;
  bool may_test_now();

  Node& node_;
  const Sources& sources_;
  Poller& poller_;
  Slots test_places_{kTestsAwaitedMax};
  Slots poll_places_{kPollsAwaitedMax};
  std::mutex mutex_;
  std::deque<std::chrono::nanoseconds> tests_;  // when, of the last minute; guarded by mutex_
};

}  // namespace netml::admin
