// Reads CSV (docs/formats/sheets.md): a table of nodes, of links, or of both where a column says
// which row is what.
//
// The file is held in memory with its cells. Errors are collected, each with line and column.
// Failure: as a value, InputErrors. Thread: any; a file belongs to one call at a time.
#pragma once

#include "codecs/document/random_access.hpp"
#include "codecs/document/read_limits.hpp"
#include "codecs/formats/draft/map_draft.hpp"
#include "codecs/formats/tables/heading_map.hpp"
#include "codecs/formats/tables/update_result.hpp"

namespace netml::codecs {

ReadResult read_csv(RandomAccessFile& file, const HeadingMap& said, const DraftOptions& options,
                    const ReadLimits& limits);
// The values that it sets, row by row, of elements that are there.
UpdateResult read_csv_update(RandomAccessFile& file, const HeadingMap& said,
                             const ReadLimits& limits);

}  // namespace netml::codecs
