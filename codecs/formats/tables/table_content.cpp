#include "codecs/formats/tables/table_content.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/texts.hpp"

namespace netml::codecs {

namespace {

// What is said of an element beside its cells.
constexpr FoundRule kKeyRule{.target = Target::key, .field = "key", .name = "key", .called = "key"};
constexpr FoundRule kNameRule{
    .target = Target::name, .field = "name", .name = "name", .called = "name"};

constexpr std::string_view kNodeWords[] = {"node", "nodes", "site",     "sites",
                                           "pop",  "pops",  "location", "locations"};
constexpr std::string_view kLinkWords[] = {
    "link",        "links", "edge",   "edges", "circuit", "circuits", "connection",
    "connections", "fibre", "fibres", "fiber", "fibers",  "cable",    "cables"};

bool has_word(std::string_view sheet, std::span<const std::string_view> words) {
  const std::string plain = plain_heading(sheet);
  for (std::string_view rest = plain; !rest.empty();)
    if (std::ranges::find(words, take_until(rest, ' ')) != words.end()) return true;
  return false;
}

// The better of several tables that may hold the same.
int fitness(const ColumnMap& map, Holds what) {
  constexpr int kIsNamed = 2;
  const bool nodes = what == Holds::nodes;
  const bool named =
      nodes ? has_word(map.table().sheet(), kNodeWords) : has_word(map.table().sheet(), kLinkWords);
  return (named ? kIsNamed : 0) + (nodes && map.has_places() ? 1 : 0);
}

std::uint64_t pair_of(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint64_t>(std::min(a, b)) << 32U | std::max(a, b);
}

bool is_whole(std::string_view number) {
  if (number.starts_with('-')) number.remove_prefix(1);
  return !number.empty() && number.find_first_not_of("0123456789") == number.npos;
}

}  // namespace

// ---- tables ----

ReadResult TableContent::read(std::span<const Table> tables, const DraftOptions& options) {
  for (const Table& table : tables) holds_.push_back(maps_.emplace_back(table, said_).holds());
  check_headings(said_, maps_, errors_);
  choose(Holds::nodes);
  choose(Holds::links);
  if (std::ranges::all_of(holds_, [](Holds what) { return what == Holds::nothing; }))
    errors_.report(
        "missing-headings",
        "no row of headings is that of nodes, such as name, latitude, longitude, or that "
        "of links, such as from, to",
        tables.front().sheet().empty() ? TextPosition{1, 1} : TextPosition{});
  makes_nodes_ = !holds_any(Holds::nodes) && !holds_any(Holds::elements);
  for (std::size_t i = 0; i < maps_.size(); ++i) {
    if (holds_[i] != Holds::nodes && holds_[i] != Holds::elements) continue;
    judge_places(maps_[i]);
    index_nodes(maps_[i]);
  }
  draft_.open(Kind::topology, {});
  for (std::size_t i = 0; i < maps_.size(); ++i)
    holds_[i] == Holds::nothing ? lose_rows(maps_[i]) : add_rows(maps_[i]);
  for (std::size_t i = 0; i < maps_.size(); ++i)
    if (holds_[i] == Holds::nothing) check_aside(maps_[i]);
  note_unused_nodes();
  draft_.close();
  errors_.enter({});
  draft_.enter({});
  return std::move(draft_).take(options, std::move(errors_));
}

bool TableContent::holds_any(Holds what) const {
  return std::ranges::find(holds_, what) != holds_.end();
}

void TableContent::choose(Holds what) {
  int best = 0;
  for (std::size_t i = 0; i < maps_.size(); ++i)
    if (holds_[i] == what) best = std::max(best, fitness(maps_[i], what));
  for (std::size_t i = 0; i < maps_.size(); ++i)
    if (holds_[i] == what && fitness(maps_[i], what) < best) holds_[i] = Holds::nothing;
}

void TableContent::report(const Table& table, std::string_view code, std::string_view message,
                          TextPosition at, std::string_view id) {
  errors_.enter(table.sheet());
  errors_.report(code, message, at, excerpt(id));
}

void TableContent::warn(Kind kind, const Table& table, TextPosition at, std::string_view text) {
  draft_.notes().add({true, kind, fmt::format("{}: {}", table.place(at), text)});
}

// ---- nodes, as links find them ----

void TableContent::index_nodes(ColumnMap& map) {
  for (const TableRow& row : map.data()) {
    if (map.holds() == Holds::elements) {
      const TableCell* const cell = map.table().find(row, map.kind_column());
      if (cell == nullptr || kind_of_row(map.table().text(*cell)) != Kind::node) continue;
    }
    index_node(map, row);
  }
}

void TableContent::index_node(ColumnMap& map, const TableRow& row) {
  const Table& table = map.table();
  const TableCell* const name = map.find(row, Kind::node, Target::name);
  const TableCell* const key = map.find(row, Kind::node, Target::key);
  const TableCell* cell = map.find(row, Kind::node, Target::identifier);
  if (cell == nullptr) cell = key != nullptr ? key : name;
  if (cell == nullptr) return;
  const auto number = static_cast<Index>(nodes_.size());
  nodes_.push_back({table.text(*cell), &table, cell->at});
  const auto [same, added] = node_of_key_.try_emplace(IdKey(table.text(*cell)), number);
  // Two topologies may list one node.
  if (!added && map.find(row, Kind::node, Target::topology) == nullptr)
    report(table, "duplicate-id",
           fmt::format("{} is a node already, at {}", excerpt(table.text(*cell)),
                       table.place(nodes_[same->second].at)),
           cell->at, table.text(*cell));
  for (const TableCell* const other : {key, name}) {
    if (other == nullptr) continue;
    const auto [called, first] = node_of_name_.try_emplace(IdKey(table.text(*other)), number);
    if (!first && called->second != number) called->second = kSeveral;
  }
}

// Places in a drawing count its units. That is never said, but degrees of several nodes are not all
// whole.
void TableContent::judge_places(ColumnMap& map) {
  constexpr std::size_t kPlacesMin = 3;
  std::size_t places = 0;
  for (const TableRow& row : map.data()) {
    const TableCell* const latitude = map.find(row, Kind::node, Target::latitude);
    const TableCell* const longitude = map.find(row, Kind::node, Target::longitude);
    if (latitude == nullptr || longitude == nullptr) continue;
    ++places;
    if (!is_whole(map.table().text(*latitude)) || !is_whole(map.table().text(*longitude))) return;
  }
  if (places < kPlacesMin) return;
  map.keep_places_as_properties();
  const std::string& sheet = map.table().sheet();
  draft_.notes().add(
      {true, Kind::node,
       fmt::format(
           "{}all {} latitudes and longitudes are whole numbers, so they are taken for those "
           "of a drawing and not for degrees: they are kept as properties, and the nodes "
           "have no place",
           sheet.empty() ? "" : fmt::format("sheet {}: ", sheet), places)});
}

TableContent::Index TableContent::node_called(std::string_view text) const {
  if (const auto found = node_of_key_.find(IdKey(text)); found != node_of_key_.end())
    return found->second;
  const auto named = node_of_name_.find(IdKey(text));
  return named == node_of_name_.end() ? static_cast<Index>(nodes_.size()) : named->second;
}

std::optional<TableContent::Index> TableContent::find_end(const Table& table,
                                                          const TableCell& cell) {
  const std::string_view text = table.text(cell);
  const Index node = node_called(text);
  if (node < nodes_.size()) return node;
  if (node == kSeveral) {
    report(table, "ambiguous-name", fmt::format("several nodes are called {}", excerpt(text)),
           cell.at, text);
    return std::nullopt;
  }
  if (makes_nodes_) return make_node(table, cell);
  report(table, "node-unknown", fmt::format("{} is no node of the file", excerpt(text)), cell.at,
         text);
  return std::nullopt;
}

// Where only links are listed, their ends are the nodes.
TableContent::Index TableContent::make_node(const Table& table, const TableCell& cell) {
  if (nodes_.empty())
    draft_.notes().add(
        {true, Kind::node, "the file lists no nodes: they are made of the ends of its links"});
  const std::string_view text = table.text(cell);
  const auto number = static_cast<Index>(nodes_.size());
  nodes_.push_back({text, &table, cell.at});
  node_of_key_.try_emplace(IdKey(text), number);
  draft_.open(Kind::node, cell.at);
  draft_.add(kKeyRule, text);
  draft_.add(kNameRule, text);
  draft_.close();
  return number;
}

// ---- rows ----

void TableContent::add_rows(ColumnMap& map) {
  draft_.enter(map.table().sheet());
  for (const TableRow& row : map.data()) {
    switch (map.holds()) {
      case Holds::nodes:
        add_node(map, row);
        break;
      case Holds::links:
        add_link(map, row);
        break;
      default:
        add_row_of_kind(map, row);
    }
  }
  close();
}

void TableContent::add_row_of_kind(ColumnMap& map, const TableRow& row) {
  const TableCell* const cell = map.table().find(row, map.kind_column());
  if (cell == nullptr) return lose_row(map, row, {}, "the row does not say what it is");
  const auto kind = kind_of_row(map.table().text(*cell));
  if (!kind) return add_more(map, row);
  switch (*kind) {
    case Kind::node:
      return add_node(map, row);
    case Kind::link:
      return add_link(map, row);
    case Kind::topology:
      return add_topology(map, row);
    case Kind::institution:
      open(map, row, Kind::institution);
      return set_cells(map, row, Kind::institution);
  }
}

void TableContent::close() {
  if (open_ && !root_is_open_) draft_.close();  // the network stays open until the end
  root_is_open_ = false;
  open_.reset();
}

void TableContent::open(ColumnMap& map, const TableRow& row, Kind kind) {
  close();
  const Table& table = map.table();
  const TableCell* const identifier = map.find(row, kind, Target::identifier);
  if (identifier != nullptr) check_identifier(map, row, kind, *identifier);
  open_ = OpenElement{kind, identifier == nullptr ? std::string_view() : table.text(*identifier)};
  draft_.open(kind, table.cells(row).front().at);
}

// Nodes are known already.
void TableContent::check_identifier(ColumnMap& map, const TableRow& row, Kind kind,
                                    const TableCell& cell) {
  const Table& table = map.table();
  const std::string_view id = table.text(cell);
  if (id.size() > engine::kIdCharactersMax &&
      engine::character_count(id) > engine::kIdCharactersMax)
    report(table, "id-too-long",
           fmt::format("the id of {} is longer than {} characters", kind_name(kind),
                       engine::kIdCharactersMax),
           cell.at, id);
  if (kind == Kind::node || map.find(row, kind, Target::topology) != nullptr) return;
  if (!identifiers_[static_cast<std::size_t>(kind)].emplace(id).second)
    report(table, "duplicate-id",
           fmt::format("{} with id {} is listed twice", kind_name(kind), excerpt(id)), cell.at, id);
}

// The first topology without a parent is the network.
void TableContent::add_topology(ColumnMap& map, const TableRow& row) {
  const bool is_root = !has_root_ && map.find(row, Kind::topology, Target::parent) == nullptr;
  if (!is_root) {
    open(map, row, Kind::topology);
  } else {
    close();
    const TableCell* const identifier = map.find(row, Kind::topology, Target::identifier);
    open_ = OpenElement{Kind::topology,
                        identifier == nullptr ? std::string_view() : map.table().text(*identifier)};
    has_root_ = root_is_open_ = true;
  }
  set_cells(map, row, Kind::topology);
}

void TableContent::add_node(ColumnMap& map, const TableRow& row) {
  const Table& table = map.table();
  const TableCell* cell = nullptr;
  for (const Target target : {Target::identifier, Target::key, Target::name})
    if (cell == nullptr) cell = map.find(row, Kind::node, target);
  if (cell == nullptr) return lose_row(map, row, Kind::node, "the row names no node");
  open(map, row, Kind::node);
  // One that two topologies list needs another key; links find the first.
  const NodeEntry& entry = nodes_[node_of_key_.at(IdKey(table.text(*cell)))];
  const bool again =
      entry.table != &table || entry.at.line != cell->at.line || entry.at.column != cell->at.column;
  draft_.add(kKeyRule,
             again ? fmt::format("{}\x1f{}", entry.key, row.number) : std::string(entry.key));
  set_cells(map, row, Kind::node);
}

void TableContent::add_link(ColumnMap& map, const TableRow& row) {
  const Table& table = map.table();
  const auto [first, second] = map.end_columns();
  const TableCell* const from = table.find(row, first);
  const TableCell* const to = table.find(row, second);
  if (from == nullptr || to == nullptr || from->text_size == 0 || to->text_size == 0)
    return lose_row(map, row, Kind::link, "the row does not name two nodes");
  close();
  const auto from_node = find_end(table, *from);
  const auto to_node = find_end(table, *to);
  if (!from_node || !to_node) return;
  if (*from_node == *to_node)
    return lose_row(map, row, Kind::link, "a link joins two different nodes");
  nodes_[*from_node].used = nodes_[*to_node].used = true;
  remember_link(map, row, *from_node, *to_node);
  ends_ = {nodes_[*from_node].key, nodes_[*to_node].key};
  open(map, row, Kind::link);
  if (const TableCell* const key = map.find(row, Kind::link, Target::key))
    draft_.add(kKeyRule, table.text(*key));
  set_cells(map, row, Kind::link);
}

// Tables that list each direction of a cable look like those that list two cables.
void TableContent::remember_link(ColumnMap& map, const TableRow& row, Index from, Index to) {
  const Table& table = map.table();
  bool told_apart = false;
  for (const Target target : {Target::identifier, Target::key, Target::name})
    told_apart = told_apart || map.find(row, Kind::link, target) != nullptr;
  const TextPosition at = table.cells(row).front().at;
  const auto [other, added] =
      joined_.try_emplace(pair_of(from, to), Joined{&table, at, from, told_apart});
  if (added || other->second.from == from || other->second.told_apart || told_apart) return;
  warn(Kind::link, table, at,
       fmt::format(
           "the link between {} and {} is at {} already, the other way round; both are kept, "
           "side by side",
           excerpt(nodes_[from].key), excerpt(nodes_[to].key),
           other->second.table->place(other->second.at)));
}

// ---- cells ----

void TableContent::set_cells(ColumnMap& map, const TableRow& row, Kind kind) {
  const Table& table = map.table();
  for (const TableCell& cell : table.cells(row)) {
    if (cell.column == map.kind_column())
      draft_.losses().carry();
    else
      set_cell(map, cell, kind);
  }
}

void TableContent::set_cell(ColumnMap& map, const TableCell& cell, Kind kind) {
  const ColumnRule& column = map.rule(kind, cell.column);
  const FoundRule& rule = column.rule;
  std::string_view text = map.table().text(cell);
  if (cell.bad) return draft_.lose(rule.field, {}, cell.at, text);
  if (rule.target == Target::link_end) {
    text = ends_[cell.column == map.end_columns().front() ? 0 : 1];
  } else if (rule.target == Target::latitude || rule.target == Target::longitude) {
    text = map.table().number(cell, text_);
  }
  const bool is_long = rule.target == Target::property && rule.called != engine::kFromTopology &&
                       text.size() > engine::kPropertyValueCharactersMax;
  if (is_long) return draft_.set_together(rule, text, 1);
  draft_.set({rule, cell.at}, text);
}

// Goes on with the element above: further values, and in two columns a property of any name.
void TableContent::add_more(ColumnMap& map, const TableRow& row) {
  const Table& table = map.table();
  if (!open_) return lose_row(map, row, {}, "there is no element above it");
  const Kind kind = open_->kind;
  const TableCell* const identifier = map.find(row, kind, Target::identifier);
  if (identifier != nullptr && table.text(*identifier) != open_->identifier)
    return report(table, "unexpected-row", "the row does not go on with the element above it",
                  identifier->at, table.text(*identifier));
  const TableCell* const name = table.find(row, map.property_column());
  for (const TableCell& cell : table.cells(row)) {
    const bool is_value = cell.column == map.value_column() && name != nullptr;
    if (cell.column == map.kind_column() || &cell == identifier || &cell == name) {
      draft_.losses().carry();
    } else if (is_value && !cell.bad) {
      draft_.set({map.property_rule(kind, table.text(*name)), cell.at}, table.text(cell));
    } else if (const ColumnRule& column = map.rule(kind, cell.column);
               column.target == Target::link_end) {
      draft_.lose(column.rule.field, {}, cell.at, "a link has two ends");
    } else {
      set_cell(map, cell, kind);
    }
  }
}

void TableContent::lose_row(ColumnMap& map, const TableRow& row, std::optional<Kind> kind,
                            std::string_view reason) {
  close();
  for (const TableCell& cell : map.table().cells(row)) {
    const FoundRule& rule = kind ? map.rule(*kind, cell.column).rule : map.lost_rule(cell.column);
    draft_.lose(rule.field, {}, cell.at, reason);
  }
}

void TableContent::lose_rows(ColumnMap& map) {
  draft_.enter(map.table().sheet());
  for (const TableRow& row : map.data())
    lose_row(map, row, {}, "its sheet holds neither nodes nor links");
}

// ---- findings ----

// A sheet beside that of links whose rows are of links, too, such as one of equipment.
void TableContent::check_aside(ColumnMap& map) {
  const Table& table = map.table();
  bool is_of_links = false;
  for (std::size_t i = 0; i < maps_.size(); ++i)
    is_of_links = is_of_links || (holds_[i] == Holds::links && map.has_ends_of(maps_[i]));
  if (!is_of_links) return;
  const auto [first, second] = map.end_columns();
  for (const TableRow& row : map.data()) {
    const TableCell* const from = table.find(row, first);
    const TableCell* const to = table.find(row, second);
    if (from == nullptr || to == nullptr) continue;
    const Index from_node = node_called(table.text(*from));
    const Index to_node = node_called(table.text(*to));
    if (!joined_.contains(pair_of(from_node, to_node)))
      warn(Kind::link, table, from->at,
           fmt::format("there is no link between {} and {}", excerpt(table.text(*from)),
                       excerpt(table.text(*to))));
  }
}

void TableContent::note_unused_nodes() {
  if (joined_.empty()) return;
  for (const NodeEntry& node : nodes_)
    if (!node.used)
      warn(Kind::node, *node.table, node.at,
           fmt::format("no link uses node {}", excerpt(node.key)));
}

}  // namespace netml::codecs
