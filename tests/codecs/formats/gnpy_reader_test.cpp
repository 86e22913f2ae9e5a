// Networks of GNPy to documents: fibres and nodes, what positions are, what stays together, what is
// lost and what is refused, each with its place.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/codecs/formats/read_document.hpp"

namespace netml::codecs {
namespace {

using test::count_links;
using test::document_of;
using test::link;
using test::node;
using test::properties;
using test::read_text;
using testing::ElementsAre;

std::string file(std::string_view elements, std::string_view connections) {
  return fmt::format(R"({{"elements":[{}],"connections":[{}]}})", elements, connections);
}

std::string at(std::string_view latitude, std::string_view longitude) {
  return fmt::format(R"(,"metadata":{{"location":{{"latitude":{},"longitude":{}}}}})", latitude,
                     longitude);
}

std::string element(std::string_view uid, std::string_view type, std::string_view more = {}) {
  return fmt::format(R"({{"uid":"{}","type":"{}"{}}})", uid, type, more);
}

std::string connection(std::string_view from, std::string_view to) {
  return fmt::format(R"({{"from_node":"{}","to_node":"{}"}})", from, to);
}

// A fibre of that many kilometres from one node to another, and what it is connected with.
struct Made {
  std::string elements;
  std::string connections;

  void node(std::string_view uid, std::string_view more) {
    elements += (elements.empty() ? "" : ",") + element(uid, "Roadm", more);
  }
  void fiber(std::string_view from, std::string_view to, std::string_view kilometres) {
    const std::string uid = fmt::format("{}-{}", from, to);
    elements +=
        "," + element(uid, "Fiber",
                      fmt::format(R"(,"params":{{"length":{},"length_units":"km"}})", kilometres));
    connections +=
        (connections.empty() ? "" : ",") + connection(from, uid) + "," + connection(uid, to);
  }
  std::string text() const { return file(elements, connections); }
};

// Four places in a row, one degree from each other, which is 111 km.
Made row(std::string_view kilometres) {
  Made made;
  made.node("a", at("50", "1"));
  made.node("b", at("51", "1"));
  made.node("c", at("52", "1"));
  made.node("d", at("0.0", "0.0"));
  for (const auto& [from, to] : {std::pair("a", "b"), {"b", "c"}, {"c", "b"}})
    made.fiber(from, to, kilometres);
  return made;
}

engine::Document read(std::string_view text) {
  return document_of("gnpy", text);
}

engine::InputError error_of(std::string_view text) {
  const ReadResult read = read_text("gnpy", text);
  EXPECT_FALSE(read.has_value());
  return read ? engine::InputError() : read.error().first.at(0);
}

TEST(GnpyReader, MakesALinkOfEachFibreAndANodeOfEachOtherElement) {
  const auto document = read(file(
      element("trx", "Transceiver") + "," +
          element("r", "Roadm", R"(,"params":{"target_pch_out_db":-20,"restrictions":{"a":[]}})") +
          "," +
          element("f", "Fiber",
                  R"(,"type_variety":"SSMF","params":{"length":80.5,"length_units":"km",)"
                  R"("con_in":null,"loss_coef":0.2})") +
          "," + element("e", "Edfa"),
      connection("trx", "r") + "," + connection("r", "f") + "," + connection("f", "e")));
  ASSERT_EQ(document.nodes(document.topologies[0]).size(), 3U);
  ASSERT_EQ(count_links(document), 1U);
  EXPECT_EQ(link(document, 0).name(), "f");
  EXPECT_THAT(properties(link(document, 0), "type_variety"), ElementsAre("SSMF"));
  EXPECT_THAT(properties(link(document, 0), "length"), ElementsAre("80.5"));
  EXPECT_THAT(properties(link(document, 0), "params"),
              ElementsAre(R"({"con_in":null,"loss_coef":0.2})"));
  EXPECT_THAT(properties(link(document, 0), "from_node"), ElementsAre("r"));
  EXPECT_EQ(node(document, 0).name(), "trx");
  EXPECT_THAT(properties(node(document, 0), "to_node"), ElementsAre("r"));
  EXPECT_THAT(properties(node(document, 1), "params"),
              ElementsAre(R"({"target_pch_out_db":-20,"restrictions":{"a":[]}})"));
  EXPECT_EQ(document.losses.lost(), 0U);
  EXPECT_EQ(document.losses.present(), 21U);
}

TEST(GnpyReader, TakesPositionsForDegreesWhereFibresAreLongEnough) {
  const auto document = read(row("120").text());
  EXPECT_EQ(node(document, 1).fields().coordinates->latitude.value, 51'000'000);
  EXPECT_FALSE(node(document, 3).fields().coordinates) << "0/0 is unknown";
  EXPECT_THAT(properties(node(document, 3), "latitude"), ElementsAre("0.0"));
  EXPECT_TRUE(document.notes.size() == 1) << "the file names no network";
}

TEST(GnpyReader, KeepsPositionsAsPropertiesWhereFibresContradict) {
  for (const std::string_view kilometres : {"100", "400"}) {
    const auto document = read(row(kilometres).text());
    EXPECT_FALSE(node(document, 1).fields().coordinates) << kilometres;
    EXPECT_THAT(properties(node(document, 1), "latitude"), ElementsAre("51"));
    EXPECT_THAT(document.notes[0].text, testing::HasSubstr("units of a drawing"));
    EXPECT_EQ(document.losses.lost(), 0U);
  }
}

TEST(GnpyReader, ConcludesNothingFromFewFibres) {
  Made made;
  made.node("a", at("50", "1"));
  made.node("b", at("51", "1"));
  made.fiber("a", "b", "120");
  EXPECT_FALSE(node(read(made.text()), 0).fields().coordinates);
}

TEST(GnpyReader, GivesIdentifiersByUidWhateverTheOrder) {
  const auto one = read(file(element("a", "Roadm") + "," + element("b", "Roadm"), ""));
  const auto other = read(file(element("b", "Edfa") + "," + element("a", "Fused"), ""));
  EXPECT_EQ(node(one, 0).id(), node(other, 1).id());
}

TEST(GnpyReader, LosesFibresThatDoNotJoinTwoNodes) {
  const auto document =
      read(file(element("a", "Roadm") + "," + element("f", "Fiber") + "," + element("g", "Fiber"),
                connection("a", "f") + "," + connection("f", "g") + "," + connection("g", "a")));
  EXPECT_EQ(count_links(document), 0U);
  EXPECT_EQ(document.losses.lost(), 10U);
  EXPECT_EQ(document.losses.kept()[0].text(),
            "/connections/0/from_node: connection.from_node: it is of a fibre that joins no two "
            "nodes");
}

TEST(GnpyReader, RefusesWhatIsNoNetworkWithThePlace) {
  EXPECT_EQ(error_of("{").code, "not-well-formed");
  EXPECT_EQ(error_of(R"({"elements":[]})").code, "missing-member");
  EXPECT_EQ(error_of(file(R"({"type":"Roadm"})", "")).code, "missing-member");
  EXPECT_EQ(error_of(file(R"({"uid":"a"})", "")).place(), "/elements/0");
  EXPECT_EQ(error_of(file(element("a", "Roadm") + "," + element("a", "Edfa"), "")).code,
            "duplicate-id");
  const auto unknown = error_of(file(element("a", "Roadm"), connection("a", "z")));
  EXPECT_EQ(unknown.code, "node-unknown");
  EXPECT_EQ(unknown.place(), "/connections/0");
}

}  // namespace
}  // namespace netml::codecs
