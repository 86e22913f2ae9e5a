// Goal: a peer says what its own network is, and cannot change what others say of theirs, nor what
// the node says itself, unless an administrator wants it to (docs/polling.md, "Authority").
// Method: two sources whose peers deliver what the test says; held imports are plans.
#include <gmock/gmock.h>

#include "admin/imports/import_plans.hpp"
#include "engine/edit/plan_edit.hpp"
#include "engine/import/plan_polls.hpp"
#include "tests/admin/support/poller_fixture.hpp"

namespace netml::admin {
namespace {

using engine::SourceAuthority;
using netml::test::institution;
using netml::test::TopologyText;
using testing::answer;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::kCaller;

// A network of fifty nodes, whose names begin as asked.
TopologyText network(const std::string& id, const std::string& names) {
  TopologyText text = netml::test::topology(id, id + ":i", institution(id + ":i"));
  for (int i = 0; i < 50; ++i)
    text.add(netml::test::node(id + ":" + std::to_string(i)).named(names + std::to_string(i)));
  return text;
}

// A network of one node, which may be that of another network.
TopologyText small(const std::string& id, const std::string& node, const std::string& name) {
  return netml::test::topology(id, id + ":i", institution(id + ":i"),
                               netml::test::node(node).named(name));
}

class SourceAuthorityTest : public testing::PollerFixture {
 protected:
  SourceAuthorityTest() : plans_(*node_) {
    for (const std::string name : {"a", "b"}) {
      add(name);
      SourceFields place;
      place.path = name + '/';
      NETML_ASSERT(sources_.update(kCaller, name, place).has_value());
    }
  }
  // From now on. The peer knows its map again by a tag.
  void has(const std::string& source, const std::string& map) {
    peer_.on("/" + source + "/netml_export/", [map](const net::Request& request) {
      const std::string tag = '"' + std::to_string(std::hash<std::string>()(map)) + '"';
      const bool known = request.headers.get("If-None-Match") == tag;
      net::Response response = answer(known ? 304 : 200, known ? "" : map);
      response.headers.set("ETag", tag);
      return response;
    });
  }
  PollReport poll_one(const std::string& source) { return poll_named({source}).front(); }
  PollEnd deliver(const std::string& source, const std::string& map) {
    has(source, map);
    return poll_one(source).end;
  }
  void expect_held(const std::string& source, const std::string& map, const std::string& because) {
    const engine::Digest before = state()->graph.digest();
    has(source, map);
    const PollReport report = poll_one(source);
    EXPECT_EQ(report.reason, "held") << report.message;
    EXPECT_THAT(report.message, HasSubstr(because));
    EXPECT_TRUE(state()->graph.digest() == before) << "nothing was changed";
    std::string reasons;
    state()->catalog.plans.for_each(
        [&](std::uint64_t, const engine::KeptPlan& plan) { reasons += plan.held_because + '\n'; });
    EXPECT_THAT(reasons, HasSubstr(because));
  }
  void may(const std::string& source, SourceAuthority authority,
           std::vector<std::string> listed = {}) {
    SourceFields fields;
    fields.authority = authority;
    if (!listed.empty()) fields.listed_topologies = std::move(listed);
    ASSERT_TRUE(sources_.update(kCaller, source, fields).has_value());
  }
  void upload(const std::string& map) {
    ASSERT_TRUE(testing::import_job(*node_, map)->commit().has_value());
  }
  std::string name_of(const std::string& node) {
    const RecordId id = state()->graph.find_newest(Kind::node, node);
    return id ? std::string(state()->graph.attributes(id).name()) : "none";
  }

