// How a request is known that no server answers.
#pragma once

#include <string_view>

namespace netml::admin::cli {

// The id of every request that this process answers itself, because no server runs.
inline constexpr std::string_view kOfflineRequest = "local";

}  // namespace netml::admin::cli
