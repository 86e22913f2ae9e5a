#include "codecs/document/numbers.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "engine/base/result.hpp"

namespace netml::codecs {

namespace {

constexpr std::int64_t kMicroPerUnit = 1'000'000;
constexpr std::size_t kDecimals = 6;

std::string_view trim_number(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

// With at least so many of the six decimals, and as many as say something.
char* put_decimal(char* at, engine::Micro value, std::size_t decimals_min) {
  if (value.value < 0) *at++ = '-';
  const auto magnitude = static_cast<std::uint64_t>(value.value < 0 ? -value.value : value.value);
  constexpr std::size_t kDigitsMax = 20;
  at = std::to_chars(at, at + kDigitsMax, magnitude / kMicroPerUnit).ptr;
  *at++ = '.';
  std::uint64_t rest = magnitude % kMicroPerUnit;
  for (std::size_t i = kDecimals; i-- > 0; rest /= 10) at[i] = static_cast<char>('0' + rest % 10);
  std::size_t length = kDecimals;
  while (length > decimals_min && at[length - 1] == '0') --length;
  return at + length;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  text = trim_number(text);
  if (text == "INF") return kInfinity;
  if (text == "-INF") return -kInfinity;
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text.find_first_not_of("0123456789+-.eE") != std::string_view::npos) return std::nullopt;
  if (text.starts_with('+')) {  // which from_chars does not know
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::invalid_argument || stop != end) return std::nullopt;
  // from_chars does not say which limit it met, strtod does. The locale is never changed.
  if (error == std::errc::result_out_of_range)
    return std::strtod(std::string(text).c_str(), nullptr);
  return value;
}

engine::Micro round_to_micro(double value) {
  NETML_ASSERT(std::abs(value) < 0x1p43);
  // value = mantissa * 2^-shift; the product with a million is exact in 128 bits.
  int exponent = 0;
  const double fraction = std::frexp(std::abs(value), &exponent);
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
  const int shift = 53 - exponent;
  if (shift > 80) return {};  // below 2^-27, which is less than half a millionth
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide{mantissa} * static_cast<std::uint64_t>(kMicroPerUnit);
  const Wide half = Wide{1} << (shift - 1);
  const Wide rest = product & ((Wide{1} << shift) - 1);
  auto rounded = static_cast<std::int64_t>(product >> shift);
  if (rest > half || (rest == half && rounded % 2 != 0)) ++rounded;
  return {value < 0 ? -rounded : rounded};
}

char* put_shortest(char* at, engine::Micro value) {
  return put_decimal(at, value, 1);
}

char* put_six_decimals(char* at, engine::Micro value) {
  return put_decimal(at, value, kDecimals);
}

void append_shortest(std::string& out, engine::Micro value) {
  char text[kDecimalBytesMax];
  out.append(text, put_shortest(text, value));
}

}  // namespace netml::codecs
