#include "codecs/xlsx/detail/xlsx_headings.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "engine/base/texts.hpp"

namespace netml::codecs {

namespace {

using engine::kElements;
using engine::kLasting;
using engine::kPlaces;

constexpr engine::KindSet kInstitutions = engine::set_of(Kind::institution);
constexpr engine::KindSet kNodes = engine::set_of(Kind::node);
constexpr engine::KindSet kLinks = engine::set_of(Kind::link);

std::array<Column, kFieldCount> describe_columns() {
  using enum Field;
  constexpr std::string_view kNodeHint = "Internal ID or name of a node";
  constexpr std::string_view kListHint = "several: with ; between";
  std::array<Column, kFieldCount> all{{
      {name, "Name", kElements, kElements, kElements, {}, &kText<engine::Field::name>},
      {label, "Label", kElements, 0, kLasting, {}, &kText<engine::Field::short_name>},
      {internal_id, "Internal ID", kElements, 0, kLasting},
      {first_end, "Endpoint", kLinks, kLinks, kLinks, kNodeHint},
      {second_end, "Endpoint", kLinks, kLinks, kLinks, kNodeHint},
      {latitude, "Latitude", kPlaces, kNodes, kPlaces, "degrees, -90 to 90"},
      {longitude, "Longitude", kPlaces, kNodes, kPlaces, "degrees, -180 to 180"},
      {altitude, "Altitude", kPlaces, 0, kPlaces, "metres above sea level"},
      {address, "Address", kPlaces, 0, kPlaces, {}, &kText<engine::Field::address>},
      {url, "URL", kElements, 0, kInstitutions, {}, nullptr, "url"},
      {description, "Description", kElements, 0, kElements, {}, nullptr, "description"},
      {tag, "Type", kElements, 0, kElements, kListHint, nullptr, "tag"},
      {throughput, "Throughput", kElements, 0, kLinks, "Gbit/s", nullptr, "throughput"},
      {owner, "Ownership", kLasting, 0, kLasting, "Internal ID or name of an institution"},
      {co_owners, "Co-Ownership", kLasting, 0, kLasting, kListHint},
  }};
  engine::for_each_further_text([&](const auto& text) {
    const Field field = column_field(text.field);
    Column& column = all[static_cast<std::size_t>(field)];
    column = {field, engine::heading_of(text.name), text.kinds, 0, 0, {}, &text};
  });
  for (Column& column : all) column.heading = counting_letters(column.title);
  return all;
}

// `visit(heading, field)` for all that have a meaning on the sheet of that kind: a column is called
// by its title or by the property that it holds. Both ends are called the same.
template <class Visit>
void for_each_heading(Kind kind, Visit&& visit) {
  for (const Column& column : columns()) {
    if (!is_in(column.kinds, kind) || column.field == Field::second_end) continue;
    visit(column.heading, column.field);
    if (!column.property.empty()) visit(column.property, column.field);
  }
}

// How many letters must be put in, left out or replaced to make one text the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> previous(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  std::iota(previous.begin(), previous.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    current[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j)
      current[j + 1] =
          std::min({previous[j + 1] + 1, current[j] + 1, previous[j] + (a[i] == b[j] ? 0U : 1U)});
    std::swap(previous, current);
  }
  return previous.back();
}

// How far a text is from a heading; nothing when it is too far to have been meant.
std::optional<std::size_t> edits_to(std::string_view text, std::string_view heading) {
  constexpr std::size_t kAbbreviationMin = 3;  // letters: "Lat", "URL of the site"
  if (std::min(text.size(), heading.size()) >= kAbbreviationMin &&
      (heading.starts_with(text) || text.starts_with(heading)))
    return 1;
  const std::size_t edits = edit_distance(text, heading);
  if (2 * edits > std::max(text.size(), heading.size())) return std::nullopt;
  return edits;
}

// One heading may be merged over both columns of ends: then its text stands in the first.
void spread_merged_end(HeadingRow& headings, const SheetRow& row) {
  const std::uint32_t first = column_of(headings.columns, Field::first_end);
  if (first == 0 || headings.has(Field::second_end)) return;
  const std::uint32_t next = first + 1;
  const Cell* beside = row.find(next);
  if (beside == nullptr || trim(row.text(*beside)).empty())
    headings.columns.push_back({next, Field::second_end});
}

}  // namespace

std::string counting_letters(std::string_view heading) {
  std::string kept;
  for (const char c : lower_ascii(heading))
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) kept += c;
  return kept;
}

std::span<const Column> columns() {
  static const std::array<Column, kFieldCount> described = describe_columns();
  return described;
}

const Column& about(Field field) {
  return columns()[static_cast<std::size_t>(field)];
}

std::optional<Field> field_of(Kind kind, std::string_view heading) {
  const std::string text = counting_letters(heading);
  std::optional<Field> found;
  for_each_heading(kind, [&](std::string_view known, Field field) {
    if (known == text) found = field;
  });
  return found;
}

std::optional<Field> nearest_field(Kind kind, std::string_view heading) {
  constexpr std::size_t kLettersMax = 64;  // longer texts are no headings
  if (heading.size() > kLettersMax) return std::nullopt;
  const std::string text = counting_letters(heading);
  if (text.empty()) return std::nullopt;
  std::optional<Field> nearest;
  std::size_t least = kLettersMax;
  for_each_heading(kind, [&](std::string_view known, Field field) {
    const std::optional<std::size_t> edits = edits_to(text, known);
    if (!edits || *edits >= least) return;
    least = *edits;
    nearest = field;
  });
  return nearest;
}

std::string known_headings(Kind kind) {
  std::string list;
  for (const Column& column : columns()) {
    if (!is_in(column.kinds, kind) || column.field == Field::second_end) continue;
    if (!list.empty()) list += ", ";
    list += column.title;
    if (column.field == Field::first_end) list += " (twice)";
  }
  return list;
}

std::uint32_t column_of(std::span<const SheetColumn> columns, Field field) {
  const auto found = std::ranges::find(columns, field, &SheetColumn::field);
  return found == columns.end() ? 0 : found->number;
}

HeadingRow parse_headings(Kind kind, const SheetRow& row) {
  HeadingRow headings;
  headings.number = row.number;
  for (const Cell& cell : row.cells) {
    const std::string_view text = trim(row.text(cell));
    std::optional<Field> field = field_of(kind, text);
    if (!field) {
      if (!text.empty()) headings.unknown.push_back({cell.column, std::string(text)});
      continue;
    }
    if (field == Field::first_end && headings.has(Field::first_end)) field = Field::second_end;
    if (headings.has(*field))
      headings.repeated = headings.repeated.value_or(SheetColumn{cell.column, *field});
    else
      headings.columns.push_back({cell.column, *field});
  }
  spread_merged_end(headings, row);
  return headings;
}

}  // namespace netml::codecs
