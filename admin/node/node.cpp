#include "admin/node/node.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>

#include "admin/base/build_info.hpp"
#include "admin/base/effect_memory.hpp"
#include "admin/node/data_path.hpp"
#include "admin/node/key_file.hpp"
#include "admin/node/key_findings.hpp"
#include "admin/node/map_memory.hpp"
#include "engine/base/guarded.hpp"
#include "engine/base/sha256.hpp"
#include "engine/edit/plan_edit.hpp"
#include "engine/rules/plan_rules.hpp"
#include "engine/transaction/entry_changes.hpp"
#include "engine/undo/plan_undo.hpp"
#include "wal/checkpoint/named_files.hpp"
#include "wal/checkpoint/recovery.hpp"
#include "wal/commit/writer.hpp"
#include "wal/format/data_directory.hpp"
#include "wal/history/copy_until.hpp"

namespace netml::admin {

namespace {

// Two for a large transaction, which is applied, encoded and written at once; one for a checkpoint.
constexpr unsigned kHelperThreads = 3;

// Longer than any import takes from its file to its record.
constexpr std::chrono::hours kUploadsFresh{24};

constexpr const char* kReadOnly = "started for reading only";

engine::Provenance provenance_of(const Change& change, WallTime now, WallTime effective) {
  return {.actor_kind = change.caller.kind,
          .actor = change.caller.actor,
          .cause = change.cause,
          .source = change.caller.source,
          .file_hash = change.file_hash,
          .request_id = change.caller.request_id,
          .wall_time = now,
          .effective_time = effective};
}

// Decision 19: a date may be given, but time never goes back.
Result<WallTime> effective_time(const Change& change, const engine::State& state, WallTime now) {
  if (!change.effective_time) return std::max(now, state.effective_time);
  if (*change.effective_time < WallTime{})
    return fail(Errc::invalid_input, fmt::format("the date {} lies before {}, which history begins "
                                                 "with",
                                                 format_instant(change.effective_time->instant()),
                                                 format_instant(WallTime{}.instant())));
  if (*change.effective_time >= state.effective_time) return *change.effective_time;
  return fail(Errc::conflict, fmt::format("the date {} lies before that of the last change, {}",
                                          format_instant(change.effective_time->instant()),
                                          format_instant(state.effective_time.instant())));
}

bool concerns_rules(const engine::Transaction& transaction) {
  return !transaction.records.empty() || !transaction.rulesets.empty() ||
         !transaction.rules.empty();
}

// What the change, planned on `state`, comes to with the rules that run after it.
Result<engine::FollowedByRules> with_rules(const Change& change, const engine::State& state,
                                           engine::Transaction transaction) {
  if (change.rules == RulesAfter::skip || !concerns_rules(transaction))
    return engine::FollowedByRules{std::move(transaction), {}};
  return followed_by_rules(state, std::move(transaction));
}

// After every change: the first show what is wrong.
void report(const std::vector<engine::RuleLog>& logs, EventLog& events) {
  constexpr std::uint64_t kEvents = 20;
  std::uint64_t count = 0;
  const auto warn = [&](const engine::RuleLog& log, std::string_view before,
                        const std::string& text) {
    if (++count <= kEvents)
      events.warning("rules", fmt::format("rule \"{}\"{}: {}", log.name, before, text));
  };
  for (const engine::RuleLog& log : logs) {
    if (!log.problem.empty()) warn(log, " skipped", log.problem);
    for (const std::string& warning : log.warnings) warn(log, "", warning);
  }
  if (count > kEvents)
    events.warning("rules", fmt::format("{} more warnings of rules", count - kEvents));
}

// The rulesets shipped are the first transaction of every data directory. It took effect before
// all times, so that imports of old maps may follow with their own dates.
Change first_rules() {
  Change change{.caller = {engine::ActorKind::system, "netml", "first start", {}},
                .cause = engine::Cause::rule,
                .effective_time = WallTime{}};
  change.plan = [](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    return plan_default_rulesets(state);
  };
  return change;
}

void report(const wal::RecoveryReport& recovery, EventLog& events) {
  const auto milliseconds =
      std::chrono::duration_cast<std::chrono::milliseconds>(recovery.duration).count();
  if (recovery.created)
    events.information("start", "new data directory");
  else
    events.information(
        "start", fmt::format("at LSN {} after {} ms: checkpoint at {}, {} transactions replayed",
                             recovery.head.value, milliseconds, recovery.checkpoint.value,
                             recovery.replayed));
  for (const std::string& note : recovery.notes) events.information("recovery", note);
  for (const std::string& warning : recovery.warnings) events.warning("recovery", warning);
}

}  // namespace

class Node::Impl {
 public:
  Impl(const NodeOptions& options, const Clock& clock_port, Random& random_port, EventLog& log)
      : directory(options.data_directory),
        read_only(options.read_only),
        file_limits(options.file_limits),
        memory(options.memory == nullptr ? unlimited : *options.memory),
        mode(options.mode),
        store_options(options.store),
        clock(clock_port),
        random(random_port),
        events(log) {}

