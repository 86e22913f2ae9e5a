// Outlines of countries as the program holds them (admin/web/scripts/make_countries.mjs).
//
// Thread: any (pure functions).
#pragma once

#include <string_view>

#include "engine/base/result.hpp"
#include "engine/quality/countries.hpp"

namespace netml::admin {

// Errc::invalid_input
Result<engine::Countries> read_country_outlines(std::string_view json);

}  // namespace netml::admin
