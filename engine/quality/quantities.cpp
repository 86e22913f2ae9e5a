#include "engine/quality/quantities.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "engine/base/texts.hpp"
#include "engine/graph/properties.hpp"

namespace netml::engine {

namespace {

struct Unit {
  std::string_view name;  // lower case
  double factor;
};

constexpr auto kLengths = std::to_array<Unit>({{"", 1},
                                               {"km", 1},
                                               {"kilometer", 1},
                                               {"kilometers", 1},
                                               {"kilometre", 1},
                                               {"kilometres", 1},
                                               {"m", 0.001},
                                               {"meters", 0.001},
                                               {"metres", 0.001},
                                               {"mi", 1.609344},
                                               {"mile", 1.609344},
                                               {"miles", 1.609344},
                                               {"ft", 0.0003048},
                                               {"feet", 0.0003048}});

// Longer ones first, as they begin with the others.
constexpr auto kPrefixes = std::to_array<Unit>({{"kilo", 1e3},
                                                {"mega", 1e6},
                                                {"giga", 1e9},
                                                {"tera", 1e12},
                                                {"peta", 1e15},
                                                {"k", 1e3},
                                                {"m", 1e6},
                                                {"g", 1e9},
                                                {"t", 1e12},
                                                {"p", 1e15}});
constexpr auto kBits = std::to_array<std::string_view>({"b", "bit", "bits"});
// Behind a prefix, too: 10G, 10GE, 10GbE, 1GigE, 1 Gibit.
constexpr auto kPrefixedBits =
    std::to_array<std::string_view>({"", "b", "be", "bit", "bits", "e", "ibit", "ibits", "ige"});
constexpr auto kPerSecond =
    std::to_array<std::string_view>({"per second", "/second", "/sec", "/s", "ps"});
constexpr std::size_t kCapacityTextMax = 40;
constexpr double kAloneIsBits = 1e6;
constexpr double kCapacityMax = 1e16;
constexpr std::array<std::string_view, 4> kCapacityNames{"throughput", "capacity", "bandwidth",
                                                         "speed"};
constexpr std::string_view kRawSpeed = "linkspeedraw";
constexpr auto kHierarchies =
    std::to_array<Unit>({{"stm-", 155.52e6}, {"stm", 155.52e6}, {"oc-", 51.84e6}, {"oc", 51.84e6}});
constexpr auto kNamed = std::to_array<Unit>({{"e1", 2.048e6},
                                             {"e3", 34.368e6},
                                             {"t1", 1.544e6},
                                             {"t3", 44.736e6},
                                             {"ds1", 1.544e6},
                                             {"ds3", 44.736e6},
                                             {"ethernet", 1e7},
                                             {"fast ethernet", 1e8},
                                             {"gigabit ethernet", 1e9},
                                             {"gige", 1e9}});

template <std::size_t N>
std::optional<double> factor_of(const std::array<Unit, N>& units, std::string_view name) {
  for (const Unit& unit : units)
    if (unit.name == name) return unit.factor;
  return std::nullopt;
}

struct Number {
  double value = 0;
  std::string_view rest;  // without the blanks around it
};
std::optional<Number> leading_number(std::string_view text) {
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  return Number{value, trimmed(text.substr(static_cast<std::size_t>(end - text.data())))};
}

// "2,5": a comma before the digits that follow a number's first ones.
std::string with_point(std::string text) {
  const std::size_t comma = text.find_first_not_of("0123456789");
  if (comma == text.npos || comma == 0 || comma + 1 == text.size()) return text;
  if (text[comma] == ',' && text[comma + 1] >= '0' && text[comma + 1] <= '9') text[comma] = '.';
  return text;
}

// A large B, but of GBit and GBE.
bool is_in_bytes(std::string_view unit) {
  const std::size_t large = unit.find('B');
  if (large == unit.npos) return false;
  const std::string_view next = unit.substr(large + 1);
  return next.empty() || (lower_letter(next[0]) != 'i' && lower_letter(next[0]) != 'e');
}

// What a number with this unit is multiplied by to be in bits per second.
std::optional<double> capacity_factor(std::string_view unit) {
  if (is_in_bytes(unit)) return std::nullopt;
  const std::string folded = lower_ascii(unit);
  std::string_view rest = folded;
  for (const std::string_view per_second : kPerSecond)
    if (rest.ends_with(per_second)) {
      rest = trimmed(rest.substr(0, rest.size() - per_second.size()));
      break;
    }
  if (std::ranges::find(kBits, rest) != kBits.end()) return 1;
  for (const Unit& prefix : kPrefixes) {
    if (!rest.starts_with(prefix.name)) continue;
    const std::string_view bits = trimmed(rest.substr(prefix.name.size()));
    if (std::ranges::find(kPrefixedBits, bits) != kPrefixedBits.end()) return prefix.factor;
  }
  return std::nullopt;
}

std::optional<double> possible(double bits) {
  return bits > 0 && bits <= kCapacityMax ? std::optional(bits) : std::nullopt;
}

// STM-16
std::optional<double> in_hierarchy(std::string_view folded) {
  for (const Unit& hierarchy : kHierarchies) {
    if (!folded.starts_with(hierarchy.name)) continue;
    const auto number = leading_number(folded.substr(hierarchy.name.size()));
    if (number && number->rest.empty()) return number->value * hierarchy.factor;
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> length_km(std::string_view text) {
  const std::string folded = lower_ascii(trimmed(text));
  const auto number = leading_number(folded);
  if (!number) return std::nullopt;
  const auto factor = factor_of(kLengths, number->rest);
  if (!factor) return std::nullopt;
  return number->value * *factor;
}

std::optional<double> bits_per_second(std::string_view said) {
  if (said.size() > kCapacityTextMax) return std::nullopt;
  const std::string text = with_point(std::string(trimmed(said)));
  const std::string folded = lower_ascii(text);
  if (const auto named = factor_of(kNamed, folded)) return named;
  if (const auto found = in_hierarchy(folded)) return possible(*found);
  const auto number = leading_number(text);
  if (!number) return std::nullopt;
  if (number->rest.empty())
    return possible(number->value < kAloneIsBits ? number->value * 1e9 : number->value);
  const auto factor = capacity_factor(number->rest);
  return factor ? possible(number->value * *factor) : std::nullopt;
}

std::optional<double> capacity_of(const Attributes& link) {
  if (const std::string_view said = first_property(link, kCapacityNames); !said.empty())
    return bits_per_second(said);
  const auto raw = leading_number(first_property(link, kRawSpeed));
  return raw && raw->rest.empty() ? possible(raw->value) : std::nullopt;
}

}  // namespace netml::engine
