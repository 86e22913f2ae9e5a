#include "admin/history/journal_place.hpp"

#include "engine/base/texts.hpp"

namespace netml::admin {

Result<std::optional<wal::Head>> find_place(wal::JournalReader& reader, const wal::Head& wanted) {
  if (wanted == wal::Head()) return wanted;
  if (wanted.lsn.value == 0 || wanted.lsn > reader.head()) return std::nullopt;
  NETML_TRY(const wal::HistoryEntry entry, reader.entry(wanted.lsn));
  if (entry.chain != wanted.chain) return std::nullopt;
  return wanted;
}

Result<std::optional<wal::Head>> find_place(wal::JournalReader& reader, std::string_view field,
                                            std::string_view text) {
  if (const auto wanted = wal::parse_head(text)) return find_place(reader, *wanted);
  const auto lsn = parse_integer<std::uint64_t>(text);
  if (!lsn) return fail(Errc::invalid_input, field, "must be an LSN, or a head");
  if (*lsn == 0) return wal::Head{};
  if (Lsn{*lsn} > reader.head()) return std::nullopt;
  NETML_TRY(const wal::HistoryEntry entry, reader.entry(Lsn{*lsn}));
  return wal::Head{entry.lsn, entry.chain};
}

}  // namespace netml::admin
