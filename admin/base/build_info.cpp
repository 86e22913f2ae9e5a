#include "admin/base/build_info.hpp"

#include "netml_build_info.hpp"

namespace netml::admin::cli {

const BuildInfo& build_info() {
  static constexpr BuildInfo kInfo{kBuildVersion, kBuildRevision, kBuildType, kBuildFlags};
  return kInfo;
}

}  // namespace netml::admin::cli
