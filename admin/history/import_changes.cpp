#include "admin/history/import_changes.hpp"

#include <set>

namespace netml::admin {

namespace {

Status read(Node& node, const std::set<std::uint32_t>& imports, ImportChanges::ByImport& into) {
  NETML_TRY(wal::JournalReader reader, node.journal());
  NETML_TRY(const auto written, reader.imports_written(imports));
  for (const auto& [import, lsn] : written) {
    NETML_TRY(const wal::HistoryEntry entry, reader.entry(lsn));
    into.emplace(import, entry.counts);
  }
  return {};
}

}  // namespace

// The journal is read without the lock: at worst two read the same.
Result<ImportChanges::ByImport> ImportChanges::of(Node& node,
                                                  const std::set<std::uint64_t>& imports) {
  ByImport found;
  std::set<std::uint32_t> unknown;
  {
    const std::lock_guard lock(mutex_);
    for (const std::uint64_t import : imports)
      if (const auto known = remembered_.find(import); known != remembered_.end())
        found.insert(*known);
      else
        unknown.insert(static_cast<std::uint32_t>(import));
  }
  if (unknown.empty()) return found;
  NETML_TRY_VOID(read(node, unknown, found));
  const std::lock_guard lock(mutex_);
  if (remembered_.size() + unknown.size() > kRememberedMax) remembered_.clear();
  remembered_.insert(found.begin(), found.end());
  return found;
}

}  // namespace netml::admin
