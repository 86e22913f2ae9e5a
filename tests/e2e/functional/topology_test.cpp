// Goal: single records can be created, read, changed and deleted as functional tests do it, and
// what they see has the shape they expect (docs/requirements/http-api.md, section 12). Method: the
// real program in test mode, answers compared as JSON.
#include <gmock/gmock.h>

#include "tests/e2e/support/test_mode.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::e2e {
namespace {

namespace json = boost::json;

const std::string kRoot = "/network_topology/test/";
const std::string kTopologies = kRoot + "topologies/";
const std::string kInstitutions = kRoot + "institutions/";
const std::string kNodes = kRoot + "nodes/";
const std::string kLinks = kRoot + "links/";
const std::string kProperties = kRoot + "properties/";

std::string item(const std::string& collection, std::uint64_t key) {
  return collection + std::to_string(key) + "/";
}

class FunctionalTopology : public testing::Test {
 protected:
  FunctionalTopology() {
    topology = node.create(kTopologies, {{"name", "T"}, {"grenml_id", "t"}});
    institution = node.create(
        kInstitutions, {{"name", "I"}, {"grenml_id", "i"}, {"topologies", json::array{topology}}});
    a = make_node("a");
    b = make_node("b");
    link = node.create(kLinks, {{"name", "L"},
                                {"grenml_id", "l"},
                                {"topologies", json::array{topology}},
                                {"node_a", b},
                                {"node_b", a}});
  }
  std::uint64_t make_node(const char* id) {
    return node.create(kNodes, {{"name", id},
                                {"grenml_id", id},
                                {"topologies", json::array{topology}},
                                {"owners", json::array{institution}}});
  }
  // To node a; the keys of all that it has then.
  std::vector<std::uint64_t> add_properties(
      const std::vector<std::pair<std::string, std::string>>& properties) {
    json::array added;
    for (const auto& [name, value] : properties)
      added.push_back(json::object{{"name", name}, {"value", value}});
    const JsonAnswer changed = node.ask("PATCH", item(kNodes, a), {{"properties", added}});
    std::vector<std::uint64_t> keys;
    for (const json::value& property : changed.value.at("properties").as_array())
      keys.push_back(property.at("pk").to_number<std::uint64_t>());
    return keys;
  }
  std::size_t count(const std::string& collection) {
    return node.ask("GET", collection).value.as_array().size();
  }

  TestModeNode node;
  std::uint64_t topology = 0, institution = 0, a = 0, b = 0, link = 0;
};

TEST_F(FunctionalTopology, TheRootNamesItsCollections) {
  const JsonAnswer root = node.ask("GET", kRoot);
  for (const std::string& collection : {kTopologies, kInstitutions, kNodes, kLinks, kProperties}) {
    const std::string name = collection.substr(kRoot.size(), collection.size() - kRoot.size() - 1);
    EXPECT_THAT(root.text(name.c_str()), testing::AllOf(testing::StartsWith("http://127.0.0.1:"),
                                                        testing::EndsWith(collection)));
  }
}

TEST_F(FunctionalTopology, ATopologyHasItsShape) {
  EXPECT_EQ(node.ask("PATCH", item(kTopologies, topology), {{"owner", institution}}).status, 200);
  JsonAnswer shown = node.ask("GET", item(kTopologies, topology));
  shown.value.as_object().erase("version");
  EXPECT_EQ(shown.value, json::value({{"pk", topology},
                                      {"grenml_id", "t"},
                                      {"netml_id", "t"},
                                      {"name", "T"},
                                      {"dirty", false},
                                      {"properties", json::array()},
                                      {"main", true},
                                      {"parent", nullptr},
                                      {"owner", institution}}));
}

TEST_F(FunctionalTopology, ANodeHasItsShape) {
  json::object wanted = json::parse(R"({"name": "N", "netml_id": "n", "short_name": "nn",
                      "version": "2024-03-01T12:00:00Z",
                      "start": "2020-01-01T00:00:00+01:00", "end": null,
                      "latitude": 45.5, "longitude": "-63.123456", "altitude": 7,
                      "unlocode": "CAHAL", "address": "1 Street"})")
                            .as_object();
  wanted["topologies"] = json::array{topology};
  wanted["owners"] = json::array{institution};
  const JsonAnswer created = node.ask("POST", kNodes, wanted);
  ASSERT_EQ(created.status, 201) << json::serialize(created.value);
  EXPECT_EQ(created.key("pk"), created.key("id"));
  json::object expected =
      json::parse(R"({"grenml_id": "n", "netml_id": "n", "name": "N", "short_name": "nn",
                      "version": "2024-03-01T12:00:00Z", "dirty": false, "properties": [],
                      "latitude": "45.500000", "longitude": "-63.123456",
                      "altitude": "7.000000", "unlocode": "CAHAL", "address": "1 Street",
                      "start": "2019-12-31T23:00:00Z", "end": null,
                      "owners": [{"grenml_id": "i", "netml_id": "i", "name": "I",
                                  "short_name": ""}],
                      "topologies": [{"grenml_id": "t", "netml_id": "t", "name": "T"}]})")
          .as_object();
  expected["pk"] = created.key();
  expected.at("owners").at(0).as_object()["pk"] = institution;
  expected.at("topologies").at(0).as_object()["pk"] = topology;
  EXPECT_EQ(node.ask("GET", item(kNodes, created.key())).value, json::value(expected));
}

