#include "codecs/formats/tables/column_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/base/texts.hpp"
#include "engine/graph/record.hpp"

namespace netml::codecs {

namespace {

constexpr std::uint32_t kLastRank = 0xffffffff;
// By Kind.
constexpr std::array<std::string_view, kKindCount> kOwners{"topology.", "institution.", "node.",
                                                           "link."};
constexpr std::string_view kLostOwner = "other.";

std::string_view owner_of(Kind kind) {
  return kOwners[static_cast<std::size_t>(kind)];
}

const FieldRule* known_rule(std::string_view owner, std::string_view plain) {
  const auto* const found = std::ranges::find_if(kTableFields, [&](const FieldRule& rule) {
    return rule.field.starts_with(owner) && rule.field.substr(owner.size()) == plain;
  });
  return found == kTableFields.end() || plain == "*" ? nullptr : found;
}

bool is_called(std::optional<Target> target) {
  return target == Target::name || target == Target::identifier || target == Target::key;
}

bool owner_has(std::string_view owner, Target target) {
  return std::ranges::any_of(kTableFields, [&](const FieldRule& rule) {
    return rule.target == target && rule.field.starts_with(owner);
  });
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         (static_cast<unsigned char>(c) & 0x80U) != 0;
}

// The word of a group of columns that tells it from the other one: "east" of "east cable (from a
// to z)". Else all of it.
std::string_view short_group(std::string_view group) {
  const std::string plain = plain_heading(group);
  for (const std::string_view side : {"east", "west"})
    if (fmt::format(" {} ", plain).find(fmt::format(" {} ", side)) != std::string::npos)
      return side;
  return group;
}

}  // namespace

std::string plain_heading(std::string_view heading) {
  std::string plain;
  bool gap = false;
  char before = ' ';
  for (const char c : heading) {
    const bool after_small = before >= 'a' && before <= 'z';
    const bool begins_word = after_small && ((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'));
    gap = gap || begins_word || !is_letter(c);
    if (is_letter(c)) {
      if (gap && !plain.empty()) plain += ' ';
      gap = false;
      plain += lower_letter(c);
    }
    before = c;
  }
  return plain;
}

std::optional<Kind> kind_of_row(std::string_view text) {
  const std::string plain = plain_heading(text);
  if (plain == "node" || plain == "nodes") return Kind::node;
  if (plain == "link" || plain == "links") return Kind::link;
  if (plain == "institution" || plain == "institutions") return Kind::institution;
  if (plain == "topology" || plain == "topologies") return Kind::topology;
  return std::nullopt;
}

bool is_known_heading(std::string_view name) {
  const std::string plain = plain_heading(name);
  if (plain.empty() || name.starts_with(kPropertyPrefix) || plain == kKindHeading ||
      plain == kPropertyHeading || plain == kValueHeading)
    return true;
  return std::ranges::any_of(
      kOwners, [&](std::string_view owner) { return known_rule(owner, plain) != nullptr; });
}

// ---- headings ----

ColumnMap::ColumnMap(const Table& table, const HeadingMap& said) : table_(table), said_(said) {
  const auto rows = table.rows();
  const std::size_t first_rows = std::min(rows.size(), kHeadingRowsMax);
  std::size_t fullest = 0;
  for (std::size_t i = 0; i < first_rows; ++i) {
    data_begin_ = i + 1;
    if (judge(rows[i])) {
      add_groups(i);
      return;
    }
    if (table.cells(rows[i]).size() > table.cells(rows[fullest]).size()) fullest = i;
  }
  data_begin_ = std::min(rows.size(), fullest + 1);
  if (!rows.empty()) std::ignore = judge(rows[fullest]);
}

std::optional<Target> ColumnMap::meaning(Kind kind, std::string_view plain) const {
  if (const auto said = said_.find(plain)) return said;
  const FieldRule* const rule = known_rule(owner_of(kind), plain);
  if (rule == nullptr || said_.names(rule->target)) return std::nullopt;
  return rule->target;
}

bool ColumnMap::has_heading(std::string_view plain) const {
  return std::ranges::find(headings_, plain, &Heading::plain) != headings_.end();
}

bool ColumnMap::has_target(Target target) const {
  return std::ranges::any_of(headings_, [&](const Heading& heading) {
    return meaning(Kind::node, heading.plain) == target ||
           meaning(Kind::link, heading.plain) == target;
  });
}

// Reads a row as headings. Whether the table holds something then.
bool ColumnMap::judge(const TableRow& row) {
  headings_.clear();
  known_ = 0;
  ends_ = {};
  for (const TableCell& cell : table_.cells(row)) {
    if (cell.bad) continue;
    const std::string_view text = table_.text(cell);
    headings_.push_back({cell.column, std::string(text), plain_heading(text)});
  }
  find_ends();
  bool called = false;
  for (const Heading& heading : headings_) {
    const auto of_node = meaning(Kind::node, heading.plain);
    called = called || is_called(of_node);
    if (of_node || meaning(Kind::link, heading.plain)) ++known_;
  }
  kind_column_ = column_called(kKindHeading);
  property_column_ = column_called(kPropertyHeading);
  value_column_ = column_called(kValueHeading);
  if (!has_only_kinds(kind_column_, data_begin_)) kind_column_ = 0;
  if (kind_column_ != 0 && called)
    holds_ = Holds::elements;
  else if (ends_.front() != 0)
    holds_ = Holds::links;
  else if (called && headings_.size() > 1)
    holds_ = Holds::nodes;
  return holds_ != Holds::nothing;
}

// A column `kind` may as well say something else of nodes.
bool ColumnMap::has_only_kinds(std::uint32_t column, std::size_t data_begin) const {
  bool any = false;
  if (column == 0) return false;
  for (const TableRow& row : table_.rows().subspan(data_begin)) {
    const TableCell* const cell = table_.find(row, column);
    if (cell == nullptr) continue;
    const std::string_view text = table_.text(*cell);
    if (!kind_of_row(text) && plain_heading(text) != kMoreRow) return false;
    any = true;
  }
  return any;
}

void ColumnMap::find_ends() {
  if (said_.names(Target::link_end)) return find_said_ends();
  for (const auto& [first, second] : kEndHeadings) {
    ends_ = {};
    for (const Heading& heading : headings_) {
      if (ends_[0] == 0 && heading.plain == first)
        ends_[0] = heading.column;
      else if (ends_[1] == 0 && heading.plain == second)
        ends_[1] = heading.column;
    }
    if (ends_[0] != 0 && ends_[1] != 0) return;
  }
  ends_ = {};
}

void ColumnMap::find_said_ends() {
  std::size_t found = 0;
  for (const Heading& heading : headings_)
    if (found < ends_.size() && said_.find(heading.plain) == Target::link_end)
      ends_[found++] = heading.column;
  if (found < ends_.size()) ends_ = {};
}

// A row above the headings may say of several columns what they are about, such as one direction of
// a cable. It is looked at where it tells columns apart.
void ColumnMap::add_groups(std::size_t heading_row) {
  const auto rows = table_.rows();
  if (heading_row == 0 || rows[heading_row - 1].number + 1 != rows[heading_row].number) return;
  const auto groups = table_.cells(rows[heading_row - 1]);
  if (groups.size() < 2) return;  // a title
  std::unordered_map<std::string_view, std::size_t> counts;
  for (const Heading& heading : headings_) ++counts[heading.plain];
  std::vector<std::string> prefixes;
  for (const Heading& heading : headings_) {
    const auto after = std::ranges::upper_bound(groups, heading.column, {}, &TableCell::column);
    std::string_view group;
    if (after != groups.begin()) group = table_.text(*std::prev(after));
    const std::string_view side = short_group(group);
    const bool fits = engine::character_count(side) + 1 + engine::character_count(heading.text) <=
                      engine::kPropertyNameCharactersMax;
    const bool known = meaning(Kind::node, heading.plain) || meaning(Kind::link, heading.plain);
    const bool tells =
        !known && !group.empty() && fits && (side != group || counts[heading.plain] > 1);
    prefixes.push_back(tells ? fmt::format("{} ", side) : std::string());
  }
  for (std::size_t i = 0; i < headings_.size(); ++i) headings_[i].text.insert(0, prefixes[i]);
}

std::uint32_t ColumnMap::column_called(std::string_view plain) const {
  const auto found = std::ranges::find_if(headings_, [&](const Heading& heading) {
    return heading.plain == plain && !said_.find(plain) &&
           !heading.text.starts_with(kPropertyPrefix);
  });
  return found == headings_.end() ? 0 : found->column;
}

bool ColumnMap::has_places() const {
  return has_target(Target::latitude) && has_target(Target::longitude);
}

bool ColumnMap::has_ends_of(const ColumnMap& other) const {
  const auto called = [](const ColumnMap& map, std::size_t end) {
    return std::ranges::find(map.headings_, map.ends_[end], &Heading::column)->plain;
  };
  if (ends_.front() == 0 || other.ends_.front() == 0) return false;
  return called(*this, 0) == called(other, 0) && called(*this, 1) == called(other, 1);
}

// ---- rules ----

const ColumnMap::Heading& ColumnMap::heading(std::uint32_t column) {
  const auto found = std::ranges::lower_bound(headings_, column, {}, &Heading::column);
  if (found != headings_.end() && found->column == column && !found->text.empty()) return *found;
  return unnamed_.emplace_back(
      Heading{column, fmt::format("column {}", engine::column_letters(column)), {}});
}

ColumnMap::Named& ColumnMap::make_rule(std::string_view owner, const Heading& heading) {
  Named& named = named_.emplace_back();
  named.field = fmt::format("{}{}", owner, heading.text);
  named.called = heading.text;
  FoundRule& rule = named.column.rule = rules_.find(owner, heading.plain);
  const auto said = rule.target == Target::nothing ? std::nullopt : said_.find(heading.plain);
  if (said) {
    rule.target = *said;
    rule.own_row = owner_has(owner, *said);
    rule.rank = 0;
  } else if (said_.names(rule.target)) {
    rule.own_row = false;
  }
  const bool is_end = std::ranges::find(ends_, heading.column) != ends_.end();
  const bool drawn =
      places_are_drawn_ && (rule.target == Target::latitude || rule.target == Target::longitude);
  const bool is_property = !said && heading.text.starts_with(kPropertyPrefix);
  if (!rule.own_row || is_property || drawn || (rule.target == Target::link_end && !is_end)) {
    if (rule.target != Target::nothing) rule.target = Target::property;
    rule.rank = kLastRank;
  }
  if (is_property) named.called.erase(0, kPropertyPrefix.size());
  named.column.target = rule.target;
  // It is in the map, too, and not only what ends of links are found by.
  if (rule.target == Target::key) rule.target = Target::property;
  rule.field = named.field;
  rule.name = rule.called = named.called;
  return named;
}

void ColumnMap::keep_places_as_properties() {
  places_are_drawn_ = true;
  by_column_[static_cast<std::size_t>(Kind::node)].clear();
  by_target_.clear();
}

const ColumnRule& ColumnMap::rule(Kind kind, std::uint32_t column) {
  auto& rules = by_column_[static_cast<std::size_t>(kind)];
  if (rules.size() <= column) rules.resize(column + std::size_t{1});
  if (rules[column] == nullptr) rules[column] = &make_rule(owner_of(kind), heading(column));
  return rules[column]->column;
}

const FoundRule& ColumnMap::lost_rule(std::uint32_t column) {
  auto& rules = by_column_.back();
  if (rules.size() <= column) rules.resize(column + std::size_t{1});
  if (rules[column] == nullptr) rules[column] = &make_rule(kLostOwner, heading(column));
  return rules[column]->column.rule;
}

const FoundRule& ColumnMap::property_rule(Kind kind, std::string_view name) {
  const std::string heading = fmt::format("{}{}", kPropertyPrefix, name);
  Named*& rule = by_name_[fmt::format("{}{}", owner_of(kind), name)];
  if (rule == nullptr) rule = &make_rule(owner_of(kind), Heading{0, heading, {}});
  return rule->column.rule;
}

const TableCell* ColumnMap::find(const TableRow& row, Kind kind, Target target) {
  const auto key = static_cast<std::uint32_t>(kind) << 8U | static_cast<std::uint32_t>(target);
  const auto [columns, added] = by_target_.try_emplace(key);
  if (added) {
    for (const Heading& heading : headings_)
      if (rule(kind, heading.column).target == target) columns->second.push_back(heading.column);
    std::ranges::stable_sort(columns->second, {},
                             [&](std::uint32_t column) { return rule(kind, column).rule.rank; });
  }
  for (const std::uint32_t column : columns->second) {
    const TableCell* const cell = table_.find(row, column);
    if (cell != nullptr && cell->text_size > 0) return cell;
  }
  return nullptr;
}

// ---- what was said, against all tables ----

void check_headings(const HeadingMap& said, const std::deque<ColumnMap>& maps, ErrorList& errors) {
  for (const HeadingMap::Column& column : said.columns())
    if (std::ranges::none_of(maps,
                             [&](const ColumnMap& map) { return map.has_heading(column.plain); }))
      errors.report("unknown-heading", fmt::format("no column is called {}, which is said to be {}",
                                                   excerpt(column.heading), column.field));
  const auto has_ends = [](const ColumnMap& map) { return map.end_columns().front() != 0; };
  if (said.names(Target::link_end) && errors.empty() && std::ranges::none_of(maps, has_ends))
    errors.report("link-ends",
                  "one column is said to be the end of links; they have two, so say both");
}

}  // namespace netml::codecs
