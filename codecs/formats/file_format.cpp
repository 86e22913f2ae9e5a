#include "codecs/formats/file_format.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "codecs/netml/strict/netml_grammar.hpp"
#include "codecs/xlsx/xlsx_reader.hpp"
#include "codecs/xlsx/xlsx_writer.hpp"
#include "engine/base/texts.hpp"

namespace netml::codecs {

namespace {

using std::string_view_literals::operator""sv;

ReadResult read_workbook(RandomAccessFile& file, const FileReadOptions& options) {
  return read_xlsx(file, {.topology_name = options.topology_name, .limits = options.limits.xlsx});
}

Result<WrittenFile> write_workbook(const engine::Graph& graph, RecordId topology) {
  NETML_TRY(XlsxExport workbook, write_xlsx(graph, topology));
  return WrittenFile{std::move(workbook.bytes), std::move(workbook.losses)};
}

// A file of the main format names its version by the namespace of its elements.
constexpr std::array kNetmlVersions{kNetmlNamespace};

// The main format comes first.
constexpr std::array kFormats{
    FileFormat{.name = "netml",
               .article = "a NetML file",
               .endings = {".xml", ".netml", ".grenml"},
               .media_type = "application/xml",
               .versions_read = kNetmlVersions,
               .version_written = kNetmlNamespace,
               .unreadable = "Error importing XML file.  Error parsing the XML stream: "},
    FileFormat{.name = "xlsx",
               .article = "a spreadsheet",
               .endings = {".xlsx"},
               .magic = "PK\3\4"sv,
               .media_type = kXlsxMediaType,
               .versions_read = kXlsxVersions,
               .version_written = kXlsxVersions.back(),
               .unreadable = "Error importing XLSX file.  Error reading the workbook: ",
               .names_topology = false,
               .is_text = false,
               .memory_for_byte = 16,
               .read = read_workbook,
               .write = write_workbook},
};

bool ends_in(std::string_view file_name, std::string_view ending) {
  return !ending.empty() && file_name.size() > ending.size() &&
         lower_ascii(file_name).ends_with(ending);
}

}  // namespace

std::span<const FileFormat> file_formats() {
  return kFormats;
}

const FileFormat& netml_format() {
  return kFormats.front();
}

const FileFormat* format_of(std::string_view file_name) {
  for (const FileFormat& format : kFormats)
    for (const std::string_view ending : format.endings)
      if (ends_in(file_name, ending)) return &format;
  return nullptr;
}

const FileFormat& likely_format(std::string_view file_name) {
  const FileFormat* const format = format_of(file_name);
  return format != nullptr ? *format : netml_format();
}

const FileFormat& format_of_bytes(std::string_view first_bytes) {
  for (const FileFormat& format : kFormats)
    if (!format.magic.empty() && first_bytes.starts_with(format.magic)) return format;
  return netml_format();
}

const FileFormat* find_format(std::string_view name) {
  const auto* const found = std::ranges::find(kFormats, name, &FileFormat::name);
  return found == kFormats.end() ? nullptr : found;
}

std::string accepted_endings() {
  std::vector<std::string_view> endings;
  for (const FileFormat& format : kFormats)
    std::ranges::copy_if(format.endings, std::back_inserter(endings),
                         [](std::string_view ending) { return !ending.empty(); });
  const std::string_view last = endings.back();
  endings.pop_back();
  return fmt::format("{} or {}", fmt::join(endings, ", "), last);
}

std::vector<std::string> written_formats() {
  std::vector<std::string> names;
  for (const FileFormat& format : kFormats)
    if (&format == &netml_format() || format.write != nullptr) names.emplace_back(format.name);
  return names;
}

}  // namespace netml::codecs