  Status open(IfMissing if_missing) {
    NETML_TRY(storage, open_data_path(directory, if_missing, random));
    NETML_TRY_VOID(read_only ? open_to_read() : open_to_write());
    warn_of_misfit_keys();
    return {};
  }

  Status open_to_write() {
    NETML_TRY(lock,
              lock_data_directory(*storage, {static_cast<std::uint64_t>(::getpid()), clock.wall(),
                                             std::string(cli::build_info().version)}));
    store_options.parallel = &parallel;
    NETML_TRY(store_options.signing_key, read_signing_key(*storage));
    NETML_TRY_VOID(refuse_damaged_key());
    NETML_TRY(auto store, wal::Store::open(*storage, clock, random, store_options));
    report(store->recovery(), events);
    NETML_TRY(data, wal::open_data_directory(*storage));
    const bool has_tokens = store->head()->catalog.tokens.count() > 0;
    NETML_TRY_VOID(load_secrets(has_tokens));
    uuid = store->manifest().node;
    for (const wal::AbsentFile& file : store->manifest().absent_files) absent.insert(file.sha256);
    index.emplace(*storage, wal::JournalIndex::Keep::in_files);
    const wal::WriterOptions calls{.after_rotation = [this] { index_closed_segments(); },
                                   .after_commit = [this] { advanced.ring(); }};
    writer = std::make_unique<wal::Writer>(std::move(store), calls);
    return {};
  }

  // Nothing is written; damage is reported, and the state before it shown.
  Status open_to_read() {
    NETML_TRY(lock, wal::lock_for_reading(*storage));
    NETML_TRY(wal::ReadOnlyData opened, wal::open_read_only(*storage, clock, parallel));
    report(opened.report, events);
    if (!opened.report.damage.empty()) {
      fixed_status.write_error = fmt::format("only the state at LSN {} can be shown: {}",
                                             opened.head.lsn.value, opened.report.damage);
      events.error("damage", fixed_status.write_error);
    }
    data = std::move(opened.directory);
    uuid = opened.manifest.node;
    index.emplace(*storage, wal::JournalIndex::Keep::in_memory);
    fixed = {std::move(opened.state), opened.head};
    fixed_status.head = opened.head;
    fixed_status.journal_bytes = opened.journal_bytes;
    fixed_status.checkpoints = std::make_shared<const std::vector<wal::CheckpointEntry>>(
        std::move(opened.manifest.checkpoints));
    return load_secrets_to_read();
  }

  // Before anything is written.
  Status refuse_damaged_key() {
    const auto key = read_key_file(*storage, kNodeKeyFile);
    if (key || key.error().code == Errc::not_found) return {};
    return tl::unexpected(key.error());
  }

  // Without the key no token can be checked, but exports may need none.
  Status load_secrets_to_read() {
    Result<Secrets> loaded = Secrets::load(*storage, random, KeyIfMissing::refuse);
    if (!loaded &&
        (loaded.error().code == Errc::not_found || loaded.error().code == Errc::corruption)) {
      events.warning("secrets", "no token opens anything: " + loaded.error().message);
      Secrets::Key nobodys;
      random.fill(nobodys);
      loaded = Secrets(nobodys);
    }
    if (!loaded) return tl::unexpected(loaded.error());
    secrets.emplace(*loaded);
    return {};
  }

