// Independent routes against what the words mean: all routes of a small graph written down, and
// those chosen that fit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <optional>
#include <random>
#include <set>

#include "tests/engine/redundancy_drawing.hpp"

namespace netml::engine {
namespace {

using test::bit;
using test::check;
using test::draw;
using test::Drawing;
using test::Drawn;
using test::exactly;
using test::Ids;
using test::kMetresApart;
using test::policy;
using test::routes_of;
using test::Set;

struct Way {
  Set nodes = 0;  // without its first, and without its last unless ends must differ
  Set links = 0;
  Set groups = 0;
  auto operator<=>(const Way&) const = default;
};

// All of them, without loops. Of those that use the same, one.
std::set<Way> all_ways(const Drawing& drawing, bool distinct_ends) {
  std::set<Way> found;
  const std::function<void(std::size_t, Set, const Way&)> go = [&](std::size_t at, Set seen,
                                                                   const Way& way) {
    for (std::size_t i = 0; i < drawing.lines.size(); ++i) {
      const auto& [a, b, groups] = drawing.lines[i];
      if (a == b || (a != at && b != at)) continue;
      const std::size_t next = a == at ? b : a;
      if (((seen | drawing.own) & bit(next)) != 0) continue;
      Way longer{way.nodes, way.links | bit(i), way.groups | groups};
      const bool end = (drawing.targets & bit(next)) != 0;
      if (!end || distinct_ends) longer.nodes |= bit(next);
      if (end)
        found.insert(longer);
      else
        go(next, seen | bit(next), longer);
    }
  };
  for (std::size_t i = 0; i < drawing.nodes; ++i)
    if ((drawing.own & bit(i)) != 0) go(i, bit(i), {});
  return found;
}

// Whether `wanted` of the ways from `from` on have nothing in common with each other and `used`.
bool fit(const std::vector<Way>& ways, std::size_t from, std::size_t wanted, const Way& used) {
  if (wanted == 0) return true;
  for (std::size_t i = from; i < ways.size(); ++i) {
    const Way& way = ways[i];
    if ((way.nodes & used.nodes) != 0 || (way.links & used.links) != 0 ||
        (way.groups & used.groups) != 0)
      continue;
    if (fit(ways, i + 1, wanted - 1,
            {way.nodes | used.nodes, way.links | used.links, way.groups | used.groups}))
      return true;
  }
  return false;
}

std::size_t most_routes(const Drawing& drawing, const RedundancyPolicy& asked) {
  if ((drawing.own & drawing.targets) != 0) return asked.routes;
  std::vector<Way> ways;
  for (Way way : all_ways(drawing, asked.distinct_ends)) {
    const Set ends = asked.distinct_ends ? drawing.targets : 0;
    if (asked.disjoint == Disjoint::links) way.nodes &= ends;
    if (!asked.shared_risk_groups) way.groups = 0;
    ways.push_back(way);
  }
  std::size_t count = 0;
  while (count < asked.routes && fit(ways, 0, count + 1, {})) ++count;
  return count;
}

Drawing draw_any(std::mt19937& random, bool with_groups) {
  Drawing drawing{.nodes = 2 + random() % 11};
  const std::size_t owns = 1 + random() % 3;
  for (std::size_t i = 0; i < owns; ++i) drawing.own |= bit(random() % drawing.nodes);
  const std::size_t targets = random() % 4;
  for (std::size_t i = 0; i < targets; ++i) drawing.targets |= bit(random() % drawing.nodes);
  if (random() % 16 != 0) drawing.targets &= ~drawing.own;
  drawing.lines.resize(random() % 17);
  const std::size_t groups = 1 + random() % 6;
  for (auto& line : drawing.lines) {
    line = {random() % drawing.nodes, random() % drawing.nodes, 0};
    if (with_groups && random() % 2 == 0) line.groups |= bit(random() % groups);
    if (with_groups && random() % 8 == 0) line.groups |= bit(random() % groups);
  }
  return drawing;
}

RedundancyPolicy any_policy(std::mt19937& random) {
  RedundancyPolicy asked =
      policy(1 + random() % 4, random() % 2 == 0 ? Disjoint::links : Disjoint::nodes);
  asked.distinct_ends = random() % 3 == 0;
  return asked;
}

std::string shown(const Drawing& drawing, const RedundancyPolicy& asked) {
  std::string text = fmt::format(
      "{} nodes, own {:b}, targets {:b}, {} routes, nodes {}, distinct ends {}, groups {}:",
      drawing.nodes, drawing.own, drawing.targets, asked.routes, asked.disjoint == Disjoint::nodes,
      asked.distinct_ends, asked.shared_risk_groups);
  for (const auto& [a, b, groups] : drawing.lines) text += fmt::format(" {}-{}/{:b}", a, b, groups);
  return text;
}

std::size_t place(const Ids& ids, RecordId id) {
  return static_cast<std::size_t>(std::ranges::find(ids, id) - ids.begin());
}

// Each route is one, and no two of them have in common what they must not.
void expect_routes(const Drawing& drawing, const Drawn& drawn, const RedundancyPolicy& asked,
                   const ElementRoutes& found) {
  Way all;
  for (const Route& route : found.routes) {
    ASSERT_EQ(route.nodes.size(), route.links.size() + 1);
    Way way;
    std::size_t at = place(drawn.nodes, route.nodes.front());
    EXPECT_NE(drawing.own & bit(at), 0U);
    for (std::size_t i = 0; i < route.links.size(); ++i) {
      const std::size_t link = place(drawn.links, route.links[i]);
      ASSERT_LT(link, drawing.lines.size());
      const auto& [a, b, groups] = drawing.lines[link];
      const std::size_t next = place(drawn.nodes, route.nodes[i + 1]);
      EXPECT_TRUE((a == at && b == next) || (b == at && a == next));
      const bool end = (drawing.targets & bit(next)) != 0;
      EXPECT_EQ(end, i + 1 == route.links.size());
      if (end ? asked.distinct_ends : asked.disjoint == Disjoint::nodes) way.nodes |= bit(next);
      EXPECT_EQ(way.links & bit(link), 0U);
      way.links |= bit(link);
      if (asked.shared_risk_groups) way.groups |= groups;
      at = next;
    }
    EXPECT_EQ(way.nodes & all.nodes, 0U);
    EXPECT_EQ(way.links & all.links, 0U);
    EXPECT_EQ(way.groups & all.groups, 0U);
    all = {all.nodes | way.nodes, all.links | way.links, all.groups | way.groups};
  }
}

// Without what the cut names there is no route; its size is the bound.
void expect_cut(Drawing drawing, const Drawn& drawn, const RedundancyPolicy& asked,
                const ElementRoutes& found) {
  if (found.at_most >= asked.routes) {
    EXPECT_EQ(found.cut.size(), 0U);
    return;
  }
  if (found.basis == RouteBasis::group_search) return;  // it may need none
  EXPECT_EQ(found.cut.size(), found.at_most);
  Set gone = 0;
  for (const RecordId node : found.cut.nodes) gone |= bit(place(drawn.nodes, node));
  std::erase_if(drawing.lines, [&, i = std::size_t{0}](const auto& line) mutable {
    const RecordId link = drawn.links[i++];
    bool in_group = false;
    for (const std::string& group : found.cut.groups)
      in_group |= (line.groups & bit(static_cast<std::size_t>(std::stoi(group.substr(1))))) != 0;
    return in_group || ((bit(line.a) | bit(line.b)) & gone) != 0 ||
           std::ranges::binary_search(found.cut.links, link);
  });
  EXPECT_TRUE(all_ways(drawing, false).empty());
}

std::size_t rounds() {
  const char* const given = std::getenv("NETML_REDUNDANCY_ROUNDS");
  return given == nullptr ? 2'000 : static_cast<std::size_t>(std::atoll(given));
}

TEST(RedundancyProperty, RoutesAreAsManyAsFitWithoutACommonLinkOrNode) {
  std::mt19937 random(1);
  for (std::size_t round = 0; round < rounds(); ++round) {
    const Drawing drawing = draw_any(random, false);
    const RedundancyPolicy asked = any_policy(random);
    const Drawn drawn = draw(drawing);
    const ElementRoutes found = check(drawn.graph, asked);
    EXPECT_TRUE(found.is_exact());
    ASSERT_EQ(found.at_least, most_routes(drawing, asked)) << shown(drawing, asked);
    if (found.basis == RouteBasis::at_target) continue;
    ASSERT_EQ(found.routes.size(), found.at_least);
    expect_routes(drawing, drawn, asked, found);
    expect_cut(drawing, drawn, asked, found);
    if (HasFailure()) FAIL() << shown(drawing, asked);
  }
}

TEST(RedundancyProperty, RoutesWithoutCommonGroupsLieBetweenTheBounds) {
  std::mt19937 random(2);
  std::size_t bounds = 0;
  for (std::size_t round = 0; round < rounds(); ++round) {
    const Drawing drawing = draw_any(random, true);
    const RedundancyPolicy asked = any_policy(random);
    const Drawn drawn = draw(drawing);
    const ElementRoutes found = check(drawn.graph, asked);
    const std::size_t truth = most_routes(drawing, asked);
    ASSERT_LE(found.at_least, truth) << shown(drawing, asked);
    ASSERT_GE(found.at_most, truth) << shown(drawing, asked);
    EXPECT_EQ(found.basis == RouteBasis::group_bounds, !found.is_exact());
    bounds += found.is_exact() ? 0 : 1;
    if (found.basis == RouteBasis::at_target) continue;
    ASSERT_EQ(found.routes.size(), found.at_least);
    expect_routes(drawing, drawn, asked, found);
    expect_cut(drawing, drawn, asked, found);
    if (HasFailure()) FAIL() << shown(drawing, asked);
  }
  EXPECT_EQ(bounds, 0U) << "graphs as small as these are tried to the end";
}

TEST(RedundancyProperty, GroupsThatDoNotCountChangeNothing) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    const Drawing drawing = draw_any(random, true);
    RedundancyPolicy asked = any_policy(random);
    asked.shared_risk_groups = false;
    ASSERT_EQ(routes_of(drawing, asked), most_routes(drawing, asked)) << shown(drawing, asked);
  }
}

