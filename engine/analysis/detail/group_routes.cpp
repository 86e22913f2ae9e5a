#include "engine/analysis/detail/group_routes.hpp"

#include <algorithm>

namespace netml::engine::detail {

namespace {

constexpr std::size_t kOwnLinksMax = 256;  // more are no useful cut, and long to compare

// Takes out of the cut the links of the group that has most of them. False where none has two.
bool cover_most(const RiskGroups& groups, GroupCut& cut) {
  std::vector<Group> of_links;
  for (const Link link : cut.rest.links)
    for (const Group group : groups.of(link)) of_links.push_back(group);
  std::ranges::sort(of_links);
  std::size_t most = 1;
  Group best = 0;
  for (std::size_t begin = 0, end = 0; begin < of_links.size(); begin = end) {
    while (end < of_links.size() && of_links[end] == of_links[begin]) ++end;
    if (end - begin <= most) continue;
    most = end - begin;
    best = of_links[begin];
  }
  if (most == 1) return false;
  std::erase_if(cut.rest.links, [&](Link link) {
    return std::ranges::find(groups.of(link), best) != groups.of(link).end();
  });
  cut.groups.push_back(best);
  return true;
}

}  // namespace

GroupRoutes GroupRouteFinder::find(std::span<const Vertex> own, std::size_t most,
                                   std::size_t at_most, const std::optional<FoundCut>& cut) {
  GroupRoutes found{.routes = one_after_another(own, at_most), .at_most = at_most};
  if (found.routes.size() == at_most && !cut) return found;
  if (cut) offer(*cut, {}, found);
  if (found.routes.size() < found.at_most) {
    if (auto links = links_of(own)) offer(*std::move(links), {}, found);
    tighten(own, most, found);
  }
  if (found.routes.size() < found.at_most) try_all(own, found);
  return found;
}

void GroupRouteFinder::try_all(std::span<const Vertex> own, GroupRoutes& found) {
  const std::uint64_t stop_at = finder_.steps_left() - std::min(steps_max_, finder_.steps_left());
  while (found.routes.size() < found.at_most) {
    const Added more = search_.run(own, found.routes.size() + 1, stop_at);
    if (more == Added::stopped) break;
    if (more == Added::yes) found.routes = search_.take_routes();
    if (more == Added::no) {
      found.at_most = found.routes.size();
      found.cut.reset();
    }
  }
}

std::vector<FoundRoute> GroupRouteFinder::one_after_another(std::span<const Vertex> own,
                                                            std::size_t most) {
  std::vector<FoundRoute> routes;
  while (routes.size() < most) {
    finder_.begin(own);
    if (finder_.add() != Added::yes) break;
    routes.push_back(std::move(finder_.routes().front()));
    for (const Arc& arc : routes.back().arcs) block_for_others(arc, groups_, finder_);
  }
  finder_.unblock();
  return routes;
}

// Lets the groups fail that routes have in common, one after another: each costs at most one route.
void GroupRouteFinder::tighten(std::span<const Vertex> own, std::size_t most, GroupRoutes& found) {
  std::vector<Group> failed;
  while (failed.size() < found.at_most) {
    finder_.begin(own);
    const Added added = finder_.add_up_to(most);
    if (added == Added::stopped) break;
    if (added == Added::no) offer(finder_.cut(), failed, found);
    const std::vector<Group> common = common_groups(groups_, finder_.routes());
    if (common.empty()) break;
    failed.push_back(common.front());
    for (const Link link : groups_.links(common.front())) finder_.block_link(link);
  }
  finder_.unblock();
}

// A cut of what is left when these groups have failed: theirs is one with them.
void GroupRouteFinder::offer(FoundCut cut, const std::vector<Group>& failed,
                             GroupRoutes& found) const {
  GroupCut with_groups{std::move(cut), failed};
  while (cover_most(groups_, with_groups)) {
  }
  if (with_groups.size() > found.at_most) return;
  if (with_groups.size() == found.at_most && found.cut) return;
  found.at_most = with_groups.size();
  found.cut = std::move(with_groups);
}

// Those that lead away from the own vertices, of which every route uses one. Nothing where they are
// too many.
std::optional<FoundCut> GroupRouteFinder::links_of(std::span<const Vertex> own) const {
  FoundCut cut;
  for (const Vertex vertex : own)
    for (const Arc& arc : map_.arcs(vertex)) {
      if (std::ranges::binary_search(own, arc.to)) continue;
      if (cut.links.size() == kOwnLinksMax) return std::nullopt;
      cut.links.push_back(arc.link());
    }
  return cut;
}

}  // namespace netml::engine::detail
