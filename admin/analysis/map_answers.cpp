#include "admin/analysis/map_answers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "admin/analysis/map_columns.hpp"
#include "admin/answers/gzip.hpp"
#include "engine/base/guarded.hpp"

namespace netml::admin::web {

namespace {

// What making it takes for each record: columns, their text, and that compressed.
constexpr std::uint64_t kMapMemoryOfRecord = 400;

}  // namespace

MapAnswers::MapAnswers(MemoryBudget& memory)
    : memory_(memory),
      bytes_(memory.account(MemoryUse::caches, 0)),
      registration_(memory.add_cache([this] { forget_all(); })) {}

void MapAnswers::forget_all() {
  std::deque<Answer> forgotten;  // dies after the lock is released
  const std::lock_guard lock(mutex_);
  forgotten.swap(kept_);
  bytes_.set(0);
}

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
  if (!memory_.has_spare(answer->packed.size())) return;
  const std::lock_guard lock(mutex_);
  kept_.push_front(std::move(answer));
  std::size_t bytes = 0;
  std::size_t count = 0;
  for (const Answer& each : kept_) {
    const std::size_t more = each->packed.size();
    if (count > 0 && (count == kKept || bytes + more > kKeptBytes)) break;
    bytes += more;
    ++count;
  }
  kept_.resize(count);
  bytes_.set(bytes);
}

Result<MapAnswers::Answer> MapAnswers::of(const engine::State& state) {
  const std::string etag = etag_of(state);
  if (Answer answer = find(etag)) return answer;
  const auto slot = asking_.take();
  if (slot == nullptr) return fail(Errc::unavailable, "too many ask for the map; try again later");
  const std::lock_guard lock(making_);
  if (Answer answer = find(etag)) return answer;
  NETML_TRY(const MemoryReservation reserved,
            memory_.reserve(MemoryUse::answers, kMapMemoryOfRecord * state.graph.size()));
  MapAnswer made;
  made.etag = etag;
  NETML_TRY_VOID(guarded([&]() -> Status {
    const std::string text = map_columns(state);
    made.text_bytes = text.size();
    NETML_TRY(made.packed, gzip(text));
    return {};
  }));
  auto answer = std::make_shared<const MapAnswer>(std::move(made));
  keep(answer);
  return answer;
}

}  // namespace netml::admin::web
