#include "admin/polling/poller.hpp"

#include "admin/polling/detail/poll_run.hpp"
#include "admin/settings/settings.hpp"
#include "engine/base/guarded.hpp"
#include "engine/import/plan_polls.hpp"

namespace netml::admin {

namespace {

constexpr std::uint64_t kRefusalBytesMax = 64 << 10;

}  // namespace

net::ClientLimits PollRules::default_limits() {
  net::ClientLimits limits;
  limits.refusal_bytes_max = kRefusalBytesMax;
  limits.bytes_per_second_min = 1 << 10;
  return limits;
}

PollRules PollRules::within(const cli::Limits& limits) {
  PollRules rules;
  rules.outgoing.connect_max = limits.polls.connect_max;
  rules.outgoing.tls_max = limits.polls.tls_max;
  rules.limits.silence_max = limits.polls.first_byte_max;
  rules.limits.bytes_per_second_min = limits.polls.bytes_per_second_min;
  rules.limits.rate_window = limits.polls.rate_window;
  rules.limits.total_max = limits.polls.total_max;
  rules.limits.body_bytes_max = net::upload_limit(limits.http);
  rules.fetches_at_once = limits.polls.fetches_at_once_max;
  rules.attempts_max = limits.polls.attempts_max;
  rules.retry_after = limits.polls.retry_after;
  return rules;
}

struct Poller::Waiting {
  PollOrder order;
  std::uint64_t batch = 0;
  std::vector<ChosenSource> chosen;
  std::promise<std::vector<PollReport>> reports;
};

Poller::Poller(Node& node, const Sources& sources, Intake& intake)
    : node_(node),
      sources_(sources),
      intake_(intake),
      live_(std::make_unique<LivePolls>()),
      taken_(std::make_unique<TakenMaps>(node.memory())) {}

Poller::~Poller() {
  stop();
}

Result<StartedPoll> Poller::start(PollOrder order, const std::vector<std::uint64_t>& sources) {
  if (rules().sandbox) return fail(Errc::denied, "nothing is polled in a sandbox (SANDBOX=1)");
  // Held over the commit, so that batches run in the order of their numbers.
  const std::lock_guard lock(mutex_);
  if (stopping_.stop_requested()) return fail(Errc::unavailable, "the node is being stopped");
  NETML_TRY_VOID(close_open_now());
  if (waiting_.size() >= kBatchesWaitingMax)
    return fail(Errc::unavailable, "too many polls are waiting; try again later");
  auto batch = std::make_unique<Waiting>();
  Change change{.caller = order.caller, .cause = engine::Cause::poll, .rules = RulesAfter::skip};
  change.plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    const engine::Catalog& catalog = state.catalog;
    batch->batch = catalog.poll_batches.next_number();
    batch->chosen.clear();
    std::vector<std::uint64_t> numbers;
    for (const std::uint64_t number : sources) {
      auto source = catalog.sources.find(number);
      if (source == nullptr) continue;
      batch->chosen.push_back(
          {number, catalog.poll_records.next_number() + numbers.size(), std::move(source)});
      numbers.push_back(number);
    }
    return plan_poll_batch(state, {.scheduled = order.scheduled, .started = now.instant()}, numbers,
                           setting_number(catalog, kPollBatchesKept));
  };
  NETML_TRY_VOID(node_.commit(std::move(change)));
  batch->order = std::move(order);
  StartedPoll started{batch->batch, batch->reports.get_future().share()};
  waiting_.push_back(std::move(batch));
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  changed_.notify_all();
  return started;
}

void Poller::run() {
  while (true) {
    Waiting* batch = nullptr;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return !waiting_.empty() || stopping_.stop_requested(); });
      if (waiting_.empty()) return;
      batch = waiting_.front().get();
    }
    auto reports = guarded([&]() -> Result<std::vector<PollReport>> {
      return PollRun(node_, sources_, intake_, rules(), *live_, *taken_, helpers_, batch->order,
                     batch->batch, std::move(batch->chosen), leads_, stopping_.get_token())
          .run();
    });
    if (!reports) node_.note_failure(batch->order.caller, reports.error());
    const auto stored = node_.version().state->catalog.poll_batches.find(batch->batch);
    std::unique_ptr<Waiting> ended;
    {
      const std::lock_guard lock(mutex_);
      if (stored && !stored->finished) closed_open_ = false;
      ended = std::move(waiting_.front());
      waiting_.pop_front();
    }
    ended->reports.set_value(std::move(reports).value_or(std::vector<PollReport>()));
  }
}

bool Poller::busy() const {
  const std::lock_guard lock(mutex_);
  return !waiting_.empty();
}

std::size_t Poller::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

engine::PollRecord Poller::now(std::uint64_t number, const engine::PollRecord& stored) const {
  if (stored.final()) return stored;
  return live_->find(number).value_or(stored);
}

// Batches that wait are run, too: since nothing is fetched any more, they end at once.
void Poller::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_.request_stop();
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

Status Poller::close_open() {
  const std::lock_guard lock(mutex_);
  closed_open_ = false;  // another member of a cluster may have begun some
  return close_open_now();
}

// Those that run or wait are open rightly.
Status Poller::close_open_now() {
  if (closed_open_ || !waiting_.empty()) return {};
  Change change{.caller = {engine::ActorKind::system, "netml", "start", {}},
                .cause = engine::Cause::poll,
                .rules = RulesAfter::skip};
  change.plan = [](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    return plan_open_polls_close(state, now.instant(),
                                 "Polling error: the node was stopped or failed before this poll "
                                 "ended [HTTP status None]");
  };
  NETML_TRY_VOID(node_.commit(std::move(change)));
  closed_open_ = true;
  return {};
}

}  // namespace netml::admin
