#include "admin/polling/polling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "admin/polling/detail/connection_test.hpp"
#include "admin/polling/source_address.hpp"
#include "admin/settings/settings.hpp"
#include "engine/base/guarded.hpp"
#include "engine/import/plan_polls.hpp"

namespace netml::admin {

namespace {

using engine::PollRecord;

// What stands after the host.
std::string target_of(const engine::PollingSource& source, const std::string& url) {
  engine::PollingSource host = source;
  host.path.clear();
  return '/' + url.substr(base_url(host).size());
}

// A change of the source ends a pause, as it ends every wait.
bool is_paused(const engine::Catalog& catalog, const engine::PeerState& peer) {
  const std::uint64_t failures_max = setting_number(catalog, kPollFailuresMax);
  return failures_max != 0 && peer.failures >= failures_max && peer.waits_until.has_value();
}

// `what` in the plural.
Result<std::shared_ptr<void>> place_among(Slots& places, std::string_view what) {
  if (auto place = places.take()) return place;
  return fail(Errc::unavailable,
              fmt::format("other {} are waited for; try again when they have ended", what));
}

}  // namespace

std::vector<SourceStatus> Polling::list() const {
  const engine::StatePtr state = node_.version().state;
  std::vector<SourceStatus> list;
  state->catalog.sources.for_each([&](std::uint64_t number, const engine::PollingSource& source) {
    SourceStatus status{number, state->catalog.sources.find(number), {}};
    const auto peer = state->catalog.peer_states.find(number);
    if (peer && peer->url == base_url(source)) status.peer = *peer;
    status.paused = is_paused(state->catalog, status.peer);
    list.push_back(std::move(status));
  });
  return list;
}

Result<std::vector<std::uint64_t>> Polling::numbers_of(
    const std::vector<std::string>& names) const {
  const engine::StatePtr state = node_.version().state;
  std::vector<std::uint64_t> numbers;
  for (const std::string& name : names) {
    const std::uint64_t number = find_source(state->catalog, name);
    if (number == 0)
      return fail(Errc::not_found,
                  fmt::format("there is no source \"{}\"; `netml source list` shows them", name));
    if (std::ranges::find(numbers, number) == numbers.end()) numbers.push_back(number);
  }
  return numbers;
}

std::vector<std::uint64_t> Polling::active() const {
  std::vector<std::uint64_t> numbers;
  node_.version().state->catalog.sources.for_each(
      [&](std::uint64_t number, const engine::PollingSource& source) {
        if (source.active) numbers.push_back(number);
      });
  return numbers;
}

Result<StartedPoll> Polling::collect(PollOrder order, const std::vector<std::uint64_t>& sources) {
  return poller_.start(std::move(order), sources);
}

Result<std::optional<StartedPoll>> Polling::collect_all(PollOrder order) {
  std::vector<std::uint64_t> sources = active();
  if (order.scheduled) {
    const engine::StatePtr state = node_.version().state;
    const Instant now = node_.clock().wall().instant();
    std::erase_if(sources, [&](std::uint64_t number) {
      const auto peer = state->catalog.peer_states.find(number);
      if (!peer) return false;
      return peer->waits_until > now || is_paused(state->catalog, *peer);
    });
  }
  if (sources.empty() && !sandbox()) return std::nullopt;
  NETML_TRY(StartedPoll started, poller_.start(std::move(order), sources));
  return std::optional(std::move(started));
}

Result<std::shared_ptr<void>> Polling::place_for_poll() {
  return place_among(poll_places_, "polls");
}

bool Polling::may_test_now() {
  const auto now = node_.clock().steady();
  const std::lock_guard lock(mutex_);
  std::erase_if(tests_, [&](auto then) { return now - then >= std::chrono::minutes(1); });
  if (tests_.size() >= kTestsPerMinute) return false;
  tests_.push_back(now);
  return true;
}

Result<std::vector<ConnectionReport>> Polling::test(const Caller& caller,
                                                    const std::vector<std::uint64_t>& sources,
                                                    const std::vector<net::IpNetwork>& allowed) {
  if (sandbox()) return fail(Errc::denied, "nothing is asked in a sandbox (SANDBOX=1)");
  NETML_TRY(const auto place, place_among(test_places_, "tests"));
  if (!may_test_now())
    return fail(Errc::unavailable,
                fmt::format("there were {} tests within a minute; wait a little", kTestsPerMinute));
  const engine::StatePtr state = node_.version().state;
  std::vector<ConnectionReport> reports(sources.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t mine = next++; mine < sources.size(); mine = next++) {
      const auto source = state->catalog.sources.find(sources[mine]);
      const auto test = [&]() -> Status {
        if (source) reports[mine] = test_one(sources[mine], *source, allowed);
        return {};
      };
      static_cast<void>(guarded(test).has_value());  // without memory there is no report
    }
  };
  {
    std::vector<std::jthread> workers;
    NETML_TRY_VOID(guarded([&]() -> Status {
      while (workers.size() < std::min(kTestsAtOnce, sources.size())) workers.emplace_back(work);
      return {};
    }));
  }
  std::erase_if(reports, [](const ConnectionReport& report) { return report.source == 0; });
  for (const ConnectionReport& report : reports)
    node_.events().information("connection_test",
                               fmt::format("{}, asked by {}: {}", report.name, caller.actor,
                                           report.good ? "good" : report.reason));
  return reports;
}

