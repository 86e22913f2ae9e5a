// Other mappings of a NetBox: locations and devices as nodes, providers as owners, topologies of
// regions and tenants.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/formats/netbox/netbox_dump.hpp"
#include "codecs/formats/netbox/netbox_mapping.hpp"
#include "codecs/formats/netbox/netbox_nodes.hpp"
#include "codecs/formats/netbox/netbox_pages.hpp"
#include "engine/graph/attributes.hpp"
#include "tests/codecs/formats/read_document.hpp"

namespace netml::codecs::netbox {
namespace {

using codecs::test::properties;
using codecs::test::property;
using codecs::test::read_text;
using engine::Document;
using engine::DocumentElement;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;
using testing::UnorderedElementsAre;

// Oslo and Bergen are in regions of Norway, Oslo has a room; London is in no region. A router in
// the room at Oslo is cabled to Bergen, and to London through a circuit of a provider.
constexpr std::string_view kDump = R"([
{"model": "dcim.region", "pk": 1, "fields": {"name": "East", "parent": 2, "slug": "canary"}},
{"model": "dcim.region", "pk": 2, "fields": {"name": "Norway", "parent": null}},
{"model": "dcim.region", "pk": 3, "fields": {"name": "West", "parent": 2}},
{"model": "dcim.region", "pk": 4, "fields": {"name": "Empty", "parent": null}},
{"model": "tenancy.tenant", "pk": 5, "fields": {"name": "Tenant"}},
{"model": "dcim.site", "pk": 1, "fields": {"name": "Oslo", "region": 1, "tenant": 5,
  "latitude": "59.91", "longitude": "10.75"}},
{"model": "dcim.site", "pk": 2, "fields": {"name": "Bergen", "region": 3, "tenant": null}},
{"model": "dcim.site", "pk": 3, "fields": {"name": "London", "region": null, "tenant": null}},
{"model": "dcim.location", "pk": 7, "fields": {"name": "Room", "site": 1, "tenant": null,
  "description": "canary"}},
{"model": "dcim.device", "pk": 10, "fields": {"site": 1, "location": 7, "name": "router",
  "tenant": 5, "serial": "canary"}},
{"model": "dcim.device", "pk": 20, "fields": {"site": 2, "location": null, "name": null,
  "tenant": null}},
{"model": "dcim.device", "pk": 30, "fields": {"site": 3, "location": null, "name": "switch",
  "tenant": null}},
{"model": "dcim.device", "pk": 40, "fields": {"site": 3, "name": "panel", "tenant": null}},
{"model": "dcim.interface", "pk": 11, "fields": {"device": 10}},
{"model": "dcim.interface", "pk": 12, "fields": {"device": 10}},
{"model": "dcim.interface", "pk": 21, "fields": {"device": 20}},
{"model": "dcim.interface", "pk": 31, "fields": {"device": 30}},
{"model": "dcim.cable", "pk": 1, "fields": {
  "termination_a_type": ["dcim", "interface"], "termination_a_id": 11,
  "termination_b_type": ["dcim", "interface"], "termination_b_id": 21}},
{"model": "dcim.cable", "pk": 2, "fields": {
  "termination_a_type": ["dcim", "interface"], "termination_a_id": 12,
  "termination_b_type": ["circuits", "circuittermination"], "termination_b_id": 81}},
{"model": "dcim.cable", "pk": 3, "fields": {
  "termination_a_type": ["circuits", "circuittermination"], "termination_a_id": 82,
  "termination_b_type": ["dcim", "interface"], "termination_b_id": 31}},
{"model": "circuits.provider", "pk": 7, "fields": {"name": "Provider"}},
{"model": "circuits.circuit", "pk": 8, "fields": {"cid": "C-1", "provider": 7, "tenant": 5}},
{"model": "circuits.circuittermination", "pk": 81, "fields": {"circuit": 8, "term_side": "A",
  "site": 1}},
{"model": "circuits.circuittermination", "pk": 82, "fields": {"circuit": 8, "term_side": "Z",
  "site": 3}}
])";

Document document(std::string_view mapping, std::string_view text = kDump) {
  ReadResult read = read_text("netbox", text, "Net", {}, {}, mapping);
  EXPECT_TRUE(read) << (read ? "" : read.error().first.front().text());
  return read ? *std::move(read) : Document();
}

std::string name_of(const engine::AttributesPtr& attributes) {
  return std::string(attributes->fields().name);
}

