#include "codecs/xlsx/detail/xlsx_sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "codecs/document/read_limits.hpp"
#include "engine/base/wording.hpp"

namespace netml::codecs {

namespace {

constexpr std::uint32_t kColumnsMax = 1 << 14;

std::uint32_t index_of(std::string_view text) {
  std::uint32_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && stop == text.data() + text.size() ? number : 0;
}

// "D7" is in column 4; 0 when the text is no such reference.
std::uint32_t column_of(std::string_view reference) {
  std::uint32_t column = 0;
  for (const char c : reference) {
    if (c < 'A' || c > 'Z') break;
    column = column * 26 + static_cast<std::uint32_t>(c - 'A') + 1;
    if (column > kColumnsMax) return 0;
  }
  return column;
}

CellType type_of(std::string_view text) {
  if (text == "s" || text == "str" || text == "inlineStr") return CellType::text;
  if (text == "b") return CellType::truth;
  if (text == "e") return CellType::error;
  if (text == "d") return CellType::date;
  return CellType::number;
}

class SheetPart final : public PartEvents {
 public:
  SheetPart(const SharedStrings& strings, const XlsxLimits& limits, RowSink& sink)
      : strings_(strings), limits_(limits), sink_(sink) {}

  bool satisfied() const { return satisfied_; }

 private:
  void begin(Tag tag, std::span<const XmlAttribute> attributes) override {
    takes_text_ = false;
    switch (tag) {
      case Tag::row:
        if (parent() == Tag::sheet_data) begin_row(attributes);
        break;
      case Tag::c:
        if (parent() == Tag::row) begin_cell(attributes);
        break;
      case Tag::f:
        if (parent() == Tag::c) cell_.formula = true;
        break;
      case Tag::v:
        begin_value(parent() == Tag::c);
        break;
      case Tag::t:
        begin_value((parent() == Tag::is || parent() == Tag::r) && !within(Tag::phonetic));
        break;
      default:
        break;
    }
  }

  void characters(std::string_view piece) override {
    if (takes_text_) value_.append(piece);
    if (row_.texts.size() + value_.size() > limits_.row_bytes) refuse_row();
  }

  void end(Tag tag) override {
    takes_text_ = false;
    if (tag == Tag::c && parent() == Tag::row) return end_cell();
    if (tag != Tag::row || parent() != Tag::sheet_data) return;
    if (!sink_.take(row_)) {
      satisfied_ = true;
      refuse({}, {});
    }
  }

  void refuse_row() {
    refuse("too-large", beyond_limit(fmt::format("row {} is too long", row_.number),
                                     limit_names::kXlsxRowBytes, limits_.row_bytes));
  }

  // Rows and cells without a reference follow the one before.
  void begin_row(std::span<const XmlAttribute> attributes) {
    const std::string_view reference = attribute(attributes, "r");
    const std::uint32_t number = reference.empty() ? row_.number + 1 : index_of(reference);
    if (number <= row_.number || number > kRowsMax) return damaged("its rows are out of order");
    row_.number = number;
    row_.cells.clear();
    row_.texts.clear();
    last_column_ = 0;
  }

  void begin_cell(std::span<const XmlAttribute> attributes) {
    const std::string_view reference = attribute(attributes, "r");
    const std::uint32_t column = reference.empty() ? last_column_ + 1 : column_of(reference);
    if (column <= last_column_ || column > kColumnsMax)
      return damaged(fmt::format("the cells of row {} are out of order", row_.number));
    last_column_ = column;
    wanted_ = sink_.wants(column);
    const std::string_view type = attribute(attributes, "t");
    shared_ = type == "s";
    cell_ = {};
    cell_.column = column;
    cell_.type = type_of(type);
    cell_.style = index_of(attribute(attributes, "s"));
    value_.clear();
  }

  void begin_value(bool of_cell) {
    if (!of_cell) return;
    takes_text_ = wanted_;
    if (!wanted_ && !cell_.value) sink_.pass_over(cell_);
    cell_.value = true;
  }

  void end_cell() {
    if (!std::exchange(wanted_, false)) return;
    // An empty result is one only of a formula whose result is a text. Else the program that wrote
    // the formula did not calculate it.
    if (cell_.formula && cell_.type != CellType::text && trim(value_).empty()) cell_.value = false;
    if (!cell_.value && !cell_.formula) return;
    cell_.text_begin = row_.texts.size();
    if (shared_ && cell_.value) {
      std::size_t index = 0;
      const char* end = value_.data() + value_.size();
      const auto [stop, error] = std::from_chars(value_.data(), end, index);
      if (error != std::errc{} || stop != end || index >= strings_.size())
        return damaged(fmt::format("row {} refers to a text that is not there", row_.number));
      row_.texts.append(strings_[index]);
    } else if (cell_.type == CellType::text) {
      append_unescaped(row_.texts, value_);
    } else {
      row_.texts.append(value_);
    }
    value_.clear();
    cell_.text_end = row_.texts.size();
    if (cell_.text_end > limits_.row_bytes) return refuse_row();
    row_.cells.push_back(cell_);
  }

  void damaged(std::string_view what) {
    refuse("not-a-workbook", fmt::format("the sheet is damaged: {}", what));
  }

  const SharedStrings& strings_;
  const XlsxLimits& limits_;
  RowSink& sink_;
  SheetRow row_;
  Cell cell_;
  std::uint32_t last_column_ = 0;
  bool wanted_ = false;  // the cell that is being read
  bool shared_ = false;  // its value is a number of a shared text
  bool takes_text_ = false;
  bool satisfied_ = false;
  std::string value_;
};

}  // namespace

const Cell* SheetRow::find(std::uint32_t column) const {
  const auto found = std::ranges::lower_bound(cells, column, {}, &Cell::column);
  return found != cells.end() && found->column == column ? &*found : nullptr;
}

ZipResult<void> read_sheet(ZipArchive& archive, std::string_view part, const SharedStrings& strings,
                           const XlsxLimits& limits, RowSink& sink) {
  SheetPart events(strings, limits, sink);
  auto read = read_part(archive, part, events);
  if (events.satisfied()) return {};
  return read;
}

}  // namespace netml::codecs
