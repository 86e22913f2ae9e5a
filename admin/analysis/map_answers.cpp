#include "admin/analysis/map_answers.hpp"

#include <fmt/format.h>

#include <utility>

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

std::vector<GzipText> text_of(const engine::State& state, MapPart part) {
  switch (part) {
    case MapPart::drawing:
      return map_drawing(state);
    case MapPart::texts:
      return map_texts(state);
    case MapPart::json:
      break;
  }
  return {{.bytes = map_columns(state)}};
}

}  // namespace

MapAnswers::MapAnswers(MemoryBudget& memory, CacheCounts* counted)
    : memory_(memory), answers_(memory, bounds(counted), [](const GzipPiece& answer) {
        return answer.deflated.size();
      }) {}

std::string MapAnswers::etag_of(const engine::State& state) {
  const engine::Digest digest = state.graph.digest();
  return fmt::format("{:016x}{:016x}{}", digest.high, digest.low, is_seen(state) ? "-seen" : "");
}

std::string MapAnswers::etag_of(const engine::State& state, MapForm form) {
  return etag_of(state) + (form == MapForm::binary ? "-sections" : "");
}

Result<MapAnswers::Answer> MapAnswers::of(const engine::State& state, MapPart part) {
  const std::string key = fmt::format("{} {}", etag_of(state), static_cast<int>(part));
  return answers_.get(key, [&]() -> Result<Answer> {
    NETML_TRY(const MemoryReservation reserved,
              memory_.reserve(MemoryUse::answers, kMapMemoryOfRecord * state.graph.size()));
    NETML_TRY(GzipPiece made, gzip_piece(text_of(state, part)));
    return std::make_shared<const GzipPiece>(std::move(made));
  });
}

GzipPieces MapAnswers::pieces(engine::StatePtr state, MapForm form, Answer first) {
  if (form == MapForm::json) state = nullptr;
  return [this, state = std::move(state), first = std::move(first)]() mutable -> Result<Answer> {
    if (first) return std::exchange(first, nullptr);
    if (!state) return Answer();
    NETML_TRY(Answer texts, of(*state, MapPart::texts));
    state = nullptr;
    return texts;
  };
}

}  // namespace netml::admin::web
