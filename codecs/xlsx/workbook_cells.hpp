// The cells of a workbook as texts, sheet by sheet, whatever its sheets hold: for readers of
// workbooks that are not laid out as the template. The same limits hold and the same is refused
// (xlsx_reader.hpp).
//
// Failure: as a value, an InputError. Thread: one at a time; the file outlives it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/document/random_access.hpp"
#include "codecs/xlsx/xlsx_reader.hpp"

namespace netml::codecs {

struct WorkbookCell {
  std::uint32_t column = 0;  // from 1
  std::string_view text;     // never empty; as a person would read it, without blanks around it
  bool bad = false;          // it has no value, and the text says why
};

class WorkbookCells {
 public:
  // The number of a row, from 1, and those of its cells that hold something, by column. They live
  // during the call. False: no more rows are wanted.
  using TakeRow = std::function<bool(std::uint32_t, std::span<const WorkbookCell>)>;

  WorkbookCells(RandomAccessFile& file, const XlsxLimits& limits);
  ~WorkbookCells();
  WorkbookCells(const WorkbookCells&) = delete;
  WorkbookCells& operator=(const WorkbookCells&) = delete;

  // Comes first. Nothing: it can be read.
  std::optional<engine::InputError> open();
  // In the order of the workbook.
  const std::vector<std::string>& sheets() const { return sheets_; }
  std::optional<engine::InputError> read(std::size_t sheet, const TakeRow& take);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
  std::vector<std::string> sheets_;
};

// Whether a workbook with these sheets is laid out as the template, or meant to be.
bool is_template(std::span<const std::string> sheets);

}  // namespace netml::codecs
