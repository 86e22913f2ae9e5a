#include "admin/polling/detail/poll_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <thread>

#include "admin/imports/kept_map.hpp"
#include "admin/node/kept_file.hpp"
#include "admin/polling/source_address.hpp"
#include "codecs/formats/read_as.hpp"
#include "engine/base/guarded.hpp"
#include "engine/base/random.hpp"
#include "engine/base/sha256.hpp"
#include "engine/edit/plan_edit.hpp"
#include "engine/import/plan_polls.hpp"
#include "engine/import/source_authority.hpp"

namespace netml::admin {

namespace {

using engine::PeerState;
using engine::PollRecord;
using engine::PollStatus;

constexpr const char* kUnchanged = "unchanged since the last poll";
constexpr std::string_view kHeld = "held";
constexpr const char* kSourceDeleted = "the source was deleted";
constexpr std::chrono::hours kBackOffFirst{1};
constexpr std::chrono::hours kBackOffMax{24};
constexpr std::uint64_t kDoublingsMax = 5;

// N8: 1, 2, 4, ... 24 hours, up to a tenth less by chance, so that not all ask at once.
std::chrono::seconds back_off(std::uint64_t failures, Random& random) {
  const std::uint64_t doublings = std::min(failures - 1, kDoublingsMax);
  const std::chrono::seconds whole =
      std::min<std::chrono::seconds>(kBackOffFirst * (1LL << doublings), kBackOffMax);
  const auto tenth = static_cast<std::uint64_t>(whole.count() / 10);
  return whole - std::chrono::seconds(random_below(random, tenth));
}

std::string failure_text(const ImportFailure& failure) {
  std::string text = "Import aborted: " + failure.error.text();
  if (!failure.errors.first.empty()) text += "; first: " + failure.errors.first.front().message;
  return cut_message(std::move(text));
}

// What this node can never take for want of memory is too large, as what is above a limit is.
std::string failure_reason(const ImportFailure& failure) {
  if (failure.plan != 0) return std::string(kHeld);
  if (failure.no_room) return "too_large";
  switch (failure.error.code) {
    case Errc::unavailable:
    case Errc::no_space:
    case Errc::io_error:
    case Errc::internal:
      return "local";
    default:
      return "import";
  }
}

// How a map came, where that is not as it always was; empty: it is.
std::string delta_message(const Fetched& fetched) {
  if (!fetched.delta_fault.empty())
    return cut_message(fmt::format("taken whole, as {}", fetched.delta_fault));
  if (fetched.delta.empty()) return {};
  return fmt::format("made from a delta of {} bytes", fetched.delta.size());
}

void end_badly(PollRecord& record, std::string reason, std::string message) {
  record.status = PollStatus::aborted;
  record.reason = std::move(reason);
  record.message = std::move(message);
}

void learn_success(PeerState& peer, const PeerMemory& memory, Instant now) {
  peer.by_alias = memory.by_alias;
  peer.failures = 0;
  peer.succeeded_at = now;
  peer.waits_until.reset();
}

void learn_file(PeerState& peer, const PeerMemory& memory, Instant now) {
  learn_success(peer, memory, now);
  peer.etag = memory.etag;
  if (memory.file_hash) peer.file_hash = *memory.file_hash;
  peer.changes_of = memory.changes_of;
}

// Somebody else may have changed what came from it, after the file was compared.
void learn_unchanged(PeerState& peer, const PeerMemory& memory, Instant now) {
  learn_success(peer, memory, now);
  if (memory.file_hash == peer.file_hash) peer.etag = memory.etag;
}

}  // namespace

PollRun::PollRun(Node& node, const Sources& sources, Intake& intake, const PollRules& rules,
                 LivePolls& live, TakenMaps& taken, Parallel& parallel, const PollOrder& order,
                 std::uint64_t batch, std::vector<ChosenSource> chosen, std::function<bool()> leads,
                 std::stop_token stop)
    : node_(node),
      sources_(sources),
      intake_(intake),
      poll_rules_(rules),
      live_(live),
      taken_maps_(taken),
      parallel_(parallel),
      order_(order),
      batch_(batch),
      chosen_(std::move(chosen)),
      leads_(std::move(leads)),
      node_stops_(stop),
      began_(node.clock().steady()),
      outgoing_(rules.outgoing),
      stops_(chosen_.size()),
      fetched_(chosen_.size()),
      begun_(chosen_.size()),
      done_(chosen_.size()),
      passed_on_(std::move(stop), [this] { cancel(); }) {
  outgoing_.allowed.insert(outgoing_.allowed.end(), order.allowed.begin(), order.allowed.end());
}

// Whatever ends run() ends its threads, which are joined after it.
class PollRun::EndOfThreads {
 public:
  explicit EndOfThreads(PollRun& run) : run_(run) {}
  ~EndOfThreads() {
    const std::lock_guard lock(run_.mutex_);
    run_.ended_ = true;
    run_.changed_.notify_all();
  }
  EndOfThreads(const EndOfThreads&) = delete;
  EndOfThreads& operator=(const EndOfThreads&) = delete;

