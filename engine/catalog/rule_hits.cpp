#include "engine/catalog/rule_hits.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "engine/base/texts.hpp"

namespace netml::engine {

namespace {

constexpr std::string_view kBegin = "rule \"";
constexpr std::string_view kIndent = "....";  // of information in the text of a log
// Behind the name and each of the numbers.
constexpr std::string_view kAfterName = "\": ";
constexpr std::array<std::string_view, 3> kAfterNumbers{" matched, ", " changed, ",
                                                        " more changed with them"};

// The number at the end of `text`, which it leaves without.
std::optional<std::uint64_t> take_last_number(std::string_view& text) {
  const std::size_t begin = text.find_last_not_of("0123456789") + 1;
  const auto number = parse_integer<std::uint64_t>(text.substr(begin));
  text = text.substr(0, begin);
  return number;
}

// From its end, as the name of a rule may hold anything.
std::optional<RuleHits> hits_of(std::string_view line) {
  if (!line.starts_with(kBegin)) return std::nullopt;
  line.remove_prefix(kBegin.size());
  std::array<std::uint64_t, kAfterNumbers.size()> numbers{};
  for (std::size_t i = kAfterNumbers.size(); i-- > 0;) {
    if (!line.ends_with(kAfterNumbers[i])) return std::nullopt;
    line.remove_suffix(kAfterNumbers[i].size());
    const auto number = take_last_number(line);
    if (!number) return std::nullopt;
    numbers[i] = *number;
  }
  if (!line.ends_with(kAfterName)) return std::nullopt;
  line.remove_suffix(kAfterName.size());
  return RuleHits{std::string(line), numbers[0], numbers[1], numbers[2]};
}

}  // namespace

std::string rule_hits_line(const RuleHits& hits) {
  return fmt::format("{}{}{}{}{}{}{}{}{}", kBegin, hits.rule, kAfterName, hits.matched,
                     kAfterNumbers[0], hits.changed, kAfterNumbers[1], hits.cascaded,
                     kAfterNumbers[2]);
}

std::vector<RuleHits> rule_hits_in(std::string_view log) {
  std::vector<RuleHits> found;
  while (!log.empty()) {
    const std::size_t end = std::min(log.find('\n'), log.size());
    const std::string_view line = log.substr(0, end);
    log.remove_prefix(std::min(end + 1, log.size()));
    if (!line.starts_with(kIndent)) continue;
    if (auto hits = hits_of(line.substr(kIndent.size()))) found.push_back(*std::move(hits));
  }
  return found;
}

}  // namespace netml::engine
