#include "admin/access/first_code.hpp"

#include <sodium.h>

#include <array>

namespace netml::admin {

namespace {

// 80 bits in groups that can be read out; no characters that look alike.
std::string make_code(Random& random) {
  constexpr std::string_view kLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
  static_assert(kLetters.size() == 32);
  std::array<std::byte, 16> bytes{};
  random.fill(bytes);
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i > 0 && i % 4 == 0) text += '-';
    text += kLetters[std::to_integer<std::size_t>(bytes[i]) % kLetters.size()];
  }
  return text;
}

}  // namespace

FirstCode::FirstCode(const Clock& clock, Random& random)
    : clock_(clock), text_(make_code(random)), until_(clock.steady() + kValidFor) {}

bool FirstCode::matches(std::string_view given) const {
  const std::lock_guard lock(mutex_);
  const bool counts = !used_ && clock_.steady() < until_;
  return given.size() == text_.size() &&
         sodium_memcmp(given.data(), text_.data(), text_.size()) == 0 && counts;
}

void FirstCode::use_up() {
  const std::lock_guard lock(mutex_);
  used_ = true;
}

}  // namespace netml::admin
