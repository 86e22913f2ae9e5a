#include "admin/polling/netbox_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace netml::admin {

namespace {

constexpr std::size_t kFiltersMax = 20;
constexpr std::size_t kFilterCharactersMax = 100;
constexpr std::array<std::string_view, 4> kFilterNames{"site", "region", "tenant", "tag"};

// "region=europe": what is asked for, and the short name that NetBox has for it.
bool is_filter(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return false;
  const std::string_view slug = text.substr(equals + 1);
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  return std::ranges::find(kFilterNames, text.substr(0, equals)) != kFilterNames.end() &&
         !slug.empty() && slug.size() <= kFilterCharactersMax && std::ranges::all_of(slug, allowed);
}

}  // namespace

NetboxChoice netbox_choice(const engine::PollingSource& source) {
  // What is stored was made by mapping_text().
  return {
      .filters = source.filters,
      .mapping = codecs::netbox::parse_mapping(source.mapping).value_or(codecs::netbox::Mapping())};
}

Status check_netbox_filters(const std::vector<std::string>& filters) {
  if (filters.size() > kFiltersMax)
    return fail(Errc::invalid_input, "filters", fmt::format("they are at most {}", kFiltersMax));
  for (const std::string& filter : filters)
    if (!is_filter(filter))
      return fail(Errc::invalid_input, "filters",
                  "a filter is site=, region=, tenant= or tag= with a short name (slug) of NetBox, "
                  "such as region=europe");
  return {};
}

}  // namespace netml::admin
