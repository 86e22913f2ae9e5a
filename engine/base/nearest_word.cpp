#include "engine/base/nearest_word.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace netml {

namespace {

constexpr std::size_t kCharactersMax = 64;  // nobody means a name that is longer
constexpr std::size_t kBeginningMin = 3;    // letters that may stand for the whole

std::string alike(std::string_view text) {
  std::string same(text);
  for (char& c : same) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '_') c = '-';
  }
  return same;
}

// Letters to mistake, leave out, add or swap with their neighbour to get from one to the other.
std::size_t distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> before(to.size() + 1);
  std::vector<std::size_t> row(to.size() + 1);
  std::vector<std::size_t> next(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t mistaken = from[i - 1] == to[j - 1] ? 0 : 1;
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + mistaken});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) next[j] = std::min(next[j], before[j - 2] + 1);
    }
    std::swap(before, row);
    std::swap(row, next);
  }
  return row[to.size()];
}

}  // namespace

std::optional<std::string_view> nearest_word(std::string_view typed,
                                             std::span<const std::string_view> words) {
  if (typed.empty() || typed.size() > kCharactersMax) return std::nullopt;
  const std::string wanted = alike(typed);
  std::size_t least = std::max<std::size_t>(1, typed.size() / 3) + 1;  // what is too far already
  std::optional<std::string_view> nearest;
  for (const std::string_view word : words) {
    const std::string candidate = alike(word);
    const bool begun = wanted.size() >= kBeginningMin && candidate.starts_with(wanted);
    const std::size_t far =
        begun ? std::min<std::size_t>(1, distance(wanted, candidate)) : distance(wanted, candidate);
    if (far >= least) continue;
    least = far;
    nearest = word;
  }
  return nearest;
}

std::string did_you_mean(std::string_view typed, std::span<const std::string_view> words) {
  const auto word = nearest_word(typed, words);
  return word ? fmt::format(" (did you mean {}?)", *word) : "";
}

}  // namespace netml