// Names of elements that are the topology's own, by its name.
std::map<std::string, std::set<std::string>> own(const Document& map, bool links) {
  std::map<std::string, std::set<std::string>> found;
  for (const auto& topology : map.topologies)
    for (const DocumentElement& element : links ? map.links(topology) : map.nodes(topology))
      if (properties(*element.attributes, engine::kFromTopology).empty())
        found[name_of(topology.attributes)].insert(name_of(element.attributes));
  return found;
}

// The topology that each is in, by its name.
std::map<std::string, std::string> parents(const Document& map) {
  std::map<std::string, std::string> found;
  for (const auto& topology : map.topologies)
    if (topology.parent != engine::kNoIndex)
      found[name_of(topology.attributes)] = name_of(map.topologies[topology.parent].attributes);
  return found;
}

std::set<std::string> links_of(const Document& map) {
  return own(map, true)["Net"];
}
std::set<std::string> nodes_of(const Document& map) {
  return own(map, false)["Net"];
}

std::vector<std::string> owners_of(const Document& map, std::string_view name) {
  std::vector<std::string> owners;
  for (const DocumentElement& element : map.elements)
    if (element.attributes->fields().name == name)
      for (const auto owner : map.owners_of(element))
        owners.push_back(name_of(map.elements[owner].attributes));
  return owners;
}

TEST(NetboxMapping, HasATextThatSaysWhatIsNotUsual) {
  for (const std::string_view text :
       {"", "nodes=location", "owner=provider", "nodes=device,owner=provider,topologies=region",
        "topologies=tenant"}) {
    const auto mapping = parse_mapping(text);
    ASSERT_TRUE(mapping) << text;
    EXPECT_EQ(mapping_text(*mapping), text);
  }
  EXPECT_EQ(parse_mapping("topologies=one,nodes=site,owner=tenant"), Mapping());
}

TEST(NetboxMapping, RefusesWhatIsNone) {
  for (const std::string_view text :
       {"nodes", "nodes=", "nodes=rack", "node=site", "nodes=site,nodes=device", "owner=provider,,",
        ",", "=", "nodes=site "}) {
    const auto mapping = parse_mapping(text);
    ASSERT_FALSE(mapping) << text;
    EXPECT_EQ(mapping.error().field, "mapping");
    EXPECT_THAT(mapping.error().message, HasSubstr("nodes=site|location|device")) << text;
  }
}

TEST(NetboxMapping, CountsEachFieldOnceWhateverIsWanted) {
  const std::uint64_t present = document("").losses.present();
  for (const std::string_view nodes : {"site", "location", "device"})
    for (const std::string_view owner : {"tenant", "provider"})
      for (const std::string_view topologies : {"one", "region", "tenant"}) {
        const std::string mapping =
            fmt::format("nodes={},owner={},topologies={}", nodes, owner, topologies);
        const Document map = document(mapping);
        EXPECT_EQ(map.losses.present(), present) << mapping;
        for (const engine::Loss& loss : map.losses.kept())
          EXPECT_THAT(loss.text(), Not(HasSubstr("canary")));
      }
}

TEST(NetboxMapping, MakesNodesOfLocationsAndOfSitesWithoutAny) {
  const Document map = document("nodes=location");
  // Where the circuit ends is the site itself, not its room.
  EXPECT_THAT(nodes_of(map), UnorderedElementsAre("Room", "Bergen", "London", "Oslo"));
  EXPECT_THAT(links_of(map), UnorderedElementsAre("Oslo - London", "Room - Bergen", "Room - Oslo"));
}

TEST(NetboxMapping, PutsLocationsAndDevicesWhereTheirSiteIs) {
  for (const std::string_view nodes : {"nodes=location", "nodes=device"}) {
    const Document map = document(nodes);
    std::size_t placed = 0;
    for (const DocumentElement& node : map.nodes(map.topologies.front())) {
      const std::string name = name_of(node.attributes);
      const bool in_oslo = name == "Room" || name == "Oslo" || name == "router";
      EXPECT_EQ(node.attributes->fields().coordinates.has_value(), in_oslo) << name;
      placed += in_oslo ? 1U : 0U;
    }
    EXPECT_GT(placed, 0U);
  }
}

TEST(NetboxMapping, MakesNodesOfDevicesWithInterfaces) {
  const Document map = document("nodes=device");
  EXPECT_THAT(nodes_of(map), UnorderedElementsAre("router", "device 20", "switch"));
  EXPECT_THAT(links_of(map), UnorderedElementsAre("router - device 20", "router - switch"));
  EXPECT_THAT(owners_of(map, "router"), Contains("Tenant"));
  EXPECT_THAT(owners_of(map, "switch"), Not(Contains("Tenant")));
  EXPECT_THAT(map.losses.texts(), Contains(HasSubstr("dcim.device.name")));
}

