// Spreadsheets through the real program: commands and uploads
// (docs/requirements/exchange-format.md, section 14; decisions 4, 35 and 39).
#include <gmock/gmock.h>

#include "tests/codecs/workbook_text.hpp"
#include "tests/e2e/support/node.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::e2e {
namespace {

using codecs::test::kNodeHeaders;
using codecs::test::small_workbook;
using test::institution;
using test::link;
using test::node;
using test::topology;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Spreadsheet : public testing::Test {
 protected:
  // A file of that name with that content.
  std::string file(std::string_view name, std::string_view bytes) {
    const auto path = node_.file(name);
    write_file(path, bytes);
    return path.string();
  }
  const std::string workbook_ = small_workbook().build();
  const std::string faulty_ =
      small_workbook().sheet("Nodes", {kNodeHeaders, {"A", "", "a", "#91", "x"}}).build();
  Node node_;
};

TEST_F(Spreadsheet, IsImportedUnderTheNameGiven) {
  const CommandResult done =
      node_.run({"import", file("map.XLSX", workbook_), "--name", "Example Net"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("Nodes: 2 parsed, 2 imported"));
  EXPECT_THAT(node_.export_all(),
              AllOf(HasSubstr("<grenml:name>Example Net</grenml:name>"), HasSubstr("id=\"l\"")));
}

TEST_F(Spreadsheet, WithoutANameIsWrongUsage) {
  const CommandResult refused = node_.run({"import", file("map.xlsx", workbook_)});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--name"));
}

TEST_F(Spreadsheet, IsValidatedWithEveryErrorAtItsCell) {
  EXPECT_EQ(node_.run({"validate", file("map.xlsx", workbook_)}).exit_code, 0);
  const CommandResult refused = node_.run({"validate", file("bad.xlsx", faulty_)});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("sheet Nodes, cell D2: Error: "),
                                 HasSubstr("sheet Nodes, cell E2: Error: "),
                                 HasSubstr("sheet Links, cell E2: Error: ")));
  EXPECT_EQ(node_.run({"import", file("bad.xlsx", faulty_), "--name", "N"}).exit_code, 3);
}

TEST_F(Spreadsheet, IsExportedAndReadAgain) {
  ASSERT_EQ(node_
                .import(topology("P", "p", institution("p"), node("a"), node("b"),
                                 link("l", "a", "b").version("2024-01-01T00:00:00Z")))
                .exit_code,
            0);
  const std::string path = node_.file("out.xlsx").string();
  const CommandResult done =
      node_.run({"export", "--topology", "P", "--format", "xlsx", "-o", path});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("omitted: 1 identifier of the topology; 1 version"));
  Node other;
  EXPECT_EQ(other.run({"import", path, "--name", "P"}).exit_code, 0);
  EXPECT_THAT(other.export_all(), HasSubstr("id=\"l\""));
  const std::string again = node_.file("again.xlsx").string();
  ASSERT_EQ(other.run({"export", "--topology", "#1", "--format", "xlsx", "-o", again}).exit_code,
            0);
  Node third;
  ASSERT_EQ(third.run({"import", again, "--name", "P"}).exit_code, 0);
  EXPECT_EQ(third.export_all(), other.export_all());
}

TEST_F(Spreadsheet, ShowsOneTopologyOfTheLiveData) {
  ASSERT_EQ(node_.import(topology("P", "p", institution("p"))).exit_code, 0);
  EXPECT_EQ(node_.run({"export", "--format", "xlsx"}).exit_code, 2);
  EXPECT_EQ(node_.run({"export", "--format", "xlsx", "--topology", "Q"}).exit_code, 1);
  EXPECT_EQ(node_.run({"export", "--format", "ods", "--topology", "P"}).exit_code, 2);
}

TEST_F(Spreadsheet, IsUploaded) {
  const std::string token = node_.token("import");
  const auto server = node_.serve();
  const Client client = server->client(token);
  const auto uploaded = client.upload(
      workbook_, {.file_name = "map.xlsx", .fields = {{"topology_name", "Example Net"}}});
  ASSERT_EQ(uploaded->status, 201) << uploaded->body;
  EXPECT_THAT(client.get(uploaded->headers.get("Location"))->body, HasSubstr("1: Import complete"));
  EXPECT_THAT(node_.export_all(), HasSubstr("Example Net"));
}

TEST_F(Spreadsheet, UploadedWithoutANameIs400AndChangesNothing) {
  const std::string token = node_.token("import");
  const auto server = node_.serve();
  const Client client = server->client(token);
  for (const UploadForm& form :
       {UploadForm{.file_name = "map.xlsx", .fields = {}},
        UploadForm{.file_name = "map.xlsx", .fields = {{"topology_name", ""}}}}) {
    const auto refused = client.upload(workbook_, form);
    EXPECT_EQ(refused->status, 400);
    EXPECT_THAT(refused->body, HasSubstr("topology_name"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(std::filesystem::path(node_.data()) / "tmp"));
  EXPECT_EQ(client.get("/netml_import/records/1/")->status, 404);
}

TEST_F(Spreadsheet, UploadedWithErrorsIs400AndLeavesARecordOfThem) {
  const std::string token = node_.token("import");
  const auto server = node_.serve();
  const Client client = server->client(token);
  const auto refused =
      client.upload(faulty_, {.file_name = "map.xlsx", .fields = {{"topology_name", "N"}}});
  EXPECT_EQ(refused->status, 400);
  EXPECT_THAT(refused->body,
              AllOf(HasSubstr(R"("code":"latitude-range")"), HasSubstr(R"("sheet":"Nodes")"),
                    HasSubstr(R"("line":2,"column":4)"), HasSubstr(R"("error_count":3)")));
  EXPECT_THAT(client.get("/netml_import/records/1/")->body,
              AllOf(HasSubstr("3: Import aborted"), HasSubstr("sheet Nodes, cell D2: Error")));
  const auto bomb = client.upload("PK\3\4 no workbook",
                                  {.file_name = "map.xlsx", .fields = {{"topology_name", "N"}}});
  EXPECT_EQ(bomb->status, 400);
  EXPECT_THAT(bomb->body, AllOf(HasSubstr("not-a-workbook"), Not(HasSubstr("sheet\""))));
}

}  // namespace
}  // namespace netml::e2e
