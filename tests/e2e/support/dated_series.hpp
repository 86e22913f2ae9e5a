// A network over the years: ten maps imported one after the other, each with its date. Tests are
// skipped where NETML_TEST_DATA names no folder that has them.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <pugixml.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/e2e/support/node.hpp"

namespace netml::e2e {

using Elements = std::map<std::string, std::string>;  // "Node urn:..." to its content

class DatedSeries : public testing::Test {
 protected:
  void SetUp() override {
    namespace fs = std::filesystem;
    const char* folder = std::getenv("NETML_TEST_DATA");
    if (folder == nullptr) GTEST_SKIP() << "NETML_TEST_DATA is not set";
    for (const char* date : {"199901", "199905", "200109", "200404", "200908", "201001", "201008",
                             "201101", "201108", "201201"}) {
      const fs::path file = fs::path(folder) / "zoo" / fmt::format("Garr{}.xml", date);
      if (!fs::exists(file)) GTEST_SKIP() << file << " is not there";
      files_.push_back(read_file(file));
      dates_.push_back(fmt::format("{:.4}-{}-01T00:00:00Z", date, date + 4));
      const CommandResult result =
          node_.run({"import", file.string(), "--root", "--date", dates_.back()});
      ASSERT_EQ(result.exit_code, 0) << result.err;
      exports_.push_back(node_.export_all());
    }
  }

  // By an XML library that shares nothing with the readers under test.
  static Elements elements_of(const std::string& xml) {
    Elements elements;
    pugi::xml_document document;
    EXPECT_TRUE(document.load_buffer(xml.data(), xml.size()));
    for (const char* kind : {"Institution", "Node", "Link"}) {
      const std::string path = fmt::format("//*[local-name()='{}']", kind);
      for (const pugi::xpath_node& found : document.select_nodes(path.c_str())) {
        std::ostringstream text;
        found.node().print(text, "", pugi::format_raw);
        elements[fmt::format("{} {}", kind, found.node().attribute("id").value())] = text.str();
      }
    }
    return elements;
  }

  Node node_;
  std::vector<std::string> files_;
  std::vector<std::string> dates_;
  std::vector<std::string> exports_;  // after each
};

}  // namespace netml::e2e
