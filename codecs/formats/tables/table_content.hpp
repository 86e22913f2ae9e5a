// What the rows of tables mean: tables in, a Document out, by way of a MapDraft.
//
// Which table holds nodes and which links is known by its columns; among several that could, the
// name of the sheet decides. Ends of links are found by identifier, key or name of a node. All
// errors are collected, each with its cell.
//
// Thread: its owner; it is used once. The tables outlive it.
#pragma once

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/document/error_list.hpp"
#include "codecs/document/id_key.hpp"
#include "codecs/formats/draft/map_draft.hpp"
#include "codecs/formats/tables/column_map.hpp"

namespace netml::codecs {

class TableContent {
 public:
  // `said` outlives it.
  TableContent(const HeadingMap& said, std::size_t errors_max) : said_(said), errors_(errors_max) {}

  engine::DocumentNotes& notes() { return draft_.notes(); }
  ReadResult read(std::span<const Table> tables, const DraftOptions& options);

 private:
  using Index = std::uint32_t;
  static constexpr Index kSeveral = 0xffffffff;
  using IndexOf = boost::unordered_flat_map<IdKey, Index, IdKeyHash>;

  // A node as links find it.
  struct NodeEntry {
    std::string_view key;
    const Table* table = nullptr;
    TextPosition at;
    bool used = false;
  };
  // A link that two nodes have already.
  struct Joined {
    const Table* table = nullptr;
    TextPosition at;
    Index from = 0;
    bool told_apart = false;  // by something of its own
  };
  // The element that is open in the draft, to which a row `more` may belong.
  struct OpenElement {
    Kind kind = Kind::node;
    std::string_view identifier;
  };

  void choose(Holds what);
  bool holds_any(Holds what) const;

  void index_nodes(ColumnMap& map);
  void index_node(ColumnMap& map, const TableRow& row);
  void judge_places(ColumnMap& map);

  void add_rows(ColumnMap& map);
  void add_row_of_kind(ColumnMap& map, const TableRow& row);
  void add_more(ColumnMap& map, const TableRow& row);
  void add_node(ColumnMap& map, const TableRow& row);
  void add_link(ColumnMap& map, const TableRow& row);
  void add_topology(ColumnMap& map, const TableRow& row);
  void open(ColumnMap& map, const TableRow& row, Kind kind);
  void close();
  void check_identifier(ColumnMap& map, const TableRow& row, Kind kind, const TableCell& cell);
  void set_cells(ColumnMap& map, const TableRow& row, Kind kind);
  void set_cell(ColumnMap& map, const TableCell& cell, Kind kind);
  // Without a kind it is of no element.
  void lose_row(ColumnMap& map, const TableRow& row, std::optional<Kind> kind,
                std::string_view reason);
  void lose_rows(ColumnMap& map);

  // The node that the cell names. Nothing: an error was reported.
  std::optional<Index> find_end(const Table& table, const TableCell& cell);
  Index node_called(std::string_view text) const;
  Index make_node(const Table& table, const TableCell& cell);
  void remember_link(ColumnMap& map, const TableRow& row, Index from, Index to);
  void check_aside(ColumnMap& map);
  void note_unused_nodes();
  void warn(Kind kind, const Table& table, TextPosition at, std::string_view text);
  void report(const Table& table, std::string_view code, std::string_view message, TextPosition at,
              std::string_view id);

  const HeadingMap& said_;
  ErrorList errors_;
  MapDraft draft_;
  std::deque<ColumnMap> maps_;  // of each table
  std::vector<Holds> holds_;    // what each of them is read as
  bool makes_nodes_ = false;    // of the ends of links, as no table lists any
  std::vector<NodeEntry> nodes_;
  IndexOf node_of_key_;
  IndexOf node_of_name_;
  boost::unordered_flat_map<std::uint64_t, Joined> joined_;
  std::array<boost::unordered_flat_set<IdKey, IdKeyHash>, kKindCount> identifiers_;
  bool has_root_ = false;      // a row has said what the network is
  bool root_is_open_ = false;  // and rows may go on with it
  std::optional<OpenElement> open_;
  std::array<std::string_view, 2> ends_;  // of the link that is set
  std::string text_;                      // its memory is used again
};

}  // namespace netml::codecs
