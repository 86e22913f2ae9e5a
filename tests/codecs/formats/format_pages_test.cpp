// The mapping table of each format stands on its page: the page is decoded and held against the
// table that the reader goes by.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "codecs/formats/d3/d3_fields.hpp"
#include "codecs/formats/dot/dot_fields.hpp"
#include "codecs/formats/esnet/esnet_fields.hpp"
#include "codecs/formats/geojson/geojson_fields.hpp"
#include "codecs/formats/gexf/gexf_fields.hpp"
#include "codecs/formats/gml/gml_fields.hpp"
#include "codecs/formats/gnpy/gnpy_fields.hpp"
#include "codecs/formats/graphml/graphml_fields.hpp"
#include "codecs/formats/ietf/ietf_fields.hpp"
#include "codecs/formats/kml/kml_fields.hpp"
#include "codecs/formats/n2p/n2p_fields.hpp"
#include "codecs/formats/netbox/netbox_fields.hpp"
#include "codecs/formats/nml/nml_fields.hpp"
#include "codecs/formats/ofds/ofds_fields.hpp"
#include "codecs/formats/oscars/oscars_fields.hpp"
#include "codecs/formats/sdx/sdx_fields.hpp"
#include "codecs/formats/tables/table_fields.hpp"

namespace netml::codecs {
namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

// "| `node.label` | name |"
Rows rows_of_page(const std::string& page) {
  std::ifstream file(NETML_DOCS "/formats/" + page);
  EXPECT_TRUE(file.is_open()) << page;
  Rows rows;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("| `")) continue;
    const std::size_t field_end = line.find("` | ");
    EXPECT_NE(field_end, std::string::npos) << line;
    if (field_end == std::string::npos) continue;
    const std::size_t begin = field_end + 4;
    rows.emplace_back(line.substr(3, field_end - 3), line.substr(begin, line.rfind(" |") - begin));
  }
  return rows;
}

Rows rows_of_table(std::span<const FieldRule> rules) {
  Rows rows;
  for (const FieldRule& rule : rules) rows.emplace_back(rule.field, rule.text());
  return rows;
}

struct Page {
  std::string name;
  std::span<const FieldRule> rules;
};

TEST(FormatPages, HaveTheTablesThatReadersAndWritersGoBy) {
  const Page pages[] = {
      {"d3.md", kD3Fields},         {"dot.md", kDotFields},
      {"esnet.md", kEsnetFields},   {"geojson.md", kGeojsonFields},
      {"gexf.md", kGexfFields},     {"gml.md", kGmlFields},
      {"gnpy.md", kGnpyFields},     {"graphml.md", kGraphmlFields},
      {"ietf.md", kIetfFields},     {"kml.md", kKmlFields},
      {"n2p.md", kN2pFields},       {"netbox.md", netbox::kNetboxFields},
      {"nml.md", kNmlFields},       {"ofds.md", kOfdsFields},
      {"oscars.md", kOscarsFields}, {"sdx.md", kSdxFields},
      {"sheets.md", kTableFields},
  };
  for (const auto& [name, rules] : pages)
    EXPECT_THAT(rows_of_page(name), testing::ElementsAreArray(rows_of_table(rules))) << name;
}

}  // namespace
}  // namespace netml::codecs
