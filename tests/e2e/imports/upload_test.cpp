// What an upload does and what it answers (docs/requirements/importing.md, section 9.1;
// docs/requirements/http-api.md, section 9; decisions 4, 5, 10 and 25). Method: uploads over a
// socket, looked at through export and record.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/e2e/support/node.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::e2e {
namespace {

using test::institution;
using test::link;
using test::node;
using test::topology;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Upload : public testing::Test {
 protected:
  void SetUp() override {
    import_ = node_.token("import");
    polling_ = node_.token("polling");
    server_ = node_.serve();
  }
  net::ClientResponse upload(const std::string& file, const UploadForm& form = {}) {
    const Answer answer = server_->client(import_).upload(file, form);
    EXPECT_TRUE(answer.has_value()) << answer.error().message;
    return answer.value_or(net::ClientResponse{});
  }
  std::string record(const net::ClientResponse& uploaded) {
    return server_->client(import_).get(uploaded.headers.get("Location"))->body;
  }
  std::string exported() { return server_->client(polling_).get("/netml_export/")->body; }
  std::string record_of_number(int number) {
    return server_->client(import_).get(fmt::format("/netml_import/records/{}/", number))->body;
  }
  bool nothing_is_left_in_tmp() {
    return std::filesystem::is_empty(std::filesystem::path(node_.data()) / "tmp");
  }

  Node node_;
  std::string import_;
  std::string polling_;
  std::unique_ptr<Server> server_;
};

TEST_F(Upload, IsAnsweredWithARecordThatItsTokenMayRead) {
  const net::ClientResponse uploaded = upload(topology("P", "p", institution("p"), node("a")));
  ASSERT_EQ(uploaded.status, 201);
  EXPECT_EQ(uploaded.body, "");
  EXPECT_EQ(uploaded.headers.get("Location"), "/netml_import/records/1/");
  EXPECT_THAT(record(uploaded),
              AllOf(HasSubstr("1: Import complete"), HasSubstr("Nodes: 1 parsed, 1 imported"),
                    HasSubstr(R"("name":"map.xml")")));
  const std::string another = node_.token("import");
  EXPECT_EQ(server_->client(another).get("/netml_import/records/1/")->status, 404);
  EXPECT_EQ(server_->client(polling_).get("/netml_import/records/1/")->status, 403);
}

TEST_F(Upload, ByTheOldPathLeadsToARecordByTheOldPath) {
  const net::ClientResponse uploaded = upload(topology("P", "p", institution("p")),
                                              {.fields = {}, .path = "/grenml_import/upload/"});
  ASSERT_EQ(uploaded.status, 201);
  EXPECT_EQ(uploaded.headers.get("Location"), "/grenml_import/records/1/");
  EXPECT_THAT(record(uploaded), HasSubstr("1: Import complete"));
}

TEST_F(Upload, IsVisibleOnceItIsAnswered) {
  for (int count = 1; count <= 5; ++count) {
    test::TopologyText file = topology("P", "p", institution("p"));
    for (int i = 0; i < count; ++i) file.add(node(fmt::format("node-{}", i)));
    ASSERT_EQ(upload(file).status, 201);
    EXPECT_THAT(exported(), HasSubstr(fmt::format("\"node-{}\"", count - 1)));
  }
}

TEST_F(Upload, OfWhatWasExportedChangesNothing) {
  const std::string file =
      topology("P", "p", institution("p"), node("a"), node("b"), link("l", "a", "b"),
               topology("C", "c", institution("c"), node("a")));
  ASSERT_EQ(upload(file).status, 201);
  const std::string first = exported();
  ASSERT_EQ(upload(first).status, 201);
  EXPECT_EQ(exported(), first);
}

TEST_F(Upload, GoesBelowTheMainTopologyOrTheParentNamed) {
  ASSERT_EQ(upload(topology("P", "p", institution("p"))).status, 201);
  ASSERT_EQ(upload(topology("Q", "q", institution("q"))).status, 201);
  EXPECT_THAT(exported(), HasSubstr("id=\"Q\"")) << "a child of the main topology";
  ASSERT_EQ(upload(topology("R", "r", institution("r")), {.fields = {{"parent_topology_id", "Q"}}})
                .status,
            201);
  EXPECT_THAT(node_.done({"export", "--topology", "Q"}), HasSubstr("id=\"R\""));
  const std::string by_number = "1";  // records are numbered from 1: the first is P
  ASSERT_EQ(
      upload(topology("S", "s", institution("s")), {.fields = {{"parent_topology_id", by_number}}})
          .status,
      201);
  EXPECT_THAT(node_.done({"export", "--topology", "Q"}), Not(HasSubstr("id=\"S\"")));
  EXPECT_THAT(exported(), HasSubstr("id=\"S\""));
}

TEST_F(Upload, BelowAnUnknownParentIsRefusedAndLeavesNothing) {
  ASSERT_EQ(upload(topology("P", "p", institution("p"))).status, 201);
  const std::string before = exported();
  for (const char* parent : {"no-such-topology", "4711", "-1", "1 2"}) {
    const net::ClientResponse refused =
        upload(topology("Q", "q", institution("q")), {.fields = {{"parent_topology_id", parent}}});
    EXPECT_EQ(refused.status, 400) << parent;
    EXPECT_THAT(refused.body, HasSubstr(parent));
  }
  EXPECT_EQ(exported(), before);
  EXPECT_THAT(record_of_number(2), HasSubstr("no such import record"));
  EXPECT_TRUE(nothing_is_left_in_tmp());
}

TEST_F(Upload, TakesItsNameFromTopologyNameUnlessThatIsEmpty) {
  const std::string file = topology("P", "p", institution("p")).named("As in the file");
  ASSERT_EQ(upload(file, {.fields = {{"topology_name", ""}, {"parent_topology_id", ""}}}).status,
            201);
  EXPECT_THAT(exported(), HasSubstr("As in the file"));
  ASSERT_EQ(upload(file, {.fields = {{"topology_name", "As wished"}}}).status, 201);
  EXPECT_THAT(exported(), AllOf(HasSubstr("As wished"), Not(HasSubstr("As in the file"))));
}

TEST_F(Upload, OfAnotherKindOfFileIs406AndMakesNoRecord) {
  const std::string file = topology("P", "p", institution("p"));
  for (const char* name : {"map.txt", "map.pdf", "x_xml.pdf", "mapxml", "xml", ".xml.bak"}) {
    const net::ClientResponse refused = upload(file, {.file_name = name, .fields = {}});
    EXPECT_EQ(refused.status, 406) << name;
    EXPECT_THAT(refused.body, HasSubstr(name));
  }
  for (const char* name : {"a.xml", "a.XML", "a.NetML", "a.grenml"})
    EXPECT_EQ(upload(file, {.file_name = name, .fields = {}}).status, 201) << name;
  EXPECT_THAT(record_of_number(1), HasSubstr("\"a.xml\"")) << "the refused ones made no record";
}

TEST_F(Upload, WithoutAFileOrNotUtf8Is400) {
  const Client client = server_->client(import_);
  net::Headers form;
  form.add("Content-Type", "multipart/form-data; boundary=b");
  EXPECT_EQ(client.send("POST", "/netml_import/upload/", form)->status, 400);
  EXPECT_EQ(client.send("POST", "/netml_import/upload/")->status, 400) << "no form at all";
  EXPECT_EQ(upload("").status, 400);
  EXPECT_EQ(upload("\xff\xfe\x80 not text").status, 400);
}

// P7, decisions 10 and 25.
TEST_F(Upload, OfAFileThatIsNotValidNamesEveryErrorAndChangesNothing) {
  ASSERT_EQ(upload(topology("P", "p", institution("p"), node("a"))).status, 201);
  const std::string before = exported();
  const std::string etag(server_->client(polling_).get("/netml_export/")->headers.get("ETag"));
  const std::string faulty =
      topology("P", "p", institution("p"), node("a"), link("one-end", "a", "nowhere"),
               institution("far").location("<grenml:long>-300</grenml:long>"
                                           "<grenml:lat>400</grenml:lat>"));
  const net::ClientResponse refused = upload(faulty);
  EXPECT_EQ(refused.status, 400);
  EXPECT_THAT(refused.body,
              AllOf(HasSubstr("\"detail\":"), HasSubstr("\"errors\":[{"), HasSubstr("\"line\":"),
                    HasSubstr("\"column\":"), HasSubstr("one-end"), HasSubstr("far"),
                    HasSubstr("\"error_count\":3")));
  EXPECT_THAT(record_of_number(2), AllOf(HasSubstr("3: Import aborted"), HasSubstr("Error")));
  EXPECT_EQ(exported(), before);
  EXPECT_EQ(server_->client(polling_).get("/netml_export/")->headers.get("ETag"), etag);
  EXPECT_TRUE(nothing_is_left_in_tmp());
}

TEST_F(Upload, OfEachInvalidFileInTheListIsAbortedWithItsReason) {
  const std::string whole = topology("P", "p", institution("p"), node("a"));
  const std::string without_prefixes = [&] {
    std::string text = whole;
    for (std::size_t at; (at = text.find("grenml:")) != std::string::npos;) text.erase(at, 7);
    return text;
  }();
  const std::pair<const char*, std::string> kFiles[] = {
      {"prefixes stripped", without_prefixes},
      {"truncated", whole.substr(0, whole.size() / 2)},
      {"topology without owner", topology("P", "", institution("p"))},
      {"institution without id", topology("P", "p", institution("p"), institution(""))},
      {"institution without name", topology("P", "p", institution("p").named(""))},
      {"owner unknown", topology("P", "nobody", institution("p"))},
      {"document type", "<!DOCTYPE t [<!ENTITY e \"x\">]>" + whole},
      {"two roots", whole + whole},
  };
  int number = 0;
  for (const auto& [what, file] : kFiles) {
    const net::ClientResponse refused = upload(file);
    EXPECT_EQ(refused.status, 400) << what;
    EXPECT_THAT(record_of_number(++number),
                AllOf(HasSubstr("3: Import aborted"), HasSubstr("Error")))
        << what;
  }
  EXPECT_EQ(server_->client(polling_).get("/netml_export/")->status, 500) << "still nothing";
}

TEST_F(Upload, CutsWhatIsTooLongAndBoundsAltitudes) {
  const auto at = [](std::string_view altitude) {
    return fmt::format(
        "<grenml:long>1</grenml:long><grenml:lat>2</grenml:lat><grenml:alt>{}</grenml:alt>",
        altitude);
  };
  ASSERT_EQ(
      upload(topology("P", "p", institution("p").named(std::string(160, 'n')),
                      node("a").location(at("1000")).with("country", "CA").with("country", "USA"),
                      node("b").location(at("999999999.999999")),
                      node("c").location(at("-999999999.999999")),
                      node("d").with("long", std::string(755, 'v'))))
          .status,
      201);
  EXPECT_THAT(exported(),
              AllOf(HasSubstr(">" + std::string(125, 'n') + "...<"), HasSubstr(">1000.000000<"),
                    HasSubstr(">9000.000000<"), HasSubstr(">-11000.000000<"), HasSubstr(">CA<"),
                    HasSubstr(">USA<"), HasSubstr(">" + std::string(509, 'v') + "...<")));
}

// Deletion over HTTP, and the switch of decision 2.
TEST_F(Upload, DeletesWhatTheNewFileNoLongerHas) {
  const std::string both = topology("P", "p", institution("p"), node("a"),
                                    topology("C", "c", institution("c"), node("b")));
  const std::string alone = topology("P", "p", institution("p"), node("a"));
  ASSERT_EQ(upload(both).status, 201);
  node_.done({"setting", "set", "TOPOLOGY_DELETION_PROPAGATION", "Off"});
  ASSERT_EQ(upload(alone).status, 201);
  EXPECT_THAT(exported(), HasSubstr("id=\"C\"")) << "propagation is off";
  node_.done({"setting", "reset", "TOPOLOGY_DELETION_PROPAGATION"});
  ASSERT_EQ(upload(both).status, 201);
  ASSERT_EQ(upload(alone).status, 201);
  EXPECT_THAT(exported(), Not(HasSubstr("id=\"C\""))) << "propagation is on";
}

}  // namespace
}  // namespace netml::e2e