TEST(NetboxMapping, PutsCircuitsOnTheLinkThatGoesThroughThem) {
  const Document map = document("nodes=device");
  for (const DocumentElement& link : map.links(map.topologies.front())) {
    const bool through = name_of(link.attributes) == "router - switch";
    EXPECT_EQ(property(*link.attributes, "cid"), through ? "C-1" : "(none)");
    EXPECT_EQ(property(*link.attributes, "provider"), through ? "Provider" : "(none)");
  }
  EXPECT_THAT(owners_of(map, "router - switch"), Contains("Tenant"));
}

TEST(NetboxMapping, MakesProvidersOwnersOfCircuits) {
  const Document map = document("owner=provider");
  EXPECT_THAT(owners_of(map, "Oslo - London"), Contains("Provider"));
  EXPECT_THAT(owners_of(map, "Oslo - London"), Not(Contains("Tenant")));
  EXPECT_THAT(owners_of(map, "Oslo"), Not(Contains("Tenant")));
}

TEST(NetboxMapping, MakesATopologyOfEachRegionWithThoseThatItIsIn) {
  const Document map = document("topologies=region");
  EXPECT_THAT(parents(map), UnorderedElementsAre(Pair("Norway", "Net"), Pair("East", "Norway"),
                                                 Pair("West", "Norway")));
  EXPECT_THAT(own(map, false), UnorderedElementsAre(Pair("East", ElementsAre("Oslo")),
                                                    Pair("West", ElementsAre("Bergen")),
                                                    Pair("Net", ElementsAre("London"))));
}

TEST(NetboxMapping, ListsALinkInTheTopologiesOfBothItsEnds) {
  const Document map = document("topologies=region");
  EXPECT_THAT(
      own(map, true),
      UnorderedElementsAre(Pair("East", UnorderedElementsAre("Oslo - Bergen", "Oslo - London")),
                           Pair("West", ElementsAre("Oslo - Bergen")),
                           Pair("Net", ElementsAre("Oslo - London"))));
}

TEST(NetboxMapping, MakesATopologyOfEachTenant) {
  const Document map = document("topologies=tenant");
  EXPECT_THAT(own(map, false),
              UnorderedElementsAre(Pair("Tenant", ElementsAre("Oslo")),
                                   Pair("Net", UnorderedElementsAre("Bergen", "London"))));
  const auto& tenant = map.topologies.back();
  EXPECT_EQ(name_of(map.elements[tenant.owner].attributes), "Tenant");
  EXPECT_EQ(own(document("topologies=tenant,owner=provider"), false), own(map, false));
}

TEST(NetboxMapping, KeepsIdentifiersWhateverTheNames) {
  const auto ids = [](const Document& map) {
    std::set<std::string> found;
    for (const auto& topology : map.topologies) found.emplace(topology.attributes->fields().id);
    for (const DocumentElement& element : map.elements)
      found.emplace(element.attributes->fields().id);
    return found;
  };
  std::string renamed(kDump);
  for (const std::string_view name : {"\"East\"", "\"Room\"", "\"router\"", "\"Tenant\""})
    renamed.replace(renamed.find(name), name.size(), "\"Other\"");
  for (const std::string_view mapping :
       {"nodes=location,topologies=region", "nodes=device,topologies=tenant"})
    EXPECT_EQ(ids(document(mapping)), ids(document(mapping, renamed))) << mapping;
}

TEST(NetboxMapping, TakesRegionsThatAreInEachOtherInACircle) {
  Table<Region> regions;
  for (const Id id : {1, 2, 3, 4, 5}) regions.add({.id = id, .parent = id % 3 + 1});
  regions.seal();
  const std::vector<Id> wanted{5, 2, 9};
  const std::vector<Id> all = with_parents(regions, wanted);
  EXPECT_THAT(all, UnorderedElementsAre(1, 2, 3, 5));
  EXPECT_EQ(all.back(), 5U) << "it is in 3";

  std::string circle(kDump);
  const std::string_view top = R"("name": "Norway", "parent": null)";
  circle.replace(circle.find(top), top.size(), R"("name": "Norway", "parent": 1)");
  const Document map = document("topologies=region", circle);
  EXPECT_EQ(map.topologies.size(), 4U);
  EXPECT_THAT(map.losses.texts(), Contains(HasSubstr("circle")));
}

