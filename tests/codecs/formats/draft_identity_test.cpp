// Identifiers of elements that have none: the same for the same thing, whatever stands around it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "codecs/formats/draft/draft_identity.hpp"

namespace netml::codecs {
namespace {

std::vector<std::string> identify_nodes(const std::vector<Traits>& nodes,
                                        const std::vector<std::string>& contents = {}) {
  return identify(Kind::node, "network", nodes,
                  [&](std::size_t i) { return i < contents.size() ? contents[i] : std::string(); });
}

TEST(DraftIdentity, FollowsLabelsAndNotTheOrder) {
  const auto ids = identify_nodes({{"", "Oslo", "0"}, {"", "Bergen", "1"}});
  const auto turned = identify_nodes({{"", "Bergen", "0"}, {"", "Oslo", "1"}});
  EXPECT_EQ(ids[0], turned[1]);
  EXPECT_EQ(ids[1], turned[0]);
  EXPECT_NE(ids[0], ids[1]);
}

TEST(DraftIdentity, TakesWhatTheFileGives) {
  EXPECT_THAT(identify_nodes({{"urn:x", "Oslo", "0"}}), testing::ElementsAre("urn:x"));
}

TEST(DraftIdentity, TellsEqualLabelsApartByKeysThatAThirdOneDoesNotMove) {
  const auto two = identify_nodes({{"", "None", "a"}, {"", "None", "b"}});
  const auto three = identify_nodes({{"", "None", "c"}, {"", "None", "b"}, {"", "None", "a"}});
  EXPECT_NE(two[0], two[1]);
  EXPECT_EQ(three[2], two[0]);
  EXPECT_EQ(three[1], two[1]);
  EXPECT_NE(three[0], two[0]);
}

TEST(DraftIdentity, TellsEqualKeysApartByContents) {
  const auto ids = identify_nodes({{"", "A", ""}, {"", "A", ""}}, {"x", "y"});
  const auto turned = identify_nodes({{"", "A", ""}, {"", "A", ""}}, {"y", "x"});
  EXPECT_EQ(ids[0], turned[1]);
  EXPECT_EQ(ids[1], turned[0]);
}

TEST(DraftIdentity, NumbersWhatIsEqualInAll) {
  auto ids = identify_nodes({{"", "A", ""}, {"", "A", ""}, {"", "A", ""}});
  std::ranges::sort(ids);
  EXPECT_EQ(std::ranges::unique(ids).begin(), ids.end());
}

TEST(DraftIdentity, DependsOnTheNetwork) {
  const std::vector<Traits> nodes{{"", "Oslo", ""}};
  const auto nothing = [](std::size_t) { return std::string(); };
  EXPECT_NE(identify(Kind::node, "a", nodes, nothing), identify(Kind::node, "b", nodes, nothing));
}

}  // namespace
}  // namespace netml::codecs
