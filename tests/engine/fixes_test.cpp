// What mends a finding: which duplicates become one and which do not, who owns what nobody owned,
// what garbled text meant. On small maps, planned and applied.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "engine/fixes/decoded_text.hpp"
#include "engine/fixes/plan_fixes.hpp"
#include "tests/engine/quality_source.hpp"

namespace netml::engine {
namespace {

using test::add;
using test::add_link;
using test::degrees;
using test::Draft;
using test::kNow;
using test::Source;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

RecordId id_of(std::size_t place) {
  return RecordId{static_cast<std::uint32_t>(place + 1)};
}

class Fixes : public testing::Test {
 protected:
  Fixes() : countries(test::two_countries()) {
    std::mt19937 random(5);
    source = test::sound_source(random);
  }

  std::size_t add_institution(const std::string& id, const std::string& name) {
    return add(
        source,
        {.kind = Kind::institution, .id = id, .name = name, .topologies = {source.topology}});
  }
  std::size_t add_topology(const std::string& id, std::vector<std::size_t> owners = {}) {
    return add(source, {.kind = Kind::topology,
                        .id = id,
                        .name = id,
                        .topologies = {source.topology},
                        .owners = std::move(owners)});
  }
  Draft& node(std::size_t i) { return source.node(i); }

  Result<FixPlan> planned(const WantedFixes& wanted) {
    state.graph = source.build();
    return plan_fixes(state, countries, kNow, wanted);
  }
  // The plan, which is applied.
  FixPlan fix(const WantedFixes& wanted) {
    auto plan = planned(wanted);
    EXPECT_TRUE(plan) << plan.error().text();
    auto after = apply(state, plan->transaction, state.lsn.next());
    EXPECT_TRUE(after) << after.error().text();
    state = *std::move(after);
    return *std::move(plan);
  }
  std::vector<RecordId> owners_of(std::size_t place) const {
    const auto owners = state.graph.relations(id_of(place)).owners();
    return {owners.begin(), owners.end()};
  }
  const Attributes& attributes_of(std::size_t place) const {
    return state.graph.attributes(id_of(place));
  }
  static std::string text_of(const std::vector<FixPlan::Line>& lines, std::size_t place) {
    for (const FixPlan::Line& line : lines)
      if (line.record == id_of(place)) return line.text;
    return "(none)";
  }