 private:
  PollRun& run_;
};

std::vector<PollReport> PollRun::run() {
  std::vector<PollReport> reports;
  tell(0);
  {
    std::vector<std::jthread> threads;
    const EndOfThreads end(*this);
    const std::size_t count = std::min(poll_rules_.fetches_at_once, chosen_.size());
    const Status started = guarded([&]() -> Status {
      while (threads.size() < count) threads.emplace_back([this] { work(); });
      threads.emplace_back([this] { watch(); });
      return {};
    });
    if (!started) node_.note_failure(order_.caller, started.error());
    for (std::size_t done = 0; done < chosen_.size(); ++done) {
      if (threads.empty()) note_fetched(done, fetch_if_possible(done));
      const std::size_t next = next_fetched();
      if (cancelled()) {
        cancel();
        break;
      }
      reports.push_back(finish(next, *std::move(fetched_[next])));
      tell(reports.size());
    }
  }
  finish_batch();
  return reports;
}

void PollRun::tell(std::size_t done) const {
  if (order_.report)
    order_.report({.unit = WorkUnit::sources, .done = done, .total = chosen_.size()});
}

void PollRun::cancel() {
  stop_.request_stop();
  for (const std::stop_source& stop : stops_) stop.request_stop();
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

// The batch was deleted, the node stops, or another member of its cluster leads.
bool PollRun::cancelled() const {
  return stop_.stop_requested() || !leads_() ||
         node_.version().state->catalog.poll_batches.find(batch_) == nullptr;
}

void PollRun::end_if_cancelled() {
  if (cancelled()) cancel();
}

// What nobody waits for any more is not fetched to its end, however slowly it comes.
void PollRun::watch() {
  constexpr std::chrono::milliseconds kLookedAgain{200};
  std::unique_lock lock(mutex_);
  while (!ended_ && !stop_.stop_requested()) {
    lock.unlock();
    end_if_cancelled();
    const engine::StatePtr state = node_.version().state;
    for (std::size_t i = 0; i < chosen_.size(); ++i)
      if (state->catalog.sources.find(chosen_[i].number) == nullptr) stops_[i].request_stop();
    lock.lock();
    changed_.wait_for(lock, kLookedAgain, [&] { return ended_ || stop_.stop_requested(); });
  }
}

// No more is under way or waits to be imported than there are workers, so few files wait in memory.
void PollRun::work() {
  while (true) {
    std::size_t mine = 0;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] {
        return ended_ || stop_.stop_requested() || next_ == chosen_.size() ||
               next_ < taken_ + poll_rules_.fetches_at_once;
      });
      if (ended_ || next_ == chosen_.size()) return;
      mine = next_++;
      begun_[mine] = node_.clock().steady();
    }
    note_fetched(mine, fetch_if_possible(mine));
  }
}

void PollRun::note_fetched(std::size_t index, FetchResult result) {
  const std::lock_guard lock(mutex_);
  fetched_[index] = std::move(result);
  changed_.notify_all();
}

