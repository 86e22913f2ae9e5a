// Goal: what a poll makes of a peer's answers: a good file is imported, everything else changes
// nothing and says why (N3, N5, N6, N9, N11; docs/requirements/polling-and-publishing.md,
// section 4). Method: a node on a real directory; a peer on loopback that answers as asked.
#include "admin/polling/polling.hpp"

#include <gmock/gmock.h>

#include <thread>

#include "tests/admin/support/poller_fixture.hpp"
#include "tests/admin/support/raw_peer.hpp"

namespace netml::admin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using testing::answer;
using testing::kCaller;
using testing::kMap;

class PollerTest : public testing::PollerFixture {
 protected:
  // It would last ten minutes otherwise, which is longer than a test may.
  // `wait_until_it_hangs` returns when the fetch is where it is to be broken off.
  void expect_stop_ends_the_poll(const std::function<void()>& wait_until_it_hangs = [] {}) {
    const auto started = polling_.collect({.caller = kCaller}, {1});
    ASSERT_TRUE(started.has_value());
    const auto record = [&] { return polling_.batch(started->batch)->records.front().record; };
    while (record().status != engine::PollStatus::polling) std::this_thread::yield();
    wait_until_it_hangs();
    poller_.stop();
    EXPECT_TRUE(polling_.batch(started->batch)->batch.finished);
    EXPECT_EQ(record().status, engine::PollStatus::aborted);
    EXPECT_THAT(record().message, HasSubstr("the node was stopped"));
    EXPECT_FALSE(state()->catalog.peer_states.find(1)) << "which is no fault of the peer";
  }
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

TEST_F(PollerTest, TellsHowManySourcesAreDoneWith) {
  peer_.say(200, kMap);
  std::vector<WorkNow> reported;
  const auto started = polling_.collect(
      {.caller = kCaller, .report = [&](const WorkNow& now) { reported.push_back(now); }}, {1});
  ASSERT_TRUE(started.has_value());
  ASSERT_EQ(started->reports.get().size(), 1U);
  EXPECT_THAT(reported, ElementsAre(WorkNow{.unit = WorkUnit::sources, .done = 0, .total = 1},
                                    WorkNow{.unit = WorkUnit::sources, .done = 1, .total = 1}));
}

TEST_F(PollerTest, CountsWhatCameOfEachPoll) {
  const Metrics& metrics = node_->metrics();
  peer_.say(200, kMap);
  EXPECT_EQ(poll().end, PollEnd::imported);
  EXPECT_EQ(poll().end, PollEnd::unchanged);
  peer_.say(403, "");
  EXPECT_EQ(poll().end, PollEnd::failed);
  const auto count = [&](PollOutcome outcome) {
    return metrics.polls.at(static_cast<std::size_t>(outcome)).value();
  };
  EXPECT_EQ(count(PollOutcome::imported), 1U);
  EXPECT_EQ(count(PollOutcome::unchanged), 1U);
  EXPECT_EQ(count(PollOutcome::held), 0U);
  EXPECT_EQ(count(PollOutcome::failed), 1U);
  const auto origin = static_cast<std::size_t>(engine::ImportSource::poll);
  EXPECT_EQ(kImportOrigins.at(origin), "poll");
  const auto imported = static_cast<std::size_t>(ImportEnd::imported);
  EXPECT_EQ(metrics.imports.at(origin).at(imported).value(), 1U);
}

TEST_F(PollerTest, TellsInALineWhoPolledInVain) {
  node_.keep_records();
  peer_.say(200, kMap);
  EXPECT_EQ(poll().end, PollEnd::imported);
  EXPECT_TRUE(node_.events().records_of("poll_failed").empty());
  peer_.say(403, "");
  const PollReport report = poll();
  const auto lines = node_.events().records_of("poll_failed");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines.front().level, EventLevel::warning);
  EXPECT_EQ(lines.front().text, "peer: " + report.message + " (" + report.reason + ")");
  EXPECT_EQ(lines.front().request_id, kCaller.request_id);
  EXPECT_EQ(lines.front().actor, kCaller.actor);
  EXPECT_TRUE(lines.front().timed);
}

