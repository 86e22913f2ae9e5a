// Which column of a table is what: from the row of its headings, wherever that stands in the first
// rows, by what somebody says of it, else by the table of table_fields.hpp. What is not known
// becomes a property.
//
// Ownership: the rules, which live as long as it; table and headings outlive it. Thread: its owner.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codecs/formats/draft/field_rules.hpp"
#include "codecs/formats/tables/heading_map.hpp"
#include "codecs/formats/tables/table.hpp"
#include "codecs/formats/tables/table_fields.hpp"
#include "engine/base/ids.hpp"

namespace netml::codecs {

// What a table holds: `elements` where a column says it of each row.
enum class Holds : std::uint8_t { nothing, nodes, links, elements };

// What counts in a heading: "Node_A", "node-a" and "NodeA" are all "node a".
std::string plain_heading(std::string_view heading);
// What a row is, as its column `kind` says: "node", "Links".
std::optional<Kind> kind_of_row(std::string_view text);
// Whether a property of that name would be taken for something else as a heading.
bool is_known_heading(std::string_view name);

// A column as an element of some kind has it.
struct ColumnRule {
  Target target = Target::property;  // by the table
  FoundRule rule;                    // that the draft goes by
};

class ColumnMap {
 public:
  static constexpr std::size_t kHeadingRowsMax = 12;  // headings are looked for in these

  ColumnMap(const Table& table, const HeadingMap& said);
  ColumnMap(const ColumnMap&) = delete;
  ColumnMap& operator=(const ColumnMap&) = delete;

  Holds holds() const { return holds_; }
  const Table& table() const { return table_; }
  bool has_heading(std::string_view plain) const;
  // Whether a column says that of nodes or links.
  bool has_target(Target target) const;
  // How many headings have a meaning, for a choice among several ways to read a file.
  std::size_t known() const { return known_; }
  // Those below the headings.
  std::span<const TableRow> data() const { return table_.rows().subspan(data_begin_); }

  // Where rows say what they are, what their property is called, and its value; 0: nowhere.
  std::uint32_t kind_column() const { return kind_column_; }
  std::uint32_t property_column() const { return property_column_; }
  std::uint32_t value_column() const { return value_column_; }
  // Of the ends of links; 0: there are none.
  std::array<std::uint32_t, 2> end_columns() const { return ends_; }
  bool has_places() const;
  // Whether the ends are called the same there.
  bool has_ends_of(const ColumnMap& other) const;

  // Latitude and longitude are those of a drawing: they are properties from now on.
  void keep_places_as_properties();

  // Of a column without a heading, too.
  const ColumnRule& rule(Kind kind, std::uint32_t column);
  // Of a column where the table holds neither nodes nor links.
  const FoundRule& lost_rule(std::uint32_t column);
  // Of a property that is not called by a heading.
  const FoundRule& property_rule(Kind kind, std::string_view name);
  // The first in the table of the columns that say `target` and have a value; null: there is none.
  const TableCell* find(const TableRow& row, Kind kind, Target target);

 private:
  struct Heading {
    std::uint32_t column = 0;
    std::string text;
    std::string plain;
  };
  struct Named {
    std::string field;
    std::string called;
    ColumnRule column;
  };

  // What a heading says of an element of that sort; nothing where it is not known.
  std::optional<Target> meaning(Kind kind, std::string_view plain) const;
  bool judge(const TableRow& row);
  bool has_only_kinds(std::uint32_t column, std::size_t data_begin) const;
  void find_ends();
  void find_said_ends();
  void add_groups(std::size_t heading_row);
  std::uint32_t column_called(std::string_view plain) const;
  const Heading& heading(std::uint32_t column);
  Named& make_rule(std::string_view owner, const Heading& heading);

  const Table& table_;
  const HeadingMap& said_;
  FieldRules rules_{kTableFields};
  Holds holds_ = Holds::nothing;
  std::size_t known_ = 0;
  std::size_t data_begin_ = 0;  // into the rows of the table
  std::uint32_t kind_column_ = 0;
  std::uint32_t property_column_ = 0;
  std::uint32_t value_column_ = 0;
  std::array<std::uint32_t, 2> ends_ = {};
  bool places_are_drawn_ = false;
  std::vector<Heading> headings_;
  std::deque<Heading> unnamed_;  // of columns without a heading
  std::deque<Named> named_;      // stay where they are
  // By kind, then column; the last kind is that of lost ones.
  std::array<std::vector<Named*>, kKindCount + 1> by_column_;
  std::unordered_map<std::string, Named*> by_name_;
  // By kind and target: the columns that say so, the first in the table first.
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> by_target_;
};

// Reports what was said of headings that no table has, or of one end of links alone.
void check_headings(const HeadingMap& said, const std::deque<ColumnMap>& maps, ErrorList& errors);

}  // namespace netml::codecs
