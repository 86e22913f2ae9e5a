#include "admin/answers/json_text.hpp"

#include <fmt/format.h>

namespace netml::admin::web {

void append_number(std::string& out, std::uint64_t number) {
  const fmt::format_int digits(number);
  out.append(digits.data(), digits.size());
}

void append_decimal(std::string& out, engine::Micro value) {
  constexpr std::uint64_t kUnit = 1'000'000;
  const auto size = static_cast<std::uint64_t>(value.value < 0 ? -value.value : value.value);
  if (value.value < 0) out += '-';
  append_number(out, size / kUnit);
  if (size % kUnit == 0) return;
  const fmt::format_int fraction(kUnit + size % kUnit);
  std::string_view digits(fraction.data() + 1, fraction.size() - 1);
  digits = digits.substr(0, digits.find_last_not_of('0') + 1);
  out += '.';
  out += digits;
}

}  // namespace netml::admin::web