TEST_F(FunctionalTopology, PropertiesMayBeTextsAsPythonWritesThem) {
  const json::array wanted{"{'name': 'Tag', 'value': \"it's\"}", R"({"name": "j", "value": "1"})",
                           json::object{{"name", "k"}, {"value", ""}}};
  const JsonAnswer created = node.ask("POST", kNodes, {{"name", "N"}, {"properties", wanted}});
  ASSERT_EQ(created.status, 201) << json::serialize(created.value);
  const json::array& properties = created.value.at("properties").as_array();
  ASSERT_EQ(properties.size(), 3U);
  EXPECT_EQ(properties.at(0).at("name"), "tag");
  EXPECT_EQ(properties.at(0).at("value"), "it's");
  EXPECT_EQ(properties.at(1).at("name"), "j");
  EXPECT_EQ(properties.at(2).at("value"), "");
}

TEST_F(FunctionalTopology, AnInstitutionTellsWhatItOwns) {
  node.ask("PATCH", item(kTopologies, topology), {{"owner", institution}});
  const JsonAnswer shown = node.ask("GET", item(kInstitutions, institution));
  EXPECT_EQ(shown.value.at("owned_topologies"), json::value(json::array{topology}));
  EXPECT_EQ(shown.value.at("owned_elements"), json::value(json::array{a, b}));
}

TEST_F(FunctionalTopology, ALinkTellsItsEndsInTheOrderGiven) {
  const JsonAnswer shown = node.ask("GET", item(kLinks, link));
  EXPECT_EQ(shown.value.at("node_a").at("pk"), json::value(b));
  EXPECT_EQ(shown.value.at("node_b").at("grenml_id"), "a");
}

TEST_F(FunctionalTopology, ListsAreOrderedByKey) {
  const JsonAnswer nodes = node.ask("GET", kNodes);
  ASSERT_EQ(nodes.value.as_array().size(), 2U);
  EXPECT_EQ(nodes.value.at(0).at("pk"), json::value(a));
  EXPECT_EQ(nodes.value.at(1).at("pk"), json::value(b));
  EXPECT_LT(topology, institution) << "keys grow over all kinds";
  EXPECT_LT(b, link);
}

TEST_F(FunctionalTopology, PatchChangesOnlyWhatItNames) {
  const JsonAnswer changed = node.ask("PATCH", item(kNodes, a), {{"short_name", "x"}});
  EXPECT_EQ(changed.status, 200);
  EXPECT_EQ(changed.key(), a);
  EXPECT_EQ(changed.text("name"), "a");
  EXPECT_EQ(changed.value.at("owners").as_array().size(), 1U);
}

