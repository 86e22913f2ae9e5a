#include "admin/analysis/redundancy_answer.hpp"

#include <array>
#include <boost/json.hpp>
#include <utility>

#include "admin/analysis/map_records.hpp"
#include "codecs/formats/redundancy_json.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using engine::ElementRoutes;
using engine::Graph;
using engine::RedundancyState;
using engine::RouteBasis;

const char* redundancy_state_name(RedundancyState state) {
  constexpr std::array kNames{"met", "below", "undecided"};
  return kNames.at(static_cast<std::size_t>(state));
}

namespace {

const char* basis_name(RouteBasis basis) {
  constexpr std::array kNames{"at-target",   "no-nodes",      "flow",
                              "group-cut",   "group-search",  "group-bounds",
                              "common-path", "common-bounds", "work-exhausted"};
  return kNames.at(static_cast<std::size_t>(basis));
}

json::array numbers_json(const Graph& graph, const std::vector<RecordId>& ids) {
  json::array numbers;
  for (const RecordId id : ids) numbers.emplace_back(graph.number(id).value);
  return numbers;
}

// Null where there is no room for them in an answer.
json::value routes_json(const Graph& graph, const ElementRoutes& found, std::size_t& links_left) {
  std::size_t links = 0;
  for (const engine::Route& route : found.routes) links += route.links.size();
  if (links > links_left) return nullptr;
  links_left -= links;
  json::array routes;
  for (const engine::Route& route : found.routes)
    routes.push_back(
        {{"nodes", numbers_json(graph, route.nodes)}, {"links", numbers_json(graph, route.links)}});
  return routes;
}

json::object item_json(const Graph& graph, const ElementRoutes& found, RedundancyState state,
                       std::size_t& links_left) {
  return {{"element", reference_json(graph, found.element)},
          {"state", redundancy_state_name(state)},
          {"at_least", found.at_least},
          {"at_most", found.at_most},
          {"exact", found.is_exact()},
          {"basis", basis_name(found.basis)},
          {"cut",
           {{"nodes", references_json(graph, found.cut.nodes)},
            {"links", references_json(graph, found.cut.links)},
            {"groups", json::value_from(found.cut.groups)}}},
          {"common_groups", json::value_from(found.common_groups)},
          {"common_metres", found.common_metres},
          {"next_common_metres",
           found.next_common_metres ? json::value(*found.next_common_metres) : json::value()},
          {"routes", routes_json(graph, found, links_left)}};
}

}  // namespace

json::object redundancy_counts(const engine::RedundancySummary& summary) {
  return {{"targets", summary.targets},
          {"checked", summary.checked},
          {"met", summary.met},
          {"below", summary.below},
          {"undecided", summary.undecided},
          {"not_found", json::value_from(summary.not_found)}};
}

json::object redundancy_answer(const Graph& graph, const engine::RedundancyPolicy& policy,
                               bool all) {
  json::array items;
  std::size_t omitted = 0;
  std::size_t links_left = kRedundancyRouteLinksMax;
  const engine::RedundancySummary summary =
      check_redundancy(graph, policy, [&](const ElementRoutes& found) {
        const RedundancyState state = state_of(found, policy.routes);
        if (!all && state == RedundancyState::met) return;
        if (items.size() == kRedundancyItemsMax)
          ++omitted;
        else
          items.push_back(item_json(graph, found, state, links_left));
      });
  json::object answer{{"policy", codecs::redundancy_policy_json(policy)}};
  for (auto& [name, count] : redundancy_counts(summary)) answer[name] = std::move(count);
  answer["items"] = std::move(items);
  answer["omitted"] = omitted;
  return answer;
}

}  // namespace netml::admin::web
