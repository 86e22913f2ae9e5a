// The JSON shape of a setting (docs/control-api.md).
#pragma once

#include <boost/json/object.hpp>

#include "admin/settings/settings.hpp"

namespace netml::admin {

boost::json::object setting_json(const SettingDefinition& definition,
                                 const engine::Catalog& catalog, Mode mode);

}  // namespace netml::admin
