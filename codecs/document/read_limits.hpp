// What a reader of files is given and gives back, whatever the format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tl/expected.hpp>

#include "engine/graph/document.hpp"

namespace netml::codecs {

// What a file may demand at most (docs/requirements/durability-and-security.md, section 3).
// Exceeding one of them ends the reading with the code given.
struct ReadLimits {
  std::uint32_t depth = 1'000;          // levels of elements; "too-deep"
  std::uint64_t elements = 50'000'000;  // all others: "too-large"
  std::uint32_t attributes = 256;       // of one element
  std::size_t name_bytes = 1 << 10;     // name of an element or attribute
  std::size_t text_bytes = 1 << 20;     // value of an attribute, text of an element
  std::size_t markup_bytes = 4 << 20;   // one tag or comment, as it stands in the file
  std::size_t record_bytes = 2 << 20;   // all kept texts of one topology or element
  std::size_t errors = 1'000;           // kept; the others are counted (decision 25)
};

// The names of the limits on files, as --limit takes them and a refusal tells them.
namespace limit_names {

// ReadLimits
inline constexpr std::string_view kXmlDepth = "xml_depth_max";
inline constexpr std::string_view kXmlElements = "xml_elements_max";
inline constexpr std::string_view kXmlAttributes = "xml_attributes_max";
inline constexpr std::string_view kXmlNameBytes = "xml_name_bytes_max";
inline constexpr std::string_view kXmlTextBytes = "xml_text_bytes_max";
inline constexpr std::string_view kXmlMarkupBytes = "xml_markup_bytes_max";
inline constexpr std::string_view kXmlRecordBytes = "xml_record_bytes_max";

// XlsxLimits
inline constexpr std::string_view kXlsxFileBytes = "xlsx_file_bytes_max";
inline constexpr std::string_view kXlsxExpandedBytes = "xlsx_expanded_bytes_max";
inline constexpr std::string_view kXlsxExpandedRatio = "xlsx_expanded_ratio_max";
inline constexpr std::string_view kXlsxEntries = "xlsx_entries_max";
inline constexpr std::string_view kXlsxSharedStrings = "xlsx_shared_strings_max";
inline constexpr std::string_view kXlsxSharedStringBytes = "xlsx_shared_string_bytes_max";
inline constexpr std::string_view kXlsxRowBytes = "xlsx_row_bytes_max";

}  // namespace limit_names

using ReadResult = tl::expected<engine::Document, engine::InputErrors>;

}  // namespace netml::codecs
