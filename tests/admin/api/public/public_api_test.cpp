// The public endpoints (docs/requirements/http-api.md, sections 5 to 9), asked over a socket.
#include "admin/api/public/public_api.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "admin/api/public/upload_sink.hpp"
#include "engine/base/json_string.hpp"
#include "engine/base/sha256.hpp"
#include "engine/edit/plan_edit.hpp"
#include "engine/edit/plan_records.hpp"
#include "tests/admin/support/body_text.hpp"
#include "tests/admin/support/omitted_link.hpp"
#include "tests/admin/support/public_server.hpp"
#include "tests/admin/support/uploads.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::admin {
namespace {

using net::ask_once;
using net::bearer;
using net::Form;
using net::kImportToken;
using net::kPollingToken;
using net::RawClient;
using net::RawResponse;
using net::request;
using net::upload_request;
using netml::test::small_map;
using testing::PublicServer;

// With a map that was published, and is another now.
class PublicApiTest : public ::testing::Test {
 protected:
  PublicApiTest() {
    import(small_map("first"));
    EXPECT_TRUE(server_.services.publisher.publish(testing::kCaller, "a", "").has_value());
    published_ = testing::body_text(server_.services.exporter.open_published({}).value().body);
    Change change;
    change.plan = [](const engine::State& state, WallTime) {
      engine::RecordEdit edit;
      edit.name = "another name";
      return plan_record_update(state, *export_root(state.graph), edit);
    };
    EXPECT_TRUE(server_.node->commit(std::move(change)).has_value());
    live_ = testing::body_text(server_.services.exporter.open_live().value().body);
    EXPECT_NE(live_, published_);
  }
  void import(const std::string& file) {
    ImportRequest request;
    request.place = ImportPlace::top_level;
    EXPECT_TRUE(testing::import_job(*server_.node, file, request)->commit().has_value());
  }
  std::string etag(Exporter::Opened opened) { return opened ? opened->etag : std::string(); }
  std::string live_tag() { return etag(server_.services.exporter.open_live()); }
  std::string published_tag() { return etag(server_.services.exporter.open_published({})); }
  void set(const std::string& name, const std::string& value) {
    Change change;
    change.plan = [&](const engine::State& state, WallTime) {
      return Result<engine::Transaction>(plan_setting_set(state, name, value));
    };
    EXPECT_TRUE(server_.node->commit(std::move(change)).has_value());
  }
  RawResponse ask(std::string_view method, std::string_view target, std::string_view fields = "") {
    return ask_once(server_.port, request(method, target, fields));
  }
  RawResponse ask_with(std::string_view token, std::string_view method, std::string_view target,
                       std::string_view fields = "") {
    return ask(method, target, bearer(token) + std::string(fields));
  }
  PublicServer server_;
  std::string live_;
  std::string published_;
};

TEST_F(PublicApiTest, StatusIsEmptyAndNeedsNoToken) {
  const RawResponse response = ask("GET", "/status/");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "");
  EXPECT_EQ(response.field("Content-Type"), "");
  EXPECT_EQ(ask("GET", "/status/", "Authorization: Basic x\r\n").status, 200);
  EXPECT_EQ(ask("GET", "/status/", "Accept: application/json\r\n").body,
            R"({"status":"ok","export":{"ok":true},)"
            R"("start_proof":{"state":"proved","bytes_checked":0,"bytes":0}})");
  for (const char* accept : {"*/*", "text/html", "application/json;q=0", "application/jsonp"})
    EXPECT_EQ(ask("GET", "/status/", std::string("Accept: ") + accept + "\r\n").body, "") << accept;
}

TEST(PublicApi, StatusTellsWhetherPeersCanCollectTheMap) {
  PublicServer server;
  const auto ask = [&] {
    return ask_once(server.port, request("GET", "/status/", "Accept: application/json\r\n")).body;
  };
  EXPECT_TRUE(ask().starts_with(R"({"status":"ok","export":null,)")) << "nobody has looked";
  EXPECT_FALSE(server.services.export_watch.now()->ok());
  const std::string body = ask();
  EXPECT_TRUE(body.starts_with(R"({"status":"ok","export":{"ok":false,)")) << body;
}