  // A lost key makes the stored tokens useless; it is replaced so that new ones can be made, but
  // nobody should find that out by accident.
  Status load_secrets(bool has_tokens) {
    Result<Secrets> loaded =
        Secrets::load(*storage, random, has_tokens ? KeyIfMissing::refuse : KeyIfMissing::make);
    if (!loaded && loaded.error().code == Errc::not_found) {
      events.warning("secrets", loaded.error().message +
                                    ": the stored tokens no longer open anything; delete them and "
                                    "make new ones");
      loaded = Secrets::load(*storage, random, KeyIfMissing::make);
      key_replaced = true;
    }
    if (!loaded) return tl::unexpected(loaded.error());
    secrets.emplace(*loaded);
    return {};
  }

  void warn_of_misfit_keys() {
    if (key_replaced) return;  // it was reported
    for (const std::string& finding : misfit_keys(*storage, version().state->catalog))
      events.warning("secrets", finding);
  }

  wal::Version version() const { return writer ? writer->published() : fixed; }
  wal::WriterStatus status() const { return writer ? writer->status() : fixed_status; }

  wal::JournalView view() const {
    const wal::Head head = version().head;
    return {uuid, head, *status().checkpoints};
  }

  // Whoever asks the journal later need not wait for that. Background thread of the writer.
  void index_closed_segments() {
    auto reader = wal::JournalReader::open(*storage, view(), *index);
    const Status prepared = reader ? reader->prepare() : tl::unexpected(reader.error());
    if (!prepared) events.warning("index", prepared.error().message);
  }

  std::vector<std::string> index_findings() {
    const auto reader = wal::JournalReader::open(*storage, view(), *index);
    return reader ? reader->index_findings() : std::vector<std::string>();
  }

  // From what the writer shows with each status.
  Result<wal::CheckpointEntry> published(std::uint64_t number) const {
    const auto item = version().state->catalog.published.find(number);
    const wal::WriterStatus shown = status();
    if (item != nullptr)
      if (const auto* entry = wal::find_published(*shown.checkpoints, item->lsn)) return *entry;
    return fail(Errc::not_found, fmt::format("there is no published item {}", number));
  }

  std::shared_ptr<const int> hold_uploads() {
    const std::lock_guard held(uploads);
    return uploads_read;
  }

  // After a change, which is durable whatever becomes of this.
  void tell(VersionWatch& watching) {
    const Status looked = guarded([&]() -> Status {
      watching.look(*version().state);
      return {};
    });
    if (!looked) events.warning("export", looked.error().message);
  }

  Status check_changes_allowed() const {
    if (read_only) return fail(Errc::unavailable, kReadOnly);
    return {};
  }

  const std::string directory;
  const bool read_only;
  const codecs::FileLimits file_limits;
  MemoryBudget unlimited;  // where none was handed in
  MemoryBudget& memory;
  MapMemory map_memory{memory.account(MemoryUse::map, 0)};
  const Mode mode;
  wal::StoreOptions store_options;
  const Clock& clock;
  const std::chrono::nanoseconds opened_at = clock.steady();
  Random& random;
  EventLog& events;
  std::atomic<VersionWatch*> watch = nullptr;
  std::atomic<std::uint64_t> contents = 0;
  Bell advanced;

