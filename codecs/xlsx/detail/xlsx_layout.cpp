#include "codecs/xlsx/detail/xlsx_layout.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "codecs/xlsx/xlsx_reader.hpp"
#include "engine/base/texts.hpp"

namespace netml::codecs {

namespace {

constexpr std::uint32_t kTemplateHeadingRow = 3;

// "Required" or "Optional" below Name, as the template has them. Below other headings a datum may
// say so.
bool has_marks(const HeadingRow& headings, const SheetRow& row) {
  const Cell* cell = row.find(column_of(headings.columns, Field::name));
  if (cell == nullptr) return false;
  const std::string text = counting_letters(row.text(*cell));
  return text == "required" || text == "optional";
}

// Where marks stand below the headings, the template has hints between them and the data.
std::uint32_t first_row_below(Kind kind, TemplateVersion version, const HeadingRow& headings,
                              std::span<const SheetRow> rows) {
  const std::uint32_t next = headings.number + 1;
  const auto below = std::ranges::find(rows, next, &SheetRow::number);
  if (below == rows.end() || !has_marks(headings, *below)) return next;
  return headings.number + template_layout(kind, version).first_row - kTemplateHeadingRow;
}

std::vector<HeadingRow> parse_rows(Kind kind, std::span<const SheetRow> rows) {
  std::vector<HeadingRow> readings;
  for (const SheetRow& row : rows)
    if (row.number <= kHeadingRowsMax) readings.push_back(parse_headings(kind, row));
  return readings;
}

using HeadingRows = std::vector<HeadingRow>;

// The first row with Name and another known heading; else the one with most known ones, if only
// Name is missing or alone. A single other word is no row of headings: it may be a datum.
HeadingRows::const_iterator choose_headings(const HeadingRows& readings) {
  const auto whole = std::ranges::find_if(readings, [](const HeadingRow& row) {
    return row.has(Field::name) && row.columns.size() >= 2;
  });
  if (whole != readings.end()) return whole;
  const auto most = std::ranges::max_element(
      readings, {}, [](const HeadingRow& row) { return row.columns.size(); });
  if (most == readings.end()) return most;
  if (most->columns.size() >= 2) return most;
  return std::ranges::find_if(readings, [](const HeadingRow& row) { return row.has(Field::name); });
}

// The row with most headings that are known or near to known ones, else the first with a text.
const HeadingRow& likeliest_headings(Kind kind, const HeadingRows& readings) {
  return *std::ranges::max_element(readings, {}, [kind](const HeadingRow& row) {
    const auto near = std::ranges::count_if(row.unknown, [kind](const UnknownHeading& heading) {
      return nearest_field(kind, heading.text).has_value();
    });
    const bool empty = row.unknown.empty() && row.columns.empty();
    const auto alike = row.columns.size() + static_cast<std::size_t>(near);
    return std::pair(alike > 1 ? alike : 0, !empty);  // one may be chance: "Lab" is near to Label
  });
}

}  // namespace

std::optional<TemplateVersion> parse_version(std::string_view code) {
  const std::string text = lower_ascii(trim(code));
  if (text.empty()) return TemplateVersion::v0_0;
  const auto* const found = std::ranges::find(kXlsxVersions, text);
  if (found == kXlsxVersions.end()) return std::nullopt;
  return static_cast<TemplateVersion>(found - kXlsxVersions.begin());
}

std::vector<Field> template_fields(Kind kind, TemplateVersion version) {
  std::vector<Field> fields;
  for (const Column& column : columns()) {
    const bool later = column.field == Field::description && version == TemplateVersion::v0_0;
    if (is_in(column.in_template, kind) && !later) fields.push_back(column.field);
  }
  return fields;
}

SheetLayout template_layout(Kind kind, TemplateVersion version) {
  SheetLayout layout;
  std::uint32_t number = 0;
  for (const Field field : template_fields(kind, version))
    layout.columns.push_back({++number, field});
  const bool with_note = kind == Kind::institution && version == TemplateVersion::v1_0;
  layout.first_row = with_note ? 7 : 6;
  return layout;
}

FoundLayout find_layout(Kind kind, TemplateVersion version, std::span<const SheetRow> rows) {
  const std::vector<HeadingRow> readings = parse_rows(kind, rows);
  FoundLayout found;
  if (const auto chosen = choose_headings(readings); chosen != readings.end()) {
    found.headings = *chosen;
    found.layout.columns = chosen->columns;
    found.layout.first_row = first_row_below(kind, version, *chosen, rows);
    return found;
  }
  SheetLayout by_place = template_layout(kind, version);
  const auto above = std::ranges::find_if(readings, [&](const HeadingRow& row) {
    return row.number < by_place.first_row && !(row.unknown.empty() && row.columns.empty());
  });
  if (above == readings.end())
    found.layout = std::move(by_place);
  else
    found.headings = likeliest_headings(kind, readings);
  return found;
}

}  // namespace netml::codecs
