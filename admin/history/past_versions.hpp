// Versions of the past that were asked for lately: whoever moves along the time line asks for the
// same few again and again, and making one reads a checkpoint and the journal after it.
//
// Thread: any.
#pragma once

#include <optional>
#include <string>

#include "admin/base/cache.hpp"
#include "admin/history/audit.hpp"
#include "admin/node/node.hpp"

namespace netml::admin::web {

class PastVersions {
 public:
  explicit PastVersions(Node& node);

  // The version at WHEN (docs/audit.md); none = now. Errc::unavailable when too many are being
  // made, or the memory for it is taken.
  Result<engine::StatePtr> at(Audit& audit, const std::optional<std::string>& when);

 private:
  Node& node_;
  Cache<std::uint64_t, engine::State> versions_;  // by their LSNs
};

}  // namespace netml::admin::web