  std::unique_ptr<wal::PosixStorage> storage;
  std::unique_ptr<wal::FileLock> lock;
  HelperThreads parallel{kHelperThreads};
  wal::DataDirectory data;
  wal::NodeUuid uuid;
  std::optional<Secrets> secrets;
  bool key_replaced = false;  // the stored tokens are of a key that is lost
  std::optional<wal::JournalIndex> index;
  // Stored files, and what keeps them from going.
  std::mutex uploads;                                                 // guards the following two
  std::map<Sha256, std::chrono::nanoseconds> fresh_uploads;           // since when, of a day
  std::shared_ptr<const int> uploads_read = std::make_shared<int>();  // a copy for each reader
  std::set<Sha256> absent;              // known to be absent when it was opened; few, if any
  std::mutex archiving;                 // held while segments move
  std::mutex publishing;                // held from a published state to the item that names it
  wal::Version fixed;                   // when there is no writer
  wal::WriterStatus fixed_status;       // the same
  std::unique_ptr<wal::Writer> writer;  // none for reading only; last: destroyed first
};

Node::Node(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Result<std::unique_ptr<Node>> Node::open(const NodeOptions& options, const Clock& clock,
                                         Random& random, EventLog& events) {
  auto impl = std::make_unique<Impl>(options, clock, random, events);
  const bool must_exist = options.must_exist || options.read_only;
  NETML_TRY_VOID(
      guarded([&] { return impl->open(must_exist ? IfMissing::refuse : IfMissing::make); }));
  std::unique_ptr<Node> node(new Node(std::move(impl)));
  const bool fresh = node->version().state->lsn == Lsn{};
  if (fresh && !options.read_only) NETML_TRY_VOID(node->commit(first_rules()));
  return node;
}

Node::~Node() {
  if (const Status closed = close(); !closed) impl_->events.error("stop", closed.error().message);
}

Status Node::close(bool quick) {
  if (impl_->writer == nullptr) return {};
  const Status stopped = impl_->writer->stop(quick ? wal::Writer::Stop::without_checkpoint
                                                   : wal::Writer::Stop::with_checkpoint);
  impl_->writer.reset();
  return stopped;
}

Version Node::version() const {
  wal::Version published = impl_->version();
  return {std::move(published.state), to_string(published.head)};
}

void Node::watch(VersionWatch* watcher) {
  impl_->watch = watcher;
}

Result<Lsn> Node::commit(Change change) {
  NETML_TRY_VOID(impl_->check_changes_allowed());
  const std::uint64_t bytes = change.bytes;
  const auto committed = change.caller.committed;
  // Set on the writer's thread, read once it is done.
  struct Concerned {
    bool undo = false;
    VersionWatch* watch = nullptr;
  };
  const auto concerned = std::make_shared<Concerned>();
  wal::Plan plan([this, concerned, change = std::move(change)](
                     const engine::State& state) -> Result<engine::Transaction> {
    const WallTime now = impl_->clock.wall();
    NETML_TRY(const WallTime effective, effective_time(change, state, now));
    NETML_TRY(engine::Transaction planned, change.plan(state, now));
    NETML_TRY(engine::FollowedByRules followed, with_rules(change, state, std::move(planned)));
    if (change.check) NETML_TRY_VOID(change.check(state, followed));
    report(followed.logs, impl_->events);
    engine::Transaction transaction = std::move(followed.transaction);
    transaction.provenance = provenance_of(change, now, effective);
    VersionWatch* const watcher = impl_->watch;
    const bool watched = watcher != nullptr && watcher->concerns(transaction);
    *concerned = {is_undoable(transaction), watched ? watcher : nullptr};
    // Also where it cannot be stored then: one too many is no mistake.
    if (!transaction.records.empty()) ++impl_->contents;
    return transaction;
  });
  NETML_TRY(const wal::Committed done,
            guarded([&] { return impl_->writer->submit(std::move(plan), bytes).get(); }));
  if (concerned->watch != nullptr) impl_->tell(*concerned->watch);
  if (concerned->undo && committed) committed(done.lsn);
  return done.lsn;
}

std::uint64_t Node::contents() const {
  return impl_->contents;
}

Result<PlannedChange> Node::plan(const Change& change) const {
  PlannedChange planned{impl_->version().state, {}, {}};
  const engine::State& state = *planned.base;
  NETML_TRY(planned.transaction, change.plan(state, impl_->clock.wall()));
  NETML_TRY_VOID(reserve_effects(memory(), planned.memory, planned.transaction));
  NETML_TRY(engine::FollowedByRules followed,
            with_rules(change, state, std::move(planned.transaction)));
  planned.transaction = std::move(followed.transaction);
  planned.rules = std::move(followed.logs);
  NETML_TRY_VOID(reserve_effects(memory(), planned.memory, planned.transaction));
  return planned;
}

Result<TakenCheckpoint> Node::checkpoint() {
  NETML_TRY_VOID(impl_->check_changes_allowed());
  NETML_TRY_VOID(impl_->writer->checkpoint().get());
  TakenCheckpoint taken;
  const auto find_newest = [&](wal::Store& store) -> Status {
    for (const wal::CheckpointEntry& entry : store.manifest().checkpoints) {
      if (!entry.recovery_base || entry.lsn < taken.lsn) continue;
      taken.lsn = entry.lsn;
      taken.bytes = entry.bytes();
      taken.file = entry.graph.name;
    }
    return {};
  };
  NETML_TRY_VOID(impl_->writer->run(find_newest).get());
  return taken;
}

std::optional<LastCheckpoint> Node::last_checkpoint() const {
  const wal::WriterStatus status = impl_->status();
  for (const wal::CheckpointEntry& entry : *status.checkpoints)
    if (entry.recovery_base) return LastCheckpoint{entry.lsn, entry.created_at};
  return std::nullopt;
}

StartProof Node::start_proof() const {
  using Step = wal::StartProof::Step;
  const wal::StartProof now = impl_->status().start_proof;
  StartProof proof;
  if (now.step != Step::proved) proof.state = now.step == Step::damaged ? "damaged" : "proving";
  if (now.file == nullptr) return proof;
  proof.bytes_checked = now.file->bytes_checked();
  proof.bytes = now.file->bytes();
  return proof;
}

Result<Ed25519PublicKey> Node::create_signing_key() {
  NETML_TRY_VOID(impl_->check_changes_allowed());
  NETML_TRY(const Ed25519Seed seed, make_signing_key(*impl_->storage, impl_->random));
  const auto sign = [&](wal::Store& store) {
    store.checkpoints().sign_with(seed);
    return Status();
  };
  NETML_TRY_VOID(impl_->writer->run(sign).get());
  NETML_TRY_VOID(checkpoint());
  return ed25519_public_key(seed);
}

Result<Verification> Node::verify(const std::optional<wal::Head>& known,
                                  const std::optional<Ed25519PublicKey>& key) {
  InlineParallel inline_parallel;  // the helper threads are the writer's
  const auto hold = impl_->hold_uploads();
  wal::VerifyOptions options{.known = known, .key = key};
  if (impl_->writer)
    NETML_TRY_VOID(impl_->writer
                       ->run([&](wal::Store& store) {
                         options.live = store.live_view();
                         return Status();
                       })
                       .get());
  NETML_TRY(wal::VerifyReport report, wal::verify(*impl_->storage, inline_parallel, options));
  std::ranges::move(damaged_keys(*impl_->storage), std::back_inserter(report.findings));
  std::vector<std::string> warnings = misfit_keys(*impl_->storage, report.state->catalog);
  report.state.reset();
  return Verification{std::move(report), std::move(warnings), impl_->index_findings()};
}

Result<std::unique_ptr<wal::Backup>> Node::backup(bool without_missing_uploads) {
  NETML_TRY_VOID(impl_->check_changes_allowed());
  std::unique_ptr<wal::Backup> backup;
  const wal::BackupOptions options{without_missing_uploads, impl_->hold_uploads()};
  const auto start = [&](wal::Store& store) -> Status {
    NETML_TRY(backup, wal::Backup::start(impl_->data, store.live_view(), options));
    return {};
  };
  NETML_TRY_VOID(impl_->writer->run(start).get());
  return backup;
}

Result<wal::ArchivedSegments> Node::archive(const std::string& path) {
  NETML_TRY_VOID(impl_->check_changes_allowed());
  NETML_TRY_VOID(make_archive(path, impl_->directory));
  const std::lock_guard lock(impl_->archiving);
  NETML_TRY(const wal::Manifest now, manifest());
  NETML_TRY(wal::ArchivedSegments compressed, wal::pack_segments(*impl_->storage, now, path));
  const auto move = [&](wal::Store& store) { return store.checkpoints().archive(compressed); };
  NETML_TRY_VOID(impl_->writer->run(move).get());
  return compressed;
}

Result<wal::Manifest> Node::manifest() {
  NETML_TRY(std::optional<wal::LoadedManifest> loaded, wal::load_manifest(*impl_->storage));
  if (!loaded) return fail(Errc::corruption, impl_->directory + ": there is no manifest");
  return std::move(loaded->manifest);
}

Result<wal::JournalReader> Node::journal() {
  return wal::JournalReader::open(*impl_->storage, impl_->view(), *impl_->index);
}

Result<wal::PastState> Node::state_at(Lsn lsn) {
  const wal::Version now = impl_->version();
  if (now.state->lsn == lsn && now.head.lsn == lsn) return wal::PastState{now.state, now.head};
  MemoryReservation reservation = memory().account(MemoryUse::past, 0);
  const auto take = [&](std::uint64_t bytes) { return impl_->memory.grow(reservation, bytes); };
  InlineParallel on_this_thread;  // the helpers are the writer's
  NETML_TRY(wal::PastState past, guarded([&] {
              return wal::state_at(*impl_->storage, impl_->view(), lsn, on_this_thread, take);
            }));
  past.state = holding(std::move(past.state), std::move(reservation));
  return past;
}

Result<AppliedTransaction> Node::transaction_at(Lsn lsn) {
  NETML_TRY(wal::JournalReader reader, journal());
  NETML_TRY(const wal::HistoryEntry entry, reader.entry(lsn));
  if (!entry.committed)
    return fail(Errc::conflict, fmt::format("LSN {} was aborted: it changed nothing", lsn.value));
  AppliedTransaction found;
  NETML_TRY_VOID(reserve_effects(memory(), found.memory, entry.counts));
  NETML_TRY(const Lsn previous, reader.committed_before(Lsn{lsn.value - 1}));
  NETML_TRY(const wal::PastState before, state_at(previous));
  InlineParallel on_this_thread;
  const auto take = [&](const wal::PastTransaction& past) {
    if (past.after->lsn != lsn) return;
    found.transaction = past.transaction;
    found.before = past.before;
  };
  NETML_TRY_VOID(guarded([&] {
    return wal::replay_from(*impl_->storage, impl_->view(), before, lsn, on_this_thread, take);
  }));
  return found;
}

Result<wal::Head> Node::copy_until(Lsn lsn, const std::string& path) {
  return make_data_path(path, [&](wal::Storage& into) -> Result<wal::Head> {
    InlineParallel on_this_thread;  // the helpers are the writer's
    NETML_TRY_VOID(Secrets::copy_key(*impl_->storage, into));
    const auto hold = impl_->hold_uploads();
    const wal::Version now = impl_->version();
    const wal::JournalView view{impl_->uuid, now.head, *impl_->status().checkpoints};
    return wal::copy_until(*impl_->storage, view, lsn, now.state->catalog, into,
                           impl_->clock.wall(), on_this_thread);
  });
}

Result<std::uint64_t> Node::publish(const Caller& caller, const MakeItem& make) {
  NETML_TRY_VOID(impl_->check_changes_allowed());
  // One at a time, or the state of one would be given up before its item names it.
  const std::lock_guard lock(impl_->publishing);
  // The checkpoint comes first: a crash in between leaves one that no item names, instead of an
  // item without its data.
  NETML_TRY(const Lsn published, impl_->writer->publish().get());
  std::uint64_t number = 0;
  Change change{.caller = caller, .cause = engine::Cause::publish};
  change.plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    number = state.catalog.published.next_number();
    NETML_TRY(engine::PublishedItem item, make(published, now));
    return entry_added(state, std::move(item));
  };
  NETML_TRY_VOID(commit(std::move(change)));
  return number;
}

Status Node::withdraw(const Caller& caller, std::uint64_t number) {
  Change change{.caller = caller, .cause = engine::Cause::publish};
  change.plan = [&](const engine::State& state, WallTime) {
    return plan_published_delete(state, number);
  };
  NETML_TRY_VOID(commit(std::move(change)));
  return release_published();
}

Status Node::release_published() {
  NETML_TRY_VOID(impl_->check_changes_allowed());
  const std::lock_guard lock(impl_->publishing);
  const auto release = [](wal::Store& store) { return store.checkpoints().release_published(); };
  return impl_->writer->run(release).get();
}

Result<PublishedEntry> Node::published_entry(std::uint64_t number) const {
  NETML_TRY(const wal::CheckpointEntry entry, impl_->published(number));
  return PublishedEntry{entry.lsn, entry.graph.sha256};
}

Result<engine::StatePtr> Node::published_state(std::uint64_t number) const {
  NETML_TRY(const wal::CheckpointEntry entry, impl_->published(number));
  NETML_TRY(MemoryReservation reservation, memory().reserve(MemoryUse::exports, entry.bytes()));
  InlineParallel on_this_thread;  // the helpers are the writer's
  NETML_TRY(wal::Checkpoint checkpoint, guarded([&] {
              return read_checkpoint(*impl_->data.checkpoints, impl_->uuid,
                                     {entry.lsn, entry.graph, entry.catalog}, on_this_thread);
            }));
  return holding(std::move(checkpoint.state), std::move(reservation));
}

int Node::stored_file_level() const {
  const bool known = impl_->status().format >= wal::format::kVersion4;
  return known ? impl_->store_options.stored_file_level : 0;
}

Status Node::keep_upload(const SpooledFile& file) {
  NETML_TRY_VOID(impl_->check_changes_allowed());
  spare_upload(file.hash);
  if (!impl_->absent.contains(file.hash))
    return wal::keep_upload(impl_->data, file.name, file.hash, file.how);
  // The manifest says so, too, and it is the writer's.
  return impl_->writer
      ->run([&](wal::Store& store) { return store.keep_upload(file.name, file.hash, file.how); })
      .get();
}

void Node::spare_upload(const Sha256& hash) {
  const std::lock_guard lock(impl_->uploads);
  impl_->fresh_uploads[hash] = impl_->clock.steady();
}

Result<std::size_t> Node::forget_uploads() {
  NETML_TRY_VOID(impl_->check_changes_allowed());
  const std::lock_guard lock(impl_->uploads);
  if (impl_->uploads_read.use_count() > 1) return std::size_t{0};
  const auto old = impl_->clock.steady() - kUploadsFresh;
  if (impl_->opened_at > old) return std::size_t{0};  // what became fresh before is not known here
  std::erase_if(impl_->fresh_uploads, [&](const auto& entry) { return entry.second < old; });
  std::set<std::string> wanted;
  for (const auto& [hash, when] : impl_->fresh_uploads) wanted.insert(to_hex(hash));
  for (const auto& [hash, file] : wal::named_files(version().state->catalog))
    wanted.insert(to_hex(hash));
  return wal::remove_uploads(impl_->data,
                             [&](const std::string& name) { return wanted.contains(name); });
}

Result<std::unique_ptr<wal::File>> Node::open_upload(const Sha256& hash) {
  auto file = wal::open_upload(impl_->data, hash);
  if (file || file.error().code != Errc::not_found) return file;
  NETML_TRY(const wal::Manifest known, manifest());
  if (const wal::AbsentFile* absent = wal::find_absent(known, hash))
    return fail(Errc::not_found,
                fmt::format("the stored upload {} is {}", to_hex(hash), absence_text(absent->why)));
  return fail(Errc::corruption,
              fmt::format("the stored upload is missing: uploads/{}", to_hex(hash)));
}

std::uint64_t Node::map_bytes() const {
  return impl_->map_memory.of(impl_->version().state->graph);
}

bool Node::writable() const {
  return !impl_->read_only && impl_->writer->status().write_state == wal::WriteState::writable;
}
std::string Node::reason() const {
  std::string error = impl_->status().write_error;
  if (!impl_->read_only) return error;
  return error.empty() ? kReadOnly : fmt::format("{}; {}", kReadOnly, error);
}

std::string Node::damage() const {
  return impl_->read_only ? impl_->fixed_status.write_error : std::string();
}

std::uint64_t Node::free_bytes() const {
  const Result<wal::Space> space = impl_->storage->space();
  return space ? space->free_bytes : 0;
}

void Node::note_failure(const Caller& caller, const Error& error) {
  impl_->events.error("request_failed",
                      fmt::format("{} {}: {}", caller.request_id, caller.actor, error.text()));
}

const std::string& Node::directory() const {
  return impl_->directory;
}
const codecs::FileLimits& Node::file_limits() const {
  return impl_->file_limits;
}
Mode Node::mode() const {
  return impl_->mode;
}
const Secrets& Node::secrets() const {
  return *impl_->secrets;
}
Random& Node::random() {
  return impl_->random;
}
const Clock& Node::clock() const {
  return impl_->clock;
}
Bell& Node::advanced() {
  return impl_->advanced;
}
std::uint64_t Node::journal_bytes() const {
  return impl_->status().journal_bytes;
}
MemoryBudget& Node::memory() const {
  static_cast<void>(map_bytes());
  return impl_->memory;
}
EventLog& Node::events() {
  return impl_->events;
}

}  // namespace netml::admin
