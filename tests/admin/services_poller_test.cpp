// Goal: what a poll makes of a peer's answers: a good file is imported, everything else changes
// nothing and says why (N3, N5, N6, N9, N11; polling-and-publishing.md, section 4).
// Method: a node on a real directory; a peer on loopback that answers as told.
#include "admin/services/poller.hpp"

#include <gmock/gmock.h>

#include "admin/services/system_clock.hpp"
#include "net/http_server.hpp"
#include "net/router.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::admin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Caller kCaller{engine::ActorKind::command_line, "tester", "here", "r1"};
const std::string kMap = test::topology("P", "p", test::institution("p"), test::node("a"));

class NoEvents : public net::ServerEvents {
 public:
  void answered(const net::AccessRecord&) override {}
  void event(net::ServerEvent, std::string_view, std::string_view) override {}
};

net::Response answer(int status, std::string body) {
  net::Response response;
  response.status = status;
  response.body = std::move(body);
  return response;
}

// Answers each export path as told, 404 elsewhere.
class FakePeer {
 public:
  using Answers = std::function<net::Response(const net::Request&)>;

  FakePeer() : server_(net::ServerOptions{}, clock_, random_, events_) {
    for (const char* path : {"/netml_export/", "/grenml_export/", "/map/netml_export/", "/trap/"})
      router_.add(net::Method::get, path, [this](const net::Request& request) -> net::Answer {
        const std::lock_guard lock(mutex_);
        requests_.push_back(request);
        const auto found = answers_.find(request.path);
        return found == answers_.end() ? answer(404, "") : found->second(request);
      });
    const auto bound = server_.listen_tcp({"127.0.0.1", 0}, router_, std::nullopt);
    NETML_ASSERT(bound.has_value());
    port = bound->port;
    server_.start();
  }
  void on(const std::string& path, Answers answers) {
    const std::lock_guard lock(mutex_);
    answers_[path] = std::move(answers);
  }
  void say(int status, const std::string& body) {
    on("/netml_export/", [=](const net::Request&) { return answer(status, body); });
  }
  std::vector<std::string> paths() {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> paths;
    for (const net::Request& request : requests_) paths.push_back(request.path);
    return paths;
  }
  std::string header(std::size_t request, std::string_view name) {
    const std::lock_guard lock(mutex_);
    return std::string(requests_.at(request).headers.get(name));
  }
  void forget() {
    const std::lock_guard lock(mutex_);
    requests_.clear();
  }
  std::uint16_t port = 0;

 private:
  SystemClock clock_;
  netml::testing::SeededRandom random_;
  NoEvents events_;
  net::Router router_;
  std::mutex mutex_;
  std::map<std::string, Answers> answers_;  // guarded by mutex_
  std::vector<net::Request> requests_;      // guarded by mutex_
  net::HttpServer server_;
};

class PollerTest : public ::testing::Test {
 protected:
  PollerTest() : sources_(*node_), poller_(*node_, sources_) {
    use({});
    add("peer");
  }
  void use(PollRules rules) {
    rules.outgoing.internal_allowed = true;
    poller_.set_rules(std::move(rules));
  }
  void add(const std::string& name, bool active = true) {
    SourceFields fields;
    fields.name = name;
    fields.protocol = engine::Protocol::http;
    fields.plain_http = true;
    fields.hostname = "127.0.0.1";
    fields.port = peer_.port;
    fields.active = active;
    ASSERT_TRUE(sources_.create(kCaller, fields).has_value());
  }
  void change(const SourceFields& fields) {
    ASSERT_TRUE(sources_.update(kCaller, "peer", fields).has_value());
  }
  PollReport poll() {
    auto reports = poller_.poll(kCaller, {"peer"});
    NETML_ASSERT(reports.has_value() && reports->size() == 1);
    return reports->front();
  }
  engine::StatePtr state() { return node_->version().state; }
  void expect_failure(const std::string& reason, const std::string& text) {
    const engine::Digest before = state()->graph.digest();
    const PollReport report = poll();
    EXPECT_EQ(report.end, PollEnd::failed);
    EXPECT_EQ(report.reason, reason) << report.message;
    EXPECT_THAT(report.message, HasSubstr(text));
    EXPECT_LE(report.message.size(), 255U);
    EXPECT_TRUE(state()->graph.digest() == before) << "nothing was changed";
    const auto record = state()->catalog.imports.find(report.record);
    ASSERT_NE(record, nullptr);
    EXPECT_EQ(record->status, engine::ImportStatus::aborted);
    EXPECT_EQ(record->source, engine::ImportSource::poll);
  }

