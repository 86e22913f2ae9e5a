// Reads workbooks of others (docs/formats/sheets.md): sheets of nodes and links, with headings
// wherever they stand in the first rows, as those of GNPy.
//
// All cells are held in memory. Errors are collected, each with sheet and cell. The limits are
// those of spreadsheets (codecs/xlsx/xlsx_reader.hpp). Failure: as a value, InputErrors. Thread:
// any; a file belongs to one call at a time.
#pragma once

#include <optional>

#include "codecs/document/random_access.hpp"
#include "codecs/formats/draft/map_draft.hpp"
#include "codecs/formats/tables/heading_map.hpp"
#include "codecs/formats/tables/update_result.hpp"
#include "codecs/xlsx/xlsx_reader.hpp"

namespace netml::codecs {

// Nothing for a workbook that is laid out as the template, unless something is said of its
// headings, or is none, or has no sheet of nodes or links: read_xlsx reads that, or says what is
// wrong with it.
std::optional<ReadResult> read_sheets(RandomAccessFile& file, const HeadingMap& said,
                                      const DraftOptions& options, const XlsxLimits& limits);
// The values that it sets, row by row, of elements that are there.
UpdateResult read_sheets_update(RandomAccessFile& file, const HeadingMap& said,
                                const XlsxLimits& limits);

}  // namespace netml::codecs
