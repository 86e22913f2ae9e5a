// Since when elements are below a redundancy policy (docs/api.md, section "Redundancy"): the policy
// is checked on a first version of the map, and again on each later one that may have other routes.
//
// Thread: its owner.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/analysis/redundancy.hpp"
#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::admin::web {

inline constexpr std::size_t kHistoryItemsMax = 10'000;
// Of all maps that are checked together; a question that goes on is given up.
inline constexpr std::uint64_t kHistoryRecordsMax = 500'000'000;
// For each record of the map.
inline constexpr std::uint64_t kHistoryMemoryOfRecord = 160;

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
  struct Seen {
    RecordId element;
    std::size_t at_least = 0;
    std::size_t at_most = 0;
    engine::RedundancyState state = engine::RedundancyState::met;
    bool operator==(const Seen&) const = default;
  };

  RedundancyHistory(engine::RedundancyPolicy policy, bool of_one)
      : policy_(std::move(policy)), of_one_(of_one) {}
  // Ascending by element.
  std::vector<Seen> check(const engine::Graph& graph);
  void compare(const std::vector<Seen>& old, const engine::State& before,
               const std::vector<Seen>& now, const engine::State& after);
  void report(const engine::State& at, const engine::Graph& graph, const Seen* old,
              const Seen* now);

  engine::RedundancyPolicy policy_;
  bool of_one_;
  std::vector<Seen> seen_;
  std::uint64_t versions_ = 0;  // looked through
  std::uint64_t checked_ = 0;
  std::uint64_t records_ = 0;  // of the maps that were checked
  bool found_ = false;         // whether any version has what the policy is about
  boost::json::array items_;
  std::size_t omitted_ = 0;
};

}  // namespace netml::admin::web
