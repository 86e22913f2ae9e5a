// Goal: in test mode an upload is answered once it is stored, and its outcome stands in its record
// (docs/requirements/http-api.md, sections 9 and 11; decision 10; docs/requirements/importing.md,
// section 9.1). Method: the real program in test mode; records are read until they are no longer in
// progress.
#include <gmock/gmock.h>

#include "tests/e2e/support/test_mode.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::e2e {
namespace {

namespace json = boost::json;
using testing::HasSubstr;
using testing::StartsWith;

class QueuedImport : public testing::Test {
 protected:
  net::ClientResponse upload(const std::string& file, const UploadForm& form = {}) {
    const Answer answer = node.server().client(token).upload(file, form);
    EXPECT_TRUE(answer.has_value()) << answer.error().message;
    return answer.value_or(net::ClientResponse{});
  }
  // The finished record that an accepted upload leads to.
  json::object finished(const std::string& location) {
    net::Headers headers;
    headers.add("Authorization", "Bearer " + token);
    while (true) {
      const JsonAnswer record = node.send("GET", location, headers, {});
      EXPECT_EQ(record.status, 200);
      if (record.status != 200) return {};
      if (record.text("import_status") != "0: Import in progress") return record.value.as_object();
    }
  }
  json::object imported(const std::string& file, const UploadForm& form = {}) {
    const net::ClientResponse answer = upload(file, form);
    EXPECT_EQ(answer.status, 201) << answer.body;
    EXPECT_EQ(answer.body, "");
    return answer.status == 201 ? finished(std::string(answer.headers.get("Location")))
                                : json::object();
  }
  std::string status_of(const json::object& record) {
    return std::string(record.at("import_status").as_string());
  }
  std::string message_of(const json::object& record) {
    return std::string(record.at("import_message").as_string());
  }