// In the order of the sources, except that those which take long keep nobody waiting.
std::optional<std::size_t> PollRun::ready_now() const {
  const auto now = node_.clock().steady();
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    if (done_[i]) continue;
    if (fetched_[i]) return i;
    if (!begun_[i] || now - *begun_[i] < poll_rules_.order_patience) break;
  }
  return std::nullopt;
}

std::size_t PollRun::next_fetched() {
  constexpr std::chrono::milliseconds kLookedAgain{200};
  std::unique_lock lock(mutex_);
  std::optional<std::size_t> ready;
  while (!(ready = ready_now())) changed_.wait_for(lock, kLookedAgain);
  done_[*ready] = true;
  ++taken_;
  changed_.notify_all();
  return *ready;
}

// The boundary of the threads that fetch.
PollRun::FetchResult PollRun::fetch_if_possible(std::size_t index) {
  FetchResult result = tl::unexpected(FetchFailure{"local", "", {}});
  const Status done = guarded([&]() -> Status {
    result = fetch(index);
    return {};
  });
  if (!done) result = tl::unexpected(FetchFailure{"local", done.error().message, {}});
  return result;
}

PollRun::FetchResult PollRun::fetch(std::size_t index) {
  end_if_cancelled();  // the commit of the batch, or the sources before, may have taken long
  const ChosenSource& chosen = chosen_[index];
  const engine::PollingSource& source = *chosen.source;
  const auto began = node_.clock().steady();
  PollRecord record;
  record.batch = batch_;
  record.source = chosen.number;
  record.status = PollStatus::polling;
  record.polled_at = node_.clock().wall().instant();
  live_.set(chosen.record, record);
  FetchOrder order{.peer = peer_of(source, poll_rules_.may_skip_verification)};
  order.path = source.path;
  order.memory = memory_of(chosen);
  order.rules = outgoing_;
  order.limits = poll_rules_.limits;
  order.attempts_max = poll_rules_.attempts_max;
  order.retry_after = poll_rules_.retry_after;
  order.stop = stops_[index].get_token();
  order.begin_upload = [this, &chosen](ReadWhen when) {
    return intake_.begin(request_for(chosen), when);
  };
  order.kind = source.kind;
  order.choice = netbox_choice(source);
  order.page_limits = node_.file_limits().xml;
  order.memory_budget = &node_.memory();
  order.parallel = &parallel_;
  MemoryReservation memory;  // of the file that was imported last, and of as much made of it
  order.last_file = [&]() -> Result<std::string> {
    NETML_TRY(const std::uint64_t bytes, kept_bytes(node_, {*order.memory.file_hash, {}}));
    NETML_TRY(memory, node_.memory().reserve(MemoryUse::imports, kMemoryOfKeptMap * bytes));
    return read_kept_file(node_, *order.memory.file_hash);
  };
  order.taken = taken_maps_.find(chosen.number, order.memory.file_hash);
  order.make_whole = [&](std::string_view delta) {
    return made_whole(chosen, order.memory, delta);
  };
  auto token = sources_.token(source);
  FetchResult result = tl::unexpected(FetchFailure{"local", "", {}});
  if (token) {
    order.token = std::move(*token);
    result = fetch_from_peer(order, node_.clock(), node_.random());
  } else {
    result.error().text = token.error().message;
  }
  record.status = PollStatus::polled;
  record.poll_milliseconds = milliseconds_since(began);
  live_.set(chosen.record, std::move(record));
  return result;
}

ImportRequest PollRun::request_for(const ChosenSource& chosen) const {
  const engine::PollingSource& source = *chosen.source;
  ImportRequest request;
  request.caller = order_.caller;
  request.caller.source = base_url(source);
  request.source = engine::ImportSource::poll;
  request.file_name = source.name + " poll";
  request.deletions_max = source.deletions_max;
  request.deletion_percent_max = source.deletion_percent_max;
  request.polled_source = chosen.number;
  if (source.kind == engine::SourceKind::netbox) {
    request.format = codecs::ReadAs{.format = "netbox", .mapping = source.mapping}.text();
    request.topology_name = source.name;  // a NetBox names no network
  }
  return request;
}

