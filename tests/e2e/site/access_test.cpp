// Who may reach what, and what an export says of itself: the real program over a real socket.
// Method: a node with one small map, one token of each kind, requests by every path.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>

#include "tests/e2e/support/node.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::e2e {
namespace {

using test::institution;
using test::link;
using test::node;
using test::topology;
using testing::HasSubstr;
using testing::StartsWith;

struct Path {
  const char* method;
  const char* path;
  int allowed;  // the status for the right kind of token
};

constexpr Path kPollingPaths[] = {
    {"GET", "/netml_export/", 200},
    {"GET", "/grenml_export/", 200},
    {"GET", "/netml_export/map_data/", 200},
    {"GET", "/grenml_export/map_data/", 200},
    {"GET", "/test/netml_export/", 200},
    {"GET", "/test/grenml_export/", 200},
    {"POST", "/test/netml_export/", 200},
    {"GET", "/netml_export/test", 200},
    {"GET", "/grenml_export/test", 200},
    {"POST", "/netml_export/test", 200},
    {"GET", "/published_network_data/current/netml_export/", 200},
    {"GET", "/published_network_data/current/grenml_export/", 200},
    {"GET", "/published_network_data/current/collect/", 200},
    {"POST", "/published_network_data/current/collect/", 200},
    {"POST", "/published_network_data/current/test/collect/", 200},
    {"POST", "/published_network_data/current/test/netml_export/", 200},
    {"POST", "/published_network_data/current/test/grenml_export/", 200},
};
// Without a form the upload is 400, but only for who may upload (X6).
constexpr Path kImportPaths[] = {
    {"POST", "/netml_import/upload/", 400},
    {"POST", "/grenml_import/upload/", 400},
    {"GET", "/netml_import/records/77/", 404},
    {"GET", "/grenml_import/records/77/", 404},
};

// All that a client sees of an answer, but what differs between any two requests, and that the
// connection ends with the answer once there were very many (A8).
std::string seen(const net::ClientResponse& response) {
  std::string text = fmt::format("{}\n", response.status);
  for (const auto& [name, value] : response.headers.fields())
    if (name != "Date" && name != "X-Request-Id" && name != "Connection")
      text += fmt::format("{}: {}\n", name, value);
  return text + response.body;
}

class Access : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(node_.import(topology("P", "p", institution("p"), node("a"))).exit_code, 0);
    node_.done({"publish", "first"});
    polling_ = node_.token("polling");
    import_ = node_.token("import");
    node_.done({"token", "create", "leaver", "--kind", "polling"});
    server_ = node_.serve();
  }
  Answer ask(const Path& path, const std::string& authorization) {
    net::Headers headers;
    if (!authorization.empty()) headers.add("Authorization", authorization);
    return server_->client({}).send(path.method, path.path, headers);
  }
  net::ClientResponse get(std::string_view path, std::string_view etag = {}) {
    net::Headers headers;
    if (!etag.empty()) headers.add("If-None-Match", etag);
    const Answer answer = server_->client(polling_).get(path, headers);
    EXPECT_TRUE(answer.has_value()) << answer.error().message;
    return answer.value_or(net::ClientResponse{});
  }

  Node node_;
  std::string polling_;
  std::string import_;
  std::unique_ptr<Server> server_;
};