  TestModeNode node;
  std::string token = node.import_token();
};

TEST_F(QueuedImport, TellsItsOutcomeInTheRecord) {
  const json::object record =
      imported(test::topology("P", "p", test::institution("p"), test::node("n")));
  EXPECT_EQ(status_of(record), "1: Import complete");
  EXPECT_THAT(message_of(record), HasSubstr("complete"));
  EXPECT_THAT(message_of(record), HasSubstr("Topologies: 1 parsed, 1 imported\n"));
}

TEST_F(QueuedImport, AcceptsFilesThatAreAbortedLater) {
  const std::string good = test::topology("P", "p", test::institution("p"), test::node("n"));
  const auto without = [&](std::string text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
    return text.erase(text.find(part), part.size());
  };
  const std::vector<std::string> files{
      "",
      "<",
      good.substr(0, good.size() / 2),
      without(good, "<grenml:owner>p</grenml:owner>"),
      without(good, "<grenml:name>n</grenml:name>"),
      test::topology("P", "p", test::institution("p"),
                     test::node("n").location("<grenml:long>1</grenml:long>"
                                              "<grenml:lat>400</grenml:lat>")),
      test::topology("P", "p", test::institution("p"),
                     test::node("n").location("<grenml:long>-300</grenml:long>"
                                              "<grenml:lat>1</grenml:lat>")),
  };
  for (const std::string& file : files) {
    const json::object record = imported(file);
    ASSERT_FALSE(record.empty());
    EXPECT_EQ(status_of(record), "3: Import aborted") << file;
    EXPECT_THAT(message_of(record),
                StartsWith("Error importing XML file.  Error parsing the XML stream: "));
  }
  EXPECT_EQ(node.ask("GET", "/network_topology/test/topologies/").value.as_array().size(), 0U);
}

TEST_F(QueuedImport, RefusesWithATextWhatTheReferenceNodeRefuses) {
  const auto text = [&](const std::string& file, const UploadForm& form, int status) {
    const net::ClientResponse answer = upload(file, form);
    EXPECT_EQ(answer.status, status);
    EXPECT_TRUE(json::parse(answer.body).is_string()) << answer.body;
    return answer.body;
  };
  text("\xff\xfe", {}, 400);
  EXPECT_THAT(text("x", {.file_name = "map.txt", .fields = {}}, 406), HasSubstr("map.txt"));
  text("x", {.file_name = "x_xml.pdf", .fields = {}}, 406);
  EXPECT_THAT(text("<x/>", {.fields = {{"parent_topology_id", "12345"}}}, 400), HasSubstr("12345"));
  net::Headers headers;
  headers.add("Authorization", "Bearer " + token);
  EXPECT_EQ(node.send("POST", "/netml_import/upload/", headers, "").status, 400);
  EXPECT_EQ(node.ask_openly("GET", "/netml_import/test/").value.as_array().size(), 0U)
      << "no record is made";
}

TEST_F(QueuedImport, GivesConfirmedElementsLargerKeys) {
  const std::string file = test::topology("P", "p", test::institution("p"), test::node("n"));
  imported(file);
  const auto key = [&] {
    return node.ask("GET", "/network_topology/test/nodes/").value.at(0).at("pk").as_int64();
  };
  const auto before = key();
  imported(file);
  EXPECT_GT(key(), before);
  EXPECT_EQ(node.ask("GET", "/network_topology/test/nodes/").value.as_array().size(), 1U);
}

TEST_F(QueuedImport, IsDoneInOrder) {
  std::vector<std::string> locations;
  for (const char* name : {"one", "two", "three", "four"}) {
    const net::ClientResponse answer =
        upload(test::topology("P", "p", test::institution("p"), test::node("n").named(name)));
    ASSERT_EQ(answer.status, 201);
    locations.emplace_back(answer.headers.get("Location"));
  }
  for (const std::string& location : locations)
    EXPECT_THAT(status_of(finished(location)), HasSubstr("complete"));
  EXPECT_EQ(node.ask("GET", "/network_topology/test/nodes/").value.at(0).at("name"), "four");
  const json::value records = node.ask_openly("GET", "/grenml_import/test/").value;
  ASSERT_EQ(records.as_array().size(), 4U);
  EXPECT_EQ(records.at(0).at("import_status"), "1: Import complete");
  EXPECT_EQ(records.at(0).at("name"), "map.xml");
}

// P1: what was answered with 201 is imported, also after a crash.
TEST_F(QueuedImport, SurvivesAKill) {
  test::TopologyText large = test::topology("P", "p", test::institution("p"));
  for (int i = 0; i < 3000; ++i) large.add(test::node("n" + std::to_string(i)));
  std::vector<std::string> locations;
  for (int i = 0; i < 4; ++i) {
    const net::ClientResponse answer = upload(large);
    ASSERT_EQ(answer.status, 201);
    locations.emplace_back(answer.headers.get("Location"));
  }
  node.kill_and_restart();
  for (const std::string& location : locations)
    EXPECT_THAT(status_of(finished(location)), HasSubstr("complete"));
  EXPECT_EQ(node.ask("GET", "/network_topology/test/nodes/").value.as_array().size(), 3000U);
}

TEST_F(QueuedImport, CanBeTurnedOff) {
  EXPECT_EQ(node.node().done({"setting", "get", "IMPORT_ANSWER"}), "Queued\n");
  node.node().done({"setting", "set", "IMPORT_ANSWER", "Result"});
  const net::ClientResponse answer = upload("<");
  EXPECT_EQ(answer.status, 400);
  EXPECT_TRUE(json::parse(answer.body).is_object());
}

// ---- the upload that is answered with its log ----

TEST_F(QueuedImport, OfTestsIsAnsweredWithTheLog) {
  const auto import = [&](const std::string& file) {
    return node.ask_openly("POST", "/netml_import/test/upload/", json::string(file));
  };
  const JsonAnswer good = import(test::topology("P", "p", test::institution("p")));
  EXPECT_EQ(good.status, 201);
  EXPECT_THAT(std::string(good.value.as_string()), StartsWith("Status: Import complete\n"));
  const JsonAnswer bad = import("<x/>");
  EXPECT_EQ(bad.status, 400);
  EXPECT_THAT(std::string(bad.value.as_string()), HasSubstr("Error"));
  EXPECT_EQ(node.ask_openly("POST", "/netml_import/test/upload/", json::object()).status, 400);
  EXPECT_EQ(node.ask_openly("DELETE", "/netml_import/test/").value, json::value(json::array()));
  EXPECT_EQ(node.ask_openly("GET", "/netml_import/test/").value, json::value(json::array()));
}

}  // namespace
}  // namespace netml::e2e
