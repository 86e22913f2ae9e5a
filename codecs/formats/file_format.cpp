#include "codecs/formats/file_format.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>
#include <utility>

#include "codecs/formats/csv/csv_reader.hpp"
#include "codecs/formats/csv/csv_text.hpp"
#include "codecs/formats/csv/csv_writer.hpp"
#include "codecs/formats/d3/d3_writer.hpp"
#include "codecs/formats/dot/dot_writer.hpp"
#include "codecs/formats/draft/field_count.hpp"
#include "codecs/formats/esnet/esnet_reader.hpp"
#include "codecs/formats/esnet/esnet_writer.hpp"
#include "codecs/formats/first_bytes.hpp"
#include "codecs/formats/geojson/geojson_reader.hpp"
#include "codecs/formats/geojson/geojson_writer.hpp"
#include "codecs/formats/gexf/gexf_writer.hpp"
#include "codecs/formats/gml/gml_reader.hpp"
#include "codecs/formats/gml/gml_writer.hpp"
#include "codecs/formats/gnpy/gnpy_reader.hpp"
#include "codecs/formats/gnpy/gnpy_writer.hpp"
#include "codecs/formats/graphml/graphml_reader.hpp"
#include "codecs/formats/graphml/graphml_writer.hpp"
#include "codecs/formats/ietf/ietf_reader.hpp"
#include "codecs/formats/ietf/ietf_writer.hpp"
#include "codecs/formats/kml/kml_reader.hpp"
#include "codecs/formats/kml/kml_writer.hpp"
#include "codecs/formats/n2p/n2p_writer.hpp"
#include "codecs/formats/netbox/netbox_reader.hpp"
#include "codecs/formats/nml/nml_fields.hpp"
#include "codecs/formats/nml/nml_reader.hpp"
#include "codecs/formats/nml/nml_writer.hpp"
#include "codecs/formats/ofds/ofds_reader.hpp"
#include "codecs/formats/oscars/oscars_reader.hpp"
#include "codecs/formats/read_as.hpp"
#include "codecs/formats/sdx/sdx_reader.hpp"
#include "codecs/formats/sdx/sdx_writer.hpp"
#include "codecs/formats/sheets/sheets_reader.hpp"
#include "codecs/netml/strict/netml_grammar.hpp"
#include "codecs/xlsx/xlsx_reader.hpp"
#include "codecs/xlsx/xlsx_writer.hpp"
#include "engine/base/texts.hpp"

