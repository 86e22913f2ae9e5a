#include "codecs/xlsx/detail/xlsx_data_sink.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "codecs/document/error_list.hpp"
#include "codecs/document/numbers.hpp"
#include "engine/base/texts.hpp"

namespace netml::codecs {

namespace {

// The nearest known heading, to stand behind an unknown one; empty when none is near.
std::string suggestion(Kind kind, std::string_view heading) {
  const std::optional<Field> nearest = nearest_field(kind, heading);
  return nearest ? fmt::format(" (the nearest is {})", about(*nearest).title) : std::string();
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The words of a text in lower case, without what stands between them.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false;
  for (const char c : lower_ascii(text)) {
    const bool letter = (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80;
    if (letter && !inside) words.emplace_back();
    if (letter) words.back() += c;
    inside = letter;
  }
  return words;
}

// "degrees", "between -90 and 90": what asks for a number begins with a word, or names both bounds.
// "44,65", "10G" and "-63.57 W" are data that went wrong.
bool asks_for_number(Field field, std::string_view text) {
  const std::vector<std::string> words = words_of(text);
  const auto is_word = [](const std::string& word) { return word.size() > 1; };
  if (std::ranges::none_of(words, is_word)) return false;
  const std::size_t first = text.find_first_not_of("+-. ");
  if (first != text.npos && !is_digit(text[first])) return true;
  const std::string_view bound = field == Field::longitude ? "180" : "90";
  const std::size_t lower = text.find(bound);
  return lower != text.npos && text.find(bound, lower + bound.size()) != text.npos;
}

// "Enter your institution in the row below": a sentence to the reader, and no name.
bool is_instruction(std::string_view text) {
  constexpr std::size_t kWordsMin = 4;
  constexpr std::array<std::string_view, 8> kOfInstructions{"row",  "rows", "below",  "enter",
                                                            "fill", "must", "please", "your"};
  const std::vector<std::string> words = words_of(text);
  return words.size() >= kWordsMin && std::ranges::any_of(words, [&](const std::string& word) {
           return std::ranges::find(kOfInstructions, word) != kOfInstructions.end();
         });
}

}  // namespace

bool DataSink::wants(std::uint32_t column) const {
  return !layout_ || is_read(column);
}

bool DataSink::is_read(std::uint32_t column) const {
  return std::ranges::find(layout_->columns, column, &SheetColumn::number) !=
         layout_->columns.end();
}

bool DataSink::take(const SheetRow& row) {
  // One row more: marks may stand below the last row that may hold headings.
  if (!layout_ && row.number <= kHeadingRowsMax + 1) {
    first_rows_.push_back(row);
    return true;
  }
  if (!layout_ && !open_layout()) return false;
  take_data(row);
  return true;
}

void DataSink::finish() {
  if (!layout_ && !open_layout()) return;
  note_columns_passed_over();
}

// ---- headings ----

bool DataSink::open_layout() {
  FoundLayout found = find_layout(kind_, version_, first_rows_);
  layout_ = std::move(found.layout);
  headings_ = std::move(found.headings);
  if (!check_headings(headings_)) {
    content_.leave_out(kind_);
    return false;
  }
  for (const SheetRow& row : first_rows_)
    if (row.number < layout_->first_row)
      check_head_row(row);
    else
      take_data(row);
  first_rows_ = {};
  return true;
}

bool DataSink::check_headings(const HeadingRow& headings) {
  if (layout_->columns.empty()) {
    report_missing_headings(headings);
    return false;
  }
  if (headings.repeated)
    errors_.report("duplicate-column",
                   fmt::format("there are two columns {}", about(headings.repeated->field).title),
                   {headings.number, headings.repeated->number});
  bool complete = !headings.repeated;
  for (const Column& column : columns()) {
    if (!is_in(column.required, kind_) || layout_->column_of(column.field) != 0) continue;
    report_missing_column(headings, column.field);
    complete = false;
  }
  return complete;
}

// At the heading that may have been meant, if there is one.
void DataSink::report_missing_column(const HeadingRow& headings, Field field) {
  const auto meant = std::ranges::find_if(headings.unknown, [&](const UnknownHeading& heading) {
    const std::optional<Field> nearest = nearest_field(kind_, heading.text);
    return nearest && about(*nearest).title == about(field).title;
  });
  const bool none = meant == headings.unknown.end();
  errors_.report("missing-column",
                 fmt::format("there is no {}column {}{}",
                             field == Field::second_end ? "second " : "", about(field).title,
                             none ? std::string()
                                  : fmt::format(": the heading \"{}\" is not known; call it \"{}\"",
                                                excerpt(meant->text), about(field).title)),
                 {headings.number, none ? 0 : meant->column});
}

void DataSink::report_missing_headings(const HeadingRow& likeliest) {
  constexpr std::size_t kNamedMax = 5;
  std::vector<std::string> unknown;
  for (const UnknownHeading& heading : likeliest.unknown)
    if (unknown.size() < kNamedMax)
      unknown.push_back(fmt::format("\"{}\" is not a known heading{}", excerpt(heading.text),
                                    suggestion(kind_, heading.text)));
  if (unknown.empty()) unknown.emplace_back("it has one heading only");
  errors_.report("missing-headings",
                 fmt::format("there is no row of headings above the data, and this row is none: "
                             "{}. It needs Name and others of: {}",
                             fmt::join(unknown, ", "), known_headings(kind_)),
                 {likeliest.number, likeliest.unknown.empty() ? likeliest.columns.front().number
                                                              : likeliest.unknown.front().column});
}

// ---- rows ----

std::string_view DataSink::text_of(const SheetRow& row, Field field) const {
  const Cell* cell = row.find(layout_->column_of(field));
  return cell == nullptr ? std::string_view() : trim(row.text(*cell));
}

// Whether the row says all that a record must say: then it is data, wherever it stands.
bool DataSink::is_complete(const SheetRow& row) const {
  if (text_of(row, Field::name).empty()) return false;
  if (kind_ == Kind::link)
    return content_.has_node(text_of(row, Field::first_end)) &&
           content_.has_node(text_of(row, Field::second_end));
  return parse_number(text_of(row, Field::latitude)) &&
         parse_number(text_of(row, Field::longitude));
}

// What we write between marks and data ourselves, word for word.
bool DataSink::is_our_hint(const SheetRow& row) const {
  return std::ranges::all_of(layout_->columns, [&](const SheetColumn& column) {
    const std::string_view text = text_of(row, column.field);
    return text.empty() || text == about(column.field).hint ||
           (column.field == Field::name && text == kOwnerNote);
  });
}

// What the published template and others have there, by its form: hints that ask for numbers where
// data have them, right below the marks; below these a sentence to the reader that stands alone.
bool DataSink::is_foreign_hint(const SheetRow& row) const {
  constexpr std::array kNumbers{Field::latitude, Field::longitude, Field::altitude,
                                Field::throughput};
  constexpr std::array kEnds{Field::first_end, Field::second_end};
  const auto is_filled = [&](Field field) { return !text_of(row, field).empty(); };
  if (row.number == headings_.number + 2)
    return std::ranges::any_of(kNumbers, is_filled) &&
           std::ranges::all_of(kNumbers,
                               [&](Field field) {
                                 return !is_filled(field) ||
                                        asks_for_number(field, text_of(row, field));
                               }) &&
           std::ranges::none_of(
               kEnds, [&](Field field) { return content_.has_node(text_of(row, field)); });
  const auto filled = std::ranges::count_if(
      layout_->columns, [&](const SheetColumn& column) { return is_filled(column.field); });
  return filled == 1 && is_instruction(text_of(row, Field::name));
}

// A row above the data: a title, the headings, the template's marks and hints. What may be data is
// an error: passed over, it would be missing, and the next import would delete it.
void DataSink::check_head_row(const SheetRow& row) {
  if (row.number == headings_.number) return;
  const bool below_marks = row.number > headings_.number + 1;
  if (!is_complete(row) && (!below_marks || is_our_hint(row))) return;
  if (!is_complete(row) && is_foreign_hint(row))
    return content_.note(kind_, true,
                         fmt::format("sheet {}: row {} is taken for a hint of the template and not "
                                     "read; data begin in row {}",
                                     errors_.sheet(), row.number, layout_->first_row));
  errors_.report("unexpected-row",
                 fmt::format("this row is no hint of the template, but data begin in row {}: move "
                             "it there, or remove it",
                             layout_->first_row),
                 {row.number, layout_->column_of(Field::name)});
  take_data(row);  // so that references to it are no further errors
}

void DataSink::take_data(const SheetRow& row) {
  for (const Cell& cell : row.cells)
    if (!is_read(cell.column) && !trim(row.text(cell)).empty()) pass_over(cell);
  if (!values_.start(*layout_, row)) return;
  const bool headings = field_of(kind_, values_.text(Field::name)) == Field::name &&
                        parse_headings(kind_, row).columns.size() > 1;
  if (headings)
    return errors_.report("unexpected-row", "this is a second row of headings; remove it",
                          {row.number, layout_->column_of(Field::name)});
  content_.add(kind_, values_);
}

// ---- columns ----

void DataSink::pass_over(const Cell& cell) {
  const auto [entry, added] = passed_over_.try_emplace(cell.column, cell.formula);
  if (!added) entry->second = entry->second && cell.formula;
}

// Formulas beside the data check them; other values may be data whose heading is misspelled.
void DataSink::note_columns_passed_over() {
  for (const auto& [column, formulas] : passed_over_) {
    const auto heading = std::ranges::find(headings_.unknown, column, &UnknownHeading::column);
    const std::string why =
        heading == headings_.unknown.end()
            ? "it has no heading"
            : fmt::format("its heading \"{}\" is not known{}", excerpt(heading->text),
                          suggestion(kind_, heading->text));
    content_.note(kind_, !formulas,
                  fmt::format("sheet {}: column {} is not read: {}", errors_.sheet(),
                              engine::column_letters(column), why));
  }
}

}  // namespace netml::codecs
