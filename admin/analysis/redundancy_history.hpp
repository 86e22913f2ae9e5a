// Since when elements are below a redundancy policy (docs/api.md, section "Redundancy"): the policy
// is checked on a first version of the map, and on each later one where it may say something else.
//
// Thread: its owner.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/analysis/redundancy_monitor.hpp"
#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::admin::web {

inline constexpr std::size_t kHistoryItemsMax = 10'000;
// Of all maps that are checked as a whole; a question that goes on is given up.
inline constexpr std::uint64_t kHistoryRecordsMax = 500'000'000;

class RedundancyHistory {
 public:
  // Of one element, by its identifier, or of all. Errc::invalid_input, "element", where the policy
  // is not about it.
  static Result<RedundancyHistory> of(engine::RedundancyPolicy policy,
                                      const std::optional<std::string>& element);

  void begin(const engine::State& first);
  // The transactions after it, in order. Errc::too_large when it is given up.
  Status take(const engine::Transaction& transaction, const engine::State& before,
              const engine::State& after);

  // All that was found. Errc::not_found when no version has
  // the one element.
  Result<boost::json::object> answer();

 private:
  using Seen = engine::RouteStanding;

  RedundancyHistory(engine::RedundancyPolicy policy, bool of_one)
      : policy_(std::move(policy)),
        monitor_(std::make_unique<engine::RedundancyMonitor>(policy_)),
        of_one_(of_one) {}
  const std::vector<Seen>& check(const engine::Graph& graph);
  void compare(const std::vector<Seen>& old, const engine::State& before,
               const std::vector<Seen>& now, const engine::State& after);
  void report(const engine::State& at, const engine::Graph& graph, const Seen* old,
              const Seen* now);

  engine::RedundancyPolicy policy_;
  std::unique_ptr<engine::RedundancyMonitor> monitor_;
  bool of_one_;
  std::uint64_t versions_ = 0;  // looked through
  std::uint64_t checked_ = 0;
  std::uint64_t records_ = 0;  // of the maps that were checked as a whole
  bool found_ = false;         // whether any version has what the policy is about
  boost::json::array items_;
  std::size_t omitted_ = 0;
};

}  // namespace netml::admin::web
