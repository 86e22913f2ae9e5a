#include "codecs/formats/tables/table_update.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "codecs/document/numbers.hpp"
#include "codecs/document/xml_text.hpp"
#include "engine/base/lower_case.hpp"
#include "engine/base/wording.hpp"

namespace netml::codecs {

namespace {

using engine::UpdatedField;

constexpr std::string_view kDeletes = "-";

UpdatedField updated_field(Target target, std::size_t end) {
  switch (target) {
    case Target::name:
      return UpdatedField::name;
    case Target::short_name:
      return UpdatedField::short_name;
    case Target::version:
      return UpdatedField::version;
    case Target::start:
      return UpdatedField::start;
    case Target::end:
      return UpdatedField::end;
    case Target::latitude:
      return UpdatedField::latitude;
    case Target::longitude:
      return UpdatedField::longitude;
    case Target::altitude:
      return UpdatedField::altitude;
    case Target::unlocode:
      return UpdatedField::unlocode;
    case Target::address:
      return UpdatedField::address;
    case Target::owner:
      return UpdatedField::owner;
    case Target::topology:
      return UpdatedField::topology;
    case Target::parent:
      return UpdatedField::parent;
    case Target::link_end:
      return end == 0 ? UpdatedField::first_end : UpdatedField::second_end;
    default:
      return UpdatedField::property;
  }
}

// What an element may have several of.
bool repeats(UpdatedField field, Kind kind) {
  return field == UpdatedField::property || field == UpdatedField::topology ||
         (field == UpdatedField::owner && kind != Kind::topology);
}

bool is_time(UpdatedField field) {
  return field == UpdatedField::version || field == UpdatedField::start ||
         field == UpdatedField::end;
}

bool is_number(UpdatedField field) {
  return field == UpdatedField::latitude || field == UpdatedField::longitude ||
         field == UpdatedField::altitude;
}

}  // namespace

// ---- tables ----

UpdateResult TableUpdate::read(std::span<const Table> tables) && {
  std::uint64_t bytes = 0;
  for (const Table& table : tables) {
    bytes += table.bytes();
    maps_.emplace_back(table, said_);
  }
  if (bytes > std::numeric_limits<std::uint32_t>::max())
    errors_.report_last("too-large", "an update has at most 4 GiB of texts", {});
  check_headings(said_, maps_, errors_);
  update_.sheets.clear();
  for (ColumnMap& map : maps_) {
    if (errors_.closed()) break;
    sheet_ = static_cast<std::uint32_t>(update_.sheets.size());
    update_.sheets.push_back(map.table().sheet());
    errors_.enter(map.table().sheet());
    read_table(map);
  }
  errors_.enter({});
  if (!any_ && errors_.empty())
    errors_.report("missing-headings",
                   "no row of headings has a column identifier, which an update goes by");
  if (copies_ > 0)
    update_.notes.add({false, Kind::topology,
                       fmt::format("{} of elements that belong to other topologies {} passed over",
                                   counted(copies_, "row"), copies_ == 1 ? "is" : "are")});
  if (!errors_.empty()) return tl::unexpected(std::move(errors_).take());
  return std::move(update_);
}

void TableUpdate::read_table(ColumnMap& map) {
  const bool is_read = map.holds() != Holds::nothing && map.has_target(Target::identifier);
  if (!is_read) return lose_table(map);
  any_ = true;
  for (const TableRow& row : map.data()) read_row(map, row);
  close(map);
}

void TableUpdate::lose_table(ColumnMap& map) {
  for (const TableRow& row : map.data())
    for (const TableCell& cell : map.table().cells(row))
      update_.losses.lose({.field = std::string(map.lost_rule(cell.column).field),
                           .reason = "its sheet has no column identifier",
                           .line = cell.at.line,
                           .column = cell.at.column,
                           .sheet = map.table().sheet()});
}

void TableUpdate::report(std::string_view code, std::string_view message, const Table& table,
                         const TableCell& cell) {
  errors_.report(code, message, cell.at, excerpt(table.text(cell)));
}

// ---- rows ----

void TableUpdate::read_row(ColumnMap& map, const TableRow& row) {
  const Table& table = map.table();
  const auto kind = kind_of(map, row);
  if (!kind) return;
  const TableCell* const identifier = map.find(row, *kind, Target::identifier);
  if (identifier == nullptr)
    return report("missing-identifier", "the row has no identifier", table,
                  table.cells(row).front());
  close(map);
  open(map, row, *kind);
}

// Nothing where the row is no element: it goes on with the one above, or was refused.
std::optional<Kind> TableUpdate::kind_of(ColumnMap& map, const TableRow& row) {
  if (map.holds() != Holds::elements) {
    const auto by_sheet = kind_of_row(map.table().sheet());
    return by_sheet.value_or(map.holds() == Holds::links ? Kind::link : Kind::node);
  }
  const Table& table = map.table();
  const TableCell* const cell = table.find(row, map.kind_column());
  const auto kind = cell == nullptr ? std::nullopt : kind_of_row(table.text(*cell));
  if (cell == nullptr)
    report("missing-kind", "the row does not say what it is", table, table.cells(row).front());
  else if (!kind)
    go_on(map, row);
  return kind;
}

void TableUpdate::open(ColumnMap& map, const TableRow& row, Kind kind) {
  const Table& table = map.table();
  const TableCell& identifier = *map.find(row, kind, Target::identifier);
  open_ = kind;
  open_id_ = table.text(identifier);
  open_at_ = identifier.at;
  if (!identifiers_[static_cast<std::size_t>(kind)].emplace(open_id_).second)
    report("duplicate-id", "a row above has this identifier, too", table, identifier);
  for (const TableCell& cell : table.cells(row))
    if (&cell == &identifier || cell.column == map.kind_column())
      update_.losses.carry();
    else
      take(map, cell, map.rule(*open_, cell.column));
}

void TableUpdate::go_on(ColumnMap& map, const TableRow& row) {
  const Table& table = map.table();
  if (!open_)
    return report("unexpected-row", "there is no element above it", table,
                  table.cells(row).front());
  const TableCell* const identifier = map.find(row, *open_, Target::identifier);
  if (identifier != nullptr && table.text(*identifier) != open_id_)
    return report("unexpected-row", "the row does not go on with the element above it", table,
                  *identifier);
  const TableCell* const name = table.find(row, map.property_column());
  for (const TableCell& cell : table.cells(row)) {
    if (cell.column == map.kind_column() || &cell == identifier || &cell == name)
      update_.losses.carry();
    else if (cell.column == map.value_column() && name != nullptr)
      take(map, cell, {Target::property, map.property_rule(*open_, table.text(*name))});
    else
      take(map, cell, map.rule(*open_, cell.column));
  }
}

void TableUpdate::take(const ColumnMap& map, const TableCell& cell, const ColumnRule& column) {
  if (cell.bad) return report("bad-cell", map.table().text(cell), map.table(), cell);
  if (column.rule.called == engine::kFromTopology) is_copy_ = true;
  const std::size_t end = cell.column == map.end_columns().front() ? 0 : 1;
  field(column.rule.target, column.rule.called, end).cells.push_back(&cell);
}

TableUpdate::OpenField& TableUpdate::field(Target target, std::string_view name, std::size_t end) {
  const UpdatedField updated = updated_field(target, end);
  buffer_ = static_cast<char>(updated);
  if (updated == UpdatedField::property) engine::append_lower_case(buffer_, name);
  OpenField*& found = field_of_[buffer_];
  if (found == nullptr) found = &fields_.emplace_back(OpenField{target, name, end, {}});
  return *found;
}

void TableUpdate::close(ColumnMap& map) {
  if (open_ && is_copy_) {
    ++copies_;
    for (const OpenField& field : fields_) update_.losses.carry(field.cells.size());
  } else if (open_) {
    update_.add_element(*open_, open_id_, place(open_at_));
    for (const OpenField& field : fields_) put(map, field);
  }
  open_.reset();
  is_copy_ = false;
  fields_.clear();
  field_of_.clear();
}

// ---- values ----

// One `-` among others says nothing: they are all values.
void TableUpdate::put(const ColumnMap& map, const OpenField& field) {
  const Table& table = map.table();
  const UpdatedField updated = updated_field(field.target, field.end);
  const TextPosition at = field.cells.front()->at;
  update_.losses.carry(field.cells.size());
  if (field.cells.size() > 1 && !repeats(updated, *open_))
    return report("several-values", fmt::format("the row has it at {}, too", table.place(at)),
                  table, *field.cells[1]);
  update_.add_field(updated, place(at), updated == UpdatedField::property ? name_of(field, at) : 0);
  for (const TableCell* const cell : field.cells)
    if (cell->marked || table.text(*cell) != kDeletes) put_value(table, field, *cell);
}

std::uint32_t TableUpdate::name_of(const OpenField& field, TextPosition at) {
  std::string name = engine::lower_case(field.name);
  if (engine::character_count(name) > engine::kPropertyNameCharactersMax)
    errors_.report("name-too-long",
                   fmt::format("the name of a property has at most {} characters: {}",
                               engine::kPropertyNameCharactersMax, excerpt(name)),
                   at);
  const auto [found, added] = names_.try_emplace(std::move(name));
  if (added) found->second = update_.add_name(found->first);
  return found->second;
}

void TableUpdate::put_value(const Table& table, const OpenField& field, const TableCell& cell) {
  const UpdatedField updated = updated_field(field.target, field.end);
  const std::string_view text = table.text(cell);
  if (!is_xml_text(text))
    return report("bad-character", "a control character is no part of a text", table, cell);
  if (is_number(updated)) {
    const auto number = parse_number(table.number(cell, buffer_));
    constexpr double kMost = 1e12;  // the range of each field is judged when it is planned
    if (!number || !(*number > -kMost && *number < kMost))
      return report("bad-number", "it is no number", table, cell);
    return update_.add_value(round_to_micro(*number));
  }
  if (is_time(updated)) {
    const auto time = parse_instant(text);
    if (!time)
      return report("bad-time", "it is no date and time as 2024-03-01T12:00:00Z", table, cell);
    return update_.add_value(*time);
  }
  if (updated == UpdatedField::property) return put_pieces(text);
  update_.add_value(text);
}

// One that is too long is kept in pieces, as by an import.
void TableUpdate::put_pieces(std::string_view text) {
  do {
    const std::size_t size = engine::prefix_size(text, engine::kPropertyValueCharactersMax);
    update_.add_value(text.substr(0, size));
    text.remove_prefix(size);
  } while (!text.empty());
}

}  // namespace netml::codecs
