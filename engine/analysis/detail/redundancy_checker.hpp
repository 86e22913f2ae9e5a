// Finds the routes of one element after another on one map, and follows the map where links of it
// come and go.
//
// Owner: one check, or a RedundancyMonitor; graph and policy must outlive it. Memory: as
// engine/analysis/redundancy.hpp says. Thread: one at a time.
#pragma once

#include <optional>
#include <vector>

#include "engine/analysis/detail/common_paths.hpp"
#include "engine/analysis/detail/group_routes.hpp"
#include "engine/analysis/detail/record_index.hpp"
#include "engine/analysis/detail/risk_groups.hpp"
#include "engine/analysis/detail/route_finder.hpp"
#include "engine/analysis/redundancy.hpp"
#include "engine/graph/graph.hpp"

namespace netml::engine::detail {

class RedundancyChecker {
 public:
  // Routes lead to what the elements of `to` stand for.
  RedundancyChecker(const Graph& graph, const RedundancyPolicy& policy,
                    const std::vector<RecordId>& to);
  RedundancyChecker(const RedundancyChecker&) = delete;

  std::size_t targets() const { return targets_; }
  ElementRoutes check(RecordId element);
  // Where a flow alone was the answer of the last check and there is no further route: the nodes
  // that a search for one came to. A link of none of them changes nothing. None: more than `most`,
  // or not known.
  std::optional<std::vector<RecordId>> searched_in_vain(std::size_t most) const;

  // ---- the map of a later version, as far as its links go ----
  // Only without a common path, and where no link concerned has shared-risk groups.
  void remove_link(RecordId link);
  void add_link(RecordId link, RecordId a, RecordId b);
  // After these, before the next check: as many steps as for a new map.
  void follow_map();
  // So many links were added that a new checker would be better.
  bool is_worn() const { return map_.is_worn(); }

 private:
  struct KnownCut {
    std::vector<bool> before;  // by vertex
    FoundCut cut;
  };

  RedundancyChecker(const Graph& graph, const RedundancyPolicy& policy,
                    const std::vector<RecordId>& to, const Network& network);
  RedundancyChecker(const Graph& graph, const RedundancyPolicy& policy, const Network& network,
                    const std::vector<bool>& targets);

  const FoundCut* known_cut(const std::vector<Vertex>& own) const;
  void remember(const FoundCut& cut);
  void find_routes(const std::vector<Vertex>& own, ElementRoutes& found);
  void find_without_common_groups(const std::vector<Vertex>& own,
                                  const std::optional<FoundCut>& cut, ElementRoutes& found);
  void allow_common_path(const std::vector<Vertex>& own, ElementRoutes& found);
  std::optional<Metres> length_of(Link link) const;
  void set_routes(const std::vector<FoundRoute>& routes, ElementRoutes& found) const;
  void set_cut(const GroupCut& cut, ElementRoutes& found) const;
  Vertex vertex(RecordId node);

  const Graph& graph_;
  const RedundancyPolicy& policy_;
  RecordIndex nodes_;
  RecordIndex links_;
  std::size_t targets_;
  RouteMap map_;
  const RiskGroups groups_;
  RouteFinder finder_;
  GroupRouteFinder group_finder_;
  CommonPaths common_paths_;
  std::vector<KnownCut> known_cuts_;
  bool in_vain_ = false;  // the last check ended with a search that found nothing
};

}  // namespace netml::engine::detail
