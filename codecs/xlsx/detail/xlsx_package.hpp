// The parts of a workbook and where they are: what the package says before any cell is read.
// A package that could do more than hold cells is refused here.
//
// Thread: its owner.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codecs/document/zip_archive.hpp"
#include "codecs/xlsx/detail/xlsx_cells.hpp"

namespace netml::codecs {

// What the archive should be.
inline constexpr ZipPurpose kWorkbook{"workbook", "not-a-workbook"};

struct WorkbookSheet {
  std::string name;
  std::string part;
};

struct Workbook {
  std::vector<WorkbookSheet> sheets;  // in the order of the workbook
  std::string shared_strings;         // names of parts; empty if there are none
  std::string styles;
  CellRules rules;

  // By name; case and blanks around it do not count.
  const WorkbookSheet* find(std::string_view name) const;
};

ZipResult<Workbook> read_workbook(ZipArchive& archive);

}  // namespace netml::codecs
