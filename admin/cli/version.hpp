// What this program is: for `netml --version` and the node's status.
// Thread: any (pure functions).
#pragma once

#include <string>
#include <string_view>

namespace netml::admin::cli {

struct BuildInfo {
  std::string_view version;
  std::string_view revision;  // of the source, abbreviated; "+" after it: with local changes
  std::string_view type;      // name of the build folder: "release"
  std::string_view flags;     // of the compiler
};

const BuildInfo& build_info();

std::string version_text(int disk_format_version);
std::string version_json(int disk_format_version);

}  // namespace netml::admin::cli
