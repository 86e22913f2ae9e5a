#include "codecs/formats/csv/csv_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "codecs/formats/csv/csv_text.hpp"
#include "codecs/formats/draft/field_names.hpp"
#include "codecs/formats/draft/map_fields.hpp"
#include "codecs/formats/draft/map_outline.hpp"
#include "codecs/formats/tables/column_map.hpp"
#include "engine/base/lower_case.hpp"

namespace netml::codecs {

namespace {

using engine::Graph;

constexpr std::array kTargets{
    Target::identifier, Target::name,     Target::short_name, Target::version,  Target::start,
    Target::end,        Target::latitude, Target::longitude,  Target::altitude, Target::unlocode,
    Target::address,    Target::owner,    Target::topology,   Target::parent};

// Columns of properties, and of further values.
constexpr std::size_t kFurtherMax = 64;

constexpr FieldNames kNames{kTableFields, {"node.", "topology."}};

// A column: the n-th value of a target, or of a property.
struct Place {
  Target target = Target::property;
  std::string_view name;  // of a property; lives as long as the graph
  std::uint32_t ordinal = 0;

  auto operator<=>(const Place&) const = default;
};

// How many values of each sort an element has had so far.
class Ordinals {
 public:
  void start() { next_.clear(); }
  Place place(Target target, std::string_view name) {
    return {target, name, next_[{target, name}]++};
  }

 private:
  std::map<std::pair<Target, std::string_view>, std::uint32_t> next_;
};

// The columns that somebody asked for.
struct Asked {
  std::vector<std::string> names;                            // of properties
  std::vector<std::pair<Target, std::string_view>> columns;  // identifier and name among them

  bool has(Target target, std::string_view name) const {
    return std::ranges::find(columns, std::pair(target, name)) != columns.end();
  }
  // Whether such an element may have one of them, if any but these two were asked for.
  bool may_have(std::string_view kind) const {
    constexpr std::size_t kNeedless = 2;
    if (columns.size() == kNeedless) return true;
    return std::ranges::any_of(columns, [&](const auto& column) {
      const Target target = column.first;
      return target != Target::identifier && target != Target::name &&
             std::ranges::any_of(kTableFields, [&](const FieldRule& rule) {
               return rule.target == target && rule.field.starts_with(kind);
             });
    });
  }
};

class Writer {
 public:
  // `asked` is null where all columns are written.
  Writer(const Graph& graph, const MapOutline& outline, engine::LossList& losses,
         const Asked* asked = nullptr)
      : graph_(graph), outline_(outline), losses_(losses), asked_(asked) {}

  std::string write() {
    if (asked_ != nullptr)
      for (const auto& [target, name] : asked_->columns)
        if (target != Target::link_end)
          used_.try_emplace({target, name, 0}, Use{kAlways, used_.size()});
    for_each_element([&](std::string_view, const auto& element, const OutlinedLink*) {
      for_each_value(element, [&](const Place& place, std::string_view) {
        ++used_.try_emplace(place, Use{0, used_.size()}).first->second.count;
      });
    });
    choose_columns();
    for_each_element([&](std::string_view, const auto& element, const OutlinedLink*) {
      if (has_more_) return;
      fill(element);
      has_more_ = !further_.empty();
    });
    put_headings();
    for_each_element([&](std::string_view kind, const auto& element, const OutlinedLink* link) {
      put_element(kind, element, link);
    });
    return std::move(out_);
  }

 private:
  static constexpr std::size_t kAlways = std::size_t{1} << 62U;
  struct Use {
    std::size_t count;  // more than there are elements: it was asked for
    std::size_t first;  // in the order in which they come up
  };
  // A value that has no column.
  struct Further {
    Place place;
    std::string value;
  };

