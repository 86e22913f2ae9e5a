// Reads spreadsheets: the .xlsx template of the format to a Document
// (docs/requirements/exchange-format.md, section 14; docs/spreadsheets.md). The sheets
// Institutions, Nodes and Links become one topology.
//
// What a column means is taken from the row of headings; without one, from the published layout
// whose version the sheet Directions names, if nothing stands above its data. Columns without a
// meaning are not read, and a note names those that hold values. All errors are collected, each
// with sheet, row and column.
//
// The file is not trusted: what its parts expand to is counted while it comes out, whatever the
// file declares; macros, encryption, links to other files and document type declarations are
// refused. Nothing is executed, fetched or written. Memory follows the texts, not the grid: rows
// pass one by one, and of a part that is not needed not a byte is expanded.
//
// Failure: as a value, InputErrors. Thread: any; a file belongs to one call at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "codecs/document/random_access.hpp"
#include "codecs/document/read_limits.hpp"
#include "codecs/document/zip_archive.hpp"

namespace netml::codecs {

// The versions of the template that are read, as its sheet Directions names them. The last is the
// one that is written.
inline constexpr std::array<std::string_view, 2> kXlsxVersions{"v0.0", "v1.0"};

// What a file may demand at most (docs/requirements/durability-and-security.md, section 3); beyond
// it "too-large".
struct XlsxLimits {
  std::uint64_t file_bytes = 64ULL << 20;
  std::uint64_t expanded_bytes = 1ULL << 30;  // of all parts together
  std::uint64_t expanded_ratio = 100;         // of a part, beyond its first megabytes
  std::uint64_t entries = 1'000;
  std::size_t shared_strings = 4'000'000;
  std::size_t shared_string_bytes = 256U << 20;
  std::size_t row_bytes = 2U << 20;  // texts of one row
  std::size_t errors = 1'000;        // kept; all are counted

  ZipLimits of_archive() const { return {file_bytes, expanded_bytes, expanded_ratio, entries}; }
};

struct XlsxOptions {
  // Of the topology that the sheets describe. The institution of the first row owns it.
  std::string_view topology_name;
  XlsxLimits limits = {};
};

ReadResult read_xlsx(RandomAccessFile& file, const XlsxOptions& options);

}  // namespace netml::codecs