// What was imported before is worth remembering while it is there, where it would go again.
PeerMemory PollRun::memory_of(const ChosenSource& chosen) const {
  const engine::StatePtr state = node_.version().state;
  const auto peer = state->catalog.peer_states.find(chosen.number);
  if (peer == nullptr || peer->url != base_url(*chosen.source)) return {};
  PeerMemory memory{.by_alias = peer->by_alias};
  // A root that is the main topology itself goes below none.
  const RecordId place = engine::default_parent(state->graph);
  const bool in_place = peer->root && state->graph.contains(peer->root) &&
                        (place == peer->parent || place == peer->root);
  if (!in_place || order_.force) return memory;
  memory.etag = peer->etag;
  memory.file_hash = peer->file_hash;
  memory.changes_of = peer->changes_of;
  return memory;
}

// As the peer would send it, to the byte.
Result<MadeWhole> PollRun::made_whole(const ChosenSource& chosen, const PeerMemory& memory,
                                      std::string_view delta) const {
  const KeptMap map{*memory.file_hash, memory.changes_of};
  NETML_TRY(const std::uint64_t bytes, kept_bytes(node_, map));
  NETML_TRY(const MemoryReservation reserved,
            node_.memory().reserve(MemoryUse::imports, kMemoryOfKeptMap * bytes));
  auto begun = intake_.begin(request_for(chosen));
  if (!begun) return tl::unexpected(std::move(begun.error().error));
  MadeWhole made{*std::move(begun), nullptr};
  NETML_TRY(codecs::TakenExport taken,
            replay_kept_map(node_, map, delta,
                            [&](std::string_view piece) { return made.upload->write(piece); }));
  made.taken = std::make_shared<const codecs::TakenExport>(std::move(taken));
  return made;
}

PeerState PollRun::peer_in(const engine::State& state, const ChosenSource& chosen) const {
  const auto stored = state.catalog.peer_states.find(chosen.number);
  const std::string url = base_url(*chosen.source);
  if (stored && stored->url == url) return *stored;
  PeerState peer;
  peer.url = url;
  if (stored == nullptr) return peer;
  peer.root = stored->root;  // what came from the source stays its own, wherever it is now
  peer.topologies = stored->topologies;
  return peer;
}

void PollRun::learn_failure(PeerState& peer, Instant now) const {
  ++peer.failures;
  peer.failed_at = now;
  peer.waits_until = Instant{now.seconds + back_off(peer.failures, node_.random()).count()};
}

PollReport PollRun::finish(std::size_t index, FetchResult fetched) {
  const ChosenSource& chosen = chosen_[index];
  PollReport report;
  report.source = chosen.number;
  report.name = chosen.source->name;
  report.poll_record = chosen.record;
  const auto began = node_.clock().steady();
  PollRecord record = live_.find(chosen.record).value_or(PollRecord{});
  const std::chrono::milliseconds asked(record.poll_milliseconds);
  if (fetched && !fetched->upload && !still_stands(chosen, fetched->memory))
    fetched = fetch_if_possible(index);  // all of it
  if (node_.version().state->catalog.sources.find(chosen.number) == nullptr)
    fetched = tl::unexpected(FetchFailure{"interrupted", kSourceDeleted, {}});
  record = live_.find(chosen.record).value_or(PollRecord{});
  if (!fetched) {
    end_unfetched(chosen, fetched.error(), std::move(record), report);
  } else if (is_known(chosen, *fetched)) {
    report.end = PollEnd::unchanged;
    record.status = PollStatus::complete;
    record.message = kUnchanged;
    tell_delta(report.name, *fetched);
    note(chosen, record,
         [&](PeerState& peer, Instant now) { learn_unchanged(peer, fetched->memory, now); });
  } else {
    record.message = delta_message(*fetched);
    tell_delta(report.name, *fetched);
    import(chosen, *fetched, std::move(record), report);
  }
  count(report);
  if (report.end == PollEnd::failed) tell_failure(report, asked + node_.clock().steady() - began);
  live_.forget(chosen.record);
  return report;
}

