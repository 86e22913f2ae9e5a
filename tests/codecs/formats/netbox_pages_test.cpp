// Pages of NetBox's API: the shapes of several versions, pages that move, and what is no page.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "codecs/formats/netbox/netbox_joins.hpp"
#include "codecs/formats/netbox/netbox_map.hpp"
#include "codecs/formats/netbox/netbox_pages.hpp"

namespace netml::codecs::netbox {
namespace {

Page added(PageReader& reader, std::string_view model, std::string_view bytes) {
  const auto page = reader.add(model, bytes, {});
  EXPECT_TRUE(page) << (page ? "" : page.error().text());
  return page.value_or(Page());
}

// Sites 1 and 2, each with a device and an interface of its number.
void add_sites(PageReader& reader) {
  added(reader, "dcim.site", R"({"count": 2, "next": null, "previous": null, "results": [
    {"id": 1, "url": "https://canary/1/", "display": "A", "name": "A", "slug": "a",
     "status": {"value": "active", "label": "Active"}, "region": null,
     "tenant": {"id": 5, "url": "https://canary/5/", "name": "T", "slug": "t"},
     "latitude": 59.91, "longitude": 10.75},
    {"id": 2, "name": "B", "slug": "b", "status": {"value": "planned",
     "label": "Planned"}, "tenant": null}]})");
  added(reader, "tenancy.tenant",
        R"({"count": 1, "next": null, "results": [{"id": 5, "name": "T", "comments": "canary"}]})");
  added(reader, "dcim.device", R"({"count": 2, "next": null, "results": [
    {"id": 1, "name": "canary", "site": {"id": 1}, "location": null}, {"id": 2,
     "site": {"id": 2}}]})");
  added(reader, "dcim.interface", R"({"count": 2, "next": null, "results": [
    {"id": 1, "device": {"id": 1}, "cable": {"id": 1}, "cable_end": "A"}, {"id": 2,
     "device": {"id": 2}}]})");
}

std::size_t joins_of(PageReader& reader) {
  return find_joins(Cabling(reader.seal()), NodeKind::site).joins.size();
}

TEST(NetboxPages, SayWhereTheNextOneIs) {
  PageReader reader;
  const Page page = added(
      reader, "dcim.site",
      R"({"count": 7, "next": "https://n.example/api/dcim/sites/?offset=1", "results": [{"id": 1}]})");
  EXPECT_EQ(page.count, 7U);
  EXPECT_EQ(page.records, 1U);
  EXPECT_EQ(page.next, "https://n.example/api/dcim/sites/?offset=1");
}

TEST(NetboxPages, HaveTheEndsOfCablesInTheCables) {
  PageReader reader;
  add_sites(reader);
  added(reader, "dcim.cable", R"({"count": 1, "next": null, "results": [{"id": 1, "label": "canary",
    "a_terminations": [{"object_type": "dcim.interface", "object_id": 1,
      "object": {"id": 1, "name": "canary"}}],
    "b_terminations": [{"object_type": "dcim.interface", "object_id": 2,
      "object": {"id": 2}}]}]})");
  EXPECT_EQ(joins_of(reader), 1U);
}

TEST(NetboxPages, HaveCircuitsThatEndAtSites) {
  PageReader reader;
  add_sites(reader);
  added(reader, "circuits.circuit", R"({"count": 1, "next": null, "results": [
    {"id": 1, "cid": "C", "provider": {"id": 3, "name": "P"},
     "status": {"value": "active", "label": "Active"}}]})");
  added(reader, "circuits.circuittermination", R"({"count": 2, "next": null, "results": [
    {"id": 1, "circuit": {"id": 1, "cid": "C"}, "term_side": "A", "site": {"id": 1},
     "provider_network": null},
    {"id": 2, "circuit": {"id": 1, "cid": "C"}, "term_side": "Z", "site": {"id": 2},
     "provider_network": null}]})");
  EXPECT_EQ(joins_of(reader), 1U);
}

// As of version 4.2.
TEST(NetboxPages, HaveCircuitsThatEndAtAnything) {
  PageReader reader;
  add_sites(reader);
  added(reader, "dcim.location",
        R"({"count": 1, "next": null, "results": [{"id": 9, "site": {"id": 2}}]})");
  added(reader, "circuits.circuit",
        R"({"count": 2, "next": null, "results": [{"id": 1}, {"id": 2}]})");
  added(reader, "circuits.circuittermination", R"({"count": 4, "next": null, "results": [
    {"id": 1, "circuit": {"id": 1}, "term_side": "A", "termination_type": "dcim.site",
     "termination_id": 1},
    {"id": 2, "circuit": {"id": 1}, "term_side": "Z",
     "termination_type": "dcim.location", "termination_id": 9},
    {"id": 3, "circuit": {"id": 2}, "term_side": "A", "termination_type": "dcim.site",
     "termination_id": 1},
    {"id": 4, "circuit": {"id": 2}, "term_side": "Z",
     "termination_type": "circuits.providernetwork",
     "termination_id": 4}]})");
  EXPECT_EQ(joins_of(reader), 1U);
}

TEST(NetboxPages, BecomeAMapWithWhatTheMappingNames) {
  PageReader reader;
  add_sites(reader);
  const auto map = make_document(reader.seal(), {}, {"Net", {}, {}});
  ASSERT_TRUE(map);
  const auto nodes = map->nodes(map->topologies.front());
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[0].attributes->fields().name, "A");
  EXPECT_TRUE(nodes[0].attributes->fields().coordinates);
  std::vector<std::string> properties;
  nodes[0].attributes->for_each_property([&](const engine::Property& property) {
    properties.push_back(std::string(property.name) + "=" + std::string(property.value));
  });
  EXPECT_THAT(properties, testing::UnorderedElementsAre("slug=a", "status=active"));
  EXPECT_EQ(map->losses.lost(), 0U);
}

TEST(NetboxPages, TakeTheLastOfARecordThatComesTwice) {
  PageReader reader;
  add_sites(reader);
  added(reader, "dcim.device",
        R"({"count": 2, "next": null, "results": [{"id": 2, "site": {"id": 1}}]})");
  added(reader, "dcim.cable", R"({"count": 1, "next": null, "results": [{"id": 1,
    "a_terminations": [{"object_type": "dcim.interface", "object_id": 1}],
    "b_terminations": [{"object_type": "dcim.interface", "object_id": 2}]}]})");
  EXPECT_EQ(joins_of(reader), 0U);
  added(reader, "dcim.device",
        R"({"count": 2, "next": null, "results": [{"id": 2, "site": {"id": 2}}]})");
  EXPECT_EQ(joins_of(reader), 1U);
}

TEST(NetboxPages, AreRefusedWithThePlace) {
  const auto refused = [](std::string_view bytes) {
    PageReader reader;
    const auto page = reader.add("dcim.site", bytes, {});
    EXPECT_FALSE(page) << bytes;
    return page ? engine::InputError() : page.error();
  };
  EXPECT_EQ(refused(R"({"detail": "Invalid token"})").code, "no-page");
  EXPECT_EQ(refused(R"({"results": []})").pointer, "/count");
  EXPECT_EQ(refused(R"({"count": 2, "results": [{"id": 1}, {"name": "B"}]})").pointer,
            "/results/1");
  EXPECT_EQ(refused(R"({"count": 1, "results": [7]})").pointer, "/results/0");
  EXPECT_EQ(refused("<html>").line, 1U);
}

}  // namespace
}  // namespace netml::codecs::netbox
