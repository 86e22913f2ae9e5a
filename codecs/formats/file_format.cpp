#include "codecs/formats/file_format.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>
#include <utility>

#include "codecs/formats/d3/d3_writer.hpp"
#include "codecs/formats/graphml/graphml_reader.hpp"
#include "codecs/formats/graphml/graphml_writer.hpp"
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

ReadResult read_graph(RandomAccessFile& file, const FileReadOptions& options) {
  return read_graphml(file, {options.topology_name, options.file_name, options.owner},
                      options.limits.xml);
}

Result<WrittenFile> write_workbook(const engine::Graph& graph, RecordId topology) {
  NETML_TRY(XlsxExport workbook, write_xlsx(graph, topology));
  return WrittenFile{std::move(workbook.bytes), std::move(workbook.losses)};
}

// What is counted field by field, in the words of an answer.
WrittenFile with_losses(std::string bytes, engine::LossList losses) {
  WrittenFile file{.bytes = std::move(bytes)};
  file.omitted = losses.texts();
  file.losses = std::move(losses);
  return file;
}

Result<WrittenFile> write_graph(const engine::Graph& graph, RecordId topology) {
  NETML_TRY(GraphmlExport file, write_graphml(graph, topology));
  return with_losses(std::move(file.bytes), std::move(file.losses));
}

Result<WrittenFile> write_node_link(const engine::Graph& graph, RecordId topology) {
  NETML_TRY(D3Export file, write_d3(graph, topology));
  return with_losses(std::move(file.bytes), std::move(file.losses));
}

// ---- what files begin with ----

bool is_archive(std::string_view start) {
  return start.starts_with("PK\3\4"sv);
}

// The name of the first element, without its prefix; empty where the text does not begin as XML.
std::string_view root_element(std::string_view start) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  constexpr std::string_view kBlank = " \t\r\n";
  if (start.starts_with(kMark)) start.remove_prefix(kMark.size());
  while (true) {
    start.remove_prefix(std::min(start.find_first_not_of(kBlank), start.size()));
    if (!start.starts_with('<')) return {};
    const bool comment = start.starts_with("<!--");
    if (!comment && !start.starts_with("<?") && !start.starts_with("<!")) break;
    const std::string_view close = comment ? "-->" : ">";
    const std::size_t end = start.find(close);
    if (end == std::string_view::npos) return {};
    start.remove_prefix(end + close.size());
  }
  start = start.substr(1, start.find_first_of(" \t\r\n/>", 1) - 1);
  return start.substr(start.find(':') + 1);
}

bool is_netml(std::string_view start) {
  return root_element(start) == "Topology" && start.find(kNetmlNamespace) != std::string_view::npos;
}

bool is_graphml(std::string_view start) {
  return root_element(start) == "graphml";
}

// A file of the main format names its version by the namespace of its elements.
constexpr std::array kNetmlVersions{kNetmlNamespace};

// The main format comes first.
constexpr std::array kFormats{
    FileFormat{.name = "netml",
               .article = "a NetML file",
               .endings = {".xml", ".netml", ".grenml"},
               .recognizes = is_netml,
               .media_type = "application/xml",
               .versions_read = kNetmlVersions,
               .version_written = kNetmlNamespace,
               .unreadable = "Error importing XML file.  Error parsing the XML stream: ",
               .is_written_in_pieces = true,
               .holds_topologies = true},
    FileFormat{.name = "xlsx",
               .article = "a spreadsheet",
               .endings = {".xlsx"},
               .recognizes = is_archive,
               .media_type = kXlsxMediaType,
               .versions_read = kXlsxVersions,
               .version_written = kXlsxVersions.back(),
               .unreadable = "Error importing XLSX file.  Error reading the workbook: ",
               .names_topology = false,
               .is_text = false,
               .memory_for_byte = 16,
               .read = read_workbook,
               .write = write_workbook},
    FileFormat{.name = "graphml",
               .article = "a GraphML file",
               .endings = {".graphml"},
               .recognizes = is_graphml,
               .media_type = "application/graphml+xml",
               .unreadable = "Error importing GraphML file.  Error reading the graph: ",
               .memory_for_byte = 3,
               .read = read_graph,
               .holds_topologies = true,
               .write = write_graph},
    FileFormat{.name = "d3",
               .article = "node-link JSON",
               .media_type = "application/json",
               .holds_topologies = true,
               .write = write_node_link},
};

bool is_called(const FileFormat& format, std::string_view lower_name) {
  return std::ranges::any_of(format.endings, [&](std::string_view ending) {
    return !ending.empty() && lower_name.size() > ending.size() && lower_name.ends_with(ending);
  });
}

