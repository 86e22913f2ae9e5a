// How good the map was over time (docs/api.md, section "Quality"): its score at points in time that
// lie evenly between two of its versions. Nothing is stored for it; the journal has the versions.
//
// Thread: its owner.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "engine/base/digest.hpp"
#include "engine/quality/quality_monitor.hpp"
#include "engine/transaction/state.hpp"

namespace netml::admin::web {

inline constexpr std::size_t kQualityPoints = 40;
inline constexpr std::size_t kQualityPointsMax = 200;
// Of all maps that are looked at together; a question that goes on is given up.
inline constexpr std::uint64_t kQualityHistoryRecordsMax = 100'000'000;

struct WantedScores {
  WallTime from;
  WallTime until;
  std::size_t points = kQualityPoints;  // at least two
  std::string topology = {};            // its identifier: that and all below it; empty: all
};

class QualityHistory {
 public:
  // `countries` must outlive it.
  QualityHistory(const engine::Countries& countries, WantedScores wanted)
      : monitor_(countries), wanted_(std::move(wanted)) {}

  // Two versions that follow one another. Errc::too_large when it is given up.
  Status take(const engine::State& before, const engine::State& after);

  // `last`: the version at the end. Errors as those of take().
  Result<boost::json::object> answer(const engine::State& last);

 private:
  WallTime time_of(std::size_t point) const;
  Status add_points(const engine::State& state, std::size_t end);
  void look_at(const engine::State& state, WallTime time);

  engine::QualityMonitor monitor_;
  const WantedScores wanted_;
  std::size_t next_ = 0;  // the point that comes next
  std::uint64_t records_ = 0;
  std::optional<engine::Digest> seen_;  // the map that `score_` is of
  boost::json::object score_;
  boost::json::array items_;
};

}  // namespace netml::admin::web
