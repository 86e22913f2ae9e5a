// JSON written straight into a text, beside its strings (engine/base/json_string.hpp): for long
// answers, where a tree of values would cost several times their size. Short ones are made with
// Boost.JSON.
//
// Thread: any (pure functions).
#pragma once

#include <cstdint>
#include <string>

#include "engine/graph/record.hpp"

namespace netml::admin::web {

void append_number(std::string& out, std::uint64_t number);
void append_decimal(std::string& out, engine::Micro value);  // 44.65, as short as it goes

}  // namespace netml::admin::web
