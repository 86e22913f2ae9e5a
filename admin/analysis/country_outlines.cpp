#include "admin/analysis/country_outlines.hpp"

#include <boost/json.hpp>
#include <utility>

namespace netml::admin {

namespace json = boost::json;

namespace {

engine::CountryOutline country_of(const json::object& described) {
  engine::CountryOutline country;
  country.code = described.at("code").as_string();
  for (const json::value& name : described.at("names").as_array())
    country.names.emplace_back(name.as_string());
  for (const json::value& each : described.at("rings").as_array()) {
    const json::array& numbers = each.as_array();
    auto& ring = country.rings.emplace_back();
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
      ring.push_back({numbers[i].to_number<float>(), numbers[i + 1].to_number<float>()});
  }
  return country;
}

}  // namespace

Result<engine::Countries> read_country_outlines(std::string_view text) {
  try {
    const json::value parsed = json::parse(text);
    std::vector<engine::CountryOutline> countries;
    for (const json::value& each : parsed.at("countries").as_array())
      countries.push_back(country_of(each.as_object()));
    return engine::Countries(std::move(countries));
  } catch (const std::exception& error) {
    return fail(Errc::invalid_input, "countries", error.what());
  }
}

}  // namespace netml::admin
