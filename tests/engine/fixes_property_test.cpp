// Maps with several errors each: all that can be mended is, nothing else is found afterwards, and
// undoing the transactions leads back to the same records.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <random>
#include <set>
#include <vector>

#include "engine/fixes/plan_fixes.hpp"
#include "engine/undo/plan_undo.hpp"
#include "tests/engine/quality_source.hpp"

namespace netml::engine {
namespace {

using test::add;
using test::add_link;
using test::Draft;
using test::kNow;
using test::Source;

using Plant = std::function<void(Source&, std::size_t seed)>;

std::vector<Plant> plants() {
  return {
      [](Source& source, std::size_t seed) {
        Coordinates& place = *source.node(seed).coordinates;
        std::swap(place.latitude, place.longitude);
      },
      [](Source& source, std::size_t seed) {
        source.node(seed).coordinates->longitude.value *= -1;
      },
      [](Source& source, std::size_t seed) { source.node(seed).owners.clear(); },
      [](Source& source, std::size_t seed) { source.link(seed).owners.clear(); },
      [](Source& source, std::size_t) { source.records[source.topology].owners.clear(); },
      [](Source& source, std::size_t seed) { source.node(seed).properties.push_back({"x", " "}); },
      [](Source& source, std::size_t seed) {
        source.node(seed).properties.push_back(source.node(seed).properties.back());
      },
      [](Source& source, std::size_t seed) { source.node(seed).name += " caf\u00c3\u00a9"; },
      [](Source& source, std::size_t seed) {
        source.link(seed).properties.push_back({"site", "Troms&oslash;"});
      },
      [](Source& source, std::size_t seed) {
        Draft institution = source.records[source.owner];
        if (seed % 2 == 0) institution.id += std::to_string(seed);
        source.node(seed).owners = {add(source, std::move(institution))};
      },
      [](Source& source, std::size_t seed) {
        const std::size_t again = add(source, Draft(source.node(seed)));
        add_link(source, again, source.nodes[(seed + 4) % source.nodes.size()]);
      },
      [](Source& source, std::size_t seed) {
        source.link(seed).properties.emplace_back("circuit", std::to_string(seed));
        Draft link = source.link(seed);
        link.id += ":again";
        add(source, std::move(link));
      },
  };
}

using Counts = std::array<std::size_t, kCheckCount>;
Counts counts_of(const State& state, const Countries& countries) {
  Counts counts{};
  inspect({state.graph, countries, kNow},
          [&](const Finding& finding) { ++counts[static_cast<std::size_t>(finding.check)]; });
  return counts;
}

struct Done {
  State before;
  Transaction transaction;
  Check check;
};

// Until nothing is mended any more: what one fix brings may be what another needs.
std::vector<Done> fix_all(State& state, const Countries& countries) {
  std::vector<Done> done;
  for (std::size_t before = kCheckCount; before != done.size();) {
    before = done.size();
    for (const CheckDescription& each : kChecks) {
      if (!has_fixes(each.check)) continue;
      auto plan = plan_fixes(state, countries, kNow, {.check = each.check});
      EXPECT_TRUE(plan) << plan.error().text();
      EXPECT_EQ(plan->transaction.empty(), plan->mended.empty());
      if (plan->transaction.empty()) continue;
      auto after = apply(state, plan->transaction, state.lsn.next());
      EXPECT_TRUE(after) << each.name << ": " << after.error().text();
      if (!after) return done;
      done.push_back({state, std::move(plan->transaction), each.check});
      state = *std::move(after);
    }
  }
  return done;
}

TEST(FixesProperty, MendWhatIsFoundAndNothingElseIsFoundThen_P) {
  const Countries countries = test::two_countries();
  const std::vector<Plant> all = plants();
  std::set<Check> mended;
  for (unsigned seed = 0; seed < 120; ++seed) {
    std::mt19937 random(seed);
    Source source = test::sound_source(random);
    for (const Plant& plant : all)
      if (random() % 3 == 0) plant(source, random() % 1000);
    State state;
    state.graph = source.build();
    const Counts before = counts_of(state, countries);
    const Digest content = state.graph.content_digest();

    std::vector<Done> done = fix_all(state, countries);
    const Counts after = counts_of(state, countries);
    for (const CheckDescription& each : kChecks) {
      const auto i = static_cast<std::size_t>(each.check);
      EXPECT_LE(after[i], before[i]) << each.name << ", seed " << seed;
      if (!has_fixes(each.check)) continue;
      const auto rest = plan_fixes(state, countries, kNow, {.check = each.check});
      ASSERT_TRUE(rest);
      EXPECT_EQ(after[i], rest->left.size()) << each.name << ", seed " << seed;
    }

    for (; !done.empty(); done.pop_back()) {
      mended.insert(done.back().check);
      const UndoPlan undo = plan_undo(state, done.back().transaction, done.back().before.graph);
      EXPECT_EQ(undo.conflict_count, 0U) << "seed " << seed;
      auto undone = apply(state, undo.transaction, state.lsn.next());
      ASSERT_TRUE(undone) << undone.error().text();
      state = *std::move(undone);
    }
    EXPECT_EQ(state.graph.content_digest(), content) << "seed " << seed;
  }
  for (const CheckDescription& each : kChecks)
    EXPECT_EQ(mended.contains(each.check), has_fixes(each.check)) << each.name;
}

}  // namespace
}  // namespace netml::engine
