#include "engine/views/apply_view.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "engine/base/radix_sort.hpp"
#include "engine/graph/graph_changes.hpp"
#include "engine/views/detail/collapse.hpp"
#include "engine/views/detail/disguise.hpp"
#include "engine/views/detail/halves.hpp"
#include "engine/views/detail/seen_order.hpp"
#include "engine/views/detail/visibility.hpp"

namespace netml::engine {

namespace {

// Of a step that hides elements; null: it is none.
const std::vector<ViewSelection>* selections_of(const ViewStep& step) {
  if (const auto* const keep = std::get_if<KeepStep>(&step)) return &keep->any_of;
  if (const auto* const drop = std::get_if<DropStep>(&step)) return &drop->any_of;
  return nullptr;
}

// Whether elements may have other identifiers behind it.
bool renames(const ViewStep& step) {
  return std::holds_alternative<PseudonymStep>(step) || std::holds_alternative<CollapseStep>(step);
}

struct Numbered {
  RecordNumber number;
  RecordId id;
};

void sort_by_number(std::vector<Numbered>& records) {  // which are unique
  sort_by_radix(records, [](const Numbered& one) { return one.number.value; });
}

Graph numbered_anew(Graph graph, Parallel& parallel) {
  using Half = std::vector<Numbered>;
  auto halves = detail::in_halves<Half>(
      graph, parallel, [&](Half& half, RecordId id) { half.push_back({graph.number(id), id}); });
  RecordId last;
  for (const Half& half : halves)
    if (!half.empty()) last = std::max(last, half.back().id);
  parallel.run_both([&] { sort_by_number(halves[0]); }, [&] { sort_by_number(halves[1]); });
  Half shown;
  shown.reserve(halves[0].size() + halves[1].size());
  std::ranges::merge(halves[0], halves[1], std::back_inserter(shown), {}, &Numbered::number,
                     &Numbered::number);
  GraphChanges changes(std::move(graph));
  RecordNumber next{1};
  for (const auto& [number, id] : shown) {
    if (number != next) changes.set_number(id, next);
    ++next.value;
  }
  changes.restart(RecordId{last.value + 1}, next);
  return std::move(changes).finish();
}

}  // namespace

bool is_in_seen_order(const View& view) {
  return std::ranges::any_of(view.steps, renames);
}

Graph seen_through(const Graph& graph, const View& view, const PseudonymKeys& keys,
                   Parallel& parallel) {
  Graph seen = graph;
  const bool is_ordered = is_in_seen_order(view);
  const std::span<const ViewStep> steps(view.steps);
  for (std::size_t i = 0; i < steps.size();) {
    const auto rest = steps.subspan(i);
    const auto row = static_cast<std::size_t>(std::ranges::find_if_not(rest, detail::is_disguise) -
                                              rest.begin());
    if (row > 0) {
      auto attributes = detail::disguises(seen, rest.first(row), keys, parallel);
      i += row;
      // What comes last needs no graph of its own.
      if (is_ordered && i == steps.size())
        return detail::in_seen_order(seen, std::move(attributes), parallel);
      seen = detail::disguised(seen, std::move(attributes), parallel);
      continue;
    }
    if (const auto* const keep = std::get_if<KeepStep>(&steps[i]))
      seen = detail::kept_by(seen, *keep, parallel);
    if (const auto* const drop = std::get_if<DropStep>(&steps[i]))
      seen = detail::left_by(seen, *drop, parallel);
    if (const auto* const collapse = std::get_if<CollapseStep>(&steps[i]))
      seen = detail::collapsed(seen, collapse->to);
    if (selections_of(steps[i]) != nullptr) seen = detail::without_hidden_origins(seen);
    ++i;
  }
  return is_ordered ? detail::in_seen_order(seen, {}, parallel)
                    : numbered_anew(std::move(seen), parallel);
}

namespace {

void add_unknown(const Graph& graph, std::span<const Kind> kinds,
                 const std::vector<std::string>& ids, std::vector<std::string>& unknown) {
  for (const std::string& id : ids)
    if (std::ranges::none_of(kinds, [&](Kind kind) { return bool{graph.find_newest(kind, id)}; }))
      unknown.push_back(id);
}

}  // namespace

std::vector<std::string> unknown_identifiers(const Graph& graph, const View& view) {
  std::vector<std::string> unknown;
  for (const ViewStep& step : view.steps) {
    if (renames(step)) break;
    const auto* const selections = selections_of(step);
    if (selections == nullptr) continue;
    for (const ViewSelection& selection : *selections) {
      add_unknown(graph, std::array{Kind::institution}, selection.owners, unknown);
      add_unknown(graph, std::array{Kind::topology}, selection.topologies, unknown);
      add_unknown(graph, kKinds, selection.ids, unknown);
    }
  }
  return unknown;
}

}  // namespace netml::engine
