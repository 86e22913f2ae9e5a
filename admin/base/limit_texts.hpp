// What commands say of limits.
//
// Thread: any (pure functions).
#pragma once

#include <string>
#include <string_view>

namespace netml::admin::cli {

// All of them with their defaults, a line each.
std::string limit_list();
// Whether the text is of a refusal that says how to raise a limit (engine/base/limit_text.hpp).
bool speaks_of_limit(std::string_view text);

}  // namespace netml::admin::cli
