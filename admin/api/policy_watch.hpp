// How many redundancy policies are not met, for those who may neither walk the map nor wait
// (docs/redundancy.md).
//
// Owner: the services of a node. Thread: any.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "admin/node/node.hpp"

namespace netml::admin {

class PolicyWatch {
 public:
  // The node must outlive it.
  explicit PolicyWatch(Node& node) : node_(node) {}
  ~PolicyWatch();
  PolicyWatch(const PolicyWatch&) = delete;
  PolicyWatch& operator=(const PolicyWatch&) = delete;

  // Of the policies that are enabled, as the newest check found them; nothing before the first.
  // Where the map or a policy is another since, it is checked again in the background: who asks
  // every now and then is one question behind. A policy that this program cannot read counts as not
  // met.
  std::optional<std::uint64_t> unmet();
  // Returns when the check is done that was asked for last; for tests.
  void wait();

 private:
  void run();

  Node& node_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // All below guarded by mutex_.
  engine::StatePtr wanted_;  // to be checked; null: nothing is
  std::string asked_;        // what was asked for last, unless there was no memory for it
  bool checking_ = false;
  bool stopping_ = false;
  std::string checked_;                 // what the newest check was of
  std::optional<std::uint64_t> unmet_;  // what it found
  std::thread thread_;                  // started by the first question
};

}  // namespace netml::admin
