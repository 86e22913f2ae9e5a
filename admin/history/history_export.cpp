#include "admin/history/history_export.hpp"

#include <fmt/format.h>

#include <utility>

#include "admin/history/detail/history_source.hpp"
#include "admin/history/journal_place.hpp"
#include "engine/base/guarded.hpp"

namespace netml::admin {

Result<HistoryExport> export_history(Node& node, const std::optional<std::string>& since) {
  NETML_TRY(wal::JournalReader reader, node.journal());
  NETML_TRY(const std::optional<wal::Head> after, find_place(reader, "since", since.value_or("0")));
  if (!after)
    return fail(Errc::conflict, fmt::format("{} is no place in this journal, which ends at LSN {}",
                                            net::excerpt(*since), reader.head().value));
  // An aborted transaction leaves the state before it.
  NETML_TRY(const Lsn committed, reader.committed_before(after->lsn));
  NETML_TRY(const wal::PastState from, node.state_at(committed));
  NETML_TRY(wal::NextTransaction next, node.transactions_after(from));
  NETML_TRY(const wal::Manifest manifest, node.manifest());
  NETML_TRY(const Lsn last, reader.committed_before(reader.head()));
  const std::string head = to_string(reader.head_hash());
  const codecs::ParquetWriter::Notes notes{
      {"stream", to_string(manifest.node)}, {"after", to_string(*after)}, {"head", head}};
  // The live map is at least as far as the journal was, and its identities are never given again.
  const std::size_t identities = node.version().state->graph.next_id().value;
  NETML_TRY(MemoryReservation reservation,
            node.memory().reserve(MemoryUse::past, history_bytes(identities)));
  HistoryReplay replay{std::move(next), from.state, last, identities};
  HistoryExport exported{nullptr, head};
  NETML_TRY_VOID(guarded([&]() -> Status {
    exported.body = history_source(std::move(replay), notes, std::move(reservation));
    return {};
  }));
  return exported;
}

}  // namespace netml::admin
