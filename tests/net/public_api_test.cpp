// The public endpoints (docs/requirements/http-api.md, sections 5 to 9) over fakes of the services.
#include "net/endpoints/public_api.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/net/support/fakes.hpp"

namespace netml::net {
namespace {

class PublicApiTest : public ::testing::Test {
 protected:
  RawResponse ask(std::string_view method, std::string_view target, std::string_view fields = "") {
    return ask_once(server_.port, request(method, target, fields));
  }
  RawResponse ask_with(std::string_view token, std::string_view method, std::string_view target,
                       std::string_view fields = "") {
    return ask(method, target, bearer(token) + std::string(fields));
  }
  ApiServer server_;
};

TEST_F(PublicApiTest, StatusIsEmptyAndNeedsNoToken) {
  const RawResponse response = ask("GET", "/status/");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "");
  EXPECT_EQ(response.field("Content-Type"), "");
  EXPECT_EQ(ask("GET", "/status/", "Authorization: Basic x\r\n").status, 200);
  EXPECT_EQ(ask("GET", "/status/", "Accept: application/json\r\n").body, R"({"status":"ok"})");
  for (const char* accept : {"*/*", "text/html", "application/json;q=0", "application/jsonp"})
    EXPECT_EQ(ask("GET", "/status/", std::string("Accept: ") + accept + "\r\n").body, "") << accept;
  server_.readiness.state = Readiness::read_only;
  EXPECT_EQ(ask("GET", "/status/", "Accept: application/json\r\n").body,
            R"({"status":"read-only"})");
}

TEST_F(PublicApiTest, StatusTellsWhetherPeersCanCollectTheMap) {
  server_.readiness.exported = R"({"ok":false,"detail":"Export fails: GARR has no owner"})";
  EXPECT_EQ(ask("GET", "/status/").body, "");
  EXPECT_EQ(ask("GET", "/status/", "Accept: application/json\r\n").body,
            R"({"status":"ok","export":{"ok":false,"detail":"Export fails: GARR has no owner"}})");
}

TEST_F(PublicApiTest, ExportsCarryTheirHeaders) {
  const RawResponse response = ask_with(kPollingToken, "GET", "/netml_export/");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "<live/>");
  EXPECT_EQ(response.field("Content-Type"), "application/xml");
  EXPECT_EQ(response.field("Content-Disposition"), R"(attachment; filename="netml.xml")");
  EXPECT_EQ(response.field("ETag"), "\"tag-l\"");
  EXPECT_EQ(response.field("Last-Modified"), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(response.field("X-NetML-Head"), "17:00ff");
  EXPECT_NE(response.field("Content-Security-Policy").find("sandbox"), std::string::npos);  // A15
}

TEST_F(PublicApiTest, ExportsNameWhatTheyOmitByBothNamesOfTheHeader) {
  EXPECT_EQ(ask_with(kPollingToken, "GET", "/netml_export/").field("X-NetML-Omitted"), "");
  server_.exports.omitted = "1 link whose ends carry the same identifier";
  const RawResponse response = ask_with(kPollingToken, "GET", "/netml_export/");
  EXPECT_EQ(response.field("X-NetML-Omitted"), "1 link whose ends carry the same identifier");
  EXPECT_EQ(response.field("X-NetML-Left-Out"), response.field("X-NetML-Omitted"));
}

TEST_F(PublicApiTest, ExportsExistUnderAllTheirNames) {
  struct Row {
    const char* method;
    const char* path;
    const char* body;
    const char* file_name;
  };
  for (const Row& row : {
           Row{"GET", "/netml_export/", "<live/>", "netml.xml"},
           Row{"GET", "/grenml_export/", "<live/>", "grenml.xml"},
           Row{"GET", "/netml_export/map_data/", "<live/>", "netml.xml"},
           Row{"GET", "/grenml_export/map_data/", "<live/>", "grenml.xml"},
           Row{"GET", "/published_network_data/current/netml_export/", "<published/>",
               "published_data.xml"},
           Row{"GET", "/published_network_data/current/grenml_export/", "<published/>",
               "published_data.xml"},
           Row{"GET", "/published_network_data/current/collect/", "<published/>",
               "published_data.xml"},
           Row{"POST", "/published_network_data/current/collect/", "<published/>",
               "published_data.xml"},
           Row{"GET", "/test/netml_export/", "<live/>", "netml.xml"},
           Row{"POST", "/test/grenml_export/", "<live/>", "grenml.xml"},
           Row{"GET", "/netml_export/test", "<live/>", "netml.xml"},
           Row{"POST", "/grenml_export/test", "<live/>", "grenml.xml"},
           Row{"POST", "/published_network_data/current/test/collect/", "<published/>",
               "published_data.xml"},
           Row{"POST", "/published_network_data/current/test/netml_export/", "<published/>",
               "published_data.xml"},
       }) {
    EXPECT_EQ(ask(row.method, row.path).status, 403) << row.path;
    const RawResponse response = ask_with(kPollingToken, row.method, row.path);
    EXPECT_EQ(response.body, row.body) << row.path;
    EXPECT_EQ(response.field("Content-Disposition"),
              fmt::format("attachment; filename=\"{}\"", row.file_name))
        << row.path;
  }
}

// A1, A2: each kind of token opens its own paths, and every failure looks the same.
TEST_F(PublicApiTest, RefusesEveryOtherTokenInOneWayA2) {
  const std::string denied = ask("GET", "/netml_export/").body;
  EXPECT_EQ(denied, R"({"detail":"Failed access control check"})");
  for (const char* path :
       {"/netml_export/", "/netml_export/map_data/", "/published_network_data/current/collect/",
        "/published_network_data/current/netml_export/", "/test/netml_export/",
        "/netml_export/test"}) {
    for (const std::string_view token : {kImportToken, std::string_view("unknown")}) {
      const RawResponse response = ask_with(token, "GET", path);
      EXPECT_EQ(response.status, 403) << path;
      EXPECT_EQ(response.body, denied) << path;
    }
  }
  EXPECT_EQ(ask("GET", "/netml_export/", fmt::format("Authorization: bEaReR {}\r\n", kPollingToken))
                .status,
            200);
}

// A8: whoever sends too many tokens that open nothing loses the connection with each answer; who
// has a good one does not notice. Without any token nobody guesses.
TEST_F(PublicApiTest, ClosesConnectionsOfWhoGuessesTokensA8) {
  server_.tokens.refused_before_closing = 2;
  const auto keep = [](std::string_view token) {
    return request("GET", "/netml_export/",
                   fmt::format("{}Connection: keep-alive\r\n",
                               token.empty() ? "" : bearer(std::string(token))));
  };
  RawClient client(server_.port);
  for (const std::string_view token :
       std::vector<std::string_view>{"", "x", "", "y", kPollingToken}) {
    client.send(keep(token));
    const auto response = client.receive();
    ASSERT_TRUE(response.has_value());
    EXPECT_EQ(response->status, token == kPollingToken ? 200 : 403) << token;
    EXPECT_EQ(response->field("Connection"), "") << token;
  }
  EXPECT_EQ(server_.tokens.refusals, 2);
  client.send(keep("z"));
  const auto response = client.receive();
  ASSERT_TRUE(response.has_value());
  EXPECT_EQ(response->status, 403);
  EXPECT_EQ(response->field("Connection"), "close");
  EXPECT_TRUE(client.at_end());
  EXPECT_EQ(ask_with(kPollingToken, "GET", "/netml_export/").status, 200);
  EXPECT_EQ(ask("GET", "/netml_import/records/7/", "Authorization: Basic x\r\n").status, 403);
  EXPECT_EQ(ask_with("x", "POST", "/netml_import/upload/").status, 403);
  EXPECT_EQ(server_.tokens.refusals, 5);
}

// A21: development mode drops the token on exports, never on their test variants or on imports.
TEST(PublicApiModes, DevelopmentDropsTheTokenOnExportsOnlyA21) {
  ApiServer server({}, Mode::development);
  const auto status = [&](std::string_view method, std::string_view path) {
    return ask_once(server.port, request(method, path)).status;
  };
  EXPECT_EQ(status("GET", "/netml_export/"), 200);
  EXPECT_EQ(status("GET", "/netml_export/map_data/"), 200);
  EXPECT_EQ(status("GET", "/published_network_data/current/netml_export/"), 200);
  EXPECT_EQ(status("POST", "/published_network_data/current/collect/"), 200);
  EXPECT_EQ(status("GET", "/test/netml_export/"), 403);
  EXPECT_EQ(status("GET", "/netml_export/test"), 403);
  EXPECT_EQ(status("POST", "/published_network_data/current/test/collect/"), 403);
  EXPECT_EQ(status("POST", "/netml_import/upload/"), 403);
  EXPECT_EQ(status("GET", "/netml_import/records/7/"), 403);
}

TEST_F(PublicApiTest, AnswersNotModifiedForAKnownTag) {
  for (const char* list : {"\"tag-l\"", "\"x\", W/\"tag-l\"", "*"}) {
    RawClient client(server_.port);
    client.send(request("GET", "/netml_export/",
                        fmt::format("{}If-None-Match: {}\r\n", bearer(kPollingToken), list)));
    const auto response = client.receive();
    ASSERT_TRUE(response.has_value());
    EXPECT_EQ(response->status, 304) << list;
    EXPECT_EQ(response->field("ETag"), "\"tag-l\"");
    EXPECT_EQ(response->field("Content-Length"), "");
    EXPECT_TRUE(client.at_end());
  }
  EXPECT_EQ(ask_with(kPollingToken, "GET", "/netml_export/", "If-None-Match: \"tag-p\"\r\n").status,
            200);
}

// RFC 9110, 13.1.2: 304 is for reading alone.
TEST_F(PublicApiTest, RefusesAPostForAKnownTag) {
  const std::string path = "/published_network_data/current/collect/";
  const RawResponse response =
      ask_with(kPollingToken, "POST", path, "If-None-Match: \"tag-p\"\r\n");
  EXPECT_EQ(response.status, 412);
  EXPECT_EQ(response.body, "");
  EXPECT_EQ(ask_with(kPollingToken, "POST", path, "If-None-Match: \"other\"\r\n").status, 200);
  EXPECT_EQ(ask_with(kPollingToken, "HEAD", path, "If-None-Match: \"tag-p\"\r\n").status, 304);
}

TEST_F(PublicApiTest, ConfiguredExportMayBeThePublishedOne) {
  server_.exports.configured = ExportKind::published;
  const RawResponse response = ask_with(kPollingToken, "GET", "/netml_export/");
  EXPECT_EQ(response.body, "<published/>");
  EXPECT_EQ(response.field("Content-Disposition"), R"(attachment; filename="published_data.xml")");
  EXPECT_EQ(ask_with(kPollingToken, "GET", "/netml_export/test").body, "<live/>");
}

TEST_F(PublicApiTest, TellsWhyAnExportFailsInTheFourWords) {
  const std::vector<std::pair<ExportProblem, const char*>> words{
      {ExportProblem::missing_root_topology, "MissingRootTopologyException"},
      {ExportProblem::missing_root_topology_owner, "MissingRootTopologyOwnerException"},
      {ExportProblem::no_topology_owner, "NoTopologyOwnerError"},
      {ExportProblem::other, "Exception"}};
  for (const auto& [problem, word] : words) {
    server_.exports.problem = problem;
    const RawResponse response = ask_with(kPollingToken, "GET", "/netml_export/");
    EXPECT_EQ(response.status, 500);
    EXPECT_EQ(response.body, fmt::format(R"({{"error_type":"{}"}})", word));
  }
  server_.exports.problem = ExportProblem::nothing_published;
  EXPECT_EQ(ask_with(kPollingToken, "GET", "/netml_export/").status, 404);
  server_.exports.problem = ExportProblem::busy;
  EXPECT_EQ(ask_with(kPollingToken, "GET", "/netml_export/").status, 503);
}

TEST_F(PublicApiTest, UploadsArriveWholeAndAnswerWithTheirRecord) {
  std::string content(300'000, '\0');
  for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<char>(i * 7 % 256);
  Form form;
  form.file("Data.GRENML", content).field("parent_topology_id", "12").field("topology_name", "");
  const RawResponse response = ask_once(server_.port, upload_request(form));
  EXPECT_EQ(response.status, 201);
  EXPECT_EQ(response.body, "");
  EXPECT_EQ(response.field("Location"), "/netml_import/records/1/");
  const auto imported = server_.imports.imported();
  ASSERT_EQ(imported.size(), 1u);
  EXPECT_EQ(imported[0].file_name, "Data.GRENML");
  EXPECT_EQ(imported[0].content, content);
  EXPECT_EQ(imported[0].client, "uploader");
  EXPECT_EQ(imported[0].fields.parent_topology_id, "12");
  EXPECT_EQ(imported[0].fields.topology_name, std::nullopt);
}

TEST_F(PublicApiTest, UploadsWorkByTheOldNameWithoutSlashAndInChunks) {
  const Form form = Form().field("topology_name", "n").file("a.xml", "<x/>");
  const std::string head =
      request("POST", "/grenml_import/upload",
              fmt::format("{}Content-Type: multipart/form-data; boundary={}\r\nTransfer-Encoding: "
                          "chunked\r\n",
                          bearer(kImportToken), form.boundary));
  const std::string body = form.closed();
  const RawResponse response =
      ask_once(server_.port, head + fmt::format("{:x}\r\n{}\r\n0\r\n\r\n", body.size(), body));
  EXPECT_EQ(response.status, 201) << response.body;
  EXPECT_EQ(response.field("Location"), "/grenml_import/records/1/");
  EXPECT_EQ(server_.imports.imported().at(0).fields.topology_name, "n");
}

// Decision 25: detail, the errors, their count.
TEST_F(PublicApiTest, RefusalsOfAnUploadListItsErrors) {
  ImportRefused invalid;
  invalid.reason = ImportRefusal::invalid;
  invalid.detail = "2 errors";
  invalid.errors = {{"not-well-formed", "Error: \"x\"", 3, 5, ""},
                    {"id-too-long", "Error: y", 0, 0, "urn:z"}};
  invalid.error_count = 2;
  server_.imports.refuse_finish = invalid;
  const RawResponse response = ask_once(server_.port, upload_request(Form().file("a.xml", "x")));
  EXPECT_EQ(response.status, 400);
  EXPECT_EQ(response.body,
            R"({"detail":"2 errors","errors":[)"
            R"({"code":"not-well-formed","message":"Error: \"x\"","line":3,"column":5},)"
            R"({"code":"id-too-long","message":"Error: y","id":"urn:z"}],"error_count":2})");
}