TEST_F(PublicApiTest, ExportsCarryTheirHeaders) {
  const RawResponse response = ask_with(kPollingToken, "GET", "/netml_export/");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, live_);
  EXPECT_EQ(response.field("Content-Type"), "application/xml");
  EXPECT_EQ(response.field("Content-Disposition"), R"(attachment; filename="netml.xml")");
  EXPECT_EQ(response.field("ETag"), fmt::format("\"{}\"", live_tag()));
  EXPECT_EQ(response.field("Last-Modified"), "Mon, 01 Jan 2024 00:00:00 GMT");
  EXPECT_EQ(response.field("X-NetML-Head"), server_.node->version().head);
  EXPECT_NE(response.field("Content-Security-Policy").find("sandbox"), std::string::npos);  // A15
}

TEST_F(PublicApiTest, ExportsNameWhatTheyOmitByBothNamesOfTheHeader) {
  EXPECT_EQ(ask_with(kPollingToken, "GET", "/netml_export/").field("X-NetML-Omitted"), "");
  testing::add_omitted_link(server_.node);
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
           Row{"GET", "/netml_export/", live_.c_str(), "netml.xml"},
           Row{"GET", "/grenml_export/", live_.c_str(), "grenml.xml"},
           Row{"GET", "/netml_export/map_data/", live_.c_str(), "netml.xml"},
           Row{"GET", "/grenml_export/map_data/", live_.c_str(), "grenml.xml"},
           Row{"GET", "/published_network_data/current/netml_export/", published_.c_str(),
               "published_data.xml"},
           Row{"GET", "/published_network_data/current/grenml_export/", published_.c_str(),
               "published_data.xml"},
           Row{"GET", "/published_network_data/current/collect/", published_.c_str(),
               "published_data.xml"},
           Row{"POST", "/published_network_data/current/collect/", published_.c_str(),
               "published_data.xml"},
           Row{"GET", "/test/netml_export/", live_.c_str(), "netml.xml"},
           Row{"POST", "/test/grenml_export/", live_.c_str(), "grenml.xml"},
           Row{"GET", "/netml_export/test", live_.c_str(), "netml.xml"},
           Row{"POST", "/grenml_export/test", live_.c_str(), "grenml.xml"},
           Row{"POST", "/published_network_data/current/test/collect/", published_.c_str(),
               "published_data.xml"},
           Row{"POST", "/published_network_data/current/test/netml_export/", published_.c_str(),
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
  const auto keep = [](std::string_view token) {
    return request("GET", "/netml_export/",
                   fmt::format("{}Connection: keep-alive\r\n",
                               token.empty() ? "" : bearer(std::string(token))));
  };
  RawClient client(server_.port);
  const auto answer_to = [&](std::string_view token) {
    client.send(keep(token));
    return client.receive().value_or(RawResponse{});
  };
  for (int guess = 0; guess < 100; ++guess) {
    for (const std::string_view token :
         {std::string_view("x"), std::string_view(), kPollingToken}) {
      const RawResponse response = answer_to(token);
      EXPECT_EQ(response.status, token == kPollingToken ? 200 : 403) << token;
      EXPECT_EQ(response.field("Connection"), "") << token << " after " << guess;
    }
  }
  const RawResponse response = answer_to("z");
  EXPECT_EQ(response.status, 403);
  EXPECT_EQ(response.field("Connection"), "close");
  EXPECT_TRUE(client.at_end());
  EXPECT_EQ(ask_with(kPollingToken, "GET", "/netml_export/").status, 200);
  EXPECT_EQ(ask("GET", "/netml_import/records/7/", "Authorization: Basic x\r\n").status, 403);
  EXPECT_EQ(ask_with("x", "POST", "/netml_import/upload/").status, 403);
}

// A21: development mode drops the token on exports, never on their test variants or on imports.
TEST(PublicApiModes, DevelopmentDropsTheTokenOnExportsOnlyA21) {
  PublicServer server({}, ExportToken::dropped);
  ASSERT_TRUE(testing::import_job(*server.node, small_map("first"))->commit().has_value());
  ASSERT_TRUE(server.services.publisher.publish(testing::kCaller, "a", "").has_value());
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
  const std::string tag = fmt::format("\"{}\"", live_tag());
  for (const std::string& list : {tag, "\"x\", W/" + tag, std::string("*")}) {
    RawClient client(server_.port);
    client.send(request("GET", "/netml_export/",
                        fmt::format("{}If-None-Match: {}\r\n", bearer(kPollingToken), list)));
    const auto response = client.receive();
    ASSERT_TRUE(response.has_value());
    EXPECT_EQ(response->status, 304) << list;
    EXPECT_EQ(response->field("ETag"), tag);
    EXPECT_EQ(response->field("Content-Length"), "");
    EXPECT_TRUE(client.at_end());
  }
  const std::string other = fmt::format("If-None-Match: \"{}\"\r\n", published_tag());
  EXPECT_EQ(ask_with(kPollingToken, "GET", "/netml_export/", other).status, 200);
}

// RFC 9110, 13.1.2: 304 is for reading alone.
TEST_F(PublicApiTest, RefusesAPostForAKnownTag) {
  const std::string path = "/published_network_data/current/collect/";
  const std::string known = fmt::format("If-None-Match: \"{}\"\r\n", published_tag());
  const RawResponse response = ask_with(kPollingToken, "POST", path, known);
  EXPECT_EQ(response.status, 412);
  EXPECT_EQ(response.body, "");
  EXPECT_EQ(ask_with(kPollingToken, "POST", path, "If-None-Match: \"other\"\r\n").status, 200);
  EXPECT_EQ(ask_with(kPollingToken, "HEAD", path, known).status, 304);
}

TEST_F(PublicApiTest, ConfiguredExportMayBeThePublishedOne) {
  set(std::string(kSupplyType), "Published");
  const RawResponse response = ask_with(kPollingToken, "GET", "/netml_export/");
  EXPECT_EQ(response.body, published_);
  EXPECT_EQ(response.field("Content-Disposition"), R"(attachment; filename="published_data.xml")");
  EXPECT_EQ(ask_with(kPollingToken, "GET", "/netml_export/test").body, live_);
}

TEST(PublicApi, TellsWhyAnExportFailsInTheFourWords) {
  const std::vector<std::pair<ExportProblem, const char*>> words{
      {ExportProblem::missing_root_topology, "MissingRootTopologyException"},
      {ExportProblem::missing_root_topology_owner, "MissingRootTopologyOwnerException"},
      {ExportProblem::no_topology_owner, "NoTopologyOwnerError"},
      {ExportProblem::other, "Exception"}};
  for (const auto& [problem, word] : words) {
    const net::Response response = export_refusal(problem);
    EXPECT_EQ(response.status, 500);
    EXPECT_EQ(std::get<std::string>(response.body), fmt::format(R"({{"error_type":"{}"}})", word));
  }
  PublicServer empty;
  const auto ask = [&](std::string_view path) {
    return ask_once(empty.port, request("GET", path, bearer(kPollingToken)));
  };
  EXPECT_EQ(ask("/netml_export/").body, R"({"error_type":"MissingRootTopologyException"})");
  EXPECT_EQ(ask("/published_network_data/current/collect/").status, 404);
}

TEST_F(PublicApiTest, UploadsArriveWholeAndAnswerWithTheirRecord) {
  std::string content = small_map("sent");
  for (std::size_t i = 0; i < 300'000; ++i) content += static_cast<char>(" \t\n"[i * 7 % 3]);
  const engine::StatePtr before = server_.state();
  const std::uint64_t parent = before->graph.number(*export_root(before->graph)).value;
  Form form;
  form.file("Data.GRENML", content)
      .field("parent_topology_id", std::to_string(parent))
      .field("topology_name", "");
  const RawResponse response = ask_once(server_.port, upload_request(form));
  EXPECT_EQ(response.status, 201) << response.body;
  EXPECT_EQ(response.body, "");
  EXPECT_EQ(response.field("Location"), "/netml_import/records/2/");
  const auto record = server_.state()->catalog.imports.find(2);
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->name, "Data.GRENML");
  EXPECT_EQ(record->file_hash, Sha256Hasher().hash(std::as_bytes(std::span(content))));
  EXPECT_EQ(record->token_client_name, "uploader");
  EXPECT_EQ(record->parent_topology, *export_root(before->graph));
  EXPECT_EQ(record->topology_name, "");
}

TEST_F(PublicApiTest, UploadsWorkByTheOldNameWithoutSlashAndInChunks) {
  const Form form = Form().field("topology_name", "n").file("a.xml", small_map("sent"));
  const std::string head =
      request("POST", "/grenml_import/upload",
              fmt::format("{}Content-Type: multipart/form-data; boundary={}\r\nTransfer-Encoding: "
                          "chunked\r\n",
                          bearer(kImportToken), form.boundary));
  const std::string body = form.closed();
  const RawResponse response =
      ask_once(server_.port, head + fmt::format("{:x}\r\n{}\r\n0\r\n\r\n", body.size(), body));
  EXPECT_EQ(response.status, 201) << response.body;
  EXPECT_EQ(response.field("Location"), "/grenml_import/records/2/");
  EXPECT_EQ(server_.state()->catalog.imports.find(2)->topology_name, "n");
}

// Decision 25: detail, the errors, their count.
TEST(UploadRefusals, ListTheErrorsOfTheFile) {
  ImportFailure invalid;
  invalid.error = {Errc::invalid_input, "2 errors"};
  invalid.errors.first = {{"not-well-formed", "Error: \"x\"", 3, 5, ""},
                          {"id-too-long", "Error: y", 0, 0, "urn:z"}};
  invalid.errors.count = 2;
  const net::Response response = upload_refusal(RefusalShape::object, invalid);
  EXPECT_EQ(response.status, 400);
  EXPECT_EQ(std::get<std::string>(response.body),
            R"({"detail":"2 errors","errors":[)"
            R"({"code":"not-well-formed","message":"Error: \"x\"","line":3,"column":5},)"
            R"({"code":"id-too-long","message":"Error: y","id":"urn:z"}],"error_count":2})");
}