  Countries countries;
  Source source;
  State state;
};

TEST_F(Fixes, MergeInstitutionsIntoTheOneThatOwnsMost) {
  const std::size_t other = add_institution("urn:owner", "Example operator, Inc.");
  source.records[other].properties = {{"url", "https://example.org/net"}, {"tag", "member"}};
  source.records[other].unlocode = "NOXAA";
  const std::size_t below = add_topology("urn:below", {other});
  source.records[other].topologies = {below};
  node(0).owners = {other};
  const FixPlan plan = fix({.check = Check::identifier_repeated});
  EXPECT_FALSE(state.graph.contains(id_of(other)));
  EXPECT_THAT(owners_of(source.nodes[0]), ElementsAre(id_of(source.owner)));
  EXPECT_THAT(owners_of(below), ElementsAre(id_of(source.owner)));
  EXPECT_THAT(attributes_of(source.owner).properties(),
              ElementsAre(Property{"url", "https://example.org/net"},
                          Property{"email", "noc@example.org"}, Property{"tag", "member"}));
  EXPECT_EQ(attributes_of(source.owner).name(), "Example operator");
  EXPECT_EQ(attributes_of(source.owner).unlocode(), "NOXAA");
  EXPECT_THAT(state.graph.relations(id_of(source.owner)).topologies(),
              ElementsAre(id_of(source.topology), id_of(below)));
  EXPECT_THAT(text_of(plan.mended, other),
              HasSubstr("merge it into Example operator <urn:owner>, which owns most"));
  EXPECT_THAT(text_of(plan.mended, source.owner), HasSubstr("merge 1 other into this one"));
}

TEST_F(Fixes, KeepTheOldestOfThoseThatOwnAsMuch) {
  const std::size_t first = add_institution("urn:a", "Twin");
  const std::size_t second = add_institution("urn:b", "twin");
  node(0).owners = {second};
  node(1).owners = {first};
  const FixPlan plan = fix({.check = Check::name_repeated});
  EXPECT_TRUE(state.graph.contains(id_of(first)));
  EXPECT_FALSE(state.graph.contains(id_of(second)));
  EXPECT_THAT(text_of(plan.mended, second), HasSubstr("which has been here longest"));
}

TEST_F(Fixes, LeaveInstitutionsOfDifferentCountriesAndPlaces) {
  const std::size_t here = add_institution("urn:a", "University");
  const std::size_t there = add_institution("urn:b", "University");
  const std::size_t north = add_institution("urn:c", "University");
  source.records[here].properties = {{"country", "NO"}};
  source.records[here].coordinates = degrees(61, 10);
  source.records[there].properties = {{"country", "SE"}};
  source.records[north].coordinates = degrees(69, 10);
  node(0).owners = {here};
  const FixPlan plan = fix({.check = Check::name_repeated});
  EXPECT_THAT(plan.mended, IsEmpty());
  EXPECT_TRUE(plan.transaction.empty());
  EXPECT_EQ(text_of(plan.left, there), "they name different countries");
  EXPECT_THAT(text_of(plan.left, north), HasSubstr("km apart"));
}

TEST_F(Fixes, MergeNodesOfOneIdentifierAtOnePlace) {
  Draft again = node(0);
  again.properties = {{"rack", "7"}};
  const std::size_t other = add(source, again);
  const std::size_t link = add_link(source, other, source.nodes[4]);
  fix({.check = Check::identifier_repeated});
  EXPECT_FALSE(state.graph.contains(id_of(other)));
  EXPECT_THAT(state.graph.relations(id_of(link)).ends(),
              ElementsAre(id_of(source.nodes[0]), id_of(source.nodes[4])));
  EXPECT_EQ(attributes_of(source.nodes[0]).property_count(), 3U);
}

TEST_F(Fixes, LeaveNodesThatMayBeTwo) {
  Draft again = node(0);
  const std::size_t joined = add(source, again);
  add_link(source, joined, source.nodes[0]);
  again = node(1);
  again.coordinates = degrees(60.9, 6);
  node(1).coordinates = degrees(64, 6);
  const std::size_t far = add(source, again);
  again = node(2);
  const std::size_t stranger = add(source, again);
  source.records[stranger].owners = {add_institution("urn:stranger", "Stranger")};
  const FixPlan plan = fix({.check = Check::identifier_repeated});
  EXPECT_THAT(plan.mended, IsEmpty());
  EXPECT_EQ(text_of(plan.left, joined), "a link joins them");
  EXPECT_THAT(text_of(plan.left, far), HasSubstr("km apart"));
  EXPECT_EQ(text_of(plan.left, stranger), "they have different owners");
  const FixPlan names = fix({.check = Check::name_repeated});
  EXPECT_THAT(names.mended, IsEmpty());
}

TEST_F(Fixes, MergeLinksOfOneCircuit) {
  source.link(0).properties.emplace_back("circuit_id", "EX-1");
  Draft again = source.link(0);
  again.id += ":again";
  again.properties.emplace_back("order", "12");
  std::swap(again.ends[0], again.ends[1]);
  const std::size_t other = add(source, again);
  fix({.check = Check::link_repeated});
  EXPECT_FALSE(state.graph.contains(id_of(other)));
  EXPECT_EQ(attributes_of(source.links[0]).property_count(), 5U);
}

TEST_F(Fixes, GiveALinkToTheOwnerOfBothItsEnds) {
  const std::size_t other = add_institution("urn:other", "Other");
  node(0).owners = {other};
  node(1).owners = {other};
  source.link(0).owners.clear();
  source.link(1).owners.clear();  // of nodes 1 and 2: its ends differ
  const FixPlan plan = fix({.check = Check::owner_missing});
  EXPECT_THAT(owners_of(source.links[0]), ElementsAre(id_of(other)));
  EXPECT_THAT(owners_of(source.links[1]), ElementsAre(id_of(source.owner)));
  EXPECT_EQ(text_of(plan.mended, source.links[0]),
            "give it to Other <urn:other>, which owns both its ends");
  EXPECT_EQ(text_of(plan.mended, source.links[1]),
            "give it to Example operator <urn:owner>, which owns the topology Example network "
            "<urn:topology>");
}

TEST_F(Fixes, GiveATopologyToTheOwnerOfTheOneAboveIt) {
  const std::size_t below = add_topology("urn:below");
  node(0).topologies = {below};
  node(0).owners.clear();
  fix({.check = Check::owner_missing});
  EXPECT_THAT(owners_of(below), ElementsAre(id_of(source.owner)));
  EXPECT_THAT(owners_of(source.nodes[0]), ElementsAre(id_of(source.owner)));
}

TEST_F(Fixes, GiveATopologyToWhoOwnsAllInIt) {
  source.records[source.topology].owners.clear();
  node(0).owners.clear();
  const FixPlan plan = fix({.check = Check::owner_missing});
  EXPECT_THAT(owners_of(source.topology), ElementsAre(id_of(source.owner)));
  EXPECT_THAT(owners_of(source.nodes[0]), ElementsAre(id_of(source.owner)));
  EXPECT_THAT(text_of(plan.mended, source.topology), HasSubstr("all that has an owner in"));
}

TEST_F(Fixes, GuessNoOwnerWhereSeveralSuggestThemselves) {
  source.records[source.topology].owners.clear();
  node(0).owners = {add_institution("urn:other", "Other")};
  node(3).owners.clear();
  const FixPlan plan = fix({.check = Check::owner_missing});
  EXPECT_THAT(plan.mended, IsEmpty());
  EXPECT_EQ(plan.left.size(), 2U);
  EXPECT_TRUE(owners_of(source.nodes[3]).empty());
}

TEST_F(Fixes, MoveWhatStandsWhereLatitudeAndLongitudeAreExchanged) {
  const Coordinates meant = *node(3).coordinates;
  node(3).coordinates = {meant.longitude, meant.latitude};
  const FixPlan plan = fix({.check = Check::place_swapped});
  EXPECT_EQ(attributes_of(source.nodes[3]).coordinates(), meant);
  EXPECT_THAT(text_of(plan.mended, source.nodes[3]), HasSubstr("latitude and longitude exchanged"));
}

TEST_F(Fixes, LeaveOneOfEachProperty) {
  node(0).properties = {{"a", "1"}, {"b", ""}, {"a", "1"}, {"a", "2"}, {"c", " "}};
  fix({.check = Check::property_repeated});
  EXPECT_EQ(attributes_of(source.nodes[0]).property_count(), 4U);
  const FixPlan plan = fix({.check = Check::property_empty});
  EXPECT_EQ(text_of(plan.mended, source.nodes[0]), "remove what has no value: b, c");
  EXPECT_THAT(attributes_of(source.nodes[0]).properties(),
              ElementsAre(Property{"a", "1"}, Property{"a", "1"}, Property{"a", "2"}));
}

TEST_F(Fixes, DecodeNamesAndLeaveThoseThatLostLetters) {
  node(0).name = "Troms\u00c3\u00b8";
  node(1).name = "Troms\ufffd";
  const FixPlan plan = fix({.check = Check::name_garbled});
  EXPECT_EQ(attributes_of(source.nodes[0]).name(), "Troms\u00f8");
  EXPECT_EQ(attributes_of(source.nodes[1]).name(), "Troms\ufffd");
  EXPECT_EQ(text_of(plan.mended, source.nodes[0]), "read it as Troms\u00f8");
  EXPECT_EQ(text_of(plan.left, source.nodes[1]), "which letters were lost cannot be known");
}

TEST_F(Fixes, AreOfOneTopologyOrOneRecordWhereThatIsWanted) {
  const std::size_t below = add_topology("urn:below", {source.owner});
  node(0).topologies = {below};
  for (const std::size_t i : {0, 1, 2}) node(i).owners.clear();
  auto plan = planned({.check = Check::owner_missing, .topology = id_of(below)});
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->mended.size(), 1U);
  EXPECT_EQ(plan->mended[0].record, id_of(source.nodes[0]));
  plan = planned({.check = Check::owner_missing, .record = id_of(source.nodes[2])});
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->mended.size(), 1U);
  EXPECT_EQ(plan->mended[0].record, id_of(source.nodes[2]));
}

