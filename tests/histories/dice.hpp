// What a random history draws. The same seed draws the same.
#pragma once

#include <algorithm>
#include <random>

#include "tests/histories/plain_import.hpp"

namespace netml::test {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}

  int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint64_t>(limit)); }
  std::uint64_t between(std::uint64_t first, std::uint64_t last) {
    return first + random_() % (last - first + 1);
  }
  bool one_in(int count) { return below(count) == 0; }
  template <class T>
  const T& one_of(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(below(static_cast<int>(all.size())))];
  }
  std::set<Key> some_of(const std::vector<Key>& all);

  // An element's name tells its identifier, and one of three letters that may change.
  std::string name_of(std::string_view id);
  std::string value();  // of a property; empty = none
  // "n3": one of the few identifiers that there are of each kind, so that they meet often.
  std::string id(Kind kind);
  // One to four topologies, up to three deep.
  PlainFile file();

 private:
  PlainFile::Topology topology(const std::string& id);
  std::vector<std::string> some_ids(char letter, int count, int at_least);

  std::mt19937_64 random_;
};

}  // namespace netml::test