// ---- with a common path ----

std::optional<std::int64_t> length_of(const Drawing& drawing, const Drawing::Line& line) {
  if (std::max(line.a, line.b) + 1 == drawing.nodes) return std::nullopt;
  const auto apart = static_cast<double>(std::max(line.a, line.b) - std::min(line.a, line.b));
  return std::llround(apart * kMetresApart);
}

// What so many routes have in common at least, whichever they are; none: they are not there.
std::optional<std::int64_t> least_common(const Drawing& drawing, const std::vector<Way>& ways,
                                         std::size_t count) {
  std::optional<std::int64_t> least;
  std::vector<std::size_t> uses(drawing.lines.size());
  const std::function<void(std::size_t, std::size_t, Set, std::int64_t)> choose =
      [&](std::size_t from, std::size_t left, Set ends, std::int64_t common) {
        if (left == 0) {
          least = std::min(least.value_or(common), common);
          return;
        }
        for (std::size_t i = from; i < ways.size(); ++i) {
          if ((ways[i].nodes & ends) != 0) continue;
          std::optional<std::int64_t> more = 0;
          for (std::size_t link = 0; link < uses.size(); ++link)
            if ((ways[i].links & bit(link)) != 0 && uses[link]++ > 0) {
              const auto length = length_of(drawing, drawing.lines[link]);
              more = more && length ? std::optional(*more + *length) : std::nullopt;
            }
          if (more) choose(i, left - 1, ends | ways[i].nodes, common + *more);
          for (std::size_t link = 0; link < uses.size(); ++link)
            if ((ways[i].links & bit(link)) != 0) --uses[link];
        }
      };
  choose(0, count, 0, 0);
  return least;
}

