#include "admin/api/policy_watch.hpp"

#include <fmt/format.h>

#include <utility>

#include "admin/analysis/redundancy_answer.hpp"
#include "admin/analysis/stored_policies.hpp"
#include "engine/base/guarded.hpp"

namespace netml::admin {

namespace {

// Differs whenever a check may find something else; empty where there is nothing to check.
std::string checked_key(const engine::State& state) {
  std::string key;
  state.catalog.policies.for_each([&](std::uint64_t number, const engine::StoredPolicy& stored) {
    if (stored.enabled) key += fmt::format("{} {} ", number, stored.policy);
  });
  const engine::Digest map = state.graph.digest();
  return key.empty() ? key : key + fmt::format("{:x} {:x}", map.high, map.low);
}

Result<std::uint64_t> count_unmet(Node& node, const engine::State& state) {
  NETML_TRY(const MemoryReservation reserved,
            node.memory().reserve(MemoryUse::answers,
                                  web::kRedundancyMemoryOfRecord * state.graph.size()));
  std::uint64_t unmet = 0;
  state.catalog.policies.for_each([&](std::uint64_t, const engine::StoredPolicy& stored) {
    if (!stored.enabled) return;
    const auto policy = read_stored(stored);
    if (!policy || check_redundancy(state.graph, *policy, [](const auto&) {}).below > 0) ++unmet;
  });
  return unmet;
}

}  // namespace

PolicyWatch::~PolicyWatch() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

std::optional<std::uint64_t> PolicyWatch::unmet() {
  const engine::StatePtr now = node_.version().state;
  const std::string key = checked_key(*now);
  if (key.empty()) return 0;
  const std::lock_guard lock(mutex_);
  if (key == checked_ || key == asked_ || stopping_) return unmet_;
  wanted_ = now;
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  asked_ = key;
  changed_.notify_all();
  return unmet_;
}

void PolicyWatch::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return wanted_ == nullptr && !checking_; });
}

// What there is no memory for is asked for again by the next question.
void PolicyWatch::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return stopping_ || wanted_ != nullptr; });
    if (stopping_) return;
    const engine::StatePtr state = std::exchange(wanted_, nullptr);
    const std::string key = asked_;
    checking_ = true;
    lock.unlock();
    const auto found =
        guarded([&]() -> Result<std::uint64_t> { return count_unmet(node_, *state); });
    lock.lock();
    checking_ = false;
    if (found) {
      checked_ = key;
      unmet_ = *found;
    } else if (asked_ == key) {
      asked_.clear();
    }
    changed_.notify_all();
  }
}

}  // namespace netml::admin
