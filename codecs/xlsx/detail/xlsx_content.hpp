// What the rows of a spreadsheet mean: rows become records, names become references, and all of it
// one topology (docs/requirements/exchange-format.md, sections 14.3 and 14.4).
//
// Institutions come first, then nodes, then links. Thread: its owner.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codecs/document/document_builder.hpp"
#include "codecs/document/id_key.hpp"
#include "codecs/document/record_builder.hpp"
#include "codecs/xlsx/detail/xlsx_values.hpp"

namespace netml::codecs {

// The records of one sheet, by what others call them.
class SheetIndex {
 public:
  enum class Match : std::uint8_t { none, one, several };
  struct Found {
    Match match = Match::none;
    std::string_view id;
  };

  // Keeps the record, whose texts the index refers to. The row that has the identifier already;
  // 0 if it is new.
  std::uint32_t add(engine::AttributesPtr attributes, std::uint32_t row);
  // An identifier, or the name of exactly one record.
  Found find(std::string_view reference) const;
  bool has_id(std::string_view id) const { return rows_.contains(IdKey(id)); }

 private:
  struct Named {
    std::string_view id;
    bool several = false;
  };
  std::vector<engine::AttributesPtr> records_;
  boost::unordered_flat_map<IdKey, std::uint32_t, IdKeyHash> rows_;  // by identifier
  boost::unordered_flat_map<IdKey, Named, IdKeyHash> names_;
};

class SheetContent {
 public:
  // What it is given outlives the content.
  SheetContent(std::string_view topology_name, ErrorList& errors)
      : topology_name_(topology_name), errors_(errors) {}

  void add(Kind kind, RowValues& values);
  // Between the institutions and the nodes.
  void end_institutions();
  // The sheet of that kind cannot be read: references to its records cannot be judged.
  void leave_out(Kind kind) { left_out_ |= engine::set_of(kind); }
  // A remark about a sheet for the import log.
  void note(Kind kind, bool warning, std::string text) {
    document_.notes().add({warning, kind, std::move(text)});
  }
  // Whether a link may name it.
  bool has_node(std::string_view reference) {
    return index_of(Kind::node).find(reference).match != SheetIndex::Match::none;
  }
  // The document, if no error was reported.
  engine::Document take() &&;

 private:
  SheetIndex& index_of(Kind kind) { return indexes_[static_cast<std::size_t>(kind)]; }
  bool is_left_out(Kind kind) const { return is_in(left_out_, kind); }
  void start_record(Kind kind, RowValues& values);
  void set_properties(RowValues& values);
  void set_place(RowValues& values);
  std::optional<engine::Micro> degrees(RowValues& values, Field field, double limit);
  void set_altitude(RowValues& values);
  void set_owners(RowValues& values);
  void set_owner(std::string_view reference, RowValues& values, Field field);
  void set_ends(RowValues& values);
  void report_unresolved(Kind wanted, const SheetIndex::Found& found, std::string_view reference,
                         RowValues& values, Field field);
  // Makes the record; checks that its identifier is new.
  engine::AttributesPtr end_record(RowValues& values);
  void report(std::string_view code, std::string_view message, RowValues& values, Field field) {
    values.report(code, message, field, record_.id());
  }

  const std::string_view topology_name_;
  ErrorList& errors_;
  ErrorList builder_errors_{1};  // errors are found before the builder could
  DocumentBuilder document_{builder_errors_};
  RecordBuilder record_{document_.notes()};
  std::vector<engine::AttributesPtr> institutions_;
  std::array<SheetIndex, kKindCount> indexes_;
  engine::KindSet left_out_ = 0;
};

}  // namespace netml::codecs
