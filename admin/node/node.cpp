#include "admin/node/node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "admin/node/detail/node_impl.hpp"
#include "admin/node/key_findings.hpp"
#include "engine/base/parallel.hpp"

namespace netml::admin {

namespace {

constexpr const char* kReadOnly = "started for reading only";

}  // namespace

Status Node::Impl::check_changes_allowed() const {
  if (read_only) return fail(Errc::unavailable, kReadOnly);
  return {};
}

Version Node::version() const {
  wal::Version published = impl_->version();
  return {std::move(published.state), to_string(published.head)};
}

void Node::watch(VersionWatch* watcher) {
  impl_->watch = watcher;
}

std::uint64_t Node::contents() const {
  return impl_->contents;
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
    if (entry.recovery_base) return LastCheckpoint{entry.lsn, entry.created_at, entry.bytes()};
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

Result<Verification> Node::verify(const std::optional<wal::Head>& known,
                                  const std::optional<Ed25519PublicKey>& key,
                                  const ReportWork& progress) {
  InlineParallel inline_parallel;  // the helper threads are the writer's
  const auto hold = impl_->hold_uploads();
  wal::VerifyOptions options{.known = known, .key = key, .live = {}, .report = progress};
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

std::uint64_t Node::map_bytes() const {
  return impl_->map_memory.of(impl_->version().state->graph);
}

Status Node::await_writer() {
  if (impl_->writer == nullptr) return {};
  return impl_->writer->run([](wal::Store&) { return Status(); }).get();
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
  return space().free_bytes;
}

wal::Space Node::space() const {
  return impl_->storage->space().value_or(wal::Space());
}

std::size_t Node::changes_waiting() const {
  return impl_->status().queued;
}

std::chrono::nanoseconds Node::unchanged() const {
  const std::chrono::nanoseconds changed = impl_->changed_at;
  return impl_->clock.steady() - changed;
}

void Node::note_failure(const Caller& caller, const Error& error) {
  impl_->events.record(EventLevel::error, "request_failed",
                       fmt::format("{} {}: {}", caller.request_id, caller.actor, error.text()),
                       {.request_id = caller.request_id, .actor = caller.actor});
}

const std::string& Node::directory() const {
  return impl_->directory;
}
codecs::FileLimits Node::file_limits() const {
  const std::lock_guard lock(impl_->file_limits_mutex);
  return impl_->file_limits;
}
void Node::set_file_limits(const codecs::FileLimits& limits) {
  const std::lock_guard lock(impl_->file_limits_mutex);
  impl_->file_limits = limits;
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
Metrics& Node::metrics() const {
  return impl_->metrics;
}
EventLog& Node::events() {
  return impl_->events;
}

}  // namespace netml::admin
