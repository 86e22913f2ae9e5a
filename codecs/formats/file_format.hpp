// The formats of files that hold a map, each described once: what its files are called, and who
// reads and writes them. Whoever accepts, reads, writes or names files goes by this table, so that
// a new format is a folder with its reader or writer, and an entry in file_format.cpp.
//
// Thread: any; descriptions live as long as the program.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/document/random_access.hpp"
#include "codecs/document/read_limits.hpp"
#include "codecs/formats/tables/heading_map.hpp"
#include "codecs/formats/tables/update_result.hpp"
#include "codecs/xlsx/xlsx_reader.hpp"
#include "engine/base/result.hpp"
#include "engine/graph/graph.hpp"
#include "engine/graph/loss_list.hpp"

namespace netml::codecs {

// What a file of any format may demand at most.
struct FileLimits {
  ReadLimits xml;
  XlsxLimits xlsx;
};

struct FileReadOptions {
  std::string_view topology_name = {};  // for formats that do not name their topology
  std::string_view file_name = {};      // names a network that has no other name
  std::string_view owner = {};          // of a network that names none
  HeadingMap headings = {};             // of tables, what somebody says of them
  std::string_view mapping = {};        // that the format knows; empty: the usual one
  const FileLimits& limits;
};

struct WrittenFile {
  std::string bytes;
  std::vector<std::string> omitted = {};  // what the format cannot hold: "3 lifetimes"
  engine::LossList losses = {};           // the same field by field, where they are counted
};

struct FileFormat {
  std::string_view name;     // of the option and the parameter `format`
  std::string_view article;  // in a sentence: "a spreadsheet"
  // How names of its files end (decision 39), in lower case, the usual one first; their case does
  // not count. Several formats may share one.
  std::array<std::string_view, 3> endings = {};
  // Whether a file that begins so is one; null: that tells nothing.
  bool (*recognizes)(std::string_view first_bytes) = nullptr;
  std::string_view media_type;
  // The versions that are read, as files name them, and the one that is written; none where it is
  // not read or written, or its files name none.
  std::span<const std::string_view> versions_read = {};
  std::string_view version_written = {};
  // Begins the log of an import that cannot be read (docs/requirements/http-api.md, section 9).
  std::string_view unreadable = {};
  bool names_topology = true;  // else whoever imports a file names it
  bool is_text = true;
  // Memory that an import takes for each byte of the file: the document, the transaction and the
  // next version share the texts, so a text takes about its own size, a compressed file more.
  std::uint64_t memory_for_byte = 1;
  // Reads a whole file. Null for the one format that NetmlReader reads while it arrives, and for
  // those that are written only.
  ReadResult (*read)(RandomAccessFile& file, const FileReadOptions& options) = nullptr;
  // Reads a whole file of tables as an update: what it sets of elements that are there. Null for
  // formats that are no tables; nothing can be said of headings there either.
  UpdateResult (*read_update)(RandomAccessFile& file, const FileReadOptions& options) = nullptr;
  // Whether a text is a mapping of its files, for formats that have several; else null.
  // Errc::invalid_input, in the field "mapping".
  Status (*check_mapping)(std::string_view mapping) = nullptr;
  bool is_written_in_pieces = false;
  bool holds_topologies = false;  // inside others; else it is written of one topology alone
  // Writes one topology, which has an owner, with those below it if the format can hold them. Null
  // for the one that NetmlWriter writes in pieces, and for those that are read only.
  Result<WrittenFile> (*write)(const engine::Graph& graph, RecordId topology) = nullptr;
  // The same with the columns of these headings alone, for somebody to fill in and send back as an
  // update. Null for formats that are no tables.
  Result<WrittenFile> (*write_columns)(const engine::Graph& graph, RecordId topology,
                                       std::span<const std::string> headings) = nullptr;

  std::string_view ending() const { return endings.front(); }
  bool is_read() const { return is_written_in_pieces || read != nullptr; }
  bool is_written() const { return is_written_in_pieces || write != nullptr; }
};

std::span<const FileFormat> file_formats();
// The format that nodes exchange, which is read and written as a stream.
const FileFormat& netml_format();

// By the end of a file's name: the first one of those that share it. Null when it is none of the
// known ones.
const FileFormat* format_of(std::string_view file_name);
// Whether the name alone tells the format: no other one shares its ending.
bool name_tells_format(std::string_view file_name);
// As which a file of that name is written: the first one of those that are. Null for none.
const FileFormat* format_to_write(std::string_view file_name);
// The same; the main format instead.
const FileFormat& likely_format(std::string_view file_name);
// By its first bytes, for a file without a name: the main format where they tell nothing.
const FileFormat& format_of_bytes(std::string_view first_bytes);
// By the first bytes, of which kRecognizedBytes are enough; by the end of the name where they tell
// nothing, or fit several. Errc::invalid_input, with the names of all that it may be, or could be,
// and `how` one of them is named ("with --format"); empty: whoever asks cannot.
inline constexpr std::size_t kRecognizedBytes = 4 << 10;
Result<const FileFormat*> detect_format(std::string_view file_name, std::string_view first_bytes,
                                        std::string_view how = {});
// As somebody named it, with parameters or without (read_as.hpp); by the end of the name where
// nobody did.
const FileFormat& chosen_format(std::string_view read_as, std::string_view file_name);
// What its files become, as somebody wants it; empty: the usual. Errc::invalid_input.
Status check_mapping(const FileFormat& format, std::string_view mapping);
// By its own name; null for an unknown one.
const FileFormat* find_format(std::string_view name);

// Without the ending of its format, whatever that is.
std::string_view without_ending(std::string_view file_name);

// ".xml, .netml, .grenml or .xlsx"
std::string accepted_endings();
// The names of those that can be written, and read.
std::vector<std::string> written_formats();
std::vector<std::string> read_formats();

}  // namespace netml::codecs
