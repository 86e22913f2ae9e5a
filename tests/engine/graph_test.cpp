#include "engine/graph/graph.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include <array>
#include <string>
#include <vector>

#include "engine/graph/graph_changes.hpp"
#include "tests/support/colliding_identifiers.hpp"
#include "tests/support/graph_builder.hpp"

namespace netml::engine {
namespace {

using test::GraphBuilder;

TEST(Graph, FindsRecordsByKindAndIdentifier) {
  GraphBuilder builder;
  const RecordId topology = builder.topology("x");
  const RecordId node = builder.node("x", {topology}, {});
  const RecordId first = builder.institution("same", {topology});
  const RecordId second = builder.institution("same", {topology});
  const Graph graph = builder.build();
  EXPECT_EQ(graph.find(Kind::topology, "x"), std::vector{topology});
  EXPECT_EQ(graph.find(Kind::node, "x"), std::vector{node});
  EXPECT_EQ(graph.find(Kind::institution, "same"), (std::vector{first, second}));
  EXPECT_EQ(graph.find_newest(Kind::institution, "same"), second);
  EXPECT_TRUE(graph.find(Kind::link, "x").empty());
}

TEST(Graph, KnowsTheOnlyRecordOfAnIdentifier) {
  GraphBuilder builder;
  const RecordId topology = builder.topology("x");
  const RecordId node = builder.node("x", {topology}, {});
  const RecordId first = builder.institution("same", {topology});
  const RecordId second = builder.institution("same", {topology});
  const Graph before = builder.build();
  EXPECT_TRUE(before.is_only(node, Kind::node, "x"));
  EXPECT_FALSE(before.is_only(node, Kind::topology, "x"));
  EXPECT_FALSE(before.is_only(node, Kind::node, "y"));
  EXPECT_FALSE(before.is_only(first, Kind::institution, "same"));
  EXPECT_FALSE(before.is_only(RecordId{}, Kind::node, "x"));
  EXPECT_FALSE(before.is_only(before.next_id(), Kind::node, "x"));
  GraphChanges changes(before);
  changes.put(first, Record{});
  const Graph after = std::move(changes).finish();
  EXPECT_TRUE(after.is_only(second, Kind::institution, "same"));
  EXPECT_FALSE(after.is_only(first, Kind::institution, "same"));
}

TEST(Graph, ListsTopologiesWithoutParentBelowNone) {
  GraphBuilder builder;
  const RecordId a = builder.topology("a");
  const RecordId b = builder.topology("b");
  const RecordId child = builder.topology("child", a);
  const Graph graph = builder.build();
  EXPECT_EQ(graph.children(RecordId{}), (std::vector{a, b}));
  EXPECT_EQ(graph.children(a), std::vector{child});
}

TEST(Graph, VisitsTheRecordsOfAKindAndEstimatesReferrers) {
  GraphBuilder builder;
  std::vector<RecordId> topologies{builder.topology("t")};
  std::vector<RecordId> institutions;
  for (int i = 0; i < 3000; ++i) {  // over several leaves
    const std::string id = std::to_string(i);
    if (i % 700 == 5) topologies.push_back(builder.topology("t" + id, topologies.front()));
    institutions.push_back(builder.institution(id, {topologies.back()}));
  }
  GraphChanges changes(builder.build());
  changes.put(institutions[10], Record{});
  institutions.erase(institutions.begin() + 10);
  const Graph graph = std::move(changes).finish();
  for (const auto kind : {Kind::topology, Kind::institution, Kind::node, Kind::link}) {
    std::vector<RecordId> visited;
    graph.for_each_of(kind, [&](RecordId id) { visited.push_back(id); });
    std::vector<RecordId> expected;
    if (kind == Kind::topology) expected = topologies;
    if (kind == Kind::institution) expected = institutions;
    EXPECT_EQ(visited, expected);
  }
  for (const RecordId topology : topologies)
    EXPECT_GE(graph.referrers_about(topology), graph.referrers(topology).size());
}

TEST(Graph, KeepsEdgesTrueWhenRelationsChange) {
  GraphBuilder builder;
  const RecordId a = builder.topology("a");
  const RecordId b = builder.topology("b");
  const RecordId node = builder.node("n", {a}, {});
  const Graph before = builder.build();
  GraphChanges changes(before);
  const RecordId both[] = {a, b};
  changes.put(node, {before.record(node).attributes, Relations::make({.topologies = both})});
  const Graph after = std::move(changes).finish();
  EXPECT_EQ(after.members(a, Kind::node), std::vector{node});
  EXPECT_EQ(after.members(b, Kind::node), std::vector{node});
  EXPECT_TRUE(before.members(b, Kind::node).empty());
}

// Every topology has one institution among its members, as that which owns all that has no owner.
// With each that came, its edges to all of them were put anew, and a start that replayed them took
// the square of their number. Counted is the memory that a version does not share with the one
// before: each leaf of edges that a change touches is copied.
TEST(Graph, TouchesNoOtherEdgesWhenAMemberOfManyTopologiesJoinsOneMore) {
  constexpr std::size_t kTopologies = 5000;
  constexpr std::size_t kCopiedMax = kTopologies * sizeof(RecordId) + (32 << 10);
  GraphBuilder builder;
  std::vector<RecordId> topologies;
  for (std::size_t i = 0; i < kTopologies; ++i) {
    topologies.push_back(builder.topology("t" + std::to_string(i)));
    for (std::size_t j = 0; j < 10; ++j)
      builder.node("n" + std::to_string(10 * i + j), {topologies.back()}, {});
  }
  const RecordId joining = topologies.back();
  topologies.pop_back();
  const RecordId member = builder.institution("everywhere", topologies);
  const Graph before = builder.build();
  topologies.push_back(joining);
  const auto used = [] { return ::mallinfo2().uordblks + ::mallinfo2().hblkhd; };
  const std::size_t used_before = used();
  GraphChanges changes(before);
  changes.put(member,
              {before.record(member).attributes, Relations::make({.topologies = topologies})});
  const Graph after = std::move(changes).finish();
  EXPECT_LT(used() - used_before, kCopiedMax);
  EXPECT_EQ(after.members(joining, Kind::institution), std::vector{member});
  EXPECT_EQ(after.members(topologies.front(), Kind::institution), std::vector{member});
}

TEST(Graph, KeepsEdgesTrueWhenTheirOrderIsAnother) {
  GraphBuilder builder;
  const RecordId a = builder.topology("a");
  const RecordId b = builder.topology("b");
  const RecordId c = builder.topology("c");
  const RecordId node = builder.node("n", {c, a}, {});
  const Graph before = builder.build();
  GraphChanges changes(before);
  const RecordId others[] = {b, a};
  changes.put(node, {before.record(node).attributes, Relations::make({.topologies = others})});
  const Graph after = std::move(changes).finish();
  EXPECT_EQ(after.members(a, Kind::node), std::vector{node});
  EXPECT_EQ(after.members(b, Kind::node), std::vector{node});
  EXPECT_TRUE(after.members(c, Kind::node).empty());
}

TEST(Graph, ForgetsADeletedRecordEverywhere) {
  GraphBuilder builder;
  const RecordId topology = builder.topology("t", {}, {}, true);
  const RecordId node = builder.node("n", {topology}, {});
  const Graph before = builder.build();
  GraphChanges changes(before);
  changes.put(node, Record{});
  const Graph after = std::move(changes).finish();
  EXPECT_FALSE(after.contains(node));
  EXPECT_TRUE(after.find(Kind::node, "n").empty());
  EXPECT_TRUE(after.members(topology, Kind::node).empty());
  EXPECT_EQ(after.count(Kind::node), 0U);
  EXPECT_EQ(after.number(node), RecordNumber{});
  EXPECT_TRUE(before.contains(node));
}

TEST(Graph, DigestDependsOnTheRecordsNotOnTheWayThere) {
  GraphBuilder builder;
  const RecordId topology = builder.topology("t");
  const RecordId node = builder.node("n", {topology}, {});
  const Graph graph = builder.build();
  GraphChanges changes(graph);
  const Record value = graph.record(node);
  changes.put(node, Record{});
  changes.flush();
  EXPECT_FALSE(changes.graph().digest() == graph.digest());
  changes.put(node, value);
  changes.set_number(node, graph.number(node));
  EXPECT_EQ(std::move(changes).finish().digest(), graph.digest());
}

TEST(Graph, RenumbersMembersByKindThenIdentity) {
  GraphBuilder builder;
  const RecordId topology = builder.topology("t");
  const RecordId a = builder.node("a", {topology}, {});
  const RecordId b = builder.node("b", {topology}, {});
  const RecordId link = builder.link("l", {topology}, {}, a, b);
  const RecordId owner = builder.institution("i", {topology});
  GraphChanges changes(builder.build());
  InlineParallel parallel;
  EXPECT_EQ(changes.renumber(std::array{MemberNumbers{topology, RecordNumber{100}}}, parallel),
            std::vector<std::uint64_t>{4});
  const Graph graph = std::move(changes).finish();
  EXPECT_EQ(graph.number(owner), RecordNumber{100});
  EXPECT_EQ(graph.number(a), RecordNumber{101});
  EXPECT_EQ(graph.number(b), RecordNumber{102});
  EXPECT_EQ(graph.number(link), RecordNumber{103});
  EXPECT_EQ(graph.next_number(), RecordNumber{104});
  EXPECT_EQ(graph.find_by_number(RecordNumber{102}), b);
}

AttributesPtr attributes_of(Kind kind, std::string_view id) {
  AttributeFields fields;
  fields.kind = kind;
  fields.id = id;
  return Attributes::make(fields);
}

// Its records lie in several blocks of all that holds them: nodes in one of two topologies, or
// both.
Graph wide_graph() {
  constexpr std::array kTopologies{RecordId{1}, RecordId{2}};
  GraphChanges changes{Graph{}};
  changes.put(kTopologies[0], {attributes_of(Kind::topology, "t"), Relations::make({})});
  changes.put(kTopologies[1], {attributes_of(Kind::topology, "u"), Relations::make({})});
  for (RecordId id{10}; id.value < 400'000; id.value += 997) {
    RelationFields fields;
    fields.topologies = kTopologies;
    if (id.value % 3 != 0) fields.topologies = fields.topologies.subspan(id.value % 3 - 1, 1);
    changes.put(id, {attributes_of(Kind::node, std::to_string(id.value)), Relations::make(fields)});
  }
  return std::move(changes).finish();
}

// Few are taken out of the indexes one by one, of many these are written again.
TEST(Graph, LosesManyRecordsAtOnceAsOneByOne) {
  const Graph before = wide_graph();
  for (const std::uint32_t kept_of_ten : {0U, 1U, 9U}) {
    GraphChanges at_once(before);
    Graph one_by_one = before;
    before.for_each_of(Kind::node, [&](RecordId id) {
      if (id.value % 10 < kept_of_ten) return;
      at_once.put(id, {});
      GraphChanges one(one_by_one);
      one.put(id, {});
      one_by_one = std::move(one).finish();
    });
    const Graph graph = std::move(at_once).finish();
    EXPECT_EQ(graph.digest(), one_by_one.digest());
    for (const RecordId topology : {RecordId{1}, RecordId{2}})
      EXPECT_EQ(graph.referrers(topology), one_by_one.referrers(topology));
    before.for_each_of(Kind::node, [&](RecordId id) {
      EXPECT_EQ(graph.find(Kind::node, before.attributes(id).id()),
                one_by_one.find(Kind::node, before.attributes(id).id()));
    });
  }
  EXPECT_EQ(before.referrers(RecordId{1}), wide_graph().referrers(RecordId{1}));
}

TEST(Graph, IsRenumberedOnTwoCoresAsOnOne) {
  const Graph before = wide_graph();
  const std::array topologies{MemberNumbers{RecordId{1}, RecordNumber{1000}},
                              MemberNumbers{RecordId{1}, RecordNumber{3000}},
                              MemberNumbers{RecordId{2}, RecordNumber{5000}}};
  GraphChanges one_by_one(before);
  std::vector<std::uint64_t> counts;
  for (const auto& [topology, first] : topologies) {
    RecordNumber next = first;
    for (const RecordId member : before.members(topology, Kind::node)) {
      one_by_one.set_number(member, next);
      ++next.value;
    }
    one_by_one.set_next(RecordId{}, next);
    counts.push_back(next.value - first.value);
  }
  const Graph expected = std::move(one_by_one).finish();
  HelperThreads two(1);
  GraphChanges changes(before);
  EXPECT_EQ(changes.renumber(topologies, two), counts);
  EXPECT_TRUE(changes.renumber({}, two).empty());
  const Graph graph = std::move(changes).finish();
  EXPECT_EQ(graph.digest(), expected.digest());
  EXPECT_EQ(graph.next_number(), expected.next_number());
  RecordNumber next{5000};
  for (const RecordId member : graph.members(RecordId{2}, Kind::node)) {
    EXPECT_EQ(graph.number(member), next) << "the last topology of a record gives its number";
    EXPECT_EQ(expected.number(member), next);
    ++next.value;
  }
  EXPECT_EQ(next.value - 5000, counts[2]);
  EXPECT_EQ(before.digest(), wide_graph().digest()) << "the version before is as it was";
}

TEST(Graph, TakesOtherAttributesOnTwoCoresAsOneByOne) {
  const Graph before = wide_graph();
  HelperThreads two(1);
  std::vector<AttributesPtr> attributes(before.next_id().value);
  GraphChanges one_by_one(before);
  before.for_each_of(Kind::node, [&](RecordId id) {
    if (id.value % 2 == 0) return;
    const bool is_copy = id.value % 5 == 0;
    AttributesPtr& other = attributes[id.value];
    other = changed_copy(before.attributes(id), [&](AttributeFields& fields) {
      fields.name = "another name";
      if (id.value % 7 == 0) fields.id = "also another identifier";
      static constexpr Property kCopied[] = {{kFromTopology, "t"}};
      if (is_copy) fields.properties = kCopied;
    });
    one_by_one.put(id, {other, before.record(id).relations});
  });
  GraphChanges at_once(before);
  at_once.put_attributes(attributes, two);
  const Graph expected = std::move(one_by_one).finish();
  const Graph graph = std::move(at_once).finish(two);
  EXPECT_EQ(graph.digest(), expected.digest());
  EXPECT_EQ(graph.content_digest(), expected.content_digest());
  EXPECT_EQ(graph.memory_bytes(), expected.memory_bytes());
  EXPECT_EQ(graph.copies(), expected.copies());
  EXPECT_FALSE(graph.copies().empty());
  EXPECT_EQ(graph.find(Kind::node, "also another identifier"),
            expected.find(Kind::node, "also another identifier"));
  EXPECT_TRUE(graph.has_duplicates());
  EXPECT_EQ(before.digest(), wide_graph().digest()) << "the version before is as it was";
}

TEST(Graph, TracksMainTopologiesAndCopies) {
  GraphBuilder builder;
  const RecordId topology = builder.topology("t", {}, {}, true);
  GraphChanges changes(builder.build());
  const Property mark[] = {{kFromTopology, "urn:x"}};
  AttributeFields fields;
  fields.kind = Kind::node;
  fields.id = "copy";
  fields.name = "copy";
  fields.properties = mark;
  const RecordId copy{50};
  changes.put(copy,
              {Attributes::make(fields), Relations::make({.topologies = std::span(&topology, 1)})});
  const Graph graph = std::move(changes).finish();
  EXPECT_EQ(graph.mains(), std::vector{topology});
  EXPECT_EQ(graph.copies(), std::vector{copy});
  EXPECT_EQ(graph.next_id(), RecordId{51});
}

// Small changes look identifiers up one by one, large ones walk the whole index; both must keep the
// same groups, whatever comes, goes, or changes its identifier.
TEST(Graph, KnowsWhichIdentifiersOccurMoreThanOnceAfterChangesOfAnySize) {
  for (const std::uint32_t others : {0U, 2000U}) {
    SCOPED_TRACE(others);
    test::GraphBuilder builder;
    const RecordId topology = builder.topology("t");
    for (std::uint32_t i = 0; i < others; ++i)
      builder.node("other " + std::to_string(i), {topology}, {});
    const RecordId a = builder.node("n", {topology}, {});
    const RecordId b = builder.node("n", {topology}, {});
    builder.institution("n", {topology});
    const Graph first = builder.build();
    EXPECT_EQ(first.duplicates(Kind::node), (std::vector<std::vector<RecordId>>{{a, b}}));
    EXPECT_TRUE(first.duplicates(Kind::institution).empty());

    GraphChanges renaming(first);
    AttributeFields fields = first.attributes(b).fields();
    fields.id = "m";
    renaming.put(b, {Attributes::make(fields), first.record(b).relations});
    const Graph renamed = std::move(renaming).finish();
    EXPECT_FALSE(renamed.has_duplicates());

    GraphChanges adding(renamed);
    const RecordId c = renamed.next_id();
    adding.put(c, renamed.record(b));
    const Graph added = std::move(adding).finish();
    EXPECT_EQ(added.duplicates(Kind::node), (std::vector<std::vector<RecordId>>{{b, c}}));

    GraphChanges removing(added);
    removing.put(b, Record{});
    EXPECT_FALSE(std::move(removing).finish().has_duplicates());
    EXPECT_TRUE(first.has_duplicates()) << "the first version stays as it was";
  }
}

TEST(Graph, TakesNoIdentifiersForOneBecauseTheyShareAHash) {
  const auto [one, other] = netml::test::identifiers_of_one_hash();
  for (const std::uint32_t others : {0U, 2000U}) {
    SCOPED_TRACE(others);
    GraphBuilder builder;
    const RecordId topology = builder.topology("t");
    for (std::uint32_t i = 0; i < others; ++i)
      builder.node("other " + std::to_string(i), {topology}, {});
    const RecordId a = builder.node(one, {topology}, {});
    const RecordId b = builder.node(other, {topology}, {});
    const Graph apart = builder.build();
    EXPECT_FALSE(apart.has_duplicates());
    EXPECT_TRUE(apart.is_only(a, Kind::node, one));
    EXPECT_TRUE(apart.is_only(b, Kind::node, other));
    EXPECT_EQ(apart.find(Kind::node, other), std::vector{b});

    GraphChanges adding(apart);
    const RecordId c = apart.next_id();
    adding.put(c, apart.record(b));
    const Graph shared = std::move(adding).finish();
    EXPECT_EQ(shared.duplicates(Kind::node), (std::vector<std::vector<RecordId>>{{b, c}}));
    EXPECT_FALSE(shared.is_only(b, Kind::node, other));

    GraphChanges removing(shared);
    removing.put(b, Record{});
    EXPECT_FALSE(std::move(removing).finish().has_duplicates());
  }
}

TEST(Graph, VisitsTheRecordsOfAKindAlone) {
  GraphBuilder builder;
  const RecordId topology = builder.topology("t");
  std::vector<RecordId> nodes;
  std::vector<RecordId> institutions;
  for (int i = 0; i < 1500; ++i) {
    nodes.push_back(builder.node("n" + std::to_string(i), {topology}, {}));
    if (i % 400 == 0)
      institutions.push_back(builder.institution("i" + std::to_string(i), {topology}));
  }
  const Graph graph = builder.build();
  const auto of = [&](Kind kind) {
    std::vector<RecordId> found;
    graph.for_each_of(kind, [&](RecordId id) { found.push_back(id); });
    return found;
  };
  EXPECT_EQ(of(Kind::topology), std::vector{topology});
  EXPECT_EQ(of(Kind::institution), institutions);
  EXPECT_EQ(of(Kind::node), nodes);
  EXPECT_TRUE(of(Kind::link).empty());
  EXPECT_GE(graph.referrers_about(topology), nodes.size() + institutions.size());
  EXPECT_LE(graph.referrers_about(topology), nodes.size() + institutions.size() + 512);
}

}  // namespace
}  // namespace netml::engine
