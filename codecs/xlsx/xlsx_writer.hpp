// Writes one topology as a spreadsheet: the published template, version v1.0, with a column
// Internal ID for institutions too, and identifiers as references
// (docs/requirements/exchange-format.md, section 14; decision 35). read_xlsx reads it back, and
// what that gives is written as the same cells.
//
// The layout holds less than the format: no versions, lifetimes or sub-topologies, and of the
// properties only four (docs/spreadsheets.md). What is left out is counted and reported.
//
// Equal states give equal bytes. Texts that programs could take for formulas are marked as texts.
// Memory: the compressed file. Thread: any, as the graph is immutable.
// Failure: Errc::invalid_input when an identifier cannot stand in the layout, Errc::too_large.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/graph/graph.hpp"

namespace netml::codecs {

inline constexpr std::string_view kXlsxMediaType =
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

// Of one sort.
struct XlsxLoss {
  std::string_view what;     // "lifetime"
  std::uint64_t fields = 0;  // of the map; those of other topologies are not counted
  bool is_beside = false;    // what the map does not say, or a link with all that it is
};

struct XlsxExport {
  std::string bytes;
  std::vector<std::string> losses;  // "3 lifetimes"; the sheet Directions lists them as well
  std::vector<XlsxLoss> fields;     // the same, counted by field
};

// The topology has an owner, as engine::export_tree makes sure.
Result<XlsxExport> write_xlsx(const engine::Graph& graph, RecordId topology);

}  // namespace netml::codecs
