// Which column of a sheet means what (format.md, sections 14.1 and 14.2).
// Thread: any.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "codecs/src/xlsx_sheet.hpp"
#include "engine/ids.hpp"

namespace netml::codecs {

// In the order of the published layouts.
enum class Field : std::uint8_t {
  name,
  label,
  internal_id,
  first_end,
  second_end,
  latitude,
  longitude,
  altitude,
  address,
  url,
  description,
  tag,
  throughput,
  owner,
  co_owners,
};
inline constexpr std::size_t kFieldCount = 15;
// As headers call it: "Internal ID".
std::string_view field_title(Field field);

// The versions of the template, as Directions!B2 names them.
enum class TemplateVersion : std::uint8_t { v0_0, v1_0 };
std::optional<TemplateVersion> parse_version(std::string_view code);

struct SheetColumn {
  std::uint32_t number = 0;  // from 1
  Field field = Field::name;
};

struct SheetLayout {
  std::vector<SheetColumn> columns;
  std::uint32_t first_row = 0;  // with data

  std::uint32_t column_of(Field field) const;  // 0 = none
};

// The columns in the order that the template's version gives them, from A on.
std::span<const Field> template_fields(Kind kind, TemplateVersion version);
SheetLayout template_layout(Kind kind, TemplateVersion version);

// What the row of headers says. No columns: the row is no row of headers.
struct HeaderRow {
  std::vector<SheetColumn> columns;
  std::optional<SheetColumn> repeated;  // a second column of one meaning
};
HeaderRow parse_headers(Kind kind, const SheetRow& row);

// The layout of a sheet from its first rows: by headers if there are any, else as in the template.
struct FoundLayout {
  SheetLayout layout;
  std::uint32_t header_row = 0;  // 0 = there is none
  std::optional<SheetColumn> repeated;
};
inline constexpr std::uint32_t kHeaderRowsMax = 12;  // headers are looked for in these
FoundLayout find_layout(Kind kind, TemplateVersion version, std::span<const SheetRow> rows);

}  // namespace netml::codecs
