// Dumps of a NetBox: what gets onto the map, what stays behind, and what is refused where.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/formats/netbox/netbox_fields.hpp"
#include "tests/codecs/formats/format_text.hpp"

namespace netml::codecs {
namespace {

using engine::Document;
using engine::DocumentElement;
using test::read_text;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Two sites of one tenant, joined by a circuit and by a cable between two of their devices.
constexpr std::string_view kDump = R"([
{"model": "auth.user", "fields": {"password": "pbkdf2_sha256$canary", "username": "canary"}},
{"model": "sessions.session", "pk": "canary", "fields": {"session_data": "canary"}},
{"model": "tenancy.tenant", "pk": 5, "fields": {"name": "Tenant", "slug": "canary"}},
{"model": "tenancy.tenant", "pk": 6, "fields": {"name": "canary"}},
{"model": "dcim.site", "pk": 1, "fields": {"name": "Oslo", "slug": "oslo", "status": "active",
  "tenant": 5, "latitude": "59.910000", "longitude": "10.750000", "physical_address": "canary",
  "comments": "canary"}},
{"model": "dcim.site", "pk": 2, "fields": {"name": "Bergen", "slug": "bergen", "status": "planned",
  "tenant": null, "latitude": null, "longitude": null, "asns": []}},
{"model": "dcim.device", "pk": 10, "fields": {"site": 1, "name": "canary", "serial": "canary"}},
{"model": "dcim.device", "pk": 20, "fields": {"site": 2, "name": "canary"}},
{"model": "dcim.interface", "pk": 11, "fields": {"device": 10, "name": "canary"}},
{"model": "dcim.interface", "pk": 21, "fields": {"device": 20, "name": "canary"}},
{"model": "dcim.cable", "pk": 3, "fields": {"label": "canary"}},
{"model": "dcim.cabletermination", "pk": 1, "fields": {"cable": 3, "cable_end": "A",
  "termination_type": ["dcim", "interface"], "termination_id": 11}},
{"model": "dcim.cabletermination", "pk": 2, "fields": {"cable": 3, "cable_end": "B",
  "termination_type": ["dcim", "interface"], "termination_id": 21}},
{"model": "circuits.provider", "pk": 7, "fields": {"name": "Provider", "comments": "canary"}},
{"model": "circuits.circuit", "pk": 8, "fields": {"cid": "C-1", "provider": 7, "commit_rate": 10000,
  "status": "active", "tenant": 5, "description": "canary"}},
{"model": "circuits.circuittermination", "pk": 81, "fields": {"circuit": 8, "term_side": "A",
  "site": 1, "provider_network": null, "xconnect_id": "canary"}},
{"model": "circuits.circuittermination", "pk": 82, "fields": {"circuit": 8,
  "term_side": "Z", "site": 2}}
])";

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string out(text);
  const std::size_t at = out.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return out.replace(at, from.size(), to);
}

ReadResult read(std::string_view text, std::string_view name = {}) {
  return read_text("netbox", text, name);
}

Document document(std::string_view text, std::string_view name = {}) {
  ReadResult result = read(text, name);
  EXPECT_TRUE(result) << (result ? "" : result.error().first.front().text());
  return result ? *std::move(result) : Document();
}

std::vector<std::string> properties_of(const DocumentElement& element) {
  std::vector<std::string> properties;
  element.attributes->for_each_property([&](const engine::Property& property) {
    properties.push_back(std::string(property.name) + "=" + std::string(property.value));
  });
  std::ranges::sort(properties);
  return properties;
}

std::string everything_in(const Document& document) {
  std::string all;
  for (const DocumentElement& element : document.elements) {
    const auto fields = element.attributes->fields();
    for (const std::string_view text : {fields.id, fields.name, fields.short_name, fields.address})
      (all += text) += '\n';
    for (const std::string& property : properties_of(element)) (all += property) += '\n';
  }
  for (const auto& note : document.notes) (all += note.text) += '\n';
  for (const std::string& text : document.losses.texts()) (all += text) += '\n';
  for (const engine::Loss& loss : document.losses.kept()) (all += loss.text()) += '\n';
  return all;
}