ConnectionReport Polling::test_one(std::uint64_t number, const engine::PollingSource& source,
                                   const std::vector<net::IpNetwork>& allowed) const {
  const PollRules rules = poller_.rules();
  ConnectionOrder order{.peer = peer_of(source, rules.may_skip_verification),
                        .status_target = target_of(source, status_url(source)),
                        .path = source.path,
                        .kind = source.kind,
                        .choice = netbox_choice(source),
                        .token = {},
                        .rules = rules.outgoing,
                        .limits = rules.limits,
                        .file_limits = node_.file_limits()};
  order.rules.allowed.insert(order.rules.allowed.end(), allowed.begin(), allowed.end());
  order.end = node_.clock().steady() +
              std::min<std::chrono::milliseconds>(order.limits.total_max, kTestTime);
  ConnectionReport report;
  auto token = sources_.token(source);
  if (token) {
    order.token = std::move(*token);
    report = test_connection(order, node_.clock());
  } else {
    report.reason = "local";
    report.message = token.error().message;
  }
  report.source = number;
  report.name = source.name;
  return report;
}

PollBatchView Polling::view(const engine::Catalog& catalog, std::uint64_t batch,
                            const engine::PollBatch& stored) const {
  PollBatchView whole{batch, stored, {}, {}};
  std::vector<PollRecord> records;
  catalog.poll_records.for_each_with<&PollRecord::batch>(
      batch, [&](std::uint64_t number, const PollRecord& record) {
        records.push_back(poller_.now(number, record));
        whole.records.push_back({number, records.back()});
      });
  whole.status = engine::overall_status(records);
  return whole;
}

std::vector<PollBatchView> Polling::batches(const Page& page) const {
  const engine::StatePtr state = node_.version().state;
  const engine::Table<engine::PollBatch>& stored = state->catalog.poll_batches;
  std::vector<PollBatchView> views;
  std::size_t seen = 0;
  for (std::uint64_t number = stored.next_number() - 1;
       seen < stored.count() && views.size() < page.count_max; --number)
    if (const auto batch = stored.find(number); batch && seen++ >= page.first)
      views.push_back(view(state->catalog, number, *batch));
  return views;
}

Result<PollBatchView> Polling::batch(std::uint64_t number) const {
  const engine::StatePtr state = node_.version().state;
  const auto stored = state->catalog.poll_batches.find(number);
  if (stored == nullptr) return fail(Errc::not_found, fmt::format("there is no poll {}", number));
  return view(state->catalog, number, *stored);
}

}  // namespace netml::admin
