#include "admin/settings/setting_json.hpp"

#include <boost/json.hpp>

namespace netml::admin {

namespace json = boost::json;

json::object setting_json(const SettingDefinition& definition, const engine::Catalog& catalog,
                          Mode mode) {
  json::object object{{"name", definition.name},
                      {"display_name", definition.display_name},
                      {"value", setting_value(catalog, definition.name, mode)},
                      {"default", default_value(definition, mode)},
                      {"allowed", json::array()},
                      {"description", definition.description},
                      {"stored", is_stored(catalog, definition)}};
  if (definition.is_number())
    object["maximum"] = definition.number_max;
  else if (!definition.is_text())
    object["allowed"] = json::value_from(definition.allowed);
  return object;
}

}  // namespace netml::admin
