// What the rows of tables set: tables in, a MapUpdate out (docs/formats/sheets.md). A row names its
// element by identifier. A cell without a text keeps what there is, one that is `-` deletes it; of
// several columns of one heading those that have a text are all values.
//
// Which element a row means is found out when it is planned. All errors are collected, each with
// its cell.
//
// Thread: its owner; it is used once. The tables, and what is said of them, outlive it.
#pragma once

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/document/error_list.hpp"
#include "codecs/document/id_key.hpp"
#include "codecs/formats/tables/column_map.hpp"
#include "codecs/formats/tables/update_result.hpp"

namespace netml::codecs {

class TableUpdate {
 public:
  TableUpdate(const HeadingMap& said, std::size_t errors_max) : said_(said), errors_(errors_max) {}

  engine::DocumentNotes& notes() { return update_.notes; }
  UpdateResult read(std::span<const Table> tables) &&;

 private:
  // Of one element, from its row and those that go on with it.
  struct OpenField {
    Target target = Target::property;
    std::string_view name;  // of a property
    std::size_t end = 0;    // of a link: which one
    std::vector<const TableCell*> cells;
  };

  void read_table(ColumnMap& map);
  void lose_table(ColumnMap& map);
  void read_row(ColumnMap& map, const TableRow& row);
  std::optional<Kind> kind_of(ColumnMap& map, const TableRow& row);
  void open(ColumnMap& map, const TableRow& row, Kind kind);
  void go_on(ColumnMap& map, const TableRow& row);
  void take(const ColumnMap& map, const TableCell& cell, const ColumnRule& column);
  OpenField& field(Target target, std::string_view name, std::size_t end);
  void close(ColumnMap& map);
  void put(const ColumnMap& map, const OpenField& field);
  void put_value(const Table& table, const OpenField& field, const TableCell& cell);
  void put_pieces(std::string_view text);
  std::uint32_t name_of(const OpenField& field, TextPosition at);
  engine::MapUpdate::Place place(TextPosition at) const { return {at.line, at.column, sheet_}; }
  void report(std::string_view code, std::string_view message, const Table& table,
              const TableCell& cell);

  const HeadingMap& said_;
  ErrorList errors_;
  engine::MapUpdate update_;
  std::deque<ColumnMap> maps_;  // of each table
  std::uint32_t sheet_ = 0;     // of the update, that is read
  bool any_ = false;            // a table with a column of identifiers
  std::uint64_t copies_ = 0;    // rows that are passed over
  bool is_copy_ = false;        // the rows that go on are of one
  std::optional<Kind> open_;
  std::string_view open_id_;
  TextPosition open_at_;
  std::deque<OpenField> fields_;  // of the open element
  boost::unordered_flat_map<std::string, OpenField*> field_of_;
  std::array<boost::unordered_flat_set<IdKey, IdKeyHash>, kKindCount> identifiers_;
  boost::unordered_flat_map<std::string, std::uint32_t> names_;
  std::string buffer_;  // its memory is used again
};

}  // namespace netml::codecs
