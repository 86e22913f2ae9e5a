// One batch of a poll while it runs: workers fetch ahead of the thread that imports in order.
//
// Thread: run() is called once; LivePolls is anybody's.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

#include "admin/polling/detail/peer_fetch.hpp"
#include "admin/polling/detail/taken_maps.hpp"
#include "admin/polling/poller.hpp"
#include "engine/base/parallel.hpp"

namespace netml::admin {

// What records of running polls say while the catalog does not know it yet. Thread: any.
class LivePolls {
 public:
  void set(std::uint64_t record, engine::PollRecord value) {
    const std::lock_guard lock(mutex_);
    records_[record] = std::move(value);
  }
  void forget(std::uint64_t record) {
    const std::lock_guard lock(mutex_);
    records_.erase(record);
  }
  std::optional<engine::PollRecord> find(std::uint64_t record) const {
    const std::lock_guard lock(mutex_);
    const auto found = records_.find(record);
    return found == records_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::uint64_t, engine::PollRecord> records_;  // guarded by mutex_
};

// A source as it was when the batch began, and its record.
struct ChosenSource {
  std::uint64_t number = 0;
  std::uint64_t record = 0;
  std::shared_ptr<const engine::PollingSource> source;
};

class PollRun {
 public:
  PollRun(Node& node, const Sources& sources, Intake& intake, const PollRules& rules,
          LivePolls& live, TakenMaps& taken, Parallel& parallel, const PollOrder& order,
          std::uint64_t batch, std::vector<ChosenSource> chosen, std::function<bool()> leads,
          std::stop_token stop);

  // One report for each source that was dealt with: all of them, unless the batch was stopped or
  // deleted, or another member leads. The records of the others are final, too.
  std::vector<PollReport> run();

 private:
  using FetchResult = tl::expected<Fetched, FetchFailure>;
  class EndOfThreads;

  // Sources are named by their place in the batch.
  void work();
  void watch();
  std::optional<std::size_t> ready_now() const;  // with mutex_ held
  std::size_t next_fetched();
  void note_fetched(std::size_t index, FetchResult result);
  FetchResult fetch(std::size_t index);
  FetchResult fetch_if_possible(std::size_t index);
  ImportRequest request_for(const ChosenSource& chosen) const;
  PeerMemory memory_of(const ChosenSource& chosen) const;
  Result<MadeWhole> made_whole(const ChosenSource& chosen, const PeerMemory& memory,
                               std::string_view delta) const;

  PollReport finish(std::size_t index, FetchResult fetched);
  void count(const PollReport& report) const;
  void tell_delta(const std::string& name, const Fetched& fetched) const;
  void tell_failure(const PollReport& report, std::chrono::nanoseconds took) const;
  void end_unfetched(const ChosenSource& chosen, const FetchFailure& failure,
                     engine::PollRecord record, PollReport& report);
  bool still_stands(const ChosenSource& chosen, const PeerMemory& memory) const;
  bool is_known(const ChosenSource& chosen, Fetched& fetched) const;
  ImportOutcome imported(const ChosenSource& chosen, Fetched& fetched, const AlsoChange& learn);
  void import(const ChosenSource& chosen, Fetched& fetched, engine::PollRecord record,
              PollReport& report);
  // The record is final with these; in one transaction with what is known of the peer.
  void note(const ChosenSource& chosen, const engine::PollRecord& record,
            const std::function<void(engine::PeerState&, Instant now)>& learn);
  engine::PeerState peer_in(const engine::State& state, const ChosenSource& chosen) const;
  void learn_failure(engine::PeerState& peer, Instant now) const;
  void finish_batch();
  void tell(std::size_t done) const;

  void cancel();
  bool cancelled() const;
  void end_if_cancelled();
  Change change(const engine::PollingSource* source) const;
  std::uint64_t milliseconds_since(std::chrono::nanoseconds steady) const;

  Node& node_;
  const Sources& sources_;
  Intake& intake_;
  const PollRules poll_rules_;
  LivePolls& live_;
  TakenMaps& taken_maps_;
  Parallel& parallel_;
  const PollOrder order_;
  const std::uint64_t batch_;
  const std::vector<ChosenSource> chosen_;
  const std::function<bool()> leads_;
  const std::stop_token node_stops_;
  const std::chrono::nanoseconds began_;
  net::OutgoingRules outgoing_;
  std::stop_source stop_;                // of the batch
  std::vector<std::stop_source> stops_;  // of each source's exchange

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::optional<FetchResult>> fetched_;  // guarded by mutex_, as are the following
  std::vector<std::optional<std::chrono::nanoseconds>> begun_;  // when it was begun to fetch
  std::vector<bool> done_;                                      // imported, or in hand
  std::size_t taken_ = 0;                                       // how many of these
  std::size_t next_ = 0;                                        // to be fetched
  bool ended_ = false;

  std::stop_callback<std::function<void()>> passed_on_;  // the last: it uses the others
};

}  // namespace netml::admin
