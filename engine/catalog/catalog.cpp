#include "engine/catalog/catalog.hpp"

#include <fmt/format.h>

#include <functional>

namespace netml::engine {

std::uint32_t index_bits(std::string_view text) {
  return static_cast<std::uint32_t>(std::hash<std::string_view>()(text));
}

std::string import_status_text(ImportStatus status) {
  return fmt::format("{}: {}", static_cast<int>(status), enumerant_name(status));
}

std::optional<std::string> setting(const Catalog& catalog, std::string_view name) {
  const std::uint64_t number = catalog.settings.find_with<&Setting::name>(name);
  if (number == 0) return std::nullopt;
  return catalog.settings.find(number)->value;
}

std::uint64_t find_account(const Catalog& catalog, std::string_view name) {
  return catalog.accounts.find_with<&Account::name>(name);
}

std::uint64_t find_source(const Catalog& catalog, std::string_view name) {
  return catalog.sources.find_with<&PollingSource::name>(name);
}

std::uint64_t latest_published(const Catalog& catalog) {
  return catalog.published.newest_with<&PublishedItem::status>(PublishedStatus::success);
}

}  // namespace netml::engine
