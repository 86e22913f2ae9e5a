#include "admin/services/poller.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <thread>

#include "admin/services/source_address.hpp"
#include "admin/src/peer_fetch.hpp"
#include "engine/plan_edit.hpp"

namespace netml::admin {

namespace {

constexpr std::uint64_t kRefusalBytesMax = 64 << 10;

using FetchResult = tl::expected<Fetched, FetchFailure>;
using SourcePtr = std::shared_ptr<const engine::PollingSource>;

struct Chosen {
  std::uint64_t number = 0;
  SourcePtr source;
};

Result<std::vector<Chosen>> choose(const engine::Catalog& catalog,
                                   const std::vector<std::string>& names) {
  std::vector<Chosen> chosen;
  for (const std::string& name : names) {
    const std::uint64_t number = find_source(catalog, name);
    if (number == 0) return fail(Errc::not_found, fmt::format("there is no source \"{}\"", name));
    if (std::ranges::find(chosen, number, &Chosen::number) == chosen.end())
      chosen.push_back({number, catalog.sources.find(number)});
  }
  if (!names.empty()) return chosen;
  catalog.sources.for_each([&](std::uint64_t number, const engine::PollingSource& source) {
    if (source.active) chosen.push_back({number, catalog.sources.find(number)});
  });
  return chosen;
}

}  // namespace

net::ClientLimits PollRules::default_limits() {
  net::ClientLimits limits;
  limits.refusal_bytes_max = kRefusalBytesMax;
  return limits;
}

// One poll: workers fetch ahead of the caller's thread, which imports in order.
class Poller::Run {
 public:
  Run(Poller& poller, Caller caller, const std::vector<net::IpNetwork>& allowed,
      std::vector<Chosen> chosen)
      : poller_(poller),
        node_(poller.node_),
        caller_(std::move(caller)),
        rules_(poller.rules_.outgoing),
        chosen_(std::move(chosen)),
        fetched_(chosen_.size()) {
    rules_.allowed.insert(rules_.allowed.end(), allowed.begin(), allowed.end());
  }

  std::vector<PollReport> run() {
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < std::min(kFetchesAtOnce, chosen_.size()); ++i)
      workers.emplace_back([this] { work(); });
    std::vector<PollReport> reports;
    for (std::size_t i = 0; i < chosen_.size(); ++i) reports.push_back(finish(chosen_[i], wait(i)));
    return reports;
  }

