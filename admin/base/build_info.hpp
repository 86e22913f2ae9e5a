// Which build of the program this is.
// Thread: any (pure functions).
#pragma once

#include <string_view>

namespace netml::admin::cli {

struct BuildInfo {
  std::string_view version;
  std::string_view revision;  // of the source, abbreviated; "+" after it: with local changes
  std::string_view type;      // name of the build folder: "release"
  std::string_view flags;     // of the compiler
};

const BuildInfo& build_info();

}  // namespace netml::admin::cli