  testing::OpenNode node_;
  FakePeer peer_;
  Sources sources_;
  Poller poller_;
};

TEST_F(PollerTest, ImportsTheMapOfAPeer) {
  peer_.say(200, kMap);
  SourceFields token;
  token.token = "a-token";
  change(token);
  const PollReport report = poll();
  EXPECT_EQ(report.end, PollEnd::imported) << report.message;
  EXPECT_EQ(report.result.changes.created, 4U) << "with the global institution";
  EXPECT_EQ(peer_.header(0, "Authorization"), "Bearer a-token");
  EXPECT_EQ(peer_.header(0, "Accept-Encoding"), "identity");
  const auto record = state()->catalog.imports.find(report.record);
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->name, "peer poll");
  EXPECT_EQ(record->source, engine::ImportSource::poll);
}

TEST_F(PollerTest, SendsNoTokenWhenThereIsNone) {
  peer_.say(200, kMap);
  EXPECT_EQ(poll().end, PollEnd::imported);
  EXPECT_EQ(peer_.header(0, "Authorization"), "");
}

TEST_F(PollerTest, RemembersWhichNameThePeerKnows) {
  peer_.on("/grenml_export/", [](const net::Request&) { return answer(200, kMap); });
  EXPECT_EQ(poll().end, PollEnd::imported);
  EXPECT_THAT(peer_.paths(), ElementsAre("/netml_export/", "/grenml_export/"));
  peer_.forget();
  EXPECT_EQ(poll().end, PollEnd::imported);
  EXPECT_THAT(peer_.paths(), ElementsAre("/grenml_export/"));
}

TEST_F(PollerTest, SkipsAFileThatDidNotChange) {
  peer_.on("/netml_export/", [](const net::Request& request) {
    const bool known = request.headers.get("If-None-Match") == "\"v1\"";
    net::Response response = answer(known ? 304 : 200, known ? "" : kMap);
    response.headers.set("ETag", "\"v1\"");
    return response;
  });
  EXPECT_EQ(poll().end, PollEnd::imported);
  const Lsn before = state()->lsn;
  EXPECT_EQ(poll().end, PollEnd::unchanged);
  EXPECT_EQ(state()->lsn, before);
  SourceFields elsewhere;
  elsewhere.path = "map/";
  change(elsewhere);
  elsewhere.path = "";
  change(elsewhere);
  EXPECT_EQ(poll().end, PollEnd::imported) << "another peer may stand there now";
}

TEST_F(PollerTest, AsksAgainForAFileThatWasNotImported) {
  peer_.on("/netml_export/", [](const net::Request&) {
    net::Response response = answer(200, "<no map");
    response.headers.set("ETag", "\"v1\"");
    return response;
  });
  expect_failure("import", "Import aborted");
  expect_failure("import", "Import aborted");
  EXPECT_EQ(peer_.header(1, "If-None-Match"), "");
}

