#include "codecs/formats/tables/heading_map.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "codecs/formats/tables/column_map.hpp"
#include "engine/base/texts.hpp"
#include "engine/base/utf8.hpp"

namespace netml::codecs {

namespace {

constexpr std::string_view kProperty = "property";

bool is_column(Target target) {
  return target != Target::nothing && target != Target::property;
}

// The name of a field: as pages of formats have it, or as headings do.
std::optional<Target> field_called(std::string_view name) {
  const std::string plain = plain_heading(name);
  if (plain == kProperty) return Target::property;
  for (const FieldRule& rule : kTableFields) {
    const std::string_view heading = rule.field.substr(rule.field.find('.') + 1);
    if (is_column(rule.target) &&
        (heading == plain || plain_heading(target_text(rule.target)) == plain))
      return rule.target;
  }
  return std::nullopt;
}

std::string field_names() {
  std::set<std::string_view> names{kProperty};
  for (const FieldRule& rule : kTableFields)
    if (is_column(rule.target)) names.insert(target_text(rule.target));
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

Result<HeadingMap> HeadingMap::parse(std::string_view lines) {
  if (!is_utf8(lines)) return fail(Errc::invalid_input, "map", "is not in UTF-8");
  HeadingMap map;
  while (!lines.empty()) {
    std::string_view line = take_until(lines, '\n');
    if (line.ends_with('\r')) line.remove_suffix(1);
    line = trimmed(line);
    if (line.empty()) continue;
    const std::size_t mark = line.rfind('=');
    if (mark == line.npos)
      return fail(Errc::invalid_input, "map",
                  fmt::format("\"{}\" is not of the form HEADING=FIELD", line));
    Column column{.heading = std::string(trimmed(line.substr(0, mark))),
                  .plain = {},
                  .field = std::string(trimmed(line.substr(mark + 1)))};
    column.plain = plain_heading(column.heading);
    const auto target = field_called(column.field);
    if (column.plain.empty() || !target)
      return fail(Errc::invalid_input, "map",
                  column.plain.empty()
                      ? fmt::format("\"{}\" names no heading", line)
                      : fmt::format("\"{}\" names no field; these are: {}", line, field_names()));
    if (map.find(column.plain))
      return fail(Errc::invalid_input, "map",
                  fmt::format("the heading \"{}\" is there twice", column.heading));
    if (map.columns_.size() == kColumnsMax)
      return fail(Errc::invalid_input, "map", fmt::format("at most {} headings", kColumnsMax));
    column.target = *target;
    map.columns_.push_back(std::move(column));
  }
  return map;
}

std::string HeadingMap::text() const {
  std::string text;
  for (const Column& column : columns_)
    text += fmt::format("{}{}={}", text.empty() ? "" : "\n", column.heading, column.field);
  return text;
}

std::optional<Target> HeadingMap::find(std::string_view plain) const {
  const auto found = std::ranges::find(columns_, plain, &Column::plain);
  return found == columns_.end() ? std::nullopt : std::optional(found->target);
}

bool HeadingMap::names(Target target) const {
  return std::ranges::find(columns_, target, &Column::target) != columns_.end();
}

}  // namespace netml::codecs
