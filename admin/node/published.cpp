#include <fmt/format.h>

#include <cstdint>
#include <mutex>
#include <utility>

#include "admin/node/detail/node_impl.hpp"
#include "admin/node/map_memory.hpp"
#include "admin/node/node.hpp"
#include "engine/base/guarded.hpp"
#include "engine/base/parallel.hpp"
#include "engine/edit/plan_edit.hpp"
#include "engine/transaction/entry_changes.hpp"
#include "wal/checkpoint/checkpoint.hpp"

namespace netml::admin {

Result<wal::CheckpointEntry> Node::Impl::published(std::uint64_t number) const {
  const auto item = version().state->catalog.published.find(number);
  const wal::WriterStatus shown = status();
  if (item != nullptr)
    if (const auto* entry = wal::find_published(*shown.checkpoints, item->lsn)) return *entry;
  return fail(Errc::not_found, fmt::format("there is no published item {}", number));
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

}  // namespace netml::admin
