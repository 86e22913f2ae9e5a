#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "admin/base/effect_memory.hpp"
#include "admin/node/data_path.hpp"
#include "admin/node/detail/node_impl.hpp"
#include "admin/node/map_memory.hpp"
#include "admin/node/node.hpp"
#include "engine/base/guarded.hpp"
#include "engine/base/parallel.hpp"
#include "engine/base/work_now.hpp"
#include "wal/history/copy_until.hpp"

namespace netml::admin {

void Node::Impl::index_closed_segments(const wal::Writer& writing) {
  auto reader = wal::JournalReader::open(*storage, view_of(writing), *index);
  const Status prepared = reader ? reader->prepare() : tl::unexpected(reader.error());
  if (!prepared) events.warning("index", prepared.error().message);
}

std::vector<std::string> Node::Impl::index_findings() {
  const auto reader = wal::JournalReader::open(*storage, view(), *index);
  return reader ? reader->index_findings() : std::vector<std::string>();
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

Result<wal::ArchivedSegments> Node::archive(const std::string& path, const ReportWork& progress) {
  NETML_TRY_VOID(impl_->check_changes_allowed());
  NETML_TRY_VOID(make_archive(path, impl_->directory));
  const std::lock_guard lock(impl_->archiving);
  NETML_TRY(const wal::Manifest now, manifest());
  NETML_TRY(wal::ArchivedSegments compressed,
            wal::pack_segments(*impl_->storage, now, path, progress));
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

Result<wal::NextTransaction> Node::transactions_after(const wal::PastState& from) {
  const auto held = std::make_shared<MemoryReservation>(memory().account(MemoryUse::past, 0));
  const auto take = [held, &budget = impl_->memory](std::uint64_t bytes) {
    return budget.grow(*held, bytes);
  };
  return wal::transactions_after(*impl_->storage, impl_->view(), from, take);
}

Result<wal::Head> Node::copy_until(Lsn lsn, const std::string& path, const ReportWork& progress) {
  return make_data_path(path, [&](wal::Storage& into) -> Result<wal::Head> {
    InlineParallel on_this_thread;  // the helpers are the writer's
    NETML_TRY_VOID(Secrets::copy_key(*impl_->storage, into));
    const auto hold = impl_->hold_uploads();
    const wal::Version now = impl_->version();
    const wal::JournalView view{impl_->uuid, now.head, *impl_->status().checkpoints};
    return wal::copy_until(*impl_->storage, view, lsn, now.state->catalog, into,
                           impl_->clock.wall(), on_this_thread, progress);
  });
}

}  // namespace netml::admin
