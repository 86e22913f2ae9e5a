// The word of a list that somebody probably meant who typed another.
//
// Thread: any (pure functions).
#pragma once

#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace netml {

// The one with the fewest letters mistaken, left out, typed twice or swapped; the first of several.
// None where nothing is near enough. Upper and lower case are the same, so are '-' and '_'.
std::optional<std::string_view> nearest_word(std::string_view typed,
                                             std::span<const std::string_view> words);

// " (did you mean WORD?)", or nothing: stands behind the word in a message.
std::string did_you_mean(std::string_view typed, std::span<const std::string_view> words);

// The names of what a list holds, for both; they live as long as the list.
template <class List, class Name = std::identity>
std::vector<std::string_view> words_of(const List& list, Name name = {}) {
  std::vector<std::string_view> words;
  words.reserve(std::size(list));
  for (const auto& item : list) words.emplace_back(std::invoke(name, item));
  return words;
}

}  // namespace netml