// What was wrong with a delta is mended by then, but whoever runs the nodes should know.
void PollRun::tell_delta(const std::string& name, const Fetched& fetched) const {
  if (fetched.delta_fault.empty()) return;
  node_.events().record(EventLevel::warning, "poll_delta",
                        fmt::format("{}: {}", name, delta_message(fetched)),
                        {.request_id = order_.caller.request_id, .actor = order_.caller.actor});
}

void PollRun::count(const PollReport& report) const {
  const PollOutcome outcome = report.end == PollEnd::imported    ? PollOutcome::imported
                              : report.end == PollEnd::unchanged ? PollOutcome::unchanged
                              : report.reason == kHeld           ? PollOutcome::held
                                                                 : PollOutcome::failed;
  node_.metrics().polls[outcome].add();
}

// Not with the time that the file waited for those before it.
void PollRun::tell_failure(const PollReport& report, std::chrono::nanoseconds took) const {
  node_.events().record(EventLevel::warning, "poll_failed",
                        fmt::format("{}: {} ({})", report.name, report.message, report.reason),
                        {.request_id = order_.caller.request_id,
                         .actor = order_.caller.actor,
                         .import_number = report.record,
                         .duration = took});
}

void PollRun::end_unfetched(const ChosenSource& chosen, const FetchFailure& failure,
                            PollRecord record, PollReport& report) {
  report.reason = failure.reason;
  report.http_status = failure.http_status;
  report.message = failure_message(failure);
  record.http_status = static_cast<std::uint16_t>(failure.http_status.value_or(0));
  end_badly(record, report.reason, report.message);
  note(chosen, record, [&](PeerState& peer, Instant now) {
    if (failure.reason != "local") learn_failure(peer, now);
  });
}

// Whether the file that the peer was asked about is still known as imported: what came with it may
// have been changed, or its place be gone, while the peer was asked.
bool PollRun::still_stands(const ChosenSource& chosen, const PeerMemory& memory) const {
  return memory.file_hash && memory_of(chosen).file_hash == memory.file_hash;
}

// The peer said so, or its file is the one that was imported last.
bool PollRun::is_known(const ChosenSource& chosen, Fetched& fetched) const {
  if (!fetched.upload) return true;
  if (fetched.changes) return false;  // what is none was not uploaded
  const Result<Sha256> hash = fetched.upload->file_hash();
  if (!hash) return false;  // which the import will find, too
  const bool known = fetched.memory.file_hash == *hash;
  fetched.memory.file_hash = *hash;
  fetched.memory.changes_of.clear();
  return known && still_stands(chosen, fetched.memory);
}

void PollRun::import(const ChosenSource& chosen, Fetched& fetched, PollRecord record,
                     PollReport& report) {
  const auto began = node_.clock().steady();
  record.status = PollStatus::importing;
  record.imported_at = node_.clock().wall().instant();
  live_.set(chosen.record, record);
  const auto learn = [&](engine::Transaction& transaction, const engine::State& state,
                         const ImportEnding& ending) {
    PollRecord done = record;
    done.import_record = ending.record;
    done.import_milliseconds = milliseconds_since(began);
    PeerState peer = peer_in(state, chosen);
    if (ending.failure == nullptr) {
      done.status = PollStatus::complete;
      learn_file(peer, fetched.memory, ending.now.instant());
      peer.root = ending.root;
      peer.parent = ending.parent;
      peer.topologies = topologies_with(state, transaction, chosen.number);
    } else {
      end_badly(done, failure_reason(*ending.failure), failure_text(*ending.failure));
      learn_failure(peer, ending.now.instant());
    }
    set_poll_record(transaction, state, chosen.record, std::move(done));
    set_peer_state(transaction, state, chosen.number, std::move(peer));
  };
  ImportOutcome outcome = imported(chosen, fetched, learn);
  if (outcome) {
    if (fetched.taken) taken_maps_.note(chosen.number, *fetched.memory.file_hash, fetched.taken);
    report.end = PollEnd::imported;
    report.result = std::move(*outcome);
    report.record = report.result.record;
    return;
  }
  report.reason = failure_reason(outcome.error());
  report.record = outcome.error().record;
  report.message = failure_text(outcome.error());
  if (report.record != 0) return;
  end_badly(record, report.reason, report.message);
  record.import_milliseconds = milliseconds_since(began);
  note(chosen, record, [&](PeerState& peer, Instant now) {
    if (report.reason != "local") learn_failure(peer, now);
  });
}