TEST_F(FunctionalTopology, PutReplacesListsAndAddsProperties) {
  const json::value property{{"name", "p"}, {"value", "1"}};
  const json::object whole{{"name", "a2"}, {"properties", json::array{property}}};
  EXPECT_EQ(node.ask("PUT", item(kNodes, a), whole).status, 200);
  const JsonAnswer again = node.ask("PUT", item(kNodes, a), whole);
  EXPECT_EQ(again.text("grenml_id"), "a");
  EXPECT_EQ(again.value.at("owners").as_array().size(), 0U);
  EXPECT_EQ(again.value.at("topologies").as_array().size(), 0U);
  EXPECT_EQ(again.value.at("properties").as_array().size(), 2U) << "names may repeat";
  EXPECT_EQ(node.ask("PUT", item(kNodes, a), {{"short_name", "x"}}).status, 400) << "no name";
}

TEST_F(FunctionalTopology, WrongFieldsAreNamed) {
  const auto refused = [&](const std::string& collection, json::object fields, const char* field) {
    fields.emplace("name", "x");
    const JsonAnswer answer = node.ask("POST", collection, fields);
    EXPECT_EQ(answer.status, 400) << json::serialize(fields);
    EXPECT_TRUE(answer.value.is_object() && answer.value.as_object().contains(field))
        << json::serialize(answer.value);
  };
  refused(kNodes, {{"latitude", "1.1234567"}, {"longitude", "1"}}, "latitude");
  refused(kNodes, {{"latitude", 1.1234567}, {"longitude", 1}}, "latitude");
  refused(kNodes, {{"latitude", "1234"}, {"longitude", "1"}}, "latitude");
  refused(kNodes, {{"latitude", "91"}, {"longitude", "1"}}, "latitude");
  refused(kNodes, {{"latitude", "x"}}, "latitude");
  refused(kNodes, {{"altitude", "12345678901"}}, "altitude");
  refused(kNodes, {{"altitude", "9000.000001"}}, "altitude");
  refused(kNodes, {{"altitude", -11001}}, "altitude");
  refused(kNodes, {{"start", "yesterday"}}, "start");
  refused(kNodes, {{"end", "2020-01-01T00:00:00Z"}}, "end");
  refused(kNodes, {{"topologies", json::array{a}}}, "topologies");
  refused(kNodes, {{"topologies", json::array{99999}}}, "topologies");
  refused(kNodes, {{"owners", json::array{"x"}}}, "owners");
  refused(kNodes, {{"properties", json::array{json::object{{"name", "x"}}}}}, "properties");
  refused(kNodes, {{"netml_id", "p"}, {"grenml_id", "q"}}, "netml_id");
  refused(kTopologies, {{"grenml_id", "t"}}, "netml_id");
  refused(kTopologies, {{"parent", institution}}, "parent");
  refused(kTopologies, {{"main", "perhaps"}}, "main");
  refused(kLinks, {{"node_a", a}, {"node_b", a}}, "node_b");
  refused(kLinks, {{"node_a", a}, {"node_b", 99999}}, "node_b");
  refused(kLinks, {}, "node_a");
  EXPECT_EQ(node.ask("POST", kNodes, {{"name", "  "}}).status, 400);
  EXPECT_EQ(node.ask("POST", kNodes, json::object()).status, 400);
  EXPECT_EQ(node.ask("PATCH", item(kTopologies, topology), {{"parent", topology}}).status, 400);
  EXPECT_EQ(count(kNodes), 2U);
}

TEST_F(FunctionalTopology, WhatIsNotThereIs404) {
  for (const std::string& collection : {kTopologies, kInstitutions, kNodes, kLinks, kProperties})
    for (const char* key : {"99999", "0", "x", "-1", "18446744073709551616"}) {
      const std::string path = collection + key + "/";
      EXPECT_EQ(node.ask("GET", path).status, 404) << path;
      EXPECT_EQ(node.ask("PATCH", path, {{"name", "x"}}).status, 404) << path;
      EXPECT_EQ(node.ask("DELETE", path).status, 404) << path;
    }
  EXPECT_EQ(node.ask("GET", item(kLinks, a)).status, 404) << "a node is no link";
}

