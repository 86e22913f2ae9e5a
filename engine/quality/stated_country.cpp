#include "engine/quality/stated_country.hpp"

#include <algorithm>

#include "engine/base/texts.hpp"
#include "engine/graph/properties.hpp"

namespace netml::engine {

bool is_unlocode(std::string_view code) {
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  return code.size() == 5 && is_capital(code[0]) && is_capital(code[1]) &&
         std::ranges::all_of(code.substr(2),
                             [&](char c) { return is_capital(c) || (c >= '2' && c <= '9'); });
}

StatedCountry::StatedCountry(const Countries& countries, const Attributes& record) {
  const std::string_view code = trimmed(record.unlocode());
  if (is_unlocode(code)) by_unlocode_ = countries.find(code.substr(0, 2));
  const std::string_view name = first_property(record, kCountryProperties);
  if (!name.empty()) by_name_ = countries.find(name);
}

}  // namespace netml::engine