namespace netml::codecs {

namespace {

using std::string_view_literals::operator""sv;

// ---- readers and writers as the table has them ----

DraftOptions draft_options(const FileReadOptions& options) {
  return {options.topology_name, options.file_name, options.owner};
}

// Those that go through a draft.
template <auto kRead>
ReadResult read_draft(RandomAccessFile& file, const FileReadOptions& options) {
  return kRead(file, draft_options(options), options.limits.xml);
}

// Those that count what they lose field by field; the same in the words of an answer.
template <auto kWrite>
Result<WrittenFile> write_counted(const engine::Graph& graph, RecordId topology) {
  NETML_TRY(auto written, kWrite(graph, topology));
  WrittenFile file{.bytes = std::move(written.bytes)};
  file.omitted = written.losses.texts();
  file.losses = std::move(written.losses);
  return file;
}

ReadResult read_table(RandomAccessFile& file, const FileReadOptions& options) {
  return read_csv(file, options.headings, draft_options(options), options.limits.xml);
}

UpdateResult read_table_update(RandomAccessFile& file, const FileReadOptions& options) {
  return read_csv_update(file, options.headings, options.limits.xml);
}

Result<WrittenFile> write_table_columns(const engine::Graph& graph, RecordId topology,
                                        std::span<const std::string> headings) {
  NETML_TRY(WrittenMap written, write_csv_columns(graph, topology, headings));
  return WrittenFile{.bytes = std::move(written.bytes)};
}

ReadResult read_netbox_dump(RandomAccessFile& file, const FileReadOptions& options) {
  const auto mapping = netbox::parse_mapping(options.mapping);
  if (!mapping) {
    ErrorList errors(1);
    errors.report("no-mapping", mapping.error().message, {});
    return tl::unexpected(std::move(errors).take());
  }
  return read_netbox(file, draft_options(options), *mapping, options.limits.xml);
}

Status check_netbox_mapping(std::string_view mapping) {
  NETML_TRY_VOID(netbox::parse_mapping(mapping));
  return {};
}

// The template, or sheets of others.
ReadResult read_workbook(RandomAccessFile& file, const FileReadOptions& options) {
  if (auto sheets =
          read_sheets(file, options.headings, draft_options(options), options.limits.xlsx))
    return *std::move(sheets);
  return read_xlsx(file, {.topology_name = options.topology_name, .limits = options.limits.xlsx});
}

UpdateResult read_workbook_update(RandomAccessFile& file, const FileReadOptions& options) {
  return read_sheets_update(file, options.headings, options.limits.xlsx);
}

Result<WrittenFile> write_workbook(const engine::Graph& graph, RecordId topology) {
  NETML_TRY(XlsxExport workbook, write_xlsx(graph, topology));
  WrittenFile file{std::move(workbook.bytes), std::move(workbook.losses)};
  engine::LossList of_outline;  // which the workbook counts itself
  NETML_TRY(const MapOutline outline, outline_of(graph, topology, of_outline));
  const FieldCount count = count_fields(graph, outline);
  file.losses.carry(count.own);
  const auto lose = [&](std::string_view what, std::string_view reason, std::uint64_t fields) {
    for (std::uint64_t i = 0; i < fields; ++i)
      file.losses.lose({.field = std::string(what), .reason = std::string(reason)});
  };
  for (const XlsxLoss& loss : workbook.fields) {
    lose(loss.what, "the layout has no place for it", loss.fields);
    if (!loss.is_beside) file.losses.uncarry(loss.fields);
  }
  lose("topology", "a workbook holds one topology, without those below it", count.below);
  return file;
}

// An archive from strangers, like a spreadsheet.
ReadResult read_archive(RandomAccessFile& file, const FileReadOptions& options) {
  return read_kmz(file, draft_options(options), options.limits.xml,
                  options.limits.xlsx.of_archive());
}

// ---- the table ----

// A file of the main format names its version by the namespace of its elements.
constexpr std::array kNetmlVersions{kNetmlNamespace};
constexpr std::array kNmlVersions{kNmlNamespace};
constexpr std::array kSdxVersions{"1.0.0"sv, "2.0.0"sv};

constexpr FileFormat kNetmlFormat{
    .name = "netml",
    .article = "a NetML file",
    .endings = {".xml", ".netml", ".grenml"},
    .recognizes = begins_as_netml,
    .media_type = "application/xml",
    .versions_read = kNetmlVersions,
    .version_written = kNetmlNamespace,
    .unreadable = "Error importing XML file.  Error parsing the XML stream: ",
    .is_written_in_pieces = true,
    .holds_topologies = true,
};

constexpr FileFormat kXlsxFormat{
    .name = "xlsx",
    .article = "a spreadsheet",
    .endings = {".xlsx"},
    .recognizes = begins_as_workbook,
    .media_type = kXlsxMediaType,
    .versions_read = kXlsxVersions,
    .version_written = kXlsxVersions.back(),
    .unreadable = "Error importing XLSX file.  Error reading the workbook: ",
    .names_topology = false,
    .is_text = false,
    .memory_for_byte = 16,
    .read = read_workbook,
    .read_update = read_workbook_update,
    .write = write_workbook,
};

constexpr FileFormat kGraphmlFormat{
    .name = "graphml",
    .article = "a GraphML file",
    .endings = {".graphml"},
    .recognizes = begins_as_graphml,
    .media_type = "application/graphml+xml",
    .unreadable = "Error importing GraphML file.  Error reading the graph: ",
    .memory_for_byte = 3,
    .read = read_draft<read_graphml>,
    .holds_topologies = true,
    .write = write_counted<write_graphml>,
};

constexpr FileFormat kGmlFormat{
    .name = "gml",
    .article = "a GML file",
    .endings = {".gml"},
    .recognizes = begins_as_gml,
    .media_type = "text/plain",
    .unreadable = "Error importing GML file.  Error reading the graph: ",
    .memory_for_byte = 3,
    .read = read_draft<read_gml>,
    .holds_topologies = true,
    .write = write_counted<write_gml>,
};

constexpr FileFormat kGeojsonFormat{
    .name = "geojson",
    .article = "a GeoJSON file",
    .endings = {".geojson", ".json"},
    .recognizes = begins_as_geojson,
    .media_type = "application/geo+json",
    .unreadable = "Error importing GeoJSON file.  Error reading the features: ",
    .memory_for_byte = 4,
    .read = read_draft<read_geojson>,
    .holds_topologies = true,
    .write = write_counted<write_geojson>,
};

constexpr FileFormat kOfdsFormat{
    .name = "ofds",
    .article = "a network package of the Open Fibre Data Standard",
    .endings = {".json"},
    .recognizes = begins_as_ofds,
    .media_type = "application/json",
    .unreadable = "Error importing OFDS file.  Error reading the network package: ",
    .memory_for_byte = 4,
    .read = read_draft<read_ofds>,
};

constexpr FileFormat kKmlFormat{
    .name = "kml",
    .article = "a KML file",
    .endings = {".kml"},
    .recognizes = begins_as_kml,
    .media_type = "application/vnd.google-earth.kml+xml",
    .unreadable = "Error importing KML file.  Error reading the map: ",
    .memory_for_byte = 3,
    .read = read_draft<read_kml>,
    .holds_topologies = true,
    .write = write_counted<write_kml>,
};

constexpr FileFormat kKmzFormat{
    .name = "kmz",
    .article = "a KMZ file",
    .endings = {".kmz"},
    .recognizes = begins_as_kmz,
    .media_type = "application/vnd.google-earth.kmz",
    .unreadable = "Error importing KMZ file.  Error reading the map: ",
    .is_text = false,
    .memory_for_byte = 32,
    .read = read_archive,
    .holds_topologies = true,
    .write = write_counted<write_kmz>,
};

constexpr FileFormat kNmlFormat{
    .name = "nml",
    .article = "an NML file",
    .endings = {".nml", ".xml"},
    .recognizes = begins_as_nml,
    .media_type = "application/xml",
    .versions_read = kNmlVersions,
    .version_written = kNmlNamespace,
    .unreadable = "Error importing NML file.  Error reading the network: ",
    .memory_for_byte = 3,
    .read = read_draft<read_nml>,
    .holds_topologies = true,
    .write = write_counted<write_nml>,
};

constexpr FileFormat kSdxFormat{
    .name = "sdx",
    .article = "an AtlanticWave-SDX file",
    .endings = {".sdx.json", ".json"},
    .recognizes = begins_as_sdx,
    .media_type = "application/json",
    .versions_read = kSdxVersions,
    .version_written = kSdxVersions.back(),
    .unreadable = "Error importing SDX file.  Error reading the topology: ",
    .memory_for_byte = 4,
    .read = read_draft<read_sdx>,
    .holds_topologies = true,
    .write = write_counted<write_sdx>,
};

constexpr FileFormat kIetfFormat{
    .name = "ietf",
    .article = "networks by RFC 8345",
    .endings = {".json"},
    .recognizes = begins_as_ietf,
    .media_type = "application/yang-data+json",
    .unreadable = "Error importing RFC 8345 file.  Error reading the networks: ",
    .memory_for_byte = 4,
    .read = read_draft<read_ietf>,
    .holds_topologies = true,
    .write = write_counted<write_ietf>,
};

constexpr FileFormat kGnpyFormat{
    .name = "gnpy",
    .article = "a network of GNPy",
    .endings = {".json"},
    .recognizes = begins_as_gnpy,
    .media_type = "application/json",
    .unreadable = "Error importing GNPy file.  Error reading the network: ",
    .memory_for_byte = 4,
    .read = read_draft<read_gnpy>,
    .holds_topologies = true,
    .write = write_counted<write_gnpy>,
};

constexpr FileFormat kEsnetFormat{
    .name = "esnet",
    .article = "a map of ESnet's panel",
    .endings = {".json"},
    .recognizes = begins_as_esnet,
    .media_type = "application/json",
    .unreadable = "Error importing ESnet map.  Error reading the map: ",
    .memory_for_byte = 3,
    .read = read_draft<read_esnet>,
    .holds_topologies = true,
    .write = write_counted<write_esnet>,
};

constexpr FileFormat kOscarsFormat{
    .name = "oscars",
    .article = "an OSCARS topology",
    .endings = {".json"},
    .recognizes = begins_as_oscars,
    .media_type = "application/json",
    .unreadable = "Error importing OSCARS topology.  Error reading the topology: ",
    .memory_for_byte = 3,
    .read = read_draft<read_oscars>,
};

constexpr FileFormat kNetboxFormat{
    .name = "netbox",
    .article = "a dump of a NetBox",
    .endings = {".json"},
    .recognizes = begins_as_netbox,
    .media_type = "application/json",
    .unreadable = "Error importing NetBox dump.  Error reading the records: ",
    .memory_for_byte = 3,
    .read = read_netbox_dump,
    .check_mapping = check_netbox_mapping,
};

constexpr FileFormat kCsvFormat{
    .name = "csv",
    .article = "a CSV file",
    .endings = {".csv", ".tsv"},
    .recognizes = is_csv,
    .media_type = "text/csv",
    .unreadable = "Error importing CSV file.  Error reading the table: ",
    .memory_for_byte = 8,
    .read = read_table,
    .read_update = read_table_update,
    .holds_topologies = true,
    .write = write_counted<write_csv>,
    .write_columns = write_table_columns,
};

constexpr FileFormat kD3Format{
    .name = "d3",
    .article = "node-link JSON",
    .media_type = "application/json",
    .holds_topologies = true,
    .write = write_counted<write_d3>,
};

constexpr FileFormat kDotFormat{
    .name = "dot",
    .article = "a Graphviz graph",
    .endings = {".dot", ".gv"},
    .media_type = "text/vnd.graphviz",
    .holds_topologies = true,
    .write = write_counted<write_dot>,
};

constexpr FileFormat kGexfFormat{
    .name = "gexf",
    .article = "a GEXF file",
    .endings = {".gexf"},
    .media_type = "application/xml",
    .holds_topologies = true,
    .write = write_counted<write_gexf>,
};

constexpr FileFormat kN2pFormat{
    .name = "n2p",
    .article = "a Net2Plan design",
    .endings = {".n2p"},
    .media_type = "application/xml",
    .holds_topologies = true,
    .write = write_counted<write_n2p>,
};

// The main format comes first.
constexpr std::array kFormats{kNetmlFormat,   kXlsxFormat,   kGraphmlFormat, kGmlFormat,
                              kGeojsonFormat, kOfdsFormat,   kKmlFormat,     kKmzFormat,
                              kNmlFormat,     kSdxFormat,    kIetfFormat,    kGnpyFormat,
                              kEsnetFormat,   kOscarsFormat, kNetboxFormat,  kCsvFormat,
                              kD3Format,      kDotFormat,    kGexfFormat,    kN2pFormat};

// The longest of its endings that the name has; empty where it has none.
std::string_view ending_in(const FileFormat& format, std::string_view lower_name) {
  std::string_view longest;
  for (const std::string_view ending : format.endings)
    if (lower_name.size() > ending.size() && lower_name.ends_with(ending) &&
        ending.size() > longest.size())
      longest = ending;
  return longest;
}

bool is_called(const FileFormat& format, std::string_view lower_name) {
  return !ending_in(format, lower_name).empty();
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

// Of those that share an ending, the one with the longest that fits: "map.sdx.json".
const FileFormat* format_to_write(std::string_view file_name) {
  const std::string name = lower_ascii(file_name);
  const FileFormat* best = nullptr;
  for (const FileFormat& format : kFormats) {
    const std::size_t size = ending_in(format, name).size();
    if (format.is_written() && size > (best != nullptr ? ending_in(*best, name).size() : 0))
      best = &format;
  }
  return best;
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

Result<const FileFormat*> detect_format(std::string_view file_name, std::string_view first_bytes,
                                        std::string_view how) {
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
  if (first_bytes.empty()) return fail(Errc::invalid_input, fmt::format("{} is empty", file_name));
  const FileFormat* const written = format_to_write(file_name);
  if (found.empty() && called.empty() && written != nullptr)
    return fail(Errc::invalid_input,
                fmt::format("{} is called as {}, which is written, and not read", file_name,
                            written->article));
  const std::string advice = how.empty() ? std::string() : fmt::format("; name one {}", how);
  if (!found.empty())
    return fail(Errc::invalid_input, fmt::format("{} may be of several formats ({}){}", file_name,
                                                 names_of(found), advice));
  if (!called.empty())
    return fail(Errc::invalid_input,
                fmt::format("the first bytes of {} are of none of the formats that are called so "
                            "({}){}",
                            file_name, names_of(called), advice));
  return fail(Errc::invalid_input,
              fmt::format("neither its name nor its first bytes tell which format {} has ({}){}",
                          file_name, fmt::join(read_formats(), ", "), advice));
}

const FileFormat& chosen_format(std::string_view read_as, std::string_view file_name) {
  const FileFormat* const named = find_format(format_name_in(read_as));
  return named != nullptr ? *named : likely_format(file_name);
}

Status check_mapping(const FileFormat& format, std::string_view mapping) {
  if (mapping.empty()) return {};
  if (format.check_mapping != nullptr) return format.check_mapping(mapping);
  return fail(Errc::invalid_input, "mapping",
              fmt::format("{} becomes a map in one way only", format.article));
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