TEST_F(PublicApiTest, RefusalsOfAnUploadHaveTheirStatus) {
  const auto upload = [&](std::optional<ImportRefused>& where, ImportRefusal reason) {
    ImportRefused refused;
    refused.reason = reason;
    refused.detail = "why";
    where = refused;
    const RawResponse response = ask_once(
        server_.port,
        upload_request(Form().field("parent_topology_id", "no\x01such").file("a.xml", "x")));
    where.reset();
    return response;
  };
  FakeImports& imports = server_.imports;
  EXPECT_EQ(upload(imports.refuse_admission, ImportRefusal::no_space).status, 507);
  const RawResponse busy = upload(imports.refuse_admission, ImportRefusal::busy);
  EXPECT_EQ(busy.status, 503);
  EXPECT_EQ(busy.field("Retry-After"), "5");
  EXPECT_EQ(upload(imports.refuse_write, ImportRefusal::no_space).status, 507);
  EXPECT_EQ(upload(imports.refuse_finish, ImportRefusal::read_only).status, 503);
  EXPECT_EQ(upload(imports.refuse_finish, ImportRefusal::too_large).status, 413);
  EXPECT_EQ(upload(imports.refuse_finish, ImportRefusal::name_required).status, 400);
  EXPECT_EQ(upload(imports.refuse_finish, ImportRefusal::failed).status, 500);
  const RawResponse parent = upload(imports.refuse_finish, ImportRefusal::unknown_parent);
  EXPECT_EQ(parent.status, 400);
  EXPECT_NE(parent.body.find(R"('no\\x01such')"), std::string::npos) << parent.body;
  EXPECT_TRUE(imports.imported().empty());
}