TEST_F(PollerTest, TellsWhyAPeerRefuses_N9) {
  struct Row {
    int status;
    const char* body;
    const char* reason;
    const char* text;
  };
  for (const Row& row :
       {Row{403, "", "denied", "access denied"}, Row{401, "", "denied", "[HTTP status 401]"},
        Row{404, "<html>", "not_found", "is the path right?"},
        Row{500, R"({"error_type":"MissingRootTopologyException"})", "no_root_topology",
            "no main topology"},
        Row{500, R"({"error_type":"MissingRootTopologyOwnerException"})", "no_root_owner",
            "has no owner"},
        Row{500, R"({"error_type":"NoTopologyOwnerError"})", "no_topology_owner", "no owner"},
        Row{500, R"({"error_type":"Exception"})", "peer_error", "internal error"},
        Row{500, R"({"error_type":"Another\u001b[2J"})", "peer_error", "Another"},
        Row{500, R"({"detail":"x"})", "peer_error", "[HTTP status 500]"},
        Row{502, "no JSON", "peer_error", "[HTTP status 502]"},
        Row{418, "", "unexpected_answer", "[HTTP status 418]"},
        Row{304, "", "unexpected_answer", "[HTTP status 304]"},
        Row{204, "", "unexpected_answer", "[HTTP status 204]"},
        Row{203, "<x/>", "unexpected_answer", "[HTTP status 203]"}}) {
    peer_.say(row.status, row.body);
    expect_failure(row.reason, row.text);
  }
}

TEST_F(PollerTest, FollowsNoRedirect_N3) {
  peer_.on("/netml_export/", [](const net::Request&) {
    net::Response response = answer(302, "");
    response.headers.set("Location", "/trap/");
    return response;
  });
  expect_failure("redirect", "/trap/");
  EXPECT_THAT(peer_.paths(), ElementsAre("/netml_export/"));
}

TEST_F(PollerTest, RefusesWhatIsNoMap_N6) {
  for (const std::string& body : {std::string(), std::string("hello"), std::string("<html></html>"),
                                  kMap.substr(0, kMap.size() - 1), kMap + "<x/>"}) {
    peer_.say(200, body);
    expect_failure("import", "Import aborted");
  }
}

TEST_F(PollerTest, RefusesFilesThatAreTooLargeOrEncoded_N5) {
  PollRules rules;
  rules.limits.body_bytes_max = kMap.size() - 1;
  use(std::move(rules));
  peer_.say(200, kMap);
  expect_failure("too_large", "too long");
  use({});
  peer_.on("/netml_export/", [](const net::Request&) {
    net::Response response = answer(200, kMap);
    response.headers.set("Content-Encoding", "gzip");
    return response;
  });
  expect_failure("encoding", "compressed");
  peer_.say(500, std::string(70'000, 'x'));
  expect_failure("too_large", "too long");
}

TEST_F(PollerTest, TellsAPeerThatCannotBeReached_N2) {
  poller_.set_rules({});
  expect_failure("address", "--poll-allow");
  EXPECT_TRUE(peer_.paths().empty());
  const auto allowed = net::IpNetwork::parse("127.0.0.1").value();
  peer_.say(200, kMap);
  EXPECT_EQ(poller_.poll(kCaller, {"peer"}, {allowed})->front().end, PollEnd::imported);
}

TEST_F(PollerTest, PollsActiveSourcesUnlessTheyAreNamed) {
  peer_.say(200, kMap);
  add("sleeper", false);
  const auto all = poller_.poll(kCaller, {});
  ASSERT_EQ(all->size(), 1U);
  EXPECT_EQ(all->front().name, "peer");
  EXPECT_EQ(poller_.poll(kCaller, {"sleeper", "sleeper"})->size(), 1U);
  EXPECT_EQ(poller_.poll(kCaller, {"peer", "nobody"}).error().code, Errc::not_found);
}

TEST_F(PollerTest, ConnectsToNobodyInASandbox_N11) {
  PollRules rules;
  rules.sandbox = true;
  use(std::move(rules));
  EXPECT_EQ(poller_.poll(kCaller, {}).error().code, Errc::denied);
  EXPECT_TRUE(peer_.paths().empty());
}

}  // namespace
}  // namespace netml::admin