// By what changed alone, as far as that tells all; else of the whole file.
ImportOutcome PollRun::imported(const ChosenSource& chosen, Fetched& fetched,
                                const AlsoChange& learn) {
  if (!fetched.changes) return fetched.upload->finish(UploadEnd::import, learn);
  const PeerMemory before = fetched.memory;
  const auto failed = [](const Error& error) {
    return tl::unexpected(ImportFailure{.error = error});
  };
  const Result<Sha256> hash = fetched.upload->file_hash();
  if (!hash) return failed(hash.error());
  fetched.memory.changes_of.push_back(to_hex(*before.file_hash));
  fetched.memory.file_hash = *hash;
  auto outcome = fetched.upload->finish_changes(*fetched.changes, fetched.memory.changes_of, learn);
  if (outcome) return *std::move(outcome);
  auto made = made_whole(chosen, before, fetched.delta);
  if (!made) {
    taken_maps_.forget(chosen.number);  // so that the next poll takes the whole
    return failed(made.error());
  }
  const Result<Sha256> whole = made->upload->file_hash();
  if (!whole) return failed(whole.error());
  fetched.memory.file_hash = *whole;
  fetched.memory.changes_of.clear();
  return made->upload->finish(UploadEnd::import, learn);
}

void PollRun::note(const ChosenSource& chosen, const PollRecord& record,
                   const std::function<void(PeerState&, Instant now)>& learn) {
  Change change = this->change(chosen.source.get());
  change.plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    engine::Transaction transaction = engine::empty_transaction(state);
    PeerState peer = peer_in(state, chosen);
    learn(peer, now.instant());
    set_poll_record(transaction, state, chosen.record, record);
    set_peer_state(transaction, state, chosen.number, std::move(peer));
    return transaction;
  };
  if (const auto noted = node_.commit(std::move(change)); !noted)
    node_.note_failure(order_.caller, noted.error());
}

// Where nothing can be written, the next start closes the batch.
void PollRun::finish_batch() {
  const char* const reason = node_stops_.stop_requested() ? "the node was stopped"
                             : stop_.stop_requested() ? "this member of the cluster leads no more"
                                                      : "the outcome could not be stored";
  const std::string message = fmt::format("Polling error: {} [HTTP status None]", reason);
  Change change = this->change(nullptr);
  change.plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    return plan_poll_batch_finish(state, batch_, milliseconds_since(began_), message);
  };
  if (const auto noted = node_.commit(std::move(change)); !noted)
    node_.note_failure(order_.caller, noted.error());
  for (const ChosenSource& chosen : chosen_) live_.forget(chosen.record);
}

Change PollRun::change(const engine::PollingSource* source) const {
  Change change{.caller = order_.caller, .cause = engine::Cause::poll, .rules = RulesAfter::skip};
  change.caller.source = source == nullptr ? fmt::format("batch {}", batch_) : base_url(*source);
  return change;
}

std::uint64_t PollRun::milliseconds_since(std::chrono::nanoseconds steady) const {
  const auto passed = node_.clock().steady() - steady;
  return static_cast<std::uint64_t>(std::chrono::floor<std::chrono::milliseconds>(passed).count());
}

}  // namespace netml::admin
