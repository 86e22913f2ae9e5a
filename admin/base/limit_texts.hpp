// What commands and refusals say of limits.
//
// Thread: any (pure functions).
#pragma once

#include <string>
#include <string_view>

// Of those that a refusal names.
namespace netml::admin::limit_names {

inline constexpr std::string_view kUploadsAtOnce = "uploads_at_once_max";
inline constexpr std::string_view kImportsWaiting = "imports_waiting_max";

}  // namespace netml::admin::limit_names

namespace netml::admin::cli {

// All of them with their defaults, a line each.
std::string limit_list();
// Whether the text is of a refusal that says how to raise a limit (engine/base/wording.hpp).
bool speaks_of_limit(std::string_view text);

}  // namespace netml::admin::cli