TEST(NetboxReader, MakesNodesOfSitesAndLinksOfCircuitsAndPaths) {
  const Document map = document(kDump, "Net");
  const auto& root = map.topologies.front();
  ASSERT_EQ(map.nodes(root).size(), 2U);
  const DocumentElement& oslo = map.nodes(root)[0];
  EXPECT_EQ(oslo.attributes->fields().name, "Oslo");
  ASSERT_TRUE(oslo.attributes->fields().coordinates);
  EXPECT_THAT(properties_of(oslo), ElementsAre("slug=oslo", "status=active"));
  EXPECT_FALSE(map.nodes(root)[1].attributes->fields().coordinates);
  const auto links = map.links(root);
  ASSERT_EQ(links.size(), 2U);
  EXPECT_THAT(properties_of(links[0]),
              ElementsAre("cid=C-1", "commit_rate=10000", "provider=Provider", "status=active"));
  EXPECT_EQ(links[0].attributes->fields().name, "Oslo - Bergen");
  EXPECT_THAT(properties_of(links[1]), IsEmpty());
}

TEST(NetboxReader, MakesTenantsOwners) {
  const Document map = document(kDump, "Net");
  const auto& root = map.topologies.front();
  const auto owners_of = [&](const DocumentElement& element) {
    std::vector<std::string> names;
    for (const auto owner : map.owners_of(element))
      names.emplace_back(map.elements[owner].attributes->fields().name);
    return names;
  };
  EXPECT_THAT(owners_of(map.nodes(root)[0]), Contains("Tenant"));
  EXPECT_THAT(owners_of(map.links(root)[0]), Contains("Tenant"));
  EXPECT_THAT(owners_of(map.nodes(root)[1]), testing::Not(Contains("Tenant")));
}

TEST(NetboxReader, LetsNothingOutThatTheMappingDoesNotName) {
  EXPECT_THAT(everything_in(document(kDump, "Net")), testing::Not(HasSubstr("canary")));
}

TEST(NetboxReader, CountsEachFieldOnce) {
  const Document map = document(kDump, "Net");
  EXPECT_EQ(map.losses.present(), 90U);
  // Model, number and fields of two sites, a tenant, a provider, a circuit, and its ends without
  // their numbers and sides.
  EXPECT_EQ(map.losses.carried(), 2U * 8 + 3 + 3 + 7 + 2U * 3);
}

TEST(NetboxReader, SaysThatAFieldIsNotNamed) {
  const Document map = document(kDump, "Net");
  const auto& losses = map.losses.kept();
  const auto found = std::ranges::find(losses, "dcim.site.physical_address", &engine::Loss::field);
  ASSERT_NE(found, losses.end());
  EXPECT_EQ(found->reason, netbox::kNotNamed);
  EXPECT_EQ(found->pointer, "/4/fields/physical_address");
}

TEST(NetboxReader, KeepsIdentifiersWhereASiteIsRenamedOrMoved) {
  const auto id_of_node = [](const Document& map, std::size_t node) {
    return std::string(map.nodes(map.topologies.front())[node].attributes->fields().id);
  };
  const std::string renamed = replaced(kDump, "\"Bergen\"", "\"Oslo\"");
  const Document before = document(kDump, "Net");
  const Document after = document(renamed, "Net");
  EXPECT_EQ(id_of_node(before, 0), id_of_node(after, 0));
  EXPECT_EQ(id_of_node(before, 1), id_of_node(after, 1));
  EXPECT_NE(id_of_node(before, 0), id_of_node(document(kDump, "Other"), 0));
}

TEST(NetboxReader, ListsACircuitThatIsNoLinkWithItsFields) {
  const Document map =
      document(replaced(kDump, R"("term_side": "Z", "site": 2)",
                        R"("term_side": "Z", "site": null, "provider_network": 4)"),
               "Net");
  EXPECT_EQ(map.links(map.topologies.front()).size(), 1U);
  EXPECT_EQ(map.losses.present(), 91U);
  const std::string all = everything_in(map);
  EXPECT_THAT(all,
              HasSubstr("circuit C-1 is no link: an end of it is in the network of a provider"));
  EXPECT_THAT(all, HasSubstr("circuits.circuit.cid: the circuit is no link: an end of it is"));
  EXPECT_THAT(all, HasSubstr("circuits.provider.name: no circuit on the map is from it"));
}

