#include "admin/web_api/map_answers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "admin/web_api/gzip.hpp"
#include "admin/web_api/map_columns.hpp"

namespace netml::admin::web {

std::string MapAnswers::etag_of(const engine::State& state) {
  const engine::Digest digest = state.graph.digest();
  return fmt::format("{:016x}{:016x}", digest.high, digest.low);
}

MapAnswers::Answer MapAnswers::find(const std::string& etag) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::ranges::find(kept_, etag, [](const Answer& answer) { return answer->etag; });
  if (found == kept_.end()) return nullptr;
  std::rotate(kept_.begin(), found, found + 1);
  return kept_.front();
}

void MapAnswers::keep(Answer answer) {
  const std::lock_guard lock(mutex_);
  kept_.push_front(std::move(answer));
  std::size_t bytes = 0;
  std::size_t count = 0;
  for (const Answer& each : kept_) {
    bytes += each->packed.size();
    if (count > 0 && (count == kKept || bytes > kKeptBytes)) break;
    ++count;
  }
  kept_.resize(count);
}

Result<MapAnswers::Answer> MapAnswers::of(const engine::State& state) {
  const std::string etag = etag_of(state);
  if (Answer answer = find(etag)) return answer;
  const auto slot = asking_.take();
  if (slot == nullptr) return fail(Errc::unavailable, "too many ask for the map; try again later");
  const std::lock_guard lock(making_);
  if (Answer answer = find(etag)) return answer;
  MapAnswer made;
  made.etag = etag;
  NETML_TRY(made.packed, gzip(map_columns(state)));
  auto answer = std::make_shared<const MapAnswer>(std::move(made));
  keep(answer);
  return answer;
}

}  // namespace netml::admin::web
