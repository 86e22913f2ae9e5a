// Half links as texts of a property, and which of them are one link.
#include "engine/half_links/half_link.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/half_links/join_half_links.hpp"

namespace netml::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

HalfLink half(std::string port, std::vector<std::pair<std::string, std::string>> members) {
  HalfLink half(std::move(port));
  for (const auto& [name, value] : members) half.add(name, value);
  half.sort();
  return half;
}

AttributesPtr node_with(const std::vector<std::string>& values) {
  std::vector<Property> properties;
  for (const std::string& value : values) properties.push_back({kHalfLinkProperty, value});
  AttributeFields fields;
  fields.kind = Kind::node;
  fields.id = "n";
  fields.name = "n";
  fields.properties = properties;
  return Attributes::make(fields);
}

TEST(HalfLink, IsOneTextInOneOrder) {
  EXPECT_THAT(half("p", {{"odd", "1"}, {"labels", "5"}, {"out", "o"}, {"in", "i"}}).texts(),
              ElementsAre(R"({"port":"p","in":"i","out":"o","labels":"5","odd":"1"})"));
}

TEST(HalfLink, TakesMoreTextsWhereOneIsTooShort) {
  std::string labels;
  for (int i = 0; i < 200; ++i) labels += (i == 0 ? "" : ",") + std::to_string(10 * i);
  const HalfLink long_one = half("p", {{"labels", labels}, {"name", std::string(300, 'x')}});
  for (const std::string& text : long_one.texts()) EXPECT_LE(text.size(), 512U);
  const auto read = half_links_of(*node_with(long_one.texts()));
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0], long_one);
}

TEST(HalfLink, IsReadFromItsTextsWhateverTheirOrder) {
  const auto read = half_links_of(
      *node_with({R"({"port":"q","in":"1"})", "no half link", R"({"port":"p","in":"2"})",
                  R"({"in":"3"})", R"({"port":"p","in":"1","x":"y"})"}));
  EXPECT_THAT(read, ElementsAre(half("p", {{"in", "1"}, {"in", "2"}, {"x", "y"}}),
                                half("q", {{"in", "1"}})));
}

TEST(HalfLink, PassesOverWhatIsNone) {
  for (const char* text :
       {"", "{", "[]", R"({"port":7})", R"({"port":""})", R"({"port":"p","x":1})",
        R"({"port":"p"} )"
        "x"})
    EXPECT_FALSE(parse_half_link(text)) << text;
}

TEST(HalfLink, ComparesLabels) {
  const auto compare = [](std::string one, std::string other) {
    return compare_labels(half("p", {{"labels", std::move(one)}}),
                          half("q", {{"labels", std::move(other)}}));
  };
  EXPECT_EQ(compare("1-4,5-10", "1-10"), LabelsAre::equal);
  EXPECT_EQ(compare("1-4,8", "4-6"), LabelsAre::overlapping);
  EXPECT_EQ(compare("1-4,8", "5-7"), LabelsAre::disjoint);
  EXPECT_EQ(compare("1-4", "any"), LabelsAre::unknown);
  EXPECT_EQ(compare("4-1", "1"), LabelsAre::unknown);
  EXPECT_EQ(compare_labels(half("p", {{"labels", "1"}, {"label_type", "a"}}),
                           half("q", {{"labels", "1"}, {"label_type", "b"}})),
            LabelsAre::unknown);
}

// ---- joining ----

HalfLinkAt two_way(std::uint32_t node, const std::string& port, const std::string& peer) {
  return {RecordId{node}, half(port, {{"in", port + ":in"},
                                      {"out", port + ":out"},
                                      {"peer_in", peer + ":out"},
                                      {"peer_out", peer + ":in"}})};
}

TEST(JoinHalfLinks, JoinsPortsThatNameEachOther) {
  const auto joins = join_half_links({two_way(1, "b", "a"), two_way(2, "a", "b")});
  ASSERT_EQ(joins.joined.size(), 1U);
  EXPECT_EQ(joins.joined[0].first, 1U) << "the smaller port";
  EXPECT_TRUE(joins.unjoined.empty());
}

TEST(JoinHalfLinks, JoinsPortsWithoutParts) {
  const auto joins = join_half_links({{RecordId{1}, half("p", {{"peer", "q"}, {"link", "l"}})},
                                      {RecordId{2}, half("q", {{"peer", "p"}, {"link", "l"}})}});
  EXPECT_EQ(joins.joined.size(), 1U);
}

TEST(JoinHalfLinks, DoesNotJoinInboundPortsWithInboundOnes) {
  const auto joins =
      join_half_links({{RecordId{1}, half("p", {{"in", "p:in"}, {"peer_in", "q:in"}})},
                       {RecordId{2}, half("q", {{"in", "q:in"}, {"peer_in", "p:in"}})}});
  ASSERT_EQ(joins.unjoined.size(), 2U);
  EXPECT_EQ(joins.unjoined[0].why, Unjoined::dangling);
}

