#include "admin/imports/known_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "codecs/formats/file_format.hpp"
#include "engine/base/guarded.hpp"

namespace netml::admin {

namespace {

// Each more than a node with many sources sends between two of its polls.
CacheBounds bounds(CacheCounts* counted) {
  return {.values_max = 64, .bytes_max = 16 << 20, .counted = counted};
}

std::string origin_of(const ImportRequest& request) {
  return fmt::format("{} {} {} {} {}", static_cast<int>(request.source), request.polled_source,
                     request.token, request.format, request.file_name);
}

// Of all of one format.
std::string last_of(const ImportRequest& request) {
  return fmt::format("last {}",
                     fmt::ptr(&codecs::chosen_format(request.format, request.file_name)));
}

}  // namespace

KnownFiles::KnownFiles(MemoryBudget& memory, CacheCounts* counted)
    : uploads_(memory, bounds(counted), [](const KnownUpload& upload) {
        return sizeof upload + upload.topologies.size() * sizeof(RecordId) +
               upload.topology_name.size() + upload.owner.size() + upload.parameters.size() +
               upload.plan->bytes();
      }) {}

std::shared_ptr<const KnownUpload> KnownFiles::find(const ImportRequest& request) {
  auto known = uploads_.find(origin_of(request));
  if (known != nullptr || request.source != engine::ImportSource::command_line) return known;
  return uploads_.find(last_of(request));
}

void KnownFiles::note(const ImportRequest& request, KnownUpload upload) {
  std::ignore = guarded([&]() -> Status {
    const auto known = std::make_shared<const KnownUpload>(std::move(upload));
    uploads_.store(last_of(request), known);
    uploads_.store(origin_of(request), known);
    return {};
  });
}

void KnownFiles::note_alone(std::uint64_t contents, std::vector<RecordId> topologies) {
  const std::lock_guard lock(mutex_);
  alone_.insert_or_assign(contents, std::move(topologies));
  if (alone_.size() > kImportsKept) alone_.erase(alone_.begin());
}

bool KnownFiles::holds(const KnownUpload& upload, std::uint64_t contents) const {
  const std::lock_guard lock(mutex_);
  std::uint64_t at = upload.contents;
  for (auto import = alone_.upper_bound(at); at < contents; ++import, ++at) {
    if (import == alone_.end() || import->first != at + 1) return false;
    const bool apart = std::ranges::none_of(upload.topologies, [&](RecordId topology) {
      return std::ranges::binary_search(import->second, topology);
    });
    if (!apart) return false;
  }
  return at == contents;
}

void KnownFiles::forget(const ImportRequest& request) {
  uploads_.erase(origin_of(request));
  uploads_.erase(last_of(request));
}

}  // namespace netml::admin
