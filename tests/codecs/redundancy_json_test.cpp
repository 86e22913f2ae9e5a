// Redundancy policies as JSON (docs/redundancy.md).
#include "codecs/formats/redundancy_json.hpp"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace netml::codecs {
namespace {

using engine::Disjoint;
using engine::RedundancyPolicy;

constexpr std::string_view kWhole = R"({
  "name": "Campus to core",
  "who": {"kind": "institution", "tag": "campus", "property": {"name": "a", "value": "b"}},
  "to": {"kind": "node", "ids": ["urn:1", "urn:2"]},
  "routes": 3, "disjoint": "nodes", "distinct_ends": true, "shared_risk_groups": false})";

std::string written(const RedundancyPolicy& policy) {
  return boost::json::serialize(redundancy_policy_json(policy));
}

TEST(RedundancyJson, IsReadAndWrittenTheSame) {
  const Result<RedundancyPolicy> policy = read_redundancy_policy(kWhole);
  ASSERT_TRUE(policy) << policy.error().text();
  EXPECT_EQ(policy->name, "Campus to core");
  EXPECT_EQ(policy->who.kind, Kind::institution);
  EXPECT_EQ(policy->who.property->value, "b");
  EXPECT_EQ(policy->to.ids, (std::vector<std::string>{"urn:1", "urn:2"}));
  EXPECT_EQ(policy->routes, 3U);
  EXPECT_EQ(policy->disjoint, Disjoint::nodes);
  EXPECT_TRUE(policy->distinct_ends);
  EXPECT_FALSE(policy->shared_risk_groups);
  EXPECT_EQ(boost::json::parse(written(*policy)), boost::json::parse(kWhole));
}

TEST(RedundancyJson, WhatIsLeftOutHasADefault) {
  const auto policy = read_redundancy_policy(
      "\xEF\xBB\xBF{\"who\":{\"kind\":\"node\"},\"to\":{\"kind\":\"node\",\"tag\":\"core\"},"
      "\"routes\":2,\"disjoint\":null}");
  ASSERT_TRUE(policy) << policy.error().text();
  EXPECT_EQ(policy->disjoint, Disjoint::links);
  EXPECT_FALSE(policy->distinct_ends);
  EXPECT_TRUE(policy->shared_risk_groups);
}

TEST(RedundancyJson, NamesOfPropertiesAreInLowerCaseAsTheyAreStored) {
  const auto policy = read_redundancy_policy(
      R"({"who":{"kind":"node","property":{"name":"Region","value":"North"}},
          "to":{"kind":"node","tag":"core"},"routes":2})");
  ASSERT_TRUE(policy) << policy.error().text();
  EXPECT_EQ(policy->who.property->name, "region");
  EXPECT_EQ(policy->who.property->value, "North");
}

TEST(RedundancyJson, AMistypedFieldIsNamedWithTheOneThatWasMeant) {
  const auto policy = read_redundancy_policy(R"({"who":{"kind":"node","tagg":"x"}})");
  ASSERT_FALSE(policy);
  EXPECT_EQ(policy.error().text(), "who.tagg: is no field of a policy (did you mean tag?)");
}

TEST(RedundancyJson, WhatIsNoObjectIsNoPolicy) {
  for (const char* text : {"", "[", "[]", "7", "{} {}"}) {
    const auto policy = read_redundancy_policy(text);
    ASSERT_FALSE(policy) << text;
    EXPECT_EQ(policy.error().code, Errc::invalid_input);
  }
}

}  // namespace
}  // namespace netml::codecs