TEST(NetboxMapping, LeavesOutWhatIsAtASiteThatIsNotThere) {
  std::string text(kDump);
  const std::string_view site = R"("pk": 1, "fields": {"name": "Oslo")";
  text.replace(text.find(site), site.size(), R"("pk": 9, "fields": {"name": "Oslo")");
  EXPECT_THAT(nodes_of(document("nodes=device", text)),
              UnorderedElementsAre("device 20", "switch"));
  EXPECT_THAT(nodes_of(document("nodes=location", text)), Not(Contains("Room")));
  EXPECT_THAT(links_of(document("nodes=device", text)), IsEmpty());
}

TEST(NetboxMapping, IsRefusedWhereItIsNone) {
  const ReadResult read = read_text("netbox", kDump, "Net", {}, {}, "nodes=rack");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().first.front().message, HasSubstr("nodes=rack"));
  EXPECT_TRUE(check_mapping(*find_format("netbox"), "nodes=device"));
  EXPECT_FALSE(check_mapping(*find_format("netbox"), "nodes=rack"));
  EXPECT_TRUE(check_mapping(*find_format("gml"), ""));
  EXPECT_FALSE(check_mapping(*find_format("gml"), "nodes=device"));
}

// ---- pages ----

std::set<std::string_view> asked_for(const Mapping& mapping, std::string_view model) {
  std::set<std::string_view> fields;
  for (const Endpoint& endpoint : endpoints(mapping))
    if (endpoint.model == model) fields.insert(endpoint.fields);
  return fields;
}

TEST(NetboxMapping, AsksForNoMoreThanItNeeds) {
  EXPECT_THAT(asked_for({}, "dcim.region"), IsEmpty());
  EXPECT_THAT(asked_for({.topologies = TopologyKind::region}, "dcim.region"),
              ElementsAre("id,name,parent"));
  EXPECT_THAT(asked_for({}, "dcim.device"), ElementsAre("id,site,location"));
  EXPECT_THAT(asked_for({.nodes = NodeKind::device}, "dcim.device"),
              ElementsAre("id,site,location,name,tenant"));
  EXPECT_THAT(asked_for({.nodes = NodeKind::device}, "dcim.location"), ElementsAre("id,site"));
  EXPECT_THAT(asked_for({.nodes = NodeKind::location}, "dcim.location"),
              ElementsAre("id,site,name,tenant"));
}

std::string dump_of(PageReader& reader) {
  std::string text;
  const Status written = write_dump(reader.seal(), [&](std::string_view piece) -> Status {
    text += piece;
    return {};
  });
  EXPECT_TRUE(written);
  return text;
}

TEST(NetboxMapping, KeepsOfPagesWhatItNamesAndNothingElse) {
  const auto dump = [](const Mapping& mapping) {
    PageReader reader(mapping);
    for (const auto& [model, record] :
         {std::pair("dcim.region", R"({"id": 1, "name": "East", "parent": {"id": 2}})"),
          std::pair("dcim.site", R"({"id": 1, "name": "Oslo", "region": {"id": 1}})"),
          std::pair("dcim.location",
                    R"({"id": 7, "name": "Room", "site": {"id": 1}, "tenant": {"id": 5}})"),
          std::pair("dcim.device",
                    R"({"id": 9, "name": "router", "site": {"id": 1}, "tenant": {"id": 5}})")})
      EXPECT_TRUE(reader.add(
          model, fmt::format(R"({{"count": 1, "next": null, "results": [{}]}})", record), {}));
    const std::string text = dump_of(reader);
    PageReader again(mapping);
    EXPECT_TRUE(again.resume(text, {}));
    EXPECT_EQ(dump_of(again), text);
    return text;
  };
  for (const std::string_view text : {"East", "Room", "router", "tenant\":5", "region\":1"})
    EXPECT_THAT(dump({}), Not(HasSubstr(text)));
  EXPECT_THAT(dump({.topologies = TopologyKind::region}),
              testing::AllOf(HasSubstr("East"), HasSubstr(R"("parent":2)"),
                             HasSubstr(R"("region":1)"), Not(HasSubstr("Room"))));
  EXPECT_THAT(dump({.nodes = NodeKind::location}),
              testing::AllOf(HasSubstr("Room"), HasSubstr(R"("tenant":5)"),
                             Not(HasSubstr("router")), Not(HasSubstr("East"))));
  EXPECT_THAT(
      dump({.nodes = NodeKind::device}),
      testing::AllOf(HasSubstr("router"), HasSubstr(R"("tenant":5)"), Not(HasSubstr("Room"))));
}

}  // namespace
}  // namespace netml::codecs::netbox
