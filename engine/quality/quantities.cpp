#include "engine/quality/quantities.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "engine/base/texts.hpp"

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

constexpr auto kPrefixes =
    std::to_array<Unit>({{"", 1}, {"k", 1e3}, {"m", 1e6}, {"g", 1e9}, {"t", 1e12}, {"p", 1e15}});
constexpr auto kBits =
    std::to_array<std::string_view>({"", "b", "bps", "b/s", "bit", "bits", "bit/s", "bits/s"});
constexpr auto kEthernets = std::to_array<std::string_view>({"e", "ige"});  // 10GE, 1GigE
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
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !std::isfinite(value)) return std::nullopt;
  return Number{value, trimmed(text.substr(static_cast<std::size_t>(end - text.data())))};
}

std::optional<double> capacity_factor(std::string_view unit) {
  for (const Unit& prefix : kPrefixes) {
    if (!unit.starts_with(prefix.name)) continue;
    const std::string_view rest = unit.substr(prefix.name.size());
    if (std::ranges::find(kBits, rest) != kBits.end()) return prefix.factor;
    if (!prefix.name.empty() && std::ranges::find(kEthernets, rest) != kEthernets.end())
      return prefix.factor;
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

std::optional<double> bits_per_second(std::string_view text) {
  const std::string folded = lower_ascii(trimmed(text));
  if (const auto named = factor_of(kNamed, folded)) return named;
  for (const Unit& hierarchy : kHierarchies)
    if (folded.starts_with(hierarchy.name)) {
      const auto number = leading_number(std::string_view(folded).substr(hierarchy.name.size()));
      if (number && number->rest.empty()) return number->value * hierarchy.factor;
    }
  const auto number = leading_number(folded);
  if (!number) return std::nullopt;
  const auto factor = capacity_factor(number->rest);
  if (!factor) return std::nullopt;
  return number->value * *factor;
}

}  // namespace netml::engine
