#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "admin/base/build_info.hpp"
#include "admin/node/data_path.hpp"
#include "admin/node/detail/node_impl.hpp"
#include "admin/node/key_file.hpp"
#include "admin/node/key_findings.hpp"
#include "admin/node/node.hpp"
#include "engine/base/ed25519.hpp"
#include "engine/base/guarded.hpp"
#include "engine/rules/plan_rules.hpp"
#include "wal/checkpoint/recovery.hpp"
#include "wal/format/data_directory.hpp"

namespace netml::admin {

namespace {

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

void report_recovery(const wal::RecoveryReport& recovery, EventLog& events) {
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

Node::Impl::Impl(const NodeOptions& options, const Clock& clock_port, Random& random_port,
                 EventLog& log)
    : directory(options.data_directory),
      read_only(options.read_only),
      file_limits(options.file_limits),
      memory(options.memory == nullptr ? unlimited : *options.memory),
      own_metrics(options.metrics == nullptr ? std::make_unique<Metrics>() : nullptr),
      metrics(options.metrics == nullptr ? *own_metrics : *options.metrics),
      mode(options.mode),
      membership(options.membership),
      store_options(options.store),
      clock(clock_port),
      random(random_port),
      events(log) {}

Status Node::Impl::open(IfMissing if_missing) {
  NETML_TRY(storage, open_data_path(directory, if_missing, random));
  NETML_TRY_VOID(read_only ? open_to_read() : open_to_write());
  warn_of_misfit_keys();
  return {};
}

Status Node::Impl::open_to_write() {
  NETML_TRY(lock,
            lock_data_directory(*storage, {static_cast<std::uint64_t>(::getpid()), clock.wall(),
                                           std::string(cli::build_info().version)}));
  store_options.parallel = &parallel;
  if (membership != nullptr) store_options.group_log = &membership->group_log();
  NETML_TRY(store_options.signing_key, read_signing_key(*storage));
  NETML_TRY_VOID(refuse_damaged_key());
  NETML_TRY(auto store, wal::Store::open(*storage, clock, random, store_options));
  report_recovery(store->recovery(), events);
  NETML_TRY(data, wal::open_data_directory(*storage));
  const bool has_tokens = store->head()->catalog.tokens.count() > 0;
  NETML_TRY_VOID(load_secrets(has_tokens));
  uuid = store->manifest().node;
  for (const wal::AbsentFile& file : store->manifest().absent_files) absent.insert(file.sha256);
  index.emplace(*storage, wal::JournalIndex::Keep::in_files);
  const wal::WriterOptions calls{
      .after_rotation = [this](const wal::Writer& writing) { index_closed_segments(writing); },
      .after_commit = [this] { note_advance(); },
      .after_checkpoint = [this] { memory.give_back(); },
      .after_sync = [this](std::chrono::nanoseconds took) { metrics.syncs.observe(took); }};
  writer = std::make_unique<wal::Writer>(std::move(store), calls);
  return membership == nullptr ? Status() : begin_membership();
}

// A conflict would say that another process holds the directory.
Status Node::Impl::begin_membership() {
  if (version().state->lsn == Lsn{})
    return fail(Errc::invalid_input,
                fmt::format("{} is new, and a member's directory is not: make the first member's "
                            "with netml init and netml cluster init, all others with netml cluster "
                            "join",
                            directory));
  Status begun = membership->begin(*storage, *writer);
  if (begun || begun.error().code != Errc::conflict) return begun;
  return fail(Errc::invalid_input,
              fmt::format("{} cannot be a member's directory of this cluster: {}. Nothing was "
                          "changed; keep it as long as something in it is missed, and make another "
                          "with netml cluster join",
                          directory, begun.error().message));
}

// On the writer's thread. What another member planned changed records, too, for all that is known
// here.
void Node::Impl::note_advance() {
  if (membership != nullptr && membership->role() != wal::Role::leader) ++contents;
  advanced.ring();
}

Status Node::Impl::open_to_read() {
  NETML_TRY(lock, wal::lock_for_reading(*storage));
  NETML_TRY(wal::ReadOnlyData opened, wal::open_read_only(*storage, clock, parallel));
  report_recovery(opened.report, events);
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
Status Node::Impl::refuse_damaged_key() {
  const auto key = read_key_file(*storage, kNodeKeyFile);
  if (key || key.error().code == Errc::not_found) return {};
  return tl::unexpected(key.error());
}

// Without the key no token can be checked, but exports may need none.
Status Node::Impl::load_secrets_to_read() {
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
Status Node::Impl::load_secrets(bool has_tokens) {
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

void Node::Impl::warn_of_misfit_keys() {
  if (key_replaced) return;  // it was reported
  for (const std::string& finding : misfit_keys(*storage, version().state->catalog))
    events.warning("secrets", finding);
}

Node::Node(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Result<std::unique_ptr<Node>> Node::open(const NodeOptions& options, const Clock& clock,
                                         Random& random, EventLog& events) {
  auto impl = std::make_unique<Impl>(options, clock, random, events);
  const bool must_exist = options.must_exist || options.read_only || options.membership != nullptr;
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
  if (impl_->membership != nullptr) impl_->membership->stop();
  const Status stopped = impl_->writer->stop(quick ? wal::Writer::Stop::without_checkpoint
                                                   : wal::Writer::Stop::with_checkpoint);
  impl_->writer.reset();
  return stopped;
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

}  // namespace netml::admin