  ImportPlans plans_;
};

TEST_F(SourceAuthorityTest, HoldsAMapThatOverwritesWhatAnotherSourceBrought) {
  ASSERT_EQ(deliver("a", network("A", "true ")), PollEnd::imported);
  expect_held("b", network("A", "false "),
              "it would change 50 elements of topology A <A>, which came from source \"a\" first");
  EXPECT_EQ(poll_one("a").end, PollEnd::unchanged);
  EXPECT_EQ(name_of("A:7"), "true 7");
  EXPECT_EQ(state()->catalog.plans.count(), 1U);
}

TEST_F(SourceAuthorityTest, HoldsAMapThatHasTheTopologyOfAnotherAsItIs) {
  ASSERT_EQ(deliver("a", network("A", "true ")), PollEnd::imported);
  expect_held("b", network("A", "true "), "it contains topology A <A>, which came from");
  expect_held("b", network("A", "false "), "it would change 50 elements");
}

TEST_F(SourceAuthorityTest, HoldsAMapThatChangesElementsOfAnotherByANetworkOfItsOwn) {
  ASSERT_EQ(deliver("a", network("A", "true ")), PollEnd::imported);
  expect_held("b", small("B", "A:7", "false"), "it would change 1 element of topology A <A>");
}

TEST_F(SourceAuthorityTest, HoldsAMapThatTakesOverOurMainTopology) {
  upload(network("Main", "ours "));
  ASSERT_EQ(state()->graph.mains().size(), 1U);
  expect_held("b", network("Main", "theirs "), "which is this node's own");
  expect_held("b", small("B", "Main:7", "theirs"), "which is this node's own");
  EXPECT_EQ(deliver("b", network("B", "theirs ")), PollEnd::imported);
  EXPECT_EQ(deliver("b", network("B", "new names ")), PollEnd::imported) << "it is its own";
}

TEST_F(SourceAuthorityTest, LetsNetworksShareWhatLiesBetweenThem) {
  ASSERT_EQ(deliver("a", small("A", "border", "here")), PollEnd::imported);
  ASSERT_EQ(deliver("b", small("B", "border", "here")), PollEnd::imported) << "said in one voice";
  EXPECT_EQ(deliver("a", small("A", "border", "there")), PollEnd::imported) << "A had it first";
  expect_held("b", small("B", "border", "nowhere"), "it would change 1 element of topology A");
  EXPECT_EQ(deliver("b", small("B", "B:n", "B:n")), PollEnd::imported) << "no longer shared";
  EXPECT_EQ(name_of("border"), "there");
}

TEST_F(SourceAuthorityTest, MayExtendToListedTopologies) {
  upload(network("Main", "ours "));
  ASSERT_EQ(deliver("a", network("A", "true ")), PollEnd::imported);
  may("b", SourceAuthority::listed, {"A"});
  EXPECT_EQ(deliver("b", network("A", "listed ")), PollEnd::imported);
  EXPECT_EQ(name_of("A:7"), "listed 7");
  expect_held("b", network("Main", "theirs "), "which is this node's own");
  may("b", SourceAuthority::own);
  EXPECT_TRUE(
      state()->catalog.sources.find(find_source(state()->catalog, "b"))->listed_topologies.empty());
  expect_held("b", network("A", "false "), "came from source \"a\" first");
}

TEST_F(SourceAuthorityTest, AnyIsTheWayOfTheReferenceNode) {
  upload(network("Main", "ours "));
  ASSERT_EQ(deliver("a", network("A", "true ")), PollEnd::imported);
  may("b", SourceAuthority::any);
  EXPECT_EQ(deliver("b", network("A", "false ")), PollEnd::imported);
  EXPECT_EQ(deliver("b", network("Main", "theirs ")), PollEnd::imported);
  EXPECT_EQ(name_of("Main:7"), "theirs 7");
}

TEST_F(SourceAuthorityTest, DoesNotPassOnWithWhatWasOverwritten) {
  ASSERT_EQ(deliver("a", network("A", "true ")), PollEnd::imported);
  may("b", SourceAuthority::any);
  ASSERT_EQ(deliver("b", network("A", "false ")), PollEnd::imported);
  may("b", SourceAuthority::own);
  expect_held("b", network("A", "falser "), "came from source \"a\" first");
  EXPECT_EQ(deliver("a", network("A", "truer ")), PollEnd::imported);
}

// ---- "unchanged" ----

TEST_F(SourceAuthorityTest, ImportsAnUnchangedMapAgainWhenAnotherOverwroteIt) {
  ASSERT_EQ(deliver("a", network("A", "true ")), PollEnd::imported);
  may("b", SourceAuthority::any);
  ASSERT_EQ(deliver("b", network("A", "false ")), PollEnd::imported);
  EXPECT_EQ(poll_one("a").end, PollEnd::imported) << "what it brought does not stand";
  EXPECT_EQ(name_of("A:7"), "true 7");
  EXPECT_EQ(poll_one("a").end, PollEnd::unchanged);
  EXPECT_EQ(poll_one("b").end, PollEnd::imported) << "nor does what this one brought";
}

TEST_F(SourceAuthorityTest, ImportsAnUnchangedMapAgainWhenAnUploadOverwroteIt) {
  ASSERT_EQ(deliver("a", network("A", "true ")), PollEnd::imported);
  upload(network("A", "uploaded "));
  EXPECT_EQ(poll_one("a").end, PollEnd::imported);
  EXPECT_EQ(name_of("A:7"), "true 7");
}

TEST_F(SourceAuthorityTest, KnowsAMapAsUnchangedWhenOthersOnlyShareIt) {
  ASSERT_EQ(deliver("a", small("A", "border", "here")), PollEnd::imported);
  ASSERT_EQ(deliver("b", small("B", "border", "here")), PollEnd::imported);
  EXPECT_EQ(poll_one("a").end, PollEnd::unchanged);
}

TEST_F(SourceAuthorityTest, AsksAgainForAMapThatWasOverwrittenWhileItWasFetched) {
  ASSERT_EQ(deliver("a", network("A", "true ")), PollEnd::imported);
  may("b", SourceAuthority::any);
  has("b", network("A", "false "));
  peer_.forget();
  const std::vector<PollReport> reports = poll_named({"b", "a"});
  EXPECT_EQ(reports.front().end, PollEnd::imported);
  EXPECT_EQ(reports.back().end, PollEnd::imported) << "its 304 was about what is gone";
  EXPECT_EQ(name_of("A:7"), "true 7");
}

// From a peer that has no tags, so that only the file itself tells.
TEST_F(SourceAuthorityTest, ImportsAFileAgainThatWasOverwrittenWhileItWasFetched) {
  peer_.on("/a/netml_export/", [map = std::string(network("A", "true "))](const net::Request&) {
    return answer(200, map);
  });
  ASSERT_EQ(poll_one("a").end, PollEnd::imported);
  ASSERT_EQ(poll_one("a").end, PollEnd::unchanged);
  may("b", SourceAuthority::any);
  has("b", network("A", "false "));
  const std::vector<PollReport> reports = poll_named({"b", "a"});
  EXPECT_EQ(reports.front().end, PollEnd::imported);
  EXPECT_EQ(reports.back().end, PollEnd::imported) << "it is that of before, but gone";
  EXPECT_EQ(name_of("A:7"), "true 7");
}

// ---- plans ----

TEST_F(SourceAuthorityTest, APlanThatIsAppliedIsForOnce) {
  ASSERT_EQ(deliver("a", network("A", "true ")), PollEnd::imported);
  expect_held("b", network("A", "agreed "), "came from source \"a\" first");
  ASSERT_TRUE(plans_.apply(kCaller, 1).has_value());
  EXPECT_EQ(name_of("A:7"), "agreed 7");
  expect_held("b", network("A", "false "), "came from source \"a\" first");
  EXPECT_EQ(poll_one("a").end, PollEnd::imported) << "and what it has is its own still";
  EXPECT_EQ(name_of("A:7"), "true 7");
}

TEST_F(SourceAuthorityTest, GivesTopologiesThatAnAppliedPlanBringsToItsSource) {
  upload(network("Main", "ours "));
  const std::string both = TopologyText(small("B", "Main:7", "theirs"))
                               .add(netml::test::topology("C", "B:i", institution("B:i")));
  expect_held("b", both, "which is this node's own");
  ASSERT_TRUE(plans_.apply(kCaller, 1).has_value());
  EXPECT_EQ(deliver("b", small("B", "B:n", "its own")), PollEnd::imported);
  EXPECT_FALSE(state()->graph.find_newest(Kind::topology, "C")) << "it may delete it, too";
}

// ---- sources ----

TEST_F(SourceAuthorityTest, StaysWithASourceThatMoves) {
  ASSERT_EQ(deliver("a", network("A", "true ")), PollEnd::imported);
  SourceFields moved;
  moved.path = "elsewhere/";
  ASSERT_TRUE(sources_.update(kCaller, "a", moved).has_value());
  EXPECT_EQ(poll_one("a").end, PollEnd::failed) << "nothing is there yet";
  has("elsewhere", network("A", "moved "));
  EXPECT_EQ(poll_one("a").end, PollEnd::imported);
  expect_held("b", network("A", "false "), "came from source \"a\" first");
}

// What was brought first, whoever changed it since.
TEST_F(SourceAuthorityTest, IsThatOfBeforeWhenASourceMoves) {
  const auto both = [](const std::string& names) -> std::string {
    return network("A", names).add(network("C", names));
  };
  ASSERT_EQ(deliver("a", both("true ")), PollEnd::imported);
  upload(network("C", "corrected "));
  SourceFields moved;
  moved.path = "elsewhere/";
  ASSERT_TRUE(sources_.update(kCaller, "a", moved).has_value());
  EXPECT_EQ(poll_one("a").end, PollEnd::failed) << "nothing is there yet";
  has("elsewhere", both("moved "));
  EXPECT_EQ(poll_one("a").end, PollEnd::imported);
  EXPECT_EQ(name_of("C:7"), "moved 7");
}

TEST_F(SourceAuthorityTest, EndsWithItsSource) {
  ASSERT_EQ(deliver("a", network("A", "true ")), PollEnd::imported);
  ASSERT_TRUE(sources_.remove(kCaller, "a").has_value());
  expect_held("b", network("A", "false "), "which is this node's own");
}

// Written before topologies were kept with what is known of a peer.
TEST_F(SourceAuthorityTest, IsKnownFromTheRootInOlderData) {
  const auto both = [](const std::string& names) -> std::string {
    return network("A", names).add(network("C", names));
  };
  ASSERT_EQ(deliver("a", both("true ")), PollEnd::imported);
  Change change{.caller = kCaller, .cause = engine::Cause::poll};
  change.plan = [](const engine::State& now, WallTime) -> Result<engine::Transaction> {
    engine::Transaction transaction = engine::empty_transaction(now);
    engine::PeerState older = *now.catalog.peer_states.find(2);
    older.topologies.reset();
    set_peer_state(transaction, now, 2, std::move(older));
    return transaction;
  };
  ASSERT_TRUE(node_->commit(std::move(change)).has_value());
  expect_held("b", network("C", "false "), "came from source \"a\" first");
  EXPECT_EQ(deliver("a", both("truer ")), PollEnd::imported);
  const engine::Graph& graph = state()->graph;
  EXPECT_THAT(
      state()->catalog.peer_states.find(2)->topologies.value(),
      ElementsAre(graph.find_newest(Kind::topology, "A"), graph.find_newest(Kind::topology, "C")));
}

}  // namespace
}  // namespace netml::admin