// Those that are read; in the order of the table.
std::vector<const FileFormat*> formats_called(std::string_view file_name) {
  const std::string name = lower_ascii(file_name);
  std::vector<const FileFormat*> formats;
  for (const FileFormat& format : kFormats)
    if (format.is_read() && is_called(format, name)) formats.push_back(&format);
  return formats;
}

std::string names_of(const std::vector<const FileFormat*>& formats) {
  return fmt::format("{}", fmt::join(formats | std::views::transform(&FileFormat::name), ", "));
}

}  // namespace

std::span<const FileFormat> file_formats() {
  return kFormats;
}

const FileFormat& netml_format() {
  return kFormats.front();
}

const FileFormat* format_of(std::string_view file_name) {
  const std::string name = lower_ascii(file_name);
  const auto* const found = std::ranges::find_if(
      kFormats, [&](const FileFormat& format) { return is_called(format, name); });
  return found == kFormats.end() ? nullptr : found;
}

const FileFormat* format_to_write(std::string_view file_name) {
  const std::string name = lower_ascii(file_name);
  const auto* const found = std::ranges::find_if(kFormats, [&](const FileFormat& format) {
    return format.is_written() && is_called(format, name);
  });
  return found == kFormats.end() ? nullptr : found;
}

bool name_tells_format(std::string_view file_name) {
  return formats_called(file_name).size() == 1;
}

const FileFormat& likely_format(std::string_view file_name) {
  const FileFormat* const format = format_of(file_name);
  return format != nullptr ? *format : netml_format();
}

const FileFormat& format_of_bytes(std::string_view first_bytes) {
  for (const FileFormat& format : kFormats)
    if (format.recognizes != nullptr && format.recognizes(first_bytes)) return format;
  return netml_format();
}

Result<const FileFormat*> detect_format(std::string_view file_name, std::string_view first_bytes) {
  std::vector<const FileFormat*> found;
  for (const FileFormat& format : kFormats)
    if (format.recognizes != nullptr && format.recognizes(first_bytes)) found.push_back(&format);
  if (found.size() == 1) return found.front();
  const std::vector<const FileFormat*> called = formats_called(file_name);
  const auto fits = [&](const FileFormat* format) {
    return std::ranges::find(found, format) != found.end();
  };
  // Whatever else is called .xml is recognized: the rest is the main format, perhaps damaged.
  const bool is_main = !called.empty() && called.front() == &netml_format();
  if (found.empty() && (called.size() == 1 || is_main)) return called.front();
  if (std::ranges::count_if(called, fits) == 1) return *std::ranges::find_if(called, fits);
  if (!found.empty())
    return fail(Errc::invalid_input,
                fmt::format("{} may be of several formats ({}); name one with --format", file_name,
                            names_of(found)));
  if (!called.empty())
    return fail(Errc::invalid_input,
                fmt::format("the first bytes of {} are of none of the formats that are called so "
                            "({}); name one with --format",
                            file_name, names_of(called)));
  return fail(Errc::invalid_input,
              fmt::format("neither its name nor its first bytes tell what {} is; name its format "
                          "with --format: {}",
                          file_name, fmt::join(read_formats(), ", ")));
}

const FileFormat& chosen_format(std::string_view format_name, std::string_view file_name) {
  const FileFormat* const named = find_format(format_name);
  return named != nullptr ? *named : likely_format(file_name);
}

const FileFormat* find_format(std::string_view name) {
  const auto* const found = std::ranges::find(kFormats, name, &FileFormat::name);
  return found == kFormats.end() ? nullptr : found;
}

std::string_view without_ending(std::string_view file_name) {
  const std::size_t dot = file_name.rfind('.');
  return dot == 0 || dot == std::string_view::npos ? file_name : file_name.substr(0, dot);
}

std::string accepted_endings() {
  std::vector<std::string_view> endings;
  for (const FileFormat& format : kFormats)
    for (const std::string_view ending : format.endings)
      if (format.is_read() && !ending.empty() &&
          std::ranges::find(endings, ending) == endings.end())
        endings.push_back(ending);
  const std::string_view last = endings.back();
  endings.pop_back();
  return fmt::format("{} or {}", fmt::join(endings, ", "), last);
}

std::vector<std::string> written_formats() {
  std::vector<std::string> names;
  for (const FileFormat& format : kFormats)
    if (format.is_written()) names.emplace_back(format.name);
  return names;
}

std::vector<std::string> read_formats() {
  std::vector<std::string> names;
  for (const FileFormat& format : kFormats)
    if (format.is_read()) names.emplace_back(format.name);
  return names;
}

}  // namespace netml::codecs