// A1: a token opens only its kind. A2: every failure looks the same, whatever the reason.
TEST_F(Access, EachTokenOpensItsKindAndEveryRefusalLooksTheSame) {
  const std::vector<std::string> worthless{"",
                                           "Bearer",
                                           "Bearer ",
                                           "Basic " + polling_,
                                           polling_,
                                           "Bearer  x",
                                           "Bearer AAAAbbbbCCCCddddEEEEffffGGGGhhhh",
                                           "Bearer " + polling_ + " x"};
  const auto expect_matrix = [&](const Path& path, const std::string& right,
                                 const std::string& wrong, const std::string& refused) {
    const Answer allowed = ask(path, "Bearer " + right);
    ASSERT_TRUE(allowed.has_value()) << path.path;
    EXPECT_EQ(allowed->status, path.allowed) << path.method << ' ' << path.path;
    std::vector<std::string> failing = worthless;
    failing.push_back("Bearer " + wrong);
    for (const std::string& authorization : failing) {
      const Answer answer = ask(path, authorization);
      ASSERT_TRUE(answer.has_value()) << path.path;
      EXPECT_EQ(seen(*answer), refused) << path.path << " for " << authorization;
    }
  };
  const Answer model = ask(kPollingPaths[0], "");
  ASSERT_TRUE(model.has_value());
  ASSERT_EQ(model->status, 403);
  EXPECT_THAT(model->body, StartsWith("{\"detail\":"));
  for (const Path& path : kPollingPaths) expect_matrix(path, polling_, import_, seen(*model));
  for (const Path& path : kImportPaths) expect_matrix(path, import_, polling_, seen(*model));
}

TEST_F(Access, TheWordBearerMayBeOfAnyCase) {
  for (const char* scheme : {"Bearer ", "bearer ", "BEARER "})
    EXPECT_EQ(ask(kPollingPaths[0], scheme + polling_)->status, 200) << scheme;
}

TEST_F(Access, ADeletedTokenOpensNothingAtOnce) {
  const std::string value = node_.token("polling");
  EXPECT_EQ(ask(kPollingPaths[0], "Bearer " + value)->status, 200);
  const std::string list = node_.done({"token", "list"});
  const std::string name = list.substr(list.rfind("client "), sizeof("client N") - 1);
  node_.done({"token", "delete", name});
  EXPECT_EQ(ask(kPollingPaths[0], "Bearer " + value)->status, 403);
  EXPECT_EQ(ask(kPollingPaths[0], "Bearer " + polling_)->status, 200);
}

// X6: whoever may not upload learns so before anything is said of the request itself.
TEST_F(Access, TheTokenIsCheckedBeforeTheBody) {
  const Client stranger = server_->client(polling_);
  for (const char* name : {"map.xml", "map.pdf"})
    EXPECT_EQ(stranger.upload("not a map", {.file_name = name, .fields = {}})->status, 403) << name;
  EXPECT_EQ(stranger.upload_pattern("x", 3ULL << 30)->status, 403) << "over the size limit";
}

// A22 and docs/requirements/http-api.md, section 5: what is internal does not exist on a public
// listener.
TEST_F(Access, InternalPathsDoNotExistInPublic) {
  for (const char* path :
       {"/polling/trigger/", "/POLLING/trigger/", "//polling//trigger/", "/%70olling/trigger/",
        "/control/status/", "/api/v1/node/status", "/api/v1/node/log"})
    EXPECT_EQ(ask({"GET", path, 404}, "Bearer " + polling_)->status, 404) << path;
  EXPECT_EQ(ask({"GET", "/status/", 200}, "")->status, 200);
}

TEST_F(Access, AnExportIsAFileWithItsName) {
  const std::map<std::string, std::string> names{
      {"/netml_export/", "netml.xml"},
      {"/grenml_export/", "grenml.xml"},
      {"/published_network_data/current/netml_export/", "published_data.xml"}};
  for (const auto& [path, name] : names) {
    const net::ClientResponse response = get(path);
    EXPECT_EQ(response.headers.get("Content-Type"), "application/xml");
    EXPECT_THAT(std::string(response.headers.get("Content-Disposition")), HasSubstr(name));
    EXPECT_EQ(response.body, node_.export_all()) << path;
  }
}

TEST_F(Access, HeadSaysWhatGetWouldSay) {
  for (const char* path : {"/netml_export/", "/published_network_data/current/netml_export/"}) {
    const net::ClientResponse whole = get(path);
    const Answer head = server_->client(polling_).send("HEAD", path);
    ASSERT_TRUE(head.has_value());
    EXPECT_EQ(head->status, 200);
    EXPECT_EQ(head->body, "");
    for (const char* field : {"ETag", "X-NetML-Head", "Content-Type", "Last-Modified"})
      EXPECT_EQ(head->headers.get(field), whole.headers.get(field)) << path << ' ' << field;
  }
  EXPECT_EQ(server_->client("").send("HEAD", "/netml_export/")->status, 403);
}

