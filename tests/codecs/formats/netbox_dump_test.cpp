// What pages were read is kept as a dump: nothing of it is lost, nothing else is in it, and changes
// since then make of it what all pages would make.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "codecs/formats/netbox/netbox_dump.hpp"
#include "codecs/formats/netbox/netbox_joins.hpp"
#include "codecs/formats/netbox/netbox_pages.hpp"
#include "tests/codecs/formats/read_document.hpp"

namespace netml::codecs::netbox {
namespace {

using testing::HasSubstr;
using testing::Not;

void add(PageReader& reader, std::string_view model, std::string_view results) {
  const auto page = reader.add(
      model, fmt::format(R"({{"count": 1, "next": null, "results": [{}]}})", results), {});
  ASSERT_TRUE(page) << page.error().text();
}

constexpr std::string_view kOslo =
    R"({"id": 1, "name": "Oslo", "slug": "oslo", "status": {"value": "active", "label": "Active"},
        "tenant": {"id": 5, "name": "canary"}, "latitude": 59.91, "longitude": 10.75,
        "physical_address": "canary", "comments": "canary"})";
constexpr std::string_view kBergen =
    R"({"id": 2, "name": "Bergen \"north\"", "slug": "bergen", "tenant": null, "latitude": null})";

// Two sites with a cable, through a panel, and a circuit between them; the cable has a power port,
// and another circuit leads into the network of a provider.
void add_all(PageReader& reader) {
  add(reader, "dcim.site", fmt::format("{},{}", kBergen, kOslo));
  add(reader, "dcim.location", R"({"id": 9, "site": {"id": 2}, "name": "canary"})");
  add(reader, "tenancy.tenant", R"({"id": 5, "name": "Tenant", "comments": "canary"})");
  add(reader, "circuits.provider", R"({"id": 7, "name": "Provider"})");
  add(reader, "circuits.circuit",
      R"({"id": 8, "cid": "C-1", "provider": {"id": 7}, "commit_rate": 10000,
          "status": {"value": "active"}, "tenant": {"id": 5}}, {"id": 18, "cid": "C-2"})");
  add(reader, "circuits.circuittermination",
      R"({"id": 81, "circuit": {"id": 8}, "term_side": "A", "termination_type": "dcim.site",
          "termination_id": 1},
         {"id": 82, "circuit": {"id": 8}, "term_side": "Z", "termination_type": "dcim.location",
          "termination_id": 9},
         {"id": 83, "circuit": {"id": 18}, "term_side": "A", "site": {"id": 1}},
         {"id": 84, "circuit": {"id": 18}, "term_side": "Z", "provider_network": {"id": 3}})");
  add(reader, "dcim.device",
      R"({"id": 10, "site": {"id": 1}, "serial": "canary"}, {"id": 20, "location": {"id": 9}})");
  add(reader, "dcim.interface",
      R"({"id": 11, "device": {"id": 10}, "name": "canary"}, {"id": 21, "device": {"id": 20}})");
  add(reader, "dcim.frontport", R"({"id": 31, "rear_port": {"id": 41}, "rear_port_position": 2})");
  add(reader, "dcim.rearport", R"({"id": 41, "positions": 6})");
  add(reader, "dcim.cable",
      R"({"id": 3, "label": "canary",
          "a_terminations": [{"object_type": "dcim.interface", "object_id": 11}],
          "b_terminations": [{"object_type": "dcim.interface", "object_id": 21}]},
         {"id": 4, "a_terminations": [{"object_type": "dcim.powerport", "object_id": 1}],
          "b_terminations": []})");
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

std::size_t joins_of(PageReader& reader) {
  return find_joins(Cabling(reader.seal()), NodeKind::site).joins.size();
}

TEST(NetboxDump, HasWhatTheMappingNamesAndNothingElse) {
  PageReader reader;
  add_all(reader);
  const std::string dump = dump_of(reader);
  EXPECT_THAT(dump, Not(HasSubstr("canary")));
  const engine::Document map = codecs::test::document_of("netbox", dump, "Net");
  EXPECT_EQ(codecs::test::count_nodes(map), 2U);
  EXPECT_EQ(codecs::test::count_links(map), 2U);
  EXPECT_EQ(codecs::test::node(map, 1).fields().name, R"(Bergen "north")");
  EXPECT_TRUE(codecs::test::node(map, 0).fields().coordinates);
}

