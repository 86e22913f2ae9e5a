#include "wal/checkpoint/named_files.hpp"

#include <fmt/format.h>

#include <set>

namespace netml::wal {

std::map<Sha256, NamedFile> named_files(const engine::Catalog& catalog) {
  std::map<Sha256, NamedFile> files;
  const auto add = [&](const Sha256& hash, const char* kind, std::uint64_t number, bool needed) {
    NamedFile& file = files[hash];
    if (file.of.empty() || (needed && !file.needed)) file.of = fmt::format("{} {}", kind, number);
    file.needed |= needed;
  };
  catalog.imports.for_each([&](std::uint64_t number, const engine::ImportRecord& record) {
    if (record.file_hash != Sha256())
      add(record.file_hash, "import", number, record.status != engine::ImportStatus::aborted);
    for (const std::string& base : record.changes_of)
      if (const auto hash = parse_sha256(base)) add(*hash, "import", number, true);
  });
  catalog.plans.for_each([&](std::uint64_t number, const engine::KeptPlan& plan) {
    add(plan.file_hash, "plan", number, true);
  });
  return files;
}

std::vector<Sha256> files_brought(const engine::Transaction& transaction) {
  std::set<Sha256> files;
  const auto add = [&](const auto& changes) {
    for (const auto& change : changes)
      if (change.after != nullptr && change.after->file_hash != Sha256() &&
          (change.before == nullptr || change.before->file_hash != change.after->file_hash))
        files.insert(change.after->file_hash);
  };
  add(transaction.imports);
  add(transaction.plans);
  return {files.begin(), files.end()};
}

}  // namespace netml::wal