  template <class Visit>
  void for_each_element(const Visit& visit) {
    const auto all = [&](std::string_view kind, const auto& elements) {
      if (asked_ != nullptr && !asked_->may_have(kind)) return;
      for (const auto& element : elements) visit_element(kind, element, visit);
    };
    all("topology", outline_.topologies);
    all("institution", outline_.institutions);
    all("node", outline_.nodes);
    all("link", outline_.links);
  }
  template <class Visit>
  static void visit_element(std::string_view kind, RecordId topology, const Visit& visit) {
    visit(kind, topology, nullptr);
  }
  // Who asked for columns sends them back, and a copy is no element of the topology.
  template <class Visit>
  void visit_element(std::string_view kind, const OutlinedElement& element, const Visit& visit) {
    if (asked_ == nullptr || !element.copy) visit(kind, element, nullptr);
  }
  template <class Visit>
  void visit_element(std::string_view kind, const OutlinedLink& link, const Visit& visit) {
    if (asked_ == nullptr || !link.copy)
      visit(kind, static_cast<const OutlinedElement&>(link), &link);
  }

  // visit(place, value), of those that are written.
  template <class Element, class Visit>
  void for_each_value(const Element& element, const Visit& visit) {
    ordinals_.start();
    for_each_field(graph_, outline_, element, instants_,
                   [&](Target target, std::string_view name, std::string_view value) {
                     if (asked_ == nullptr || asked_->has(target, name))
                       visit(ordinals_.place(target, name), value);
                   });
  }

  // ---- columns ----

  // Those that are used most have columns of their own, so that a row stays short whatever the map
  // has. They stand in the order in which they come up, which is that of most elements.
  void choose_columns() {
    std::vector<std::pair<Place, Use>> chosen;
    for (const auto& [place, use] : used_)
      if (place.target == Target::property || place.ordinal > 0) chosen.emplace_back(place, use);
    std::ranges::sort(chosen, [](const auto& a, const auto& b) {
      return std::pair(b.second.count, a.second.first) < std::pair(a.second.count, b.second.first);
    });
    if (chosen.size() > kFurtherMax) chosen.resize(kFurtherMax);
    std::ranges::sort(chosen, {}, [](const auto& each) { return each.second.first; });
    const auto add_chosen = [&](Target target) {
      for (const auto& [place, use] : chosen)
        if (place.target == target) columns_.push_back(place);
    };
    for (const Target target : kTargets) {
      if (used_.contains({target, {}, 0})) columns_.push_back({target, {}, 0});
      add_chosen(target);
    }
    ends_ = columns_.size();
    add_chosen(Target::property);
    for (std::size_t i = 0; i < columns_.size(); ++i) column_of_[columns_[i]] = i;
    cells_.resize(columns_.size());
    is_set_.resize(columns_.size());
  }

  // The ends of links stand in front of properties.
  void put_row(std::string_view kind, const OutlinedLink* link, std::string_view property = {},
               std::string_view value = {}, bool has_value = false) {
    out_ += kind;
    const auto end = [&](std::size_t i) {
      out_ += ',';
      if (link != nullptr) append_csv_cell(out_, id_of_node(link->ends[i]));
    };
    for (std::size_t i = 0; i <= cells_.size(); ++i) {
      if (i == ends_ && has_ends()) {
        end(0);
        end(1);
      }
      if (i == cells_.size()) break;
      out_ += ',';
      if (is_set_[i]) append_csv_cell(out_, cells_[i]);
    }
    if (has_more_) {
      out_ += ',';
      if (has_value) append_csv_cell(out_, property);
      out_ += ',';
      if (has_value) append_csv_cell(out_, value);
    }
    out_ += "\r\n";
  }

  bool has_ends() const { return asked_ == nullptr || asked_->has(Target::link_end, {}); }

  std::string_view id_of_node(std::uint32_t node) const {
    return graph_.attributes(outline_.nodes[node].record).id();
  }

  void put_headings() {
    out_ += kKindHeading;
    const auto heading = [&](std::string_view text) {
      out_ += ',';
      append_csv_cell(out_, text);
    };
    for (std::size_t i = 0; i <= columns_.size(); ++i) {
      if (i == ends_ && has_ends()) {
        heading(kEndHeadings.front().first);
        heading(kEndHeadings.front().second);
      }
      if (i == columns_.size()) break;
      const auto& [target, name, ordinal] = columns_[i];
      if (target != Target::property)
        heading(kNames[target]);
      else if (is_known_heading(name))
        heading(fmt::format("{}{}", kPropertyPrefix, name));
      else
        heading(name);
    }
    if (has_more_) {
      heading(kPropertyHeading);
      heading(kValueHeading);
    }
    out_ += "\r\n";
  }