TEST_F(PublicApiTest, ShowsAnImportRecordToItsToken) {
  const RawResponse response = ask_with(kImportToken, "GET", "/netml_import/records/7/");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, R"({"id":7,"imported_at":"2023-11-14T22:13:20.250000Z",)"
                           R"("import_status":"2: Import completed, with warnings",)"
                           R"("import_message":"Status: \"ok\"\u000a","name":"a.xml"})");
  for (const char* path :
       {"/netml_import/records/8/", "/netml_import/records/x/", "/netml_import/records/7x/"})
    EXPECT_EQ(ask_with(kImportToken, "GET", path).status, 404) << path;
  EXPECT_EQ(ask_with(kPollingToken, "GET", "/netml_import/records/7/").status, 403);
}

// A18: the access log names the client, never the token.
TEST_F(PublicApiTest, TellsTheAccessLogWhoAskedA18) {
  ask_with(kPollingToken, "GET", "/netml_export/?token=secret");
  server_.events.wait_for_accesses(1);
  const auto access = server_.events.accesses().at(0);
  EXPECT_EQ(access.client, "peer");
  EXPECT_EQ(access.path, "/netml_export/");
  EXPECT_EQ(access.status, 200);
  EXPECT_EQ(access.address, "127.0.0.1");
}

}  // namespace
}  // namespace netml::net
