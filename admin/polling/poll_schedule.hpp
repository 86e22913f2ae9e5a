// Polls when the settings say (docs/requirements/polling-and-publishing.md, sections 6 and 7; N10).
// A setting that changes counts at the next look, which is taken several times a second.
//
// Owner: the server. Thread: tick() by one thread; start() and stop() by the owner.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "admin/polling/polling.hpp"
#include "admin/settings/cron_schedule.hpp"
#include "admin/settings/settings.hpp"

namespace netml::admin {

class PollSchedule {
 public:
  static constexpr std::chrono::milliseconds kLook{250};

  // `leads`: whether this node polls at all now; another member of its cluster does otherwise. What
  // was due while none led, the next one makes up for once.
  using Leads = std::function<bool()>;
  PollSchedule(
      Node& node, Polling& polling, const Poller& poller, Leads leads = [] { return true; })
      : node_(node), polling_(polling), poller_(poller), leads_(std::move(leads)) {}
  PollSchedule(const PollSchedule&) = delete;
  PollSchedule& operator=(const PollSchedule&) = delete;

  void start();
  void stop() { thread_ = {}; }

  // Polls if a run is due now. What the thread does at each look.
  void tick();
  // Nothing when none is to come.
  std::optional<Instant> next_run() const;

 private:
  void follow_setting(const engine::Catalog& catalog, WallTime now);
  void follow_others(const engine::Catalog& catalog);
  void plan_from(Instant ran);
  static std::optional<Instant> just_ran(const engine::Catalog& catalog, Instant now);
  void poll(const engine::Catalog& catalog);

  Node& node_;
  Polling& polling_;
  const Poller& poller_;
  const Leads leads_;
  std::optional<std::uint64_t> batch_;  // the newest that was looked at, or made; of tick()
  mutable std::mutex mutex_;
  std::optional<RunPlan> plan_;  // guarded by mutex_
  std::string text_;             // that it was made from; of tick()
  std::jthread thread_;          // ended before the rest
};

}  // namespace netml::admin
