#include "admin/analysis/map_answers.hpp"

#include <fmt/format.h>

#include "admin/answers/gzip.hpp"

namespace netml::admin::web {

namespace {

// What making it takes for each record: columns, their text, and that compressed.
constexpr std::uint64_t kMapMemoryOfRecord = 400;

CacheBounds bounds(CacheCounts* counted) {
  return {.values_max = 16,
          .bytes_max = 256 << 20,
          .busy = "too many ask for the map; try again later",
          .counted = counted};
}

}  // namespace

MapAnswers::MapAnswers(MemoryBudget& memory, CacheCounts* counted)
    : memory_(memory), answers_(memory, bounds(counted), [](const MapAnswer& answer) {
        return answer.compressed.size();
      }) {}

std::string MapAnswers::etag_of(const engine::State& state) {
  const engine::Digest digest = state.graph.digest();
  return fmt::format("{:016x}{:016x}", digest.high, digest.low);
}

Result<MapAnswers::Answer> MapAnswers::of(const engine::State& state) {
  return answers_.get(etag_of(state), [&]() -> Result<Answer> {
    NETML_TRY(const MemoryReservation reserved,
              memory_.reserve(MemoryUse::answers, kMapMemoryOfRecord * state.graph.size()));
    MapAnswer made;
    const std::string text = map_columns(state);
    made.text_bytes = text.size();
    NETML_TRY(made.compressed, gzip(text));
    return std::make_shared<const MapAnswer>(std::move(made));
  });
}

}  // namespace netml::admin::web