TEST(UploadRefusals, HaveTheirStatus) {
  const auto refusal = [](Errc code, const ImportFailure& more = {}) {
    ImportFailure failure = more;
    failure.error = {code, "why"};
    return upload_refusal(RefusalShape::object, failure);
  };
  EXPECT_EQ(refusal(Errc::conflict).status, 400);
  EXPECT_EQ(refusal(Errc::conflict, {.plan = 7}).status, 409) << "held as a plan";
  EXPECT_EQ(refusal(Errc::not_found).status, 400);
  EXPECT_EQ(refusal(Errc::too_large).status, 413);
  EXPECT_EQ(refusal(Errc::too_large, {.no_room = true}).status, 507);
  EXPECT_EQ(refusal(Errc::no_space, {.no_room = true}).status, 507);
  const net::Response busy = refusal(Errc::unavailable);
  EXPECT_EQ(busy.status, 503);
  EXPECT_EQ(busy.headers.get("Retry-After"), "5");
  const net::Response unknown = refusal(Errc::outcome_unknown);
  EXPECT_EQ(unknown.status, 503);
  EXPECT_FALSE(unknown.headers.has("Retry-After"));
  EXPECT_EQ(std::get<std::string>(unknown.body),
            R"({"detail":"why","errors":[],"error_count":0,"code":"outcome-unknown"})");
  const net::Response own_fault = refusal(Errc::io_error);
  EXPECT_EQ(own_fault.status, 500);
  EXPECT_EQ(std::get<std::string>(own_fault.body).find("why"), std::string::npos);
}

