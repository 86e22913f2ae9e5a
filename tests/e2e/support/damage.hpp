// Bodies made worse, the same for the same seed: what broken and hostile clients send.
// Thread: one.
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace netml::e2e {

class Damage {
 public:
  explicit Damage(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t count) { return count == 0 ? 0 : random_() % count; }
  bool one_in(std::size_t count) { return below(count) == 0; }

  // Of any body: cut, flipped bits, slices lost and repeated, foreign bytes, another encoding.
  std::string bytes(std::string body);
  // Of JSON: a value of another type, huge, deep or hostile; a key lost, renamed or given twice.
  std::string json(const std::string& body);
  // Of XML and forms: the text between two marks replaced; an element or part nested deeply.
  std::string markup(std::string body);

 private:
  std::string once(std::string body);

  std::mt19937_64 random_;  // the same numbers on every machine
};

}  // namespace netml::e2e
