// Writes a topology, with those below it, as one CSV file (docs/formats/sheets.md): a row for each
// topology, institution, node and link, which its column `kind` tells apart. read_csv reads all of
// it back, and no cell is a formula to a spreadsheet program.
//
// Equal states give equal bytes. Memory: the text. Thread: any, as the graph is immutable.
// Failure: Errc::conflict where a topology has no owner.
#pragma once

#include <span>
#include <string>

#include "codecs/formats/draft/map_outline.hpp"
#include "engine/base/result.hpp"
#include "engine/graph/graph.hpp"

namespace netml::codecs {

Result<WrittenMap> write_csv(const engine::Graph& graph, RecordId topology);
// The same with the identifiers, names and the columns of these headings alone, also where nothing
// is in them yet, and with the elements that may have one of these: a sheet to fill in, which
// read_csv_update reads. Errc::invalid_input for headings that are none.
Result<WrittenMap> write_csv_columns(const engine::Graph& graph, RecordId topology,
                                     std::span<const std::string> headings);

}  // namespace netml::codecs