 private:
  // No worker is further ahead than there are workers, so few files wait in memory.
  void work() {
    while (true) {
      std::size_t mine = 0;
      {
        std::unique_lock lock(mutex_);
        if (next_ == chosen_.size()) return;
        mine = next_++;
        changed_.wait(lock, [&] { return mine < imported_ + kFetchesAtOnce; });
      }
      FetchResult result = fetch(chosen_[mine]);
      const std::lock_guard lock(mutex_);
      fetched_[mine] = std::move(result);
      changed_.notify_all();
    }
  }
  FetchResult wait(std::size_t index) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return fetched_[index].has_value(); });
    imported_ = index + 1;
    changed_.notify_all();
    return *std::move(fetched_[index]);
  }

  FetchResult fetch(const Chosen& chosen) {
    const engine::PollingSource& source = *chosen.source;
    FetchOrder order;
    order.peer = {.host = source.hostname,
                  .port = source.port,
                  .tls = source.protocol == engine::Protocol::https,
                  .verified = !(source.unverified && poller_.rules_.may_skip_verification),
                  .ca_certificates = source.ca_certificates};
    order.path = source.path;
    auto token = poller_.sources_.token(source);
    if (!token) return tl::unexpected(FetchFailure{"local", token.error().message, {}});
    order.token = std::move(*token);
    order.memory = memory_of(chosen);
    order.rules = rules_;
    order.limits = poller_.rules_.limits;
    order.begin_import = [this, &source] { return ImportJob::begin(node_, request_for(source)); };
    return fetch_from_peer(order, node_.clock());
  }
  ImportRequest request_for(const engine::PollingSource& source) const {
    ImportRequest request;
    request.caller = caller_;
    request.caller.source = base_url(source);
    request.source = engine::ImportSource::poll;
    request.file_name = source.name + " poll";
    return request;
  }

  PollReport finish(const Chosen& chosen, FetchResult fetched) {
    PollReport report;
    report.source = chosen.number;
    report.name = chosen.source->name;
    if (!fetched) {
      note_failure(chosen, fetched.error(), report);
    } else if (!fetched->job) {
      report.end = PollEnd::unchanged;
    } else {
      import(*fetched->job, report);
    }
    if (report.end == PollEnd::failed)
      node_.events().warning(
          "poll_failed", fmt::format("{}: {} ({})", report.name, report.message, report.reason));
    else
      remember(chosen, fetched->memory);
    return report;
  }

  static void import(ImportJob& job, PollReport& report) {
    ImportOutcome outcome = job.commit();
    if (outcome) {
      report.end = PollEnd::imported;
      report.result = std::move(*outcome);
      report.record = report.result.record;
      return;
    }
    report.reason = "import";
    report.record = outcome.error().record;
    std::string text = outcome.error().error.message;
    if (!outcome.error().errors.first.empty())
      text += "; first: " + outcome.error().errors.first.front().message;
    report.message = cut_message("Import aborted: " + text);
  }

  // A record of a failed poll stands beside those of failed imports.
  void note_failure(const Chosen& chosen, const FetchFailure& failure, PollReport& report) {
    report.reason = failure.reason;
    report.http_status = failure.http_status;
    report.message = failure_message(failure);
    engine::ImportRecord record;
    record.status = engine::ImportStatus::aborted;
    record.source = engine::ImportSource::poll;
    record.name = chosen.source->name + " poll";
    record.message = report.message + "\n";
    Change change{.caller = caller_, .cause = engine::Cause::poll, .rules = RulesAfter::skip};
    change.caller.source = base_url(*chosen.source);
    change.plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
      engine::Transaction transaction = engine::empty_transaction(state);
      record.imported_at = now.instant();
      add_import_record(transaction, state, record);
      report.record = transaction.imports.back().number;
      return transaction;
    };
    if (const auto noted = node_.commit(std::move(change)); !noted) {
      report.record = 0;
      node_.note_failure(caller_, noted.error());
    }
  }

  PeerMemory memory_of(const Chosen& chosen) {
    const std::lock_guard lock(poller_.mutex_);
    const auto found = poller_.remembered_.find(chosen.number);
    if (found == poller_.remembered_.end() || found->second.source != chosen.source) return {};
    return {found->second.etag, found->second.by_alias};
  }
  void remember(const Chosen& chosen, PeerMemory memory) {
    const std::lock_guard lock(poller_.mutex_);
    poller_.remembered_[chosen.number] = {chosen.source, std::move(memory.etag), memory.by_alias};
  }

  Poller& poller_;
  Node& node_;
  const Caller caller_;
  net::OutgoingRules rules_;
  const std::vector<Chosen> chosen_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::optional<FetchResult>> fetched_;  // guarded by mutex_, as are the following
  std::size_t next_ = 0;
  std::size_t imported_ = 0;  // or in hand
};

Result<std::vector<PollReport>> Poller::poll(const Caller& caller,
                                             const std::vector<std::string>& names,
                                             const std::vector<net::IpNetwork>& allowed) {
  if (rules_.sandbox) return fail(Errc::denied, "nothing is polled in a sandbox (SANDBOX=1)");
  if (polling_.exchange(true)) return fail(Errc::conflict, "a poll is running; wait for its end");
  const std::shared_ptr<void> end(
      &polling_, [](void* flag) { static_cast<std::atomic<bool>*>(flag)->store(false); });
  NETML_TRY(std::vector<Chosen> chosen, choose(node_.version().state->catalog, names));
  return Run(*this, caller, allowed, std::move(chosen)).run();
}

}  // namespace netml::admin
