// What this program is: for `netml --version` and the node's status.
// Thread: any (pure functions).
#pragma once

#include <string>

namespace netml::admin::cli {

std::string version_text(int disk_format_version);
std::string version_json(int disk_format_version);

}  // namespace netml::admin::cli