TEST(JoinHalfLinks, ListsOneSidedAndDanglingOnesWithTheReason) {
  const auto joins = join_half_links({two_way(1, "a", "b"),
                                      {RecordId{2}, half("b", {{"in", "b:in"}, {"out", "b:out"}})},
                                      two_way(3, "c", "nowhere")});
  ASSERT_EQ(joins.unjoined.size(), 2U);
  EXPECT_EQ(joins.unjoined[0].why, Unjoined::one_sided);
  EXPECT_EQ(joins.unjoined[0].reason, "port b:out does not name port a:in");
  EXPECT_EQ(joins.unjoined[1].why, Unjoined::dangling);
  EXPECT_EQ(joins.unjoined[1].reason, "no node has port nowhere:out");
  EXPECT_EQ(joins.without_peer, 1U);
}

TEST(JoinHalfLinks, WantsBothDirectionsOfPortsThatHaveBoth) {
  HalfLinkAt a{RecordId{1}, half("a", {{"in", "ai"}, {"out", "ao"}, {"peer_out", "bi"}})};
  HalfLinkAt b{RecordId{2}, half("b", {{"in", "bi"}, {"out", "bo"}, {"peer_in", "ao"}})};
  const auto joins = join_half_links({a, b});
  ASSERT_EQ(joins.unjoined.size(), 2U);
  EXPECT_EQ(joins.unjoined[0].reason, "only one direction is named");
}

TEST(JoinHalfLinks, ChoosesNoneOfSeveral) {
  const auto peer = [](std::uint32_t node, const char* port, const char* other) {
    return HalfLinkAt{RecordId{node}, half(port, {{"peer", other}})};
  };
  const auto joins = join_half_links({peer(1, "a", "b"), peer(2, "b", "a"), peer(3, "b", "a"),
                                      peer(4, "d", "e"), peer(4, "e", "d")});
  EXPECT_TRUE(joins.joined.empty());
  ASSERT_EQ(joins.unjoined.size(), 5U);
  EXPECT_EQ(joins.unjoined[0].reason, "several half links have port b");
  EXPECT_THAT(joins.unjoined[1].reason, HasSubstr("several half links have port b"));
  EXPECT_EQ(joins.unjoined[4].reason, "both ports are of one node");
}

TEST(JoinHalfLinks, GivesALinkOneIdentifierWhicheverHalfComesFirst) {
  const HalfLink p = half("p", {{"link", "l"}});
  const HalfLink q = half("q", {{"link", "l"}});
  EXPECT_EQ(joined_link_id(p, q), "l");
  const HalfLink r = half("r", {{"link", "other"}});
  EXPECT_EQ(joined_link_id(p, r), joined_link_id(r, p));
  EXPECT_NE(joined_link_id(p, r), joined_link_id(q, r));
}

// Few ports, so that they often meet.
std::vector<HalfLinkAt> any_halves() {
  const auto name = [] {
    return std::string(1, static_cast<char>(*rc::gen::inRange<int>('a', 'f')));
  };
  const auto count = *rc::gen::inRange<std::size_t>(0, 8);
  std::vector<HalfLinkAt> halves;
  for (std::size_t i = 0; i < count; ++i) {
    HalfLink half(name());
    for (const char* member : {"in", "out", "peer_in", "peer_out", "peer"})
      if (*rc::gen::inRange(0, 3) == 0) half.add(member, name());
    half.sort();
    halves.push_back({RecordId{*rc::gen::inRange<std::uint32_t>(1, 4)}, std::move(half)});
  }
  return halves;
}

TEST(JoinHalfLinks, JoinsEachHalfOnceWithOneOfAnotherNodeOrSaysWhyNot) {
  EXPECT_TRUE(rc::check([] {
    const auto halves = any_halves();
    const auto joins = join_half_links(halves);
    std::vector<int> seen(halves.size());
    for (const auto& link : joins.joined) {
      ++seen[link.first];
      ++seen[link.second];
      RC_ASSERT(halves[link.first].node != halves[link.second].node);
    }
    for (const auto& rest : joins.unjoined) {
      ++seen[rest.half];
      RC_ASSERT(!rest.reason.empty());
    }
    RC_ASSERT(std::ranges::all_of(seen, [](int times) { return times <= 1; }));
    RC_ASSERT(2 * joins.joined.size() + joins.unjoined.size() + joins.without_peer ==
              halves.size());
  }));
}

TEST(JoinHalfLinks, DoesNotDependOnTheOrder) {
  EXPECT_TRUE(rc::check([] {
    auto halves = any_halves();
    const auto links_of = [](const std::vector<HalfLinkAt>& all) {
      std::vector<std::pair<std::string, std::string>> links;
      for (const auto& link : join_half_links(all).joined)
        links.emplace_back(std::min(all[link.first].half.port(), all[link.second].half.port()),
                           std::max(all[link.first].half.port(), all[link.second].half.port()));
      std::ranges::sort(links);
      return links;
    };
    const auto before = links_of(halves);
    std::ranges::reverse(halves);
    RC_ASSERT(links_of(halves) == before);
  }));
}

}  // namespace
}  // namespace netml::engine