TEST_F(FunctionalTopology, PropertiesAreItemsOfTheirOwn) {
  const std::uint64_t key = add_properties({{"K", "v"}}).at(0);
  const json::value shown = node.ask("GET", item(kProperties, key)).value;
  EXPECT_EQ(shown, json::value({{"pk", key}, {"name", "k"}, {"value", "v"}}));
  EXPECT_EQ(node.ask("GET", kProperties).value, json::value(json::array{shown}));
  const JsonAnswer patched = node.ask("PATCH", item(kProperties, key), {{"value", "w"}});
  EXPECT_EQ(patched.value, json::value({{"pk", key}, {"name", "k"}, {"value", "w"}}));
  const JsonAnswer put = node.ask("PUT", item(kProperties, key), {{"name", "M"}, {"value", "x"}});
  EXPECT_EQ(put.value, json::value({{"pk", key}, {"name", "m"}, {"value", "x"}}));
  EXPECT_EQ(node.ask("GET", kProperties).value, json::value(json::array{put.value}));
  EXPECT_EQ(node.ask("PUT", item(kProperties, key), {{"name", "M"}}).status, 400);
  EXPECT_EQ(node.ask("POST", kProperties, {{"name", "M"}, {"value", "x"}}).status, 400);
  EXPECT_EQ(node.ask("DELETE", item(kProperties, key)).status, 204);
  EXPECT_EQ(node.ask("GET", item(kProperties, key)).status, 404);
}

TEST_F(FunctionalTopology, KeysOfPropertiesAreTheirsAlone) {
  const auto keys = add_properties({{"a", "1"}, {"same", "s"}, {"same", "s"}, {"z", "1"}});
  ASSERT_EQ(keys.size(), 4U);
  const auto status = [&](std::uint64_t key) {
    return node.ask("GET", item(kProperties, key)).status;
  };
  const json::value last = node.ask("GET", item(kProperties, keys[3])).value;
  EXPECT_EQ(node.ask("DELETE", item(kProperties, keys[0])).status, 204);
  EXPECT_EQ(node.ask("DELETE", item(kProperties, keys[1])).status, 204);
  EXPECT_EQ(status(keys[0]), 404);
  EXPECT_EQ(status(keys[1]), 404);
  EXPECT_EQ(status(keys[2]), 200) << "its twin went, not this one";
  EXPECT_EQ(node.ask("GET", item(kProperties, keys[3])).value, last);
  const auto after = add_properties({{"a", "1"}, {"b", "2"}});
  ASSERT_EQ(after.size(), 4U);
  EXPECT_THAT(after, testing::IsSupersetOf({keys[2], keys[3]}));
  EXPECT_THAT(after, testing::Not(testing::Contains(keys[0])));
  EXPECT_THAT(after, testing::Not(testing::Contains(keys[1])));
  for (const std::uint64_t above : {1ULL << 52U, 1ULL << 53U, 1ULL << 63U})
    EXPECT_EQ(status(keys[3] + above), 404) << "a key that is cut off is another";
  node.restart();
  EXPECT_EQ(status(keys[3]), 404) << "keys are given anew";
  EXPECT_EQ(count(kProperties), 4U);
}

TEST_F(FunctionalTopology, DeletionTakesAlongWhatItMust) {
  EXPECT_EQ(node.ask("DELETE", item(kNodes, a)).status, 204);
  EXPECT_EQ(count(kLinks), 0U);
  EXPECT_EQ(node.ask("DELETE", item(kInstitutions, institution)).status, 204);
  EXPECT_EQ(count(kNodes), 1U);
  EXPECT_EQ(node.ask("DELETE", item(kTopologies, topology)).status, 204);
  EXPECT_EQ(count(kNodes), 0U);
}

TEST_F(FunctionalTopology, AllTopologiesCanBeDeletedAtOnce) {
  node.create(kNodes, {{"name", "loose"}});
  EXPECT_EQ(node.ask("DELETE", kTopologies + "delete/").status, 204);
  for (const std::string& collection : {kTopologies, kInstitutions, kNodes, kLinks, kProperties})
    EXPECT_EQ(count(collection), 0U) << collection;
}

TEST_F(FunctionalTopology, ChangesSurviveARestartAndAreExported) {
  node.ask("PATCH", item(kTopologies, topology), {{"owner", institution}});
  const std::string before = node.node().export_all();
  const json::value nodes = node.ask("GET", kNodes).value;
  node.restart();
  EXPECT_EQ(node.ask("GET", kNodes).value, nodes);
  EXPECT_EQ(node.node().export_all(), before);
  EXPECT_THAT(before, testing::HasSubstr("<grenml:name>T</grenml:name>"));
}

}  // namespace
}  // namespace netml::e2e
