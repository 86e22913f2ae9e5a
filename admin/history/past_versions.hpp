// Versions of the past that were asked for lately: whoever moves along the time line asks for the
// same few again and again, and making one reads a checkpoint and the journal after it.
//
// Thread: any.
#pragma once

#include <deque>
#include <mutex>
#include <string_view>

#include "admin/base/slots.hpp"
#include "admin/history/audit.hpp"
#include "admin/node/node.hpp"

namespace netml::admin::web {

class PastVersions {
 public:
  // They are given up when somebody needs their memory.
  explicit PastVersions(Node& node)
      : node_(node), registration_(node.memory().add_cache([this] { forget_all(); })) {}

  // The version at WHEN (docs/audit.md); none = now. Errc::unavailable when too many are being
  // made, or the memory for it is taken.
  Result<engine::StatePtr> at(Audit& audit, const std::optional<std::string>& when);

 private:
  static constexpr std::size_t kKept = 8;
  static constexpr std::size_t kMadeAtOnce = 2;

  engine::StatePtr find(Lsn lsn);
  void forget_all();

  Node& node_;
  Slots making_{kMadeAtOnce};
  std::mutex mutex_;
  std::deque<engine::StatePtr> kept_;  // the last used first; guarded by mutex_
  const MemoryBudget::Registration registration_;
};

}  // namespace netml::admin::web
