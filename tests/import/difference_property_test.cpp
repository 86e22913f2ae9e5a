// The difference of two stores is what two maps of text say, one entry for each kind and
// identifier: for stores that follow one another, and for stores that share nothing.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/transaction/difference.hpp"
#include "tests/support/content_lines.hpp"
#include "tests/support/import_harness.hpp"
#include "tests/support/random_files.hpp"

namespace netml::test {
namespace {

using engine::Difference;
using engine::Graph;

using Key = std::pair<Kind, std::string>;
using Contents = std::map<Key, std::multiset<std::string>>;

std::string identifiers(const Graph& graph, std::span<const RecordId> ids, bool ordered) {
  std::string text;
  std::vector<std::string> names;
  for (const RecordId id : ids) names.emplace_back(graph.attributes(id).id());
  return ordered ? fmt::format("({})", fmt::join(names, " ")) : list_text(names);
}

bool belongs(const Graph& graph, RecordId id, const std::string& topology) {
  if (graph.kind(id) == Kind::topology && graph.attributes(id).id() == topology) return true;
  const auto groups = graph.relations(id).topologies();
  return std::ranges::any_of(
      groups, [&](RecordId group) { return graph.attributes(group).id() == topology; });
}

Contents contents(const Graph& graph) {
  Contents all;
  graph.for_each_record([&](RecordId id) {
    const engine::Relations& relations = graph.relations(id);
    all[{graph.kind(id), std::string(graph.attributes(id).id())}].insert(
        attributes_text(graph.attributes(id)) + identifiers(graph, relations.topologies(), false) +
        identifiers(graph, relations.owners(), false) + identifiers(graph, relations.ends(), true));
  });
  return all;
}

std::set<Key> keys_of(const Difference& difference) {
  std::set<Key> keys;
  for (std::size_t i = 0; i < difference.size(); ++i) {
    const engine::ElementDifference element = difference.at(i);
    keys.emplace(element.kind, element.identifier);
    EXPECT_FALSE(element.fields.empty());
  }
  return keys;
}

std::set<Key> keys_that_differ(const Contents& before, const Contents& after) {
  std::set<Key> keys;
  for (const auto& [key, lines] : before)
    if (const auto found = after.find(key); found == after.end() || found->second != lines)
      keys.insert(key);
  for (const auto& [key, lines] : after)
    if (!before.contains(key)) keys.insert(key);
  return keys;
}

Graph imported(engine::State state, const std::string& xml, engine::CollisionPolicy collisions) {
  ImportHarness store(collisions);
  store.start_from(std::move(state));
  // Refused where a topology of the file could be any of several: then nothing differs.
  if (store.plan(xml, RecordId{})) store.import_at_top(xml);
  return store.state().graph;
}

engine::State state_of(const Graph& graph) {
  engine::State state;
  state.graph = graph;
  return state;
}

// Every second element by its name, whatever differs.
void expect_some_as_the_whole(const Graph& before, const Graph& after) {
  std::vector<engine::ElementName> names;
  std::set<Key> expected;
  const std::set<Key> whole = keys_of(Difference(before, after));
  bool wanted = false;
  for (const Graph* graph : {&before, &after})
    for (const auto& [key, lines] : contents(*graph)) {
      wanted = !wanted;
      if (!wanted) continue;
      names.push_back({key.first, key.second});
      if (whole.contains(key)) expected.insert(key);
    }
  RC_ASSERT(keys_of(Difference(before, after, names)) == expected);
}

void expect_as_maps_say(const Graph& before, const Graph& after) {
  const std::set<Key> expected = keys_that_differ(contents(before), contents(after));
  const Difference difference(before, after);
  RC_ASSERT(keys_of(difference) == expected);
  RC_ASSERT(difference.size() == expected.size());
  const Difference back(after, before);
  RC_ASSERT(back.size() == difference.size());
  for (std::size_t i = 0; i < back.size(); ++i) {
    RC_ASSERT(back.at(i).before == difference.at(i).after);
    RC_ASSERT(back.at(i).fields.size() == difference.at(i).fields.size());
  }
  RC_ASSERT(Difference(before, before).empty());
  expect_some_as_the_whole(before, after);
}

RC_GTEST_PROP(Difference, OfFollowingStoresIsWhatMapsSay, ()) {
  const auto policy = engine::CollisionPolicy::keep_newest;
  const Graph before = imported({}, random_file(4), policy);
  expect_as_maps_say(before, imported(state_of(before), random_file(4), policy));
}

RC_GTEST_PROP(Difference, OfUnrelatedStoresIsWhatMapsSay, ()) {
  const auto policy = engine::CollisionPolicy::keep_newest;
  expect_as_maps_say(imported({}, random_file(4), policy), imported({}, random_file(4), policy));
}

RC_GTEST_PROP(Difference, OfOneTopologyIsThatPartOfTheWhole, ()) {
  const auto policy = engine::CollisionPolicy::keep_newest;
  const Graph before = imported({}, random_file(4), policy);
  const Graph after = imported(state_of(before), random_file(4), policy);
  const std::string topology = random_topology_id();
  std::set<Key> expected;
  const Difference whole(before, after);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const engine::ElementDifference element = whole.at(i);
    const bool wanted = (element.before && belongs(before, element.before, topology)) ||
                        (element.after && belongs(after, element.after, topology));
    if (wanted) expected.emplace(element.kind, element.identifier);
  }
  RC_ASSERT(keys_of(Difference(before, after, topology)) == expected);
}

RC_GTEST_PROP(Difference, LeavesOutNothingWhereIdentifiersAreShared, ()) {
  const auto policy = engine::CollisionPolicy::keep_separate;
  const Graph before = imported({}, random_file(4), policy);
  const Graph after = imported(state_of(before), random_file(4), policy);
  const std::set<Key> found = keys_of(Difference(before, after));
  const std::set<Key> expected = keys_that_differ(contents(before), contents(after));
  RC_ASSERT(std::ranges::includes(found, expected));
}

}  // namespace
}  // namespace netml::test
