// The columns of sheets: what they are called, what they hold and where they stand in the published
// layouts, each described once; and which of them a misspelled heading is nearest to.
// Thread: any.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/document/record_builder.hpp"
#include "codecs/xlsx/detail/xlsx_sheet.hpp"
#include "engine/base/ids.hpp"
#include "engine/graph/attributes.hpp"

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
// After these, in their order, the texts of records that came later (Attribute::is_further).
inline constexpr std::size_t kFirstFields = 15;
inline constexpr std::size_t kFieldCount = kFirstFields + engine::kFurtherTextCount;
constexpr Field column_field(engine::Field further) {
  return static_cast<Field>(kFirstFields + static_cast<std::size_t>(further) -
                            static_cast<std::size_t>(engine::Field::origin) - 1);
}

struct Column {
  Field field = Field::name;
  std::string title;                          // as headings call it: "Internal ID"
  engine::KindSet kinds = engine::kElements;  // whose sheets may have it
  engine::KindSet required = 0;               // whose sheets must
  engine::KindSet in_template = 0;            // whose published layout has it
  std::string_view hint = {};                 // that we write below its mark
  const TextAttribute* text = nullptr;        // of the record, which it holds
  std::string_view property = {};             // of the record, whose value it holds
  std::string heading = {};                   // what counts in its title
};

// In the order of Field.
std::span<const Column> columns();
const Column& about(Field field);
inline bool is_in(engine::KindSet kinds, Kind kind) {
  return (kinds & engine::set_of(kind)) != 0;
}

// What counts in a heading, lower-case: "Co-Ownership" and "co ownership *" are one.
std::string counting_letters(std::string_view heading);

// What the heading means on the sheet of that kind.
std::optional<Field> field_of(Kind kind, std::string_view heading);
// The field whose heading is nearest to an unknown one: "Nam" and "Nom" to Name, "Lat" to Latitude.
// Nothing when none is near.
std::optional<Field> nearest_field(Kind kind, std::string_view heading);
// "Name, Label, ..., Endpoint (twice), ...": all that the sheet of that kind may have.
std::string known_headings(Kind kind);

struct SheetColumn {
  std::uint32_t number = 0;  // from 1
  Field field = Field::name;
};

// The number of the column with that field; 0 = none.
std::uint32_t column_of(std::span<const SheetColumn> columns, Field field);

struct UnknownHeading {
  std::uint32_t column = 0;
  std::string text;
};

// A row of texts, read as headings.
struct HeadingRow {
  std::uint32_t number = 0;  // of the row; 0 = there is none
  std::vector<SheetColumn> columns;
  std::vector<UnknownHeading> unknown;
  std::optional<SheetColumn> repeated;  // a second column of one meaning

  bool has(Field field) const { return column_of(columns, field) != 0; }
};
HeadingRow parse_headings(Kind kind, const SheetRow& row);

}  // namespace netml::codecs
