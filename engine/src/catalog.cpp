#include "engine/catalog.hpp"

namespace netml::engine {

const char* import_status_phrase(ImportStatus status) {
  switch (status) {
    case ImportStatus::in_progress:
      return "Import in progress";
    case ImportStatus::complete:
      return "Import complete";
    case ImportStatus::warnings:
      return "Import completed, with warnings";
    case ImportStatus::aborted:
      return "Import aborted";
  }
  return "?";
}

std::optional<std::string> setting(const Catalog& catalog, std::string_view name) {
  const std::uint64_t number =
      catalog.settings.find_if([&](const Setting& entry) { return entry.name == name; });
  if (number == 0) return std::nullopt;
  return catalog.settings.find(number)->value;
}

std::uint64_t latest_published(const Catalog& catalog) {
  std::uint64_t latest = 0;
  catalog.published.for_each([&](std::uint64_t number, const PublishedItem& item) {
    if (item.status == PublishedStatus::success) latest = number;
  });
  return latest;
}

}  // namespace netml::engine
