#include "net/http/media_range.hpp"

#include <algorithm>
#include <optional>

#include "engine/base/texts.hpp"

namespace netml::net {
namespace {

// "0.25" is 250: 0 or 1, and at most three digits after the point.
std::optional<std::uint16_t> parse_quality(std::string_view text) {
  constexpr std::size_t kCharactersMax = 5;
  constexpr unsigned kWhole = 1000;
  if (text.empty() || text.size() > kCharactersMax || (text.size() > 1 && text[1] != '.'))
    return std::nullopt;
  unsigned value = 0;
  unsigned unit = kWhole;
  for (std::size_t i = 0; i < text.size(); i += i == 0 ? 2 : 1) {
    if (text[i] < '0' || text[i] > '9') return std::nullopt;
    value += static_cast<unsigned>(text[i] - '0') * unit;
    unit /= 10;
  }
  if (value > kWhole) return std::nullopt;
  return static_cast<std::uint16_t>(value);
}

Preference::Range range_of(std::string_view range, std::string_view type) {
  if (range == "*/*") return Preference::any;
  if (equals_ignoring_case(range, type)) return Preference::exact;
  const std::size_t slash = type.find('/') + 1;
  const bool whole_family = range.ends_with("/*") &&
                            equals_ignoring_case(range.substr(0, slash), type.substr(0, slash)) &&
                            range.size() == slash + 1;
  return whole_family ? Preference::any_subtype : Preference::none;
}

// Of the parameters of one range.
std::optional<std::uint16_t> quality_of(std::string_view parameters) {
  while (!parameters.empty()) {
    std::string_view value = take_until(parameters, ';');
    if (equals_ignoring_case(trimmed(take_until(value, '=')), "q"))
      return parse_quality(trimmed(value));
  }
  return 1000;
}

}  // namespace

Preference preference(std::string_view accept, std::string_view media_type) {
  Preference best;
  while (!accept.empty()) {
    std::string_view parameters = take_until(accept, ',');
    const Preference::Range range = range_of(trimmed(take_until(parameters, ';')), media_type);
    if (range <= best.range) continue;
    if (const auto quality = quality_of(parameters)) best = {*quality, range};
  }
  return best;
}

}  // namespace netml::net