// Decisions 15 and 22: equal states give equal bytes, and the place in the history stands beside
// them.
TEST_F(Access, TheTagChangesWithTheDataAndOnlyWithIt) {
  const std::string same = topology("P", "p", institution("p"), node("a"));
  const net::ClientResponse before = get("/netml_export/");
  const std::string etag(before.headers.get("ETag"));
  EXPECT_EQ(get("/netml_export/", etag).status, 304);
  EXPECT_EQ(get("/netml_export/", etag).body, "");

  ASSERT_EQ(server_->client(import_).upload(same)->status, 201);
  const net::ClientResponse again = get("/netml_export/", etag);
  EXPECT_EQ(again.status, 304) << "the same file again";
  EXPECT_NE(again.headers.get("X-NetML-Head"), before.headers.get("X-NetML-Head"));
  EXPECT_EQ(get("/netml_export/").body, before.body);

  const std::string other = topology("P", "p", institution("p"), node("a"), node("b"));
  ASSERT_EQ(server_->client(import_).upload(other)->status, 201);
  const net::ClientResponse changed = get("/netml_export/", etag);
  EXPECT_EQ(changed.status, 200);
  EXPECT_NE(changed.headers.get("ETag"), etag);
  ASSERT_EQ(server_->client(import_).upload(same)->status, 201);
  EXPECT_EQ(get("/netml_export/").body, before.body);
}

TEST_F(Access, TheHeadIsThatOfTheCommandLine) {
  const std::string head(get("/netml_export/").headers.get("X-NetML-Head"));
  EXPECT_THAT(node_.run({"export"}).err, HasSubstr("X-NetML-Head: " + head));
  EXPECT_THAT(node_.done({"status"}), HasSubstr(head));
}

TEST_F(Access, TheSupplyTypeChoosesBetweenLiveAndPublished) {
  const std::string published = node_.export_all();
  ASSERT_EQ(server_->client(import_).upload(topology("P", "p", institution("p")))->status, 201);
  const std::string live = node_.export_all();
  ASSERT_NE(live, published);
  EXPECT_EQ(get("/netml_export/").body, live);
  EXPECT_EQ(get("/published_network_data/current/netml_export/").body, published);
  node_.done({"setting", "set", "GRENML_POLLING_DATA_SUPPLY_TYPE", "Published"});
  EXPECT_EQ(get("/netml_export/").body, published);
  EXPECT_EQ(get("/netml_export/map_data/").body, published);
  EXPECT_EQ(get("/test/netml_export/").body, live) << "the test variant is always live";
  node_.done({"setting", "reset", "NETML_POLLING_DATA_SUPPLY_TYPE"});
  EXPECT_EQ(get("/netml_export/").body, live);
}

TEST(AccessToAnEmptyNode, TellsWhyThereIsNothingToExport) {
  Node node;
  const std::string polling = node.token("polling");
  const auto server = node.serve();
  const Answer live = server->client(polling).get("/netml_export/");
  EXPECT_EQ(live->status, 500);
  EXPECT_EQ(live->body, R"({"error_type":"MissingRootTopologyException"})");
  const Answer published =
      server->client(polling).get("/published_network_data/current/netml_export/");
  EXPECT_EQ(published->status, 404);
  EXPECT_THAT(published->body, StartsWith("{\"detail\":"));
}

TEST(AccessInDevelopmentMode, NeedsATokenForImportsAndTestVariantsOnly) {
  Node node;
  ASSERT_EQ(node.import(topology("P", "p", institution("p"))).exit_code, 0);
  const auto server = node.serve({"--development"});
  const Client anyone = server->client("");
  EXPECT_EQ(anyone.get("/netml_export/")->status, 200);
  EXPECT_EQ(anyone.get("/test/netml_export/")->status, 403);
  EXPECT_EQ(anyone.get("/netml_export/test")->status, 403);
  EXPECT_EQ(anyone.upload("x")->status, 403);
}

}  // namespace
}  // namespace netml::e2e
