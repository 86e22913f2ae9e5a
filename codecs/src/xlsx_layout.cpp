#include "codecs/src/xlsx_layout.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "codecs/src/ascii.hpp"

namespace netml::codecs {

namespace {

using enum Field;

constexpr std::uint32_t kTemplateHeaderRow = 3;

constexpr std::array kInstitutionFields0{name, latitude, longitude, altitude, address, url, tag};
constexpr std::array kInstitutionFields1{name,    latitude, longitude,   altitude,
                                         address, url,      description, tag};
constexpr std::array kNodeFields0{name,     label,   internal_id, latitude, longitude,
                                  altitude, address, tag,         owner,    co_owners};
constexpr std::array kNodeFields1{name,    label,       internal_id, latitude, longitude, altitude,
                                  address, description, tag,         owner,    co_owners};
constexpr std::array kLinkFields0{name, label,      internal_id, first_end, second_end,
                                  tag,  throughput, owner,       co_owners};
constexpr std::array kLinkFields1{name,        label, internal_id, first_end, second_end,
                                  description, tag,   throughput,  owner,     co_owners};

// What counts in a header: "Co-Ownership" and "co ownership *" are one.
std::string normalised(std::string_view header) {
  std::string kept;
  for (const char c : lower_ascii(header))
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) kept += c;
  return kept;
}

std::optional<Field> field_of(std::string_view header) {
  constexpr std::array<std::pair<std::string_view, Field>, 15> kHeaders{{
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
  const std::string text = normalised(header);
  for (const auto& [known, field] : kHeaders)
    if (text == known) return field;
  return std::nullopt;
}

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
      return true;
  }
}

// "Required" and "Optional" below the headers, as the template has them.
bool has_marks(const HeaderRow& headers, const SheetRow& row) {
  return std::ranges::any_of(headers.columns, [&row](const SheetColumn& column) {
    const Cell* cell = row.find(column.number);
    if (cell == nullptr) return false;
    const std::string text = normalised(row.text(*cell));
    return text == "required" || text == "optional";
  });
}

// The template has marks and hints between headers and data.
std::uint32_t first_row_below(std::uint32_t header_row, bool in_template, Kind kind,
                              TemplateVersion version) {
  if (!in_template) return header_row + 1;
  return header_row + template_layout(kind, version).first_row - kTemplateHeaderRow;
}

}  // namespace

std::string_view field_title(Field field) {
  constexpr std::array<std::string_view, kFieldCount> kTitles{
      "Name",        "Label",     "Internal ID", "Endpoint",  "Endpoint",
      "Latitude",    "Longitude", "Altitude",    "Address",   "URL",
      "Description", "Type",      "Throughput",  "Ownership", "Co-Ownership"};
  return kTitles[static_cast<std::size_t>(field)];
}

std::optional<TemplateVersion> parse_version(std::string_view code) {
  const std::string text = lower_ascii(trim(code));
  if (text.empty() || text == "v0.0") return TemplateVersion::v0_0;
  if (text == "v1.0") return TemplateVersion::v1_0;
  return std::nullopt;
}

std::uint32_t SheetLayout::column_of(Field field) const {
  const auto found = std::ranges::find(columns, field, &SheetColumn::field);
  return found == columns.end() ? 0 : found->number;
}

std::span<const Field> template_fields(Kind kind, TemplateVersion version) {
  const bool first = version == TemplateVersion::v0_0;
  if (kind == Kind::institution)
    return first ? std::span<const Field>(kInstitutionFields0) : kInstitutionFields1;
  if (kind == Kind::node) return first ? std::span<const Field>(kNodeFields0) : kNodeFields1;
  return first ? std::span<const Field>(kLinkFields0) : kLinkFields1;
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

HeaderRow parse_headers(Kind kind, const SheetRow& row) {
  HeaderRow headers;
  const auto find = [&headers](Field field) {
    return std::ranges::find(headers.columns, field, &SheetColumn::field);
  };
  for (const Cell& cell : row.cells) {
    std::optional<Field> field = field_of(row.text(cell));
    if (!field || !applies(*field, kind)) continue;
    if (field == first_end && find(first_end) != headers.columns.end()) field = second_end;
    if (find(*field) != headers.columns.end())
      headers.repeated = headers.repeated.value_or(SheetColumn{cell.column, *field});
    else
      headers.columns.push_back({cell.column, *field});
  }
  // One header may be merged over both columns of ends: then its text stands in the first.
  const auto end = find(first_end);
  if (end != headers.columns.end() && find(second_end) == headers.columns.end()) {
    const std::uint32_t next = end->number + 1;
    const Cell* beside = row.find(next);
    if (beside == nullptr || trim(row.text(*beside)).empty())
      headers.columns.push_back({next, second_end});
  }
  if (headers.columns.size() < 2 || find(name) == headers.columns.end()) return {};
  return headers;
}

FoundLayout find_layout(Kind kind, TemplateVersion version, std::span<const SheetRow> rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    HeaderRow headers = parse_headers(kind, rows[i]);
    if (headers.columns.empty()) continue;
    const std::uint32_t number = rows[i].number;
    const bool row_follows = i + 1 < rows.size() && rows[i + 1].number == number + 1;
    const bool in_template = row_follows
                                 ? has_marks(headers, rows[i + 1]) ||
                                       (number == kTemplateHeaderRow && rows[i + 1].cells.empty())
                                 : number == kTemplateHeaderRow;
    FoundLayout found;
    found.layout.columns = std::move(headers.columns);
    found.layout.first_row = first_row_below(number, in_template, kind, version);
    found.header_row = number;
    found.repeated = headers.repeated;
    return found;
  }
  return {template_layout(kind, version), 0, std::nullopt};
}

}  // namespace netml::codecs