  // ---- rows ----

  // Properties are read back in the order of the row and of those that follow, unless an update
  // reads them: from the first one on whose column is not behind that of the one before, they stand
  // in rows of their own.
  template <class Element>
  void fill(const Element& element) {
    is_set_.assign(is_set_.size(), false);
    further_.clear();
    std::size_t next = 0;  // column that a property may have
    for_each_value(element, [&](const Place& place, std::string_view value) {
      const auto column = column_of_.find(place);
      const bool in_order = place.target == Target::property && asked_ == nullptr;
      if (column == column_of_.end() || (in_order && column->second < next)) {
        if (in_order) next = columns_.size();
        return further_.push_back({place, std::string(value)});
      }
      if (in_order) next = column->second + 1;
      cells_[column->second] = value;
      is_set_[column->second] = true;
    });
  }

  template <class Element>
  void put_element(std::string_view kind, const Element& element, const OutlinedLink* link) {
    fill(element);
    losses_.carry(static_cast<std::size_t>(std::ranges::count(is_set_, true)) + further_.size());
    if (link != nullptr) losses_.carry(2);
    put_row(kind, link);
    if (further_.empty()) return;
    is_set_.assign(is_set_.size(), false);
    is_set_[column_of_.at({Target::identifier, {}, 0})] = true;
    for (const auto& [place, value] : further_) {
      if (place.target == Target::property) {
        put_row(kMoreRow, nullptr, place.name, value, true);
        continue;
      }
      const std::size_t column = column_of_.at({place.target, {}, 0});
      cells_[column] = value;
      is_set_[column] = true;
      put_row(kMoreRow, nullptr);
      is_set_[column] = false;
    }
  }

  const Graph& graph_;
  const MapOutline& outline_;
  engine::LossList& losses_;
  const Asked* const asked_;
  InstantText instants_;
  Ordinals ordinals_;
  std::map<Place, Use> used_;
  std::vector<Place> columns_;  // behind that of the kind
  std::map<Place, std::size_t> column_of_;
  std::size_t ends_ = 0;   // which of them the ends of links stand in front of
  bool has_more_ = false;  // some values have no column
  std::vector<Further> further_;
  std::vector<std::string> cells_;
  std::vector<bool> is_set_;
  std::string out_;
};

// What a heading asks for, as a reader takes it.
std::pair<Target, std::string> asked_column(std::string_view heading) {
  const auto property = [](std::string_view name) {
    return std::pair(Target::property, engine::lower_case(name));
  };
  if (heading.starts_with(kPropertyPrefix)) return property(heading.substr(kPropertyPrefix.size()));
  const std::string plain = plain_heading(heading);
  for (const FieldRule& rule : kTableFields)
    if (rule.target != Target::property && rule.target != Target::key &&
        rule.field.substr(rule.field.find('.') + 1) == plain)
      return {rule.target, {}};
  return property(heading);
}

Result<Asked> asked_columns(std::span<const std::string> headings) {
  if (headings.size() > kFurtherMax)
    return fail(Errc::invalid_input, "columns", fmt::format("at most {}", kFurtherMax));
  Asked asked;
  asked.names.reserve(headings.size());  // they stay where they are
  asked.columns = {{Target::identifier, {}}, {Target::name, {}}};
  for (const std::string& heading : headings) {
    if (plain_heading(heading).empty())
      return fail(Errc::invalid_input, "columns", fmt::format("\"{}\" is no heading", heading));
    auto [target, name] = asked_column(heading);
    if (!asked.has(target, name))
      asked.columns.emplace_back(target, asked.names.emplace_back(std::move(name)));
  }
  return asked;
}

}  // namespace

Result<WrittenMap> write_csv(const Graph& graph, RecordId topology) {
  return written_by<Writer>(graph, topology);
}

Result<WrittenMap> write_csv_columns(const Graph& graph, RecordId topology,
                                     std::span<const std::string> headings) {
  NETML_TRY(const Asked asked, asked_columns(headings));
  WrittenMap file;
  NETML_TRY(const MapOutline outline, outline_of(graph, topology, file.losses));
  file.bytes = Writer(graph, outline, file.losses, &asked).write();
  return file;
}

}  // namespace netml::codecs
