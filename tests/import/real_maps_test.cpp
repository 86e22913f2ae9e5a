// Real maps of research and education networks, where NETML_TEST_DATA names a folder of them: all
// of them as one tree, and the maps of one network in the order of their dates.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <pugixml.hpp>

#include "tests/support/content_lines.hpp"
#include "tests/support/file_content.hpp"
#include "tests/support/import_harness.hpp"

namespace netml::test {
namespace {

using testing::IsEmpty;

struct Series {
  const char* network;
  std::vector<const char*> files;  // oldest first
};
void PrintTo(const Series& series, std::ostream* out) {
  *out << series.network;
}

class RealMaps : public testing::TestWithParam<Series> {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("NETML_TEST_DATA");
    if (folder == nullptr) GTEST_SKIP() << "NETML_TEST_DATA is not set";
    folder_ = folder;
    if (!std::filesystem::exists(folder_ / "rens.xml")) GTEST_SKIP() << "no maps in " << folder_;
  }

  std::string read(const std::filesystem::path& name) const {
    std::string text = file_content(folder_ / name);
    EXPECT_FALSE(text.empty()) << name;
    return text;
  }

  // What the topology lists, by an XML library that shares nothing with the reader under test.
  static Texts listed_ids(const pugi::xml_node& topology, const char* element) {
    Texts ids;
    const std::string path = fmt::format("./*[local-name()='{}']", element);
    for (const pugi::xpath_node& found : topology.select_nodes(path.c_str()))
      ids.emplace_back(found.node().attribute("id").value());
    std::ranges::sort(ids);
    return ids;
  }

  static void expect_contents_of_file(const ImportHarness& store, const std::string& xml) {
    pugi::xml_document document;
    ASSERT_TRUE(document.load_buffer(xml.data(), xml.size()));
    const pugi::xpath_node_set topologies = document.select_nodes("//*[local-name()='Topology']");
    EXPECT_FALSE(topologies.empty());
    for (const pugi::xpath_node& found : topologies) {
      const std::string id = found.node().attribute("id").value();
      EXPECT_EQ(store.members(id, Kind::node), listed_ids(found.node(), "Node")) << id;
      EXPECT_EQ(store.members(id, Kind::link), listed_ids(found.node(), "Link")) << id;
    }
  }

  static void expect_round_trip(const ImportHarness& store) {
    ImportHarness fresh;
    fresh.import_at_top(store.exported());
    EXPECT_EQ(fresh.exported(), store.exported());
  }

  // As the round trip, where all came from one root: then even the origins agree.
  static void expect_same_content_in_an_empty_store(const ImportHarness& store) {
    ImportHarness fresh;
    fresh.import_at_top(store.exported());
    EXPECT_THAT(difference(content_lines(fresh.graph()), content_lines(store.graph())), IsEmpty());
  }

  std::filesystem::path folder_;
};

TEST_P(RealMaps, HoldExactlyTheNodesAndLinksOfTheLastFile) {
  ImportHarness store;
  for (const char* name : GetParam().files) {
    SCOPED_TRACE(name);
    const std::string xml = read(std::filesystem::path("zoo") / name);
    store.import_at_top(xml);
    expect_contents_of_file(store, xml);
    expect_round_trip(store);
    expect_same_content_in_an_empty_store(store);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Series, RealMaps,
    testing::Values(Series{"Garr",
                           {"Garr199901.xml", "Garr199905.xml", "Garr200109.xml", "Garr200404.xml",
                            "Garr200908.xml", "Garr201001.xml", "Garr201008.xml", "Garr201101.xml",
                            "Garr201108.xml", "Garr201201.xml"}},
                    Series{"Geant",
                           {"Geant2001.xml", "Geant2009.xml", "Geant2010.xml", "Geant2011.xml",
                            "Geant2012.xml"}},
                    Series{"Nordunet",
                           {"Nordu1989.xml", "Nordu1997.xml", "Nordu2005.xml", "Nordu2010.xml"}},
                    Series{"Uninett", {"Uninett.xml", "Uninett2010.xml", "Uninett2011.xml"}}),
    [](const auto& tested) { return std::string(tested.param.network); });

class RealTree : public RealMaps {};

// The whole tree, then single newer and older maps below it, then the tree again.
TEST_P(RealTree, TakesSingleMapsAndComesBack) {
  const std::string tree = read("rens.xml");
  ImportHarness store;
  store.import_at_top(tree);
  expect_contents_of_file(store, tree);
  expect_round_trip(store);
  expect_same_content_in_an_empty_store(store);
  const std::vector<std::string> content = content_lines(store.graph());
  for (const char* name : GetParam().files) {
    SCOPED_TRACE(name);
    const std::string xml = read(std::filesystem::path("zoo") / name);
    store.import(xml);
    expect_contents_of_file(store, xml);
    expect_round_trip(store);
  }
  store.import_at_top(tree);
  EXPECT_THAT(difference(content_lines(store.graph()), content), IsEmpty());
  store.import_at_top(tree);
  EXPECT_THAT(store.transaction().records, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Tree, RealTree,
                         testing::Values(Series{"Garr", {"Garr199901.xml", "Garr201201.xml"}}),
                         [](const auto& tested) { return std::string(tested.param.network); });

}  // namespace
}  // namespace netml::test
