#include "engine/graph/loss_list.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/graph/document.hpp"

namespace netml::engine {

std::string Loss::text() const {
  const std::string what = fmt::format("{}: {}", field, reason);
  const std::string where = InputError{.code = {},
                                       .message = {},
                                       .line = line,
                                       .column = column,
                                       .sheet = sheet,
                                       .pointer = pointer}
                                .place();
  return where.empty() ? what : fmt::format("{}: {}", where, what);
}

void LossList::lose(Loss loss) {
  ++lost_;
  std::string key = fmt::format("{}\n{}", loss.field, loss.reason);
  if (const auto found = place_in_counts_.find(key); found != place_in_counts_.end()) {
    ++counts_[found->second].count;
  } else if (counts_.size() < kKeptMax) {
    place_in_counts_.emplace(std::move(key), counts_.size());
    counts_.push_back({loss.field, loss.reason, 1});
  }
  if (kept_.size() < kKeptMax) kept_.push_back(std::move(loss));
}

std::size_t LossList::bytes() const {
  std::size_t bytes = 0;
  for (const Loss& loss : kept_)
    bytes += sizeof loss + loss.field.size() + loss.reason.size() + loss.pointer.size() +
             loss.sheet.size();
  // Each of them once more in the look-up.
  for (const LossCount& count : counts_)
    bytes += 2 * (sizeof count + count.field.size() + count.reason.size());
  return bytes;
}

std::vector<std::string> LossList::texts() const {
  std::vector<std::string> texts;
  texts.reserve(counts_.size());
  for (const auto& [field, reason, count] : counts_)
    texts.push_back(fmt::format("{} x {}: {}", count, field, reason));
  return texts;
}

}  // namespace netml::engine
