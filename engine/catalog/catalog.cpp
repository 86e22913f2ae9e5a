#include "engine/catalog/catalog.hpp"

#include <fmt/format.h>

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

std::string import_status_text(ImportStatus status) {
  return fmt::format("{}: {}", static_cast<int>(status), import_status_phrase(status));
}

const char* role_name(Role role) {
  switch (role) {
    case Role::viewer:
      return "viewer";
    case Role::editor:
      return "editor";
    case Role::admin:
      return "admin";
  }
  return "?";
}

std::optional<Role> parse_role(std::string_view text) {
  for (const Role role : {Role::viewer, Role::editor, Role::admin})
    if (text == role_name(role)) return role;
  return std::nullopt;
}

const char* authority_name(SourceAuthority authority) {
  switch (authority) {
    case SourceAuthority::own:
      return "own";
    case SourceAuthority::listed:
      return "listed";
    case SourceAuthority::any:
      return "any";
  }
  return "?";
}

std::optional<SourceAuthority> parse_authority(std::string_view text) {
  for (const auto authority : {SourceAuthority::own, SourceAuthority::listed, SourceAuthority::any})
    if (text == authority_name(authority)) return authority;
  return std::nullopt;
}

std::optional<std::string> setting(const Catalog& catalog, std::string_view name) {
  const std::uint64_t number =
      catalog.settings.find_if([&](const Setting& entry) { return entry.name == name; });
  if (number == 0) return std::nullopt;
  return catalog.settings.find(number)->value;
}

std::uint64_t find_account(const Catalog& catalog, std::string_view name) {
  return catalog.accounts.find_if([&](const Account& account) { return account.name == name; });
}

std::uint64_t find_source(const Catalog& catalog, std::string_view name) {
  return catalog.sources.find_if([&](const PollingSource& source) { return source.name == name; });
}

std::uint64_t latest_published(const Catalog& catalog) {
  std::uint64_t latest = 0;
  catalog.published.for_each([&](std::uint64_t number, const PublishedItem& item) {
    if (item.status == PublishedStatus::success) latest = number;
  });
  return latest;
}

}  // namespace netml::engine
