#include "admin/history/past_transactions.hpp"

#include "engine/base/guarded.hpp"
#include "wal/storage/posix_storage.hpp"

namespace netml::admin {

Status each_transaction(Node& node, const wal::PastState& from, Lsn last,
                        const std::function<void(const wal::PastTransaction&)>& visit) {
  NETML_TRY(const MemoryReservation reserved,
            node.memory().reserve(MemoryUse::past, node.map_bytes()));
  NETML_TRY(const wal::Manifest manifest, node.manifest());
  NETML_TRY(const wal::JournalReader journal, node.journal());
  const wal::JournalView view{manifest.node, journal.head_hash(), manifest.checkpoints};
  NETML_TRY(const auto data, wal::PosixStorage::open_path(node.directory()));
  InlineParallel on_this_thread;  // the helpers are the writer's
  NETML_TRY_VOID(
      guarded([&] { return wal::replay_from(*data, view, from, last, on_this_thread, visit); }));
  return {};
}

}  // namespace netml::admin