TEST_F(PublicApiTest, RefusesUploadsForWhatTheirFormSays) {
  const auto answer = [&](const Form& form) {
    return ask_once(server_.port, upload_request(form));
  };
  const RawResponse parent =
      answer(Form().field("parent_topology_id", "no\x01such").file("a.xml", small_map("sent")));
  EXPECT_EQ(parent.status, 400);
  EXPECT_NE(parent.body.find(R"('no\\x01such')"), std::string::npos) << parent.body;
  const RawResponse unnamed = answer(Form().file("a.xlsx", "PK"));
  EXPECT_EQ(unnamed.status, 400);
  EXPECT_NE(unnamed.body.find("a spreadsheet needs topology_name"), std::string::npos);
  EXPECT_EQ(server_.records(), 1U) << "but for the one of the map";
}

// Decision 10: what the reference node judges before it answers, in its shape.
TEST(QueuedUploads, AreRefusedBeforehandAsByTheReferenceNode) {
  PublicServer server;
  ImportQueue queue(*server.node);
  server.services.intake.use(queue);
  Change change;
  change.plan = [](const engine::State& state, WallTime) {
    return Result<engine::Transaction>(
        plan_setting_set(state, std::string(kImportAnswer), "Queued"));
  };
  ASSERT_TRUE(server.node->commit(std::move(change)).has_value());
  const auto answer = [&](const Form& form) { return ask_once(server.port, upload_request(form)); };
  const RawResponse bytes = answer(Form().file("a.xml", std::string("\xff\xfe<\0?", 5)));
  EXPECT_EQ(bytes.status, 400);
  EXPECT_EQ(bytes.body, R"("the file is not in UTF-8")");
  EXPECT_EQ(answer(Form().field("parent_topology_id", "x").file("a.xml", small_map("P"))).status,
            400);
  EXPECT_EQ(answer(Form().file("map.xlsx", "PK")).body, R"("a spreadsheet needs topology_name")");
  EXPECT_EQ(server.records(), 0U);
  EXPECT_TRUE(server.holds_nothing());
  EXPECT_EQ(answer(Form().file("a.xml", small_map("P"))).status, 201);
  EXPECT_EQ(server.state()->catalog.imports.find(1)->status, engine::ImportStatus::in_progress);
  EXPECT_TRUE(queue.import_waiting());
  EXPECT_EQ(server.state()->catalog.imports.find(1)->status, engine::ImportStatus::complete);
}

TEST_F(PublicApiTest, ShowsAnImportRecordToItsToken) {
  server_.add_token("other", engine::TokenKind::import, "another-token");
  ASSERT_EQ(ask_once(server_.port, upload_request(Form().file("a.xml", small_map("sent")))).status,
            201);
  const RawResponse response = ask_with(kImportToken, "GET", "/netml_import/records/2/");
  EXPECT_EQ(response.status, 200);
  const auto record = server_.state()->catalog.imports.find(2);
  EXPECT_EQ(response.body,
            fmt::format(R"({{"id":2,"imported_at":"2024-01-01T00:00:00Z","import_status":"{}",)"
                        R"("import_message":{},"name":"a.xml"}})",
                        import_status_text(record->status), json_string(record->message)));
  for (const char* path : {"/netml_import/records/1/", "/netml_import/records/3/",
                           "/netml_import/records/x/", "/netml_import/records/2x/"})
    EXPECT_EQ(ask_with(kImportToken, "GET", path).status, 404) << path;
  EXPECT_EQ(ask_with("another-token", "GET", "/netml_import/records/2/").status, 404);
  EXPECT_EQ(ask_with(kPollingToken, "GET", "/netml_import/records/2/").status, 403);
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
}  // namespace netml::admin