TEST(NetboxDump, ComesBackAsItWas) {
  PageReader reader;
  add_all(reader);
  const std::string dump = dump_of(reader);
  PageReader again;
  ASSERT_TRUE(again.resume(dump, {}));
  EXPECT_EQ(dump_of(again), dump);
  EXPECT_EQ(joins_of(again), joins_of(reader));
  for (const Endpoint& endpoint : endpoints({}))
    EXPECT_EQ(again.count(endpoint.model), reader.count(endpoint.model)) << endpoint.model;
}

TEST(NetboxDump, IsTheSameWhateverTheOrderOfPages) {
  PageReader one;
  add(one, "dcim.site", kOslo);
  add(one, "dcim.site", kBergen);
  PageReader other;
  add(other, "dcim.site", kBergen);
  add(other, "dcim.site", kOslo);
  EXPECT_EQ(dump_of(one), dump_of(other));
}

TEST(NetboxDump, TakesWhatChangedSince) {
  PageReader before;
  add_all(before);
  const std::string dump = dump_of(before);
  PageReader reader;
  ASSERT_TRUE(reader.resume(dump, {}));
  add(reader, "dcim.site", R"({"id": 1, "name": "Oslo 2", "slug": "oslo", "tenant": null})");
  const std::string after = dump_of(reader);
  EXPECT_THAT(after, HasSubstr("Oslo 2"));
  EXPECT_THAT(after, Not(HasSubstr("\"Oslo\"")));
  EXPECT_EQ(joins_of(reader), 2U) << "cables that did not change have their ends still";
}

TEST(NetboxDump, GivesACableTheEndsThatItHasNow) {
  PageReader reader;
  add_all(reader);
  reader.seal();
  const auto move_to = [&](int port) {
    add(reader, "dcim.cable",
        fmt::format(R"({{"id": 3,
      "a_terminations": [{{"object_type": "dcim.interface", "object_id": 11}}],
      "b_terminations": [{{"object_type": "dcim.interface", "object_id": {}}}]}})",
                    port));
  };
  move_to(99);
  EXPECT_EQ(joins_of(reader), 1U) << "only the circuit";
  move_to(98);
  move_to(21);
  EXPECT_EQ(joins_of(reader), 2U) << "it came twice: the last one counts";
}

TEST(NetboxDump, ForgetsWhatIsGone) {
  PageReader reader;
  add_all(reader);
  reader.seal();
  reader.keep_only("dcim.cable", {4});
  reader.keep_only("circuits.circuit", {18});
  EXPECT_EQ(joins_of(reader), 0U);
  EXPECT_EQ(reader.count("dcim.cable"), 1U);
  std::vector<Id> ids;
  const auto page = PageReader::read_ids(
      R"({"count": 2, "next": null, "results": [{"id": 4}, {"id": 2}]})", {}, ids);
  ASSERT_TRUE(page);
  EXPECT_THAT(ids, testing::ElementsAre(4, 2));
  EXPECT_FALSE(PageReader::read_ids(R"({"count": 1, "results": [{}]})", {}, ids));
}

TEST(NetboxDump, EndsWithTheFirstErrorOfWhoTakesIt) {
  PageReader reader;
  add_all(reader);
  const Status written = write_dump(
      reader.seal(), [](std::string_view) -> Status { return fail(Errc::no_space, "full"); });
  EXPECT_FALSE(written);
}

TEST(NetboxDump, IsNotTakenForOneWhenItIsNone) {
  PageReader reader;
  EXPECT_FALSE(reader.resume("[", {}));
  EXPECT_FALSE(reader.resume(R"([{"model": "dcim.site", "fields": {}}])", {}));
}

}  // namespace
}  // namespace netml::codecs::netbox
