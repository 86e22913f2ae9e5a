// Forgets what was kept long enough (docs/requirements/polling-and-publishing.md, sections 12 and
// 15): records of imports by their age, and then the stored files that nothing names any more.
// Batches of polls and published items go when the next one comes (poller.hpp, publisher.hpp).
//
// Owner: the server. Thread: tidy() by one thread; start() and stop() by the owner.
#pragma once

#include <chrono>
#include <functional>
#include <thread>
#include <utility>

#include "admin/node/node.hpp"

namespace netml::admin {

class Retention {
 public:
  static constexpr std::chrono::hours kPause{1};

  // `leads`: whether this node changes the data now, as no other member of its cluster does. Files
  // that nothing names go from each member's directory by itself.
  using Leads = std::function<bool()>;
  explicit Retention(
      Node& node, Leads leads = [] { return true; })
      : node_(node), leads_(std::move(leads)) {}
  Retention(const Retention&) = delete;
  Retention& operator=(const Retention&) = delete;

  void start();
  void stop() { thread_ = {}; }

  // What the thread does every hour, at the start for the first time.
  Status tidy();

 private:
  // Some of the oldest; whether there may be more.
  Result<bool> forget_import_records();

  Node& node_;
  const Leads leads_;
  std::jthread thread_;  // ended before the rest
};

}  // namespace netml::admin