TEST(RedundancyProperty, RoutesHaveNoMoreInCommonThanTheyMust) {
  std::mt19937 random(5);
  std::size_t tried = 0;
  for (std::size_t round = 0; round < rounds(); ++round) {
    Drawing drawing = draw_any(random, false);
    drawing.lines.resize(std::min<std::size_t>(drawing.lines.size(), 11));
    RedundancyPolicy asked = policy(1 + random() % 3);
    asked.distinct_ends = random() % 3 == 0;
    asked.common_km_max = static_cast<double>(random() % 8);
    std::vector<Way> ways;
    for (Way way : all_ways(drawing, asked.distinct_ends)) {
      way.nodes &= drawing.targets;
      ways.push_back(way);
    }
    if ((drawing.own & drawing.targets) != 0 || ways.size() > 40) continue;
    const ElementRoutes found = check(draw(drawing).graph, asked);
    std::size_t count = 0;
    std::optional<std::int64_t> next;
    std::int64_t common = 0;
    for (; count < asked.routes; ++count) {
      next = least_common(drawing, ways, count + 1);
      if (!next || static_cast<double>(*next) > *asked.common_km_max * 1'000) break;
      common = *next;
      next.reset();
    }
    ASSERT_EQ(exactly(found), count) << shown(drawing, asked);
    ASSERT_EQ(found.common_metres, common) << shown(drawing, asked);
    ASSERT_EQ(found.routes.size(), count);
    ASSERT_EQ(found.next_common_metres, next) << shown(drawing, asked);
    tried += common > 0 ? 1 : 0;
  }
  EXPECT_GT(tried, rounds() / 100);
}

}  // namespace
}  // namespace netml::engine
