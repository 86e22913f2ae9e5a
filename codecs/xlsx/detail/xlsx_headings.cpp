#include "codecs/xlsx/detail/xlsx_headings.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "codecs/document/ascii.hpp"

namespace netml::codecs {

namespace {

using enum Field;

constexpr std::array<std::pair<std::string_view, Field>, 15> kHeadings{{
    {"name", name},
    {"label", label},
    {"internalid", internal_id},
    {"endpoint", first_end},
    {"latitude", latitude},
    {"longitude", longitude},
    {"altitude", altitude},
    {"address", address},
    {"url", url},
    {"description", description},
    {"type", tag},
    {"tag", tag},
    {"throughput", throughput},
    {"ownership", owner},
    {"coownership", co_owners},
}};

// Places belong to institutions and nodes, owners to nodes and links, ends to links.
bool applies(Field field, Kind kind) {
  switch (field) {
    case latitude:
    case longitude:
    case altitude:
    case address:
      return kind != Kind::link;
    case owner:
    case co_owners:
      return kind != Kind::institution;
    case first_end:
    case second_end:
      return kind == Kind::link;
    default:
      break;
  }
  bool has = true;
  engine::for_each_further_text([&](const auto& text) {
    if (column_field(text.field) == field) has = text.applies_to(kind);
  });
  return has;
}

// `visit(heading, field)` for all that have a meaning on the sheet of that kind; the heading as
// counting_letters() gives it.
template <class Visit>
void for_each_heading(Kind kind, Visit&& visit) {
  for (const auto& [heading, field] : kHeadings)
    if (applies(field, kind)) visit(heading, field);
  engine::for_each_further_text([&](const auto& text) {
    if (text.applies_to(kind)) visit(counting_letters(text.name), column_field(text.field));
  });
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
  const auto end = std::ranges::find(headings.columns, first_end, &SheetColumn::field);
  if (end == headings.columns.end() || headings.has(second_end)) return;
  const std::uint32_t next = end->number + 1;
  const Cell* beside = row.find(next);
  if (beside == nullptr || trim(row.text(*beside)).empty())
    headings.columns.push_back({next, second_end});
}

}  // namespace

std::string counting_letters(std::string_view heading) {
  std::string kept;
  for (const char c : lower_ascii(heading))
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) kept += c;
  return kept;
}

std::string field_title(Field field) {
  constexpr std::array<const char*, kFirstFields> kTitles{
      "Name",        "Label",     "Internal ID", "Endpoint",  "Endpoint",
      "Latitude",    "Longitude", "Altitude",    "Address",   "URL",
      "Description", "Type",      "Throughput",  "Ownership", "Co-Ownership"};
  const auto place = static_cast<std::size_t>(field);
  if (place < kFirstFields) return kTitles[place];
  std::string title;
  engine::for_each_further_text([&](const auto& text) {
    if (column_field(text.field) == field) title = engine::heading_of(text.name);
  });
  return title;
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
  for (std::size_t i = 0; i < kFieldCount; ++i) {
    const auto field = static_cast<Field>(i);
    if (!applies(field, kind) || field == second_end) continue;
    if (!list.empty()) list += ", ";
    list += field_title(field);
    if (field == first_end) list += " (twice)";
  }
  return list;
}

bool HeadingRow::has(Field field) const {
  return std::ranges::find(columns, field, &SheetColumn::field) != columns.end();
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
    if (field == first_end && headings.has(first_end)) field = second_end;
    if (headings.has(*field))
      headings.repeated = headings.repeated.value_or(SheetColumn{cell.column, *field});
    else
      headings.columns.push_back({cell.column, *field});
  }
  spread_merged_end(headings, row);
  return headings;
}

}  // namespace netml::codecs
