// Properties: what their values are, whatever they mean.
#include <algorithm>
#include <array>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/base/placeholder.hpp"
#include "engine/base/texts.hpp"
#include "engine/quality/themes.hpp"

namespace netml::engine {

namespace {

constexpr std::array<std::string_view, 4> kWeb{"url", "website", "homepage", "web"};
constexpr std::array<std::string_view, 3> kMail{"email", "e-mail", "mail"};

template <std::size_t N>
bool is_among(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool has_blank(std::string_view text) {
  return text.find_first_of(" \t\r\n") != text.npos;
}

// "example.org" counts: people write it so.
bool is_web_address(std::string_view text) {
  text = trimmed(text);
  for (const std::string_view scheme : {"https://", "http://"})
    if (lower_ascii(text.substr(0, scheme.size())) == scheme) {
      text.remove_prefix(scheme.size());
      break;
    }
  const std::string_view host = text.substr(0, text.find_first_of("/?#:"));
  const std::size_t dot = host.find('.');
  return !has_blank(text) && !host.starts_with('[') && dot != host.npos && dot != 0 &&
         dot + 1 < host.size() && host.find('@') == host.npos;
}

bool is_mail_address(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with("mailto:")) text.remove_prefix(7);
  const std::size_t at = text.find('@');
  return !has_blank(text) && at != text.npos && at != 0 && text.find('@', at + 1) == text.npos &&
         text.find('.', at) != text.npos && !text.ends_with('.');
}

bool is_contact_malformed(const Property& property) {
  if (is_among(kWeb, property.name)) return !is_web_address(property.value);
  return is_among(kMail, property.name) && !is_mail_address(property.value);
}

}  // namespace

// A record has each finding once, with the first property that shows it.
void check_properties(const Inspection& map, RecordId id, const Report& report) {
  const Attributes& record = map.graph.attributes(id);
  if (record.property_count() == 0) return;
  std::array<bool, kCheckCount> reported{};
  const auto find = [&](Check check, const Property& property) {
    if (!std::exchange(reported[static_cast<std::size_t>(check)], true))
      report({.check = check, .record = id, .subject = property.name});
  };
  std::vector<Property> all = record.properties();
  for (const Property& property : all) {
    if (property.name.starts_with(kReservedPrefix)) continue;
    if (trimmed(property.value).empty())
      find(Check::property_empty, property);
    else if (is_placeholder(property.value))
      find(Check::property_placeholder, property);
    else if (is_contact_malformed(property))
      find(Check::contact_malformed, property);
    if (is_garbled(property.value)) find(Check::property_garbled, property);
  }
  const auto key = [](const Property& property) { return std::tie(property.name, property.value); };
  std::ranges::sort(all, {}, key);
  const auto twice = std::ranges::adjacent_find(all);
  if (twice != all.end()) find(Check::property_repeated, *twice);
}

}  // namespace netml::engine
