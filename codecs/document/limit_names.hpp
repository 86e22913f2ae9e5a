// The names of the limits on files, as --limit takes them and a refusal tells them.
#pragma once

#include <string_view>

namespace netml::codecs::limit_names {

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

}  // namespace netml::codecs::limit_names