TEST_F(PollerTest, SendsNoTokenWhenThereIsNone) {
  peer_.say(200, kMap);
  EXPECT_EQ(poll().end, PollEnd::imported);
  EXPECT_EQ(peer_.header(0, "Authorization"), "");
}

TEST_F(PollerTest, SendsNoTokenInClearThatWasGivenForTls_A5) {
  SourceFields encrypted;
  encrypted.protocol = engine::Protocol::https;
  encrypted.token = "secret";
  change(encrypted);
  SourceFields plain;
  plain.protocol = engine::Protocol::http;
  plain.plain_http = true;
  change(plain);
  peer_.say(200, kMap);
  EXPECT_EQ(poll().end, PollEnd::imported);
  EXPECT_EQ(peer_.header(0, "Authorization"), "");
}

TEST_F(PollerTest, RemembersWhichNameThePeerKnows) {
  peer_.on("/grenml_export/", [](const net::Request&) { return answer(200, kMap); });
  EXPECT_EQ(poll().end, PollEnd::imported);
  EXPECT_THAT(peer_.paths(), ElementsAre("/netml_export/", "/grenml_export/"));
  peer_.forget();
  EXPECT_EQ(poll().end, PollEnd::unchanged);
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
  const std::size_t imports = state()->catalog.imports.count();
  EXPECT_EQ(poll().end, PollEnd::unchanged);
  EXPECT_EQ(state()->catalog.imports.count(), imports);
  peer_.on("/map/netml_export/", [](const net::Request& request) {
    net::Response response = answer(200, kMap);
    response.headers.set("ETag", request.headers.get("If-None-Match") == "" ? "\"v1\"" : "\"no\"");
    return response;
  });
  SourceFields elsewhere;
  elsewhere.path = "map/";
  change(elsewhere);
  peer_.forget();
  EXPECT_EQ(poll().end, PollEnd::imported) << "it may be another peer";
  EXPECT_EQ(peer_.header(0, "If-None-Match"), "");
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
        Row{404, "<html>", "not_found", "check host and path"},
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
  rules.limits.body_bytes_max = {"upload_bytes_max", kMap.size() - 1};
  use(std::move(rules));
  peer_.say(200, kMap);
  expect_failure("too_large", "raise it with --limit upload_bytes_max=N");
  use({});
  peer_.on("/netml_export/", [](const net::Request&) {
    net::Response response = answer(200, kMap);
    response.headers.set("Content-Encoding", "gzip");
    return response;
  });
  expect_failure("encoding", "compressed");
  peer_.say(500, std::string(70'000, 'x'));
  expect_failure("too_large", "bytes of the answer: above");
}

TEST_F(PollerTest, TellsAPeerThatCannotBeReached_N2) {
  poller_.set_rules({});
  expect_failure("address", "--poll-allow");
  EXPECT_TRUE(peer_.paths().empty());
  const auto allowed = net::IpNetwork::parse("127.0.0.1").value();
  peer_.say(200, kMap);
  PollOrder order;
  order.allowed = {allowed};
  EXPECT_EQ(poll(std::move(order)).end, PollEnd::imported);
}

TEST_F(PollerTest, PollsActiveSourcesUnlessTheyAreNamed) {
  peer_.say(200, kMap);
  add("sleeper", false);
  const auto all = polling_.collect_all({.caller = kCaller});
  ASSERT_TRUE(all.has_value() && all->has_value());
  const std::vector<PollReport> reports = (*all)->reports.get();
  ASSERT_EQ(reports.size(), 1U);
  EXPECT_EQ(reports.front().name, "peer");
  EXPECT_EQ(poll_named({"sleeper", "sleeper"}).size(), 1U);
  EXPECT_EQ(polling_.numbers_of({"peer", "nobody"}).error().code, Errc::not_found);
}

// ---- several sources ----

TEST_F(PollerTest, FetchesFourAtOnceAndImportsInTheOrderOfSources_N8) {
  const std::vector<std::string> names{"a", "b", "c", "d", "e"};
  std::vector<std::shared_ptr<testing::Gate>> gates;
  for (const std::string& name : names) {
    add(name);
    SourceFields own_map;
    own_map.path = name + '/';
    ASSERT_TRUE(sources_.update(kCaller, name, own_map).has_value());
    gates.push_back(std::make_shared<testing::Gate>());
    peer_.on("/" + name + "/netml_export/", [name, gate = gates.back()](const net::Request&) {
      gate->pass();
      return answer(200, netml::test::topology(name, "i", netml::test::institution("i")));
    });
  }
  const auto numbers = polling_.numbers_of(names);
  const auto started = polling_.collect({.caller = kCaller}, *numbers);
  ASSERT_TRUE(started.has_value());
  for (std::size_t i = 0; i < 4; ++i) gates[i]->wait_until_asked();
  EXPECT_EQ(peer_.paths().size(), 4U) << "the fifth waits for its turn";
  for (std::size_t i = 5; i-- > 0;) gates[i]->open();
  std::vector<std::uint64_t> records;
  for (const PollReport& report : started->reports.get()) {
    EXPECT_EQ(report.end, PollEnd::imported) << report.message;
    records.push_back(report.record);
  }
  EXPECT_THAT(records, ElementsAre(1, 2, 3, 4, 5));
  for (std::size_t i = 0; i < names.size(); ++i)
    EXPECT_EQ(state()->catalog.imports.find(i + 1)->name, names[i] + " poll");
}

// ---- a stop ----

TEST_F(PollerTest, BreaksOffAHandshakeThatHangsWhenItIsStopped) {
  const testing::RawPeer silent;
  SourceFields tls;
  tls.protocol = engine::Protocol::https;
  tls.port = silent.port;
  change(tls);
  PollRules patient;
  patient.outgoing.tls_max = std::chrono::minutes(10);
  use(std::move(patient));
  expect_stop_ends_the_poll();
}

TEST_F(PollerTest, BreaksOffALookUpThatHangsWhenItIsStopped) {
  const auto gate = std::make_shared<testing::Gate>();
  const auto ended = std::make_shared<std::promise<void>>();
  PollRules patient;
  patient.outgoing.connect_max = std::chrono::minutes(10);
  patient.outgoing.resolve = [=](const std::string&) -> Result<std::vector<net::IpAddress>> {
    gate->pass();
    ended->set_value();
    return fail(Errc::not_found, "nobody");
  };
  use(std::move(patient));
  expect_stop_ends_the_poll([&] { gate->wait_until_asked(); });
  gate->open();
  ended->get_future().wait();
}

TEST_F(PollerTest, BreaksOffABodyThatHangsWhenItIsStopped) {
  testing::RawPeer half;
  const auto begun = std::make_shared<std::promise<void>>();
  half.play([begun](const testing::RawPeer::Connection& to) {
    to.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n<");
    begun->set_value();
    to.wait(std::chrono::minutes(10));
  });
  SourceFields place;
  place.port = half.port;
  change(place);
  PollRules patient;
  patient.limits.bytes_per_second_min = 0;
  patient.limits.silence_max = std::chrono::minutes(10);
  use(std::move(patient));
  expect_stop_ends_the_poll([&] { begun->get_future().wait(); });
}

TEST_F(PollerTest, ConnectsToNobodyInASandbox_N11) {
  PollRules rules;
  rules.sandbox = true;
  use(std::move(rules));
  EXPECT_EQ(polling_.collect_all({.caller = kCaller}).error().code, Errc::denied);
  EXPECT_EQ(polling_.test(kCaller, {1}).error().code, Errc::denied);
  EXPECT_TRUE(peer_.paths().empty());
}

}  // namespace
}  // namespace netml::admin
