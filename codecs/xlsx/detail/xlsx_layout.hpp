// Which column of a sheet means what, and where its data begin
// (docs/requirements/exchange-format.md, sections 14.1 and 14.2). Thread: any.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "codecs/xlsx/detail/xlsx_headings.hpp"

namespace netml::codecs {

// The versions of the template, in the order of kXlsxVersions; Directions!B2 names them.
enum class TemplateVersion : std::uint8_t { v0_0, v1_0 };
std::optional<TemplateVersion> parse_version(std::string_view code);

struct SheetLayout {
  std::vector<SheetColumn> columns;
  std::uint32_t first_row = 0;  // with data

  std::uint32_t column_of(Field field) const { return codecs::column_of(columns, field); }
};

// The columns in the order that the template's version gives them, from A on.
std::vector<Field> template_fields(Kind kind, TemplateVersion version);
SheetLayout template_layout(Kind kind, TemplateVersion version);

// What we write above the first institution.
inline constexpr std::string_view kOwnerNote = "The first institution below owns the topology.";

// The layout of a sheet from its first rows: by headings, else as in the template when nothing
// stands where the template has no data. No columns: neither of the two, and `headings` is the row
// that was most likely meant to be the headings.
struct FoundLayout {
  SheetLayout layout;
  HeadingRow headings;
};
inline constexpr std::uint32_t kHeadingRowsMax = 12;  // headings are looked for in these
FoundLayout find_layout(Kind kind, TemplateVersion version, std::span<const SheetRow> rows);

}  // namespace netml::codecs
