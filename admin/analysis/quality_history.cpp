#include "admin/analysis/quality_history.hpp"

#include "admin/analysis/quality_answer.hpp"
#include "admin/answers/record_text.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using engine::State;

Status QualityHistory::take(const State& before, const State& after) {
  std::size_t end = next_;
  while (end < wanted_.points && time_of(end) < after.effective_time) ++end;
  return add_points(before, end);
}

Result<json::object> QualityHistory::answer(const State& last) {
  NETML_TRY_VOID(add_points(last, wanted_.points - 1));
  // Its dates are those of the score that pages show beside the line.
  seen_.reset();
  NETML_TRY_VOID(add_points(last, wanted_.points));
  return json::object{{"items", std::move(items_)}};
}

WallTime QualityHistory::time_of(std::size_t point) const {
  const std::int64_t length = wanted_.until.microseconds - wanted_.from.microseconds;
  const auto steps = static_cast<std::int64_t>(wanted_.points - 1);
  // In this order: the length of some centuries times the number of a point would not overflow.
  return WallTime{wanted_.from.microseconds + length / steps * static_cast<std::int64_t>(point) +
                  length % steps * static_cast<std::int64_t>(point) / steps};
}

// Those up to `end` fall into the time of this version.
Status QualityHistory::add_points(const State& state, std::size_t end) {
  for (; next_ < end; ++next_) {
    const WallTime time = time_of(next_);
    look_at(state, time);
    if (records_ > kQualityHistoryRecordsMax)
      return fail(Errc::too_large, "these are too many large maps; ask for fewer points");
    json::object item{{"time", time_text(time.instant())}, {"lsn", state.lsn.value}};
    for (const auto& [name, value] : score_) item[name] = value;
    items_.push_back(std::move(item));
  }
  return {};
}

// Dates are held against the first point that a map has: later ones only make it older.
void QualityHistory::look_at(const State& state, WallTime time) {
  const engine::Digest map = state.graph.content_digest();
  if (seen_ == map) return;
  seen_ = map;
  records_ += state.graph.size();
  monitor_.take(state.graph, time.instant());
  score_ = score_json(state.graph, monitor_.tallies(), wanted_.topology);
}

}  // namespace netml::admin::web
