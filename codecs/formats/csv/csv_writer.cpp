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

namespace netml::codecs {

namespace {

using engine::Graph;

constexpr std::array kTargets{
    Target::identifier, Target::name,     Target::short_name, Target::version,  Target::start,
    Target::end,        Target::latitude, Target::longitude,  Target::altitude, Target::unlocode,
    Target::address,    Target::owner,    Target::topology,   Target::parent};

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

class Writer {
 public:
  Writer(const Graph& graph, const MapOutline& outline, engine::LossList& losses)
      : graph_(graph), outline_(outline), losses_(losses) {}

  std::string write() {
    for_each_element([&](std::string_view, const auto& element, const OutlinedLink*) {
      ordinals_.start();
      for_each_field(graph_, outline_, element, instants_,
                     [&](Target target, std::string_view name, std::string_view) {
                       const auto [use, added] =
                           used_.try_emplace(ordinals_.place(target, name), Use{0, used_.size()});
                       ++use->second.count;
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
  struct Use {
    std::size_t count;
    std::size_t first;  // in the order in which they come up
  };
  // A value that has no column.
  struct Further {
    Place place;
    std::string value;
  };

  template <class Visit>
  void for_each_element(const Visit& visit) {
    for (const RecordId topology : outline_.topologies) visit("topology", topology, nullptr);
    for (const auto& element : outline_.institutions) visit("institution", element, nullptr);
    for (const auto& element : outline_.nodes) visit("node", element, nullptr);
    for (const auto& element : outline_.links)
      visit("link", static_cast<const OutlinedElement&>(element), &element);
  }

  // ---- columns ----

  // Those that are used most have columns of their own, so that a row stays short whatever the map
  // has. They stand in the order in which they come up, which is that of most elements.
  void choose_columns() {
    constexpr std::size_t kFurtherMax = 64;
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
      if (i == ends_) {
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
      if (i == ends_) {
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

  // Properties are read back in the order of the row and of those that follow: from the first one
  // on whose column is not behind that of the one before, they stand in rows of their own.
  template <class Element>
  void fill(const Element& element) {
    is_set_.assign(is_set_.size(), false);
    further_.clear();
    ordinals_.start();
    std::size_t next = 0;  // column that a property may have
    for_each_field(graph_, outline_, element, instants_,
                   [&](Target target, std::string_view name, std::string_view value) {
                     const Place place = ordinals_.place(target, name);
                     const auto column = column_of_.find(place);
                     const bool property = target == Target::property;
                     if (column == column_of_.end() || (property && column->second < next)) {
                       if (property) next = columns_.size();
                       return further_.push_back({place, std::string(value)});
                     }
                     if (property) next = column->second + 1;
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

}  // namespace

Result<WrittenMap> write_csv(const Graph& graph, RecordId topology) {
  return written_by<Writer>(graph, topology);
}

}  // namespace netml::codecs
