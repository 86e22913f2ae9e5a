#include "engine/import/plan_polls.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/import/source_authority.hpp"
#include "engine/transaction/entry_changes.hpp"

namespace netml::engine {

namespace {

std::uint64_t milliseconds_between(Instant from, Instant to) {
  return to < from ? 0 : static_cast<std::uint64_t>(to.seconds - from.seconds) * 1000;
}

void remove_import_records(Transaction& transaction, const State& state) {
  for (const EntryChange<PollRecord>& change : transaction.poll_records) {
    if (change.after) continue;
    const std::uint64_t number = change.before->import_record;
    if (state.catalog.imports.find(number)) remove_entry<ImportRecord>(transaction, state, number);
  }
}

// With its records; one that is final stays as it is.
void close_batch(Transaction& transaction, const State& state, std::uint64_t batch,
                 std::uint64_t milliseconds, std::string_view message) {
  PollBatch closed = *state.catalog.poll_batches.find(batch);
  closed.finished = true;
  closed.milliseconds = milliseconds;
  put_entry(transaction, state, batch, closed);
  const Table<PollRecord>& records = state.catalog.poll_records;
  records.for_each_with<&PollRecord::batch>(
      batch, [&](std::uint64_t number, const PollRecord& stored) {
        if (stored.final()) return;
        PollRecord record = stored;
        record.status = PollStatus::aborted;
        record.reason = "interrupted";
        record.message = message;
        put_entry(transaction, state, number, std::move(record));
      });
}

// Of a batch, or of a source.
template <std::uint64_t PollRecord::* kOf>
void remove_records(Transaction& transaction, const State& state, std::uint64_t of) {
  const Table<PollRecord>& records = state.catalog.poll_records;
  records.for_each_with<kOf>(of, [&](std::uint64_t number, const PollRecord&) {
    remove_entry<PollRecord>(transaction, state, number);
  });
}

// So that, with the new batch, `kept_max` remain.
void prune(Transaction& transaction, const State& state, std::size_t kept_max) {
  const Table<PollBatch>& batches = state.catalog.poll_batches;
  if (batches.count() < kept_max) return;
  std::size_t too_many = batches.count() + 1 - kept_max;
  batches.for_each([&](std::uint64_t number, const PollBatch& batch) {
    if (too_many == 0 || !batch.finished) return;
    --too_many;
    remove_entry<PollBatch>(transaction, state, number);
    remove_records<&PollRecord::batch>(transaction, state, number);
  });
  remove_import_records(transaction, state);
}

Status check_name_is_free(const State& state, std::string_view name, std::uint64_t own_number) {
  const std::uint64_t holder = find_source(state.catalog, name);
  if (holder == 0 || holder == own_number) return {};
  return fail(Errc::conflict, "name", fmt::format("a source \"{}\" exists", name));
}

}  // namespace

Transaction plan_poll_batch(const State& state, PollBatch batch,
                            std::span<const std::uint64_t> sources, std::size_t kept_max) {
  Transaction transaction = empty_transaction(state);
  prune(transaction, state, kept_max);
  const std::uint64_t number = state.catalog.poll_batches.next_number();
  add_entry(transaction, state, batch);
  std::uint64_t next = state.catalog.poll_records.next_number();
  for (const std::uint64_t source : sources) {
    PollRecord record;
    record.batch = number;
    record.source = source;
    transaction.poll_records.push_back(
        {next++, nullptr, std::make_shared<const PollRecord>(std::move(record))});
  }
  return transaction;
}

void set_poll_record(Transaction& transaction, const State& state, std::uint64_t number,
                     PollRecord record) {
  const Table<PollRecord>& records = state.catalog.poll_records;
  if (records.find(number)) put_entry(transaction, state, number, std::move(record));
}

void set_peer_state(Transaction& transaction, const State& state, std::uint64_t source,
                    PeerState peer) {
  if (!state.catalog.sources.find(source)) return;
  std::erase_if(transaction.peer_states,
                [&](const auto& change) { return change.number == source; });
  put_entry(transaction, state, source, std::move(peer));
}

// Which tag the file had is not known any more, so the peer is asked for all of it once.
void learn_applied_plan(Transaction& transaction, const State& state, const KeptPlan& plan,
                        RecordId root, RecordId parent) {
  if (plan.import_record == 0) return;
  const Catalog& catalog = state.catalog;
  const std::uint64_t number =
      catalog.poll_records.find_with<&PollRecord::import_record>(plan.import_record);
  if (number == 0) return;
  const std::uint64_t source = catalog.poll_records.find(number)->source;
  const auto before = catalog.peer_states.find(source);
  if (before == nullptr) return;
  PeerState peer = *before;
  peer.etag.clear();
  peer.file_hash = plan.file_hash;
  peer.changes_of.clear();
  peer.root = root;
  peer.parent = parent;
  peer.topologies = topologies_with(state, transaction, source);
  peer.failures = 0;
  peer.waits_until.reset();
  set_peer_state(transaction, state, source, std::move(peer));
}

Transaction plan_poll_batch_finish(const State& state, std::uint64_t number,
                                   std::uint64_t milliseconds, std::string_view message) {
  Transaction transaction = empty_transaction(state);
  const auto before = state.catalog.poll_batches.find(number);
  if (before && !before->finished) close_batch(transaction, state, number, milliseconds, message);
  return transaction;
}

Result<Transaction> plan_poll_batch_delete(const State& state, std::uint64_t number) {
  if (state.catalog.poll_batches.find(number) == nullptr)
    return fail(Errc::not_found, fmt::format("there is no batch {}", number));
  Transaction transaction = empty_transaction(state);
  remove_entry<PollBatch>(transaction, state, number);
  remove_records<&PollRecord::batch>(transaction, state, number);
  return transaction;
}

Transaction plan_open_polls_close(const State& state, Instant now, std::string_view message) {
  Transaction transaction = empty_transaction(state);
  state.catalog.poll_batches.for_each_with<&PollBatch::finished>(
      false, [&](std::uint64_t number, const PollBatch& batch) {
        close_batch(transaction, state, number, milliseconds_between(batch.started, now), message);
      });
  return transaction;
}

PollStatus overall_status(std::span<const PollRecord> records) {
  const auto is = [](PollStatus status) {
    return [status](const PollRecord& record) { return record.status == status; };
  };
  if (std::ranges::any_of(records, is(PollStatus::aborted))) return PollStatus::aborted;
  return std::ranges::all_of(records, is(PollStatus::complete)) ? PollStatus::complete
                                                                : PollStatus::pending;
}

// ---- sources ----

Result<Transaction> plan_source_create(const State& state, PollingSource source) {
  NETML_TRY_VOID(check_name_is_free(state, source.name, 0));
  return entry_added(state, std::move(source));
}

Result<Transaction> plan_source_update(const State& state, std::uint64_t number,
                                       PollingSource source) {
  const auto before = state.catalog.sources.find(number);
  if (before == nullptr) return fail(Errc::not_found, fmt::format("there is no source {}", number));
  NETML_TRY_VOID(check_name_is_free(state, source.name, number));
  Transaction transaction = empty_transaction(state);
  if (source == *before) return transaction;
  put_entry(transaction, state, number, std::move(source));
  if (const auto peer = state.catalog.peer_states.find(number); peer && peer->waits_until) {
    PeerState again = *peer;
    again.waits_until.reset();
    set_peer_state(transaction, state, number, std::move(again));
  }
  return transaction;
}

Result<Transaction> plan_source_delete(const State& state, std::string_view name) {
  const std::uint64_t number = find_source(state.catalog, name);
  if (number == 0) return fail(Errc::not_found, fmt::format("there is no source \"{}\"", name));
  Transaction transaction = empty_transaction(state);
  remove_entry<PollingSource>(transaction, state, number);
  if (state.catalog.peer_states.find(number)) remove_entry<PeerState>(transaction, state, number);
  remove_records<&PollRecord::source>(transaction, state, number);
  return transaction;
}

}  // namespace netml::engine
