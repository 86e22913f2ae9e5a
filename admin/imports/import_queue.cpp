#include "admin/imports/import_queue.hpp"

#include <fmt/format.h>

#include "engine/base/guarded.hpp"
#include "engine/base/priority.hpp"
#include "engine/base/wording.hpp"
#include "engine/transaction/entry_changes.hpp"

namespace netml::admin {

bool is_waiting(const engine::ImportRecord& record) {
  return record.status == engine::ImportStatus::in_progress &&
         record.source != engine::ImportSource::poll;
}

void ImportQueue::start() {
  NETML_ASSERT(!thread_.joinable());
  woken_ = true;
  thread_ = std::thread([this] {
    give_way();
    run();
  });
}

void ImportQueue::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void ImportQueue::wake() {
  const std::lock_guard lock(mutex_);
  woken_ = true;
  changed_.notify_all();
}

bool ImportQueue::stopping() const {
  const std::lock_guard lock(mutex_);
  return stopping_;
}

Status ImportQueue::check_room() const {
  std::size_t waiting = 0;
  node_.version().state->catalog.imports.for_each_with<&engine::ImportRecord::status>(
      engine::ImportStatus::in_progress,
      [&](std::uint64_t, const engine::ImportRecord& record) { waiting += is_waiting(record); });
  if (waiting < kWaitingMax) return {};
  const NamedLimit limit = kWaitingMax;
  return fail(Errc::unavailable,
              beyond_limit("uploads that wait to be imported", limit) + "; try again later");
}

Result<std::uint64_t> ImportQueue::add(ImportJob& job) {
  NETML_TRY(const SpooledFile file, job.store());
  engine::ImportRecord record = job.record(file);
  record.parent_topology = job.request().parent_record;
  std::uint64_t number = 0;
  Change change{
      .caller = job.request().caller, .cause = engine::Cause::upload, .file_hash = file.hash};
  change.plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    engine::Transaction transaction = engine::empty_transaction(state);
    number = state.catalog.imports.next_number();
    record.imported_at = now.instant();
    add_entry(transaction, state, record);
    return transaction;
  };
  NETML_TRY_VOID(node_.commit(std::move(change)));
  wake();
  return number;
}

void ImportQueue::run() {
  while (true) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return woken_ || stopping_; });
      if (stopping_) return;
      woken_ = false;
    }
    // Where there was no memory even to fail, it is tried again like any other.
    const Result<bool> done = guarded([&]() -> Result<bool> { return import_waiting(); });
    if (done && *done) continue;
    if (!done) node_.events().error("import", done.error().message);
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, retry_delay_, [&] { return stopping_; });
    woken_ = true;
  }
}

std::shared_ptr<KnownFiles> ImportQueue::known() const {
  const std::lock_guard lock(mutex_);
  return known_;
}

bool ImportQueue::waits(std::uint64_t number) const {
  const auto record = node_.version().state->catalog.imports.find(number);
  return record && is_waiting(*record);
}

std::uint64_t ImportQueue::first_after(std::uint64_t number) const {
  const engine::StatePtr state = node_.version().state;
  std::uint64_t first = 0;
  state->catalog.imports.for_each_with<&engine::ImportRecord::status>(
      engine::ImportStatus::in_progress,
      [&](std::uint64_t next, const engine::ImportRecord& record) {
        if (first == 0 && next > number && is_waiting(record)) first = next;
      });
  return first;
}

bool ImportQueue::import_waiting() {
  for (std::uint64_t number = first_after(0); number != 0 && !stopping() && leads_();
       number = first_after(number))
    if (!finish(number)) return false;
  return true;
}

// False when the import keeps its place. One whose record ended, or was deleted meanwhile, does
// not, whatever came of it.
bool ImportQueue::finish(std::uint64_t number) {
  const auto job = ImportJob::resume(node_, number, known());
  if (job) (*job)->report_to(progress_);
  const ImportOutcome outcome =
      job ? (*job)->commit() : ImportOutcome(tl::unexpected(ImportFailure{job.error(), {}, 0}));
  progress_.clear();
  if (!waits(number)) return true;
  NETML_ASSERT(!outcome.has_value());
  const Error& error = outcome.error().error;
  failures_ = failing_ == number ? failures_ + 1 : 1;
  failing_ = number;
  const bool give_up = error.code == Errc::corruption || error.code == Errc::not_found ||
                       outcome.error().no_room ||
                       (error.code == Errc::io_error && failures_ >= kFailuresMax);
  const Status aborted = give_up ? abort(number, error.text()) : Status();
  if (give_up && aborted) return true;
  node_.events().error("import", fmt::format("import {} waits: {}", number,
                                             aborted ? error.text() : aborted.error().text()));
  return false;
}

// Does nothing when the record was deleted, or has ended in another way.
Status ImportQueue::abort(std::uint64_t number, const std::string& reason) {
  Change change{.caller = {engine::ActorKind::system, "netml", "queue", {}},
                .cause = engine::Cause::failed_import};
  change.plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    engine::Transaction transaction = engine::empty_transaction(state);
    const auto stored = state.catalog.imports.find(number);
    if (stored == nullptr || !is_waiting(*stored)) return transaction;
    engine::ImportRecord record = *stored;
    record.status = engine::ImportStatus::aborted;
    record.message = engine::aborted_import_text(reason);
    put_entry(transaction, state, number, std::move(record));
    return transaction;
  };
  NETML_TRY_VOID(node_.commit(std::move(change)));
  return {};
}

}  // namespace netml::admin