TEST(NetboxReader, ReadsCablesOfOlderDumps) {
  const std::string_view older = R"([
{"model": "dcim.site", "pk": 1, "fields": {"name": "A"}},
{"model": "dcim.site", "pk": 2, "fields": {"name": "B"}},
{"model": "dcim.device", "pk": 1, "fields": {"site": 1}},
{"model": "dcim.device", "pk": 2, "fields": {"site": 2}},
{"model": "dcim.interface", "pk": 1, "fields": {"device": 1}},
{"model": "dcim.interface", "pk": 2, "fields": {"device": 2}},
{"model": "dcim.cable", "pk": 1, "fields": {
  "termination_a_type": ["dcim", "interface"], "termination_a_id": 1,
  "termination_b_type": ["dcim", "interface"], "termination_b_id": 2}}])";
  const Document map = document(older, "Net");
  EXPECT_EQ(map.links(map.topologies.front()).size(), 1U);
}

TEST(NetboxReader, LosesATenantThatIsNotThere) {
  const Document map =
      document(R"([{"model": "dcim.site", "pk": 1, "fields": {"name": "A", "tenant": 9}}])", "Net");
  EXPECT_EQ(map.losses.lost(), 1U);
  EXPECT_EQ(map.losses.carried(), 3U);
}

TEST(NetboxReader, CountsListsAndObjectsWhereAWordShouldBe) {
  const Document map = document(
      R"([{"model": "dcim.site", "pk": 1, "fields": {"name": ["a", "b"], "status": {}, "slug": "s"}},
          {"model": "dcim.site", "pk": 2, "fields": {}, "other": [1, 2]}])",
      "Net");
  EXPECT_EQ(map.losses.present(), 2U + 4 + 2 + 1 + 2);
  EXPECT_EQ(map.losses.lost(), 2U + 1 + 2);
}

TEST(NetboxReader, IsCalledAsTheFileWhereNobodyNamesIt) {
  const Document map = document(kDump);
  EXPECT_EQ(map.topologies.front().attributes->fields().name, "file");
}

struct Refusal {
  std::string_view text;
  std::string_view pointer;
};

TEST(NetboxReader, RefusesWhatIsNoDumpWithThePlace) {
  const Refusal refusals[] = {
      {R"({"model": "dcim.site"})", ""},
      {R"([{"model": "dcim.site", "pk": 1, "fields": {}}, 5])", "/1"},
      {R"([{"model": "dcim.site", "pk": 1}])", "/0"},
      {R"([{"model": "any text", "pk": 1, "fields": {}}])", "/0"},
      {R"([{"model": "dcim.site", "fields": {}}])", "/0"},
      {R"([{"model": "dcim.site", "pk": 1, "fields": {}}, {"model": "dcim.site", "pk": 1, "fields": {}}])",
       "/1"},
      {R"([{"model": "circuits.circuittermination", "pk": 1, "fields": {"term_side": "B"}}])",
       "/0"},
      {R"([{"model": "dcim.cabletermination", "pk": 1, "fields": {"cable": 1, "cable_end": "A"}}])",
       "/0"},
  };
  for (const auto& [text, pointer] : refusals) {
    const ReadResult result = read(text);
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().first.front().pointer, pointer) << text;
  }
  const ReadResult broken = read("[{\"model\"\n: }]");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().first.front().line, 2U);
}

TEST(NetboxReader, IsKnownByItsFirstBytes) {
  EXPECT_EQ((*detect_format("x.json", kDump))->name, "netbox");
  EXPECT_EQ((*detect_format("x", "[ {\"model\" : \"a.b\""))->name, "netbox");
}

}  // namespace
}  // namespace netml::codecs