TEST_F(Fixes, AreRefusedForWhatNobodyCanMend) {
  const auto plan = planned({.check = Check::topology_old});
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, Errc::invalid_input);
  EXPECT_EQ(plan.error().field, "check");
  EXPECT_THAT(plan.error().message, HasSubstr("owner-missing"));
}

TEST(DecodedText, IsWhatWasMeantOrNothing) {
  EXPECT_EQ(decoded("caf\u00c3\u00a9"), "caf\u00e9");
  EXPECT_EQ(decoded("\u00e2\u20ac\u201cand\u00e2\u20ac\u2122"), "\u2013and\u2019");  // Windows-1252
  EXPECT_EQ(decoded("Troms&oslash; &#38; &#xe9;"), "Troms\u00f8 & \u00e9");
  EXPECT_EQ(decoded("AT&amp;T"), "AT&T");
  EXPECT_EQ(decoded("Universit?t"), std::nullopt);
  EXPECT_EQ(decoded("Troms\ufffd"), std::nullopt);
  EXPECT_EQ(decoded("&none;"), std::nullopt);
  EXPECT_EQ(decoded("&#0;"), std::nullopt);
  // Half of it was garbled: another letter is no byte of UTF-8.
  EXPECT_EQ(decoded("\u00e9t\u00e9 caf\u00c3\u00a9"), std::nullopt);
  EXPECT_EQ(decoded("\u4eac caf\u00c3\u00a9"), std::nullopt);
}

}  // namespace
}  // namespace netml::engine
