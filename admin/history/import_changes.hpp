// How many records imports changed. Import records do not say; the transactions of the journal do,
// and its index knows which is whose. A transaction never changes, so what was read once is
// remembered: forgetting it costs the time to read it again, which is that of finding each import
// in the index, from the newest segment on.
//
// Owner: whoever answers, for as long as the node lives. Thread: any.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>

#include "admin/node/node.hpp"

namespace netml::admin {

class ImportChanges {
 public:
  // Beyond these all but what was asked for last is forgotten.
  static constexpr std::size_t kRememberedMax = 20'000;

  // Of those imports, by the numbers of their records, that the journal has; of one node, always
  // the same. What reading the journal gives.
  using ByImport = std::map<std::uint64_t, engine::ChangeCounts>;
  Result<ByImport> of(Node& node, const std::set<std::uint64_t>& imports);

 private:
  std::mutex mutex_;
  ByImport remembered_;  // guarded by mutex_
};

}  // namespace netml::admin
