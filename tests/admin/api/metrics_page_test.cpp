// Goal: what /metrics says is what the node holds and did; it is small whatever there is, and no
// family is shown that is not declared and described.
// Method: a node in this process; its page read line by line.
#include "admin/api/metrics_page.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "admin/api/health.hpp"
#include "admin/api/services.hpp"
#include "admin/polling/source_address.hpp"
#include "admin/server/metered_events.hpp"
#include "engine/transaction/entry_changes.hpp"
#include "tests/admin/support/poller_fixture.hpp"
#include "tests/admin/support/uploads.hpp"
#include "tests/support/file_content.hpp"

namespace netml::admin {
namespace {

constexpr std::size_t kPageBytesMax = 64 << 10;

class MetricsPage : public ::testing::Test {
 protected:
  std::string page(MetricsFormat format = MetricsFormat::open_metrics) const {
    return metrics_page(services_, server_, format);
  }
  // What stands behind a sample.
  std::string value(const std::string& sample) const {
    const std::string text = "\n" + page();
    const std::size_t found = text.find("\n" + sample + " ");
    if (found == std::string::npos) return "absent";
    const std::size_t begin = found + sample.size() + 2;
    return text.substr(begin, text.find('\n', begin) - begin);
  }
  // Each polled with success at `succeeded_at`, or never.
  void add_sources(const std::vector<std::string>& names, std::optional<Instant> succeeded_at,
                   std::uint64_t failures) {
    const auto plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
      engine::Transaction transaction = engine::empty_transaction(state);
      std::uint64_t number = state.catalog.sources.next_number();
      for (const std::string& name : names) {
        engine::PollingSource source;
        source.name = name;
        source.hostname = fmt::format("peer{}.example.org", number);
        engine::PeerState peer;
        peer.url = base_url(source);
        peer.succeeded_at = succeeded_at;
        peer.failures = failures;
        engine::put_entry(transaction, state, number, std::move(source));
        engine::put_entry(transaction, state, number, std::move(peer));
        ++number;
      }
      return transaction;
    };
    ASSERT_TRUE(node_->commit(testing::kCaller, engine::Cause::source, plan).has_value());
  }

  mutable testing::OpenNode node_;
  mutable Services services_{*node_, {}, testing::kCheapPasswords};
  testing::NoEvents events_;
  SystemClock clock_;
  netml::testing::SeededRandom random_;
  net::HttpServer server_{{}, clock_, random_, events_};
};

TEST_F(MetricsPage, TellsOfImportsAndOfTheMapThatTheyLeft) {
  EXPECT_TRUE(testing::upload(services_.intake, testing::kMap).has_value());
  EXPECT_FALSE(testing::upload(services_.intake, "<rubbish>").has_value());
  EXPECT_EQ(value(R"(netml_imports_total{origin="api",outcome="imported"})"), "1");
  EXPECT_EQ(value(R"(netml_imports_total{origin="api",outcome="invalid"})"), "1");
  EXPECT_EQ(value(R"(netml_imports_total{origin="poll",outcome="imported"})"), "0");
  EXPECT_EQ(value(R"(netml_import_duration_seconds_count{origin="api"})"), "2");
  EXPECT_EQ(value(R"(netml_import_size_bytes_sum{origin="api"})"),
            std::to_string(testing::kMap.size() + std::string("<rubbish>").size()));
  EXPECT_EQ(value(R"(netml_elements{kind="topologies"})"), "1");
  EXPECT_EQ(value(R"(netml_elements{kind="nodes"})"), "1");
  EXPECT_EQ(value("netml_lsn"), std::to_string(node_->version().state->lsn.value));
  EXPECT_EQ(value("netml_writable"), "1");
  EXPECT_NE(value("netml_journal_sync_duration_seconds_count"), "0");
  EXPECT_EQ(value("netml_imports_held"), "0");
}

TEST_F(MetricsPage, TellsOfSourcesByTheirNames) {
  const Instant now = node_.clock().wall().instant();
  add_sources({"garr \"north\""}, now, 0);
  add_sources({"canarie"}, now, 2);
  add_sources({"new"}, std::nullopt, 3);
  node_.clock().advance(std::chrono::seconds(90));
  EXPECT_EQ(value(R"(netml_source_last_success_age_seconds{source="garr \"north\""})"), "90");
  EXPECT_EQ(value(R"(netml_source_failures{source="canarie"})"), "2");
  EXPECT_EQ(value(R"(netml_source_failures{source="new"})"), "3");
  EXPECT_EQ(value(R"(netml_source_last_success_age_seconds{source="new"})"), "absent");
  EXPECT_EQ(value(R"(netml_sources{state="working"})"), "1");
  EXPECT_EQ(value(R"(netml_sources{state="failing"})"), "2");
  EXPECT_EQ(value(R"(netml_sources{state="never"})"), "0");
}

TEST_F(MetricsPage, TellsHowLongNothingHasChangedAndOfTheLastCheckpoint) {
  EXPECT_TRUE(testing::upload(services_.intake, testing::kMap).has_value());
  EXPECT_EQ(value("netml_checkpoint_age_seconds"), "absent");
  const auto taken = node_->checkpoint();
  ASSERT_TRUE(taken.has_value()) << taken.error().message;
  node_.clock().advance(std::chrono::seconds(60));
  EXPECT_EQ(value("netml_journal_age_seconds"), "60");
  EXPECT_EQ(value("netml_checkpoint_age_seconds"), "60");
  EXPECT_EQ(value("netml_checkpoint_size_bytes"), std::to_string(taken->bytes));
}

// Of two institutions that want one way to a core which is not there, and of nobody.
TEST_F(MetricsPage, TellsOfPoliciesThatAreNotMetAsTheQuestionBeforeFoundThem) {
  const char* const kUnmet = "netml_redundancy_policies_unmet";
  EXPECT_EQ(value(kUnmet), "0") << "there is no policy";
  const auto store = [&](const std::string& name, const std::string& who, bool enabled) {
    const auto plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
      engine::StoredPolicy policy;
      policy.name = name;
      policy.policy = fmt::format(
          R"({{"who":{{"kind":"institution"{}}},"to":{{"kind":"node","tag":"core"}},"routes":1}})",
          who);
      policy.enabled = enabled;
      engine::Transaction transaction = engine::empty_transaction(state);
      engine::put_entry(transaction, state, state.catalog.policies.next_number(),
                        std::move(policy));
      return transaction;
    };
    ASSERT_TRUE(node_->commit(testing::kCaller, engine::Cause::setting, plan).has_value());
  };
  const auto checked = [&] {
    value(kUnmet);
    services_.policy_watch.wait();
    return value(kUnmet);
  };
  EXPECT_TRUE(testing::upload(services_.intake, testing::kMap).has_value());
  store("all", "", true);
  EXPECT_EQ(value(kUnmet), "absent") << "the first check is under way";
  EXPECT_EQ(checked(), "1");
  store("nobody", R"(,"tag":"none")", true);
  store("switched off", "", false);
  EXPECT_EQ(checked(), "1");
  store("all again", "", true);
  EXPECT_EQ(checked(), "2");
}

TEST_F(MetricsPage, TellsOfCaches) {
  const auto asked = [&] {
    return value(R"(netml_cache_requests_total{cache="past",result="hit"})");
  };
  EXPECT_EQ(asked(), "0");
  node_->metrics().cache(CacheName::past).hits.add(4);
  EXPECT_EQ(asked(), "4");
}

// Every label at its longest, and more sources than are shown.
TEST_F(MetricsPage, HasAtMost64KibibytesHoweverMuchThereIs) {
  constexpr std::uint64_t kMany = 1'000'000'000'000;
  Metrics& metrics = node_->metrics();
  for (std::size_t route = 0; route < kRoutes.size(); ++route) {
    for (Counter& counter : metrics.requests[route]) counter.add(kMany);
    for (const std::uint64_t bound : kRequestScale.bounds)
      metrics.request_seconds[route].observe(bound);
  }
  std::vector<std::string> names;
  for (int i = 0; i < 120; ++i) names.push_back(fmt::format("{:\"<40}", i));  // each is escaped
  names.push_back(std::string(200, 'x') + "1");
  add_sources(names, Instant{}, kMany);
  for (const auto format : {MetricsFormat::open_metrics, MetricsFormat::prometheus}) {
    const std::string text = page(format);
    EXPECT_LE(text.size(), kPageBytesMax);
    EXPECT_NE(text.find("source=\"0"), std::string::npos);
    EXPECT_EQ(text.find("source=\"119"), std::string::npos);
  }
  EXPECT_EQ(value(R"(netml_sources{state="failing"})"), "121") << "all are counted";
}

TEST_F(MetricsPage, KeepsLongNamesThatBeginAlikeApart) {
  add_sources({std::string(80, 'x') + "1", std::string(80, 'x') + "2"}, Instant{}, 1);
  const std::string text = page();
  const std::string begin =
      fmt::format("netml_source_failures{{source=\"{}~", std::string(40, 'x'));
  EXPECT_NE(text.find(begin + "1\"} 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find(begin + "2\"} 1\n"), std::string::npos) << text;
}

std::string type_text(FamilyType type) {
  return type == FamilyType::counter ? "counter"
         : type == FamilyType::gauge ? "gauge"
                                     : "histogram";
}

// Each once, with its samples behind it.
TEST_F(MetricsPage, HasOnlyFamiliesThatAreDeclared) {
  std::map<std::string, Family, std::less<>> declared;
  for (const Family& family : kFamilies) declared.emplace(family.name, family);
  EXPECT_EQ(declared.size(), kFamilies.size()) << "no name twice";
  add_sources({"garr"}, Instant{}, 1);
  std::istringstream lines(page());
  std::string line;
  std::string last;
  std::string family;
  std::set<std::string> shown;
  while (std::getline(lines, line)) {
    last = line;
    if (line.starts_with("# TYPE ")) {
      family = line.substr(7, line.find(' ', 7) - 7);
      EXPECT_TRUE(shown.insert(family).second) << family;
      const auto found = declared.find(family);
      ASSERT_NE(found, declared.end()) << family;
      EXPECT_TRUE(line.ends_with(type_text(found->second.type))) << line;
      EXPECT_TRUE(family.ends_with(found->second.unit)) << family;
    } else if (!line.starts_with("#")) {
      EXPECT_TRUE(line.starts_with(family)) << line;
    }
  }
  EXPECT_EQ(last, "# EOF");
  EXPECT_GT(shown.size(), kFamilies.size() / 2);
}

TEST(MetricFamilies, StandOnThePage) {
  const std::string page = test::file_content(NETML_SOURCE_DIR "/docs/monitoring/README.md");
  ASSERT_FALSE(page.empty());
  for (const Family& family : kFamilies)
    EXPECT_NE(page.find(fmt::format("`{}`", family.name)), std::string::npos) << family.name;
}

TEST(MetricFamilies, HaveAllLimitsThatRefuse) {
  const Metrics metrics = metrics_of_the_process();
  EXPECT_EQ(metrics.limits().size(), cli::limit_definitions().size());
}

class OperatorPages : public MetricsPage {
 protected:
  OperatorPages() {
    register_metrics(router_, services_, server_);
    register_health(router_, &*node_, HealthDetail::for_operators);
  }
  net::Response ask(const net::Router& router, const std::string& path,
                    const std::string& accept = {}) const {
    net::Request request;
    request.path = path;
    if (!accept.empty()) request.headers.add("Accept", accept);
    const auto resolution = router.resolve(net::Method::get, path);
    const auto* found = std::get_if<net::Router::Found>(&resolution);
    if (found == nullptr) return net::refusal(404, "no such path");
    EXPECT_EQ(found->lane, net::Lane::urgent);
    return std::get<net::Response>((*found->handler)(request));
  }
  static std::string body(const net::Response& response) {
    return std::get<std::string>(response.body);
  }

  net::Router router_;
};

TEST_F(OperatorPages, GiveTheFormatThatIsAskedFor) {
  const auto type = [&](const std::string& accept) {
    return std::string(ask(router_, "/metrics", accept).headers.get("Content-Type"));
  };
  const std::string open = "application/openmetrics-text; version=1.0.0; charset=utf-8";
  const std::string plain = "text/plain; version=0.0.4; charset=utf-8";
  EXPECT_EQ(type("application/openmetrics-text;version=1.0.0,application/openmetrics-text;"
                 "version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"),
            open);
  EXPECT_EQ(type("application/openmetrics-text"), open);
  EXPECT_EQ(type("text/plain,application/openmetrics-text;q=0.5"), plain);
  EXPECT_EQ(type("*/*"), plain);
  EXPECT_EQ(type(""), plain);
}

TEST_F(OperatorPages, SayThatTheNodeIsLiveAndReady) {
  EXPECT_EQ(ask(router_, "/health/live").status, 200);
  const net::Response ready = ask(router_, "/health/ready");
  EXPECT_EQ(ready.status, 200);
  EXPECT_EQ(body(ready), R"({"status":"ready","reasons":[]})");
}

TEST_F(OperatorPages, SayThatTheNodeIsBeingOpened) {
  net::Router starting;
  register_health(starting, nullptr, HealthDetail::for_everybody);
  EXPECT_EQ(body(ask(starting, "/health/live")), R"({"status":"live","reasons":[]})");
  const net::Response ready = ask(starting, "/health/ready");
  EXPECT_EQ(ready.status, 503);
  EXPECT_EQ(ready.headers.get("Retry-After"), "1");
  EXPECT_EQ(body(ready), R"({"status":"not ready","reasons":[{"code":"starting",)"
                         R"("message":"the data are being opened"}]})");
}

// What went wrong may name files, which not everybody is shown.
TEST(Health, SaysWhyChangesAreNotTakenToOperatorsOnly) {
  testing::OpenNode node;
  node.close();
  node.open(true);
  for (const auto detail : {HealthDetail::for_everybody, HealthDetail::for_operators}) {
    net::Router router;
    register_health(router, &*node, detail);
    const auto resolution = router.resolve(net::Method::get, "/health/ready");
    const auto& found = std::get<net::Router::Found>(resolution);
    const auto response = std::get<net::Response>((*found.handler)(net::Request()));
    EXPECT_EQ(response.status, 503);
    const std::string message = detail == HealthDetail::for_operators ? "started for reading only"
                                                                      : "changes cannot be written";
    EXPECT_EQ(std::get<std::string>(response.body),
              fmt::format(R"({{"status":"not ready","reasons":[{{"code":"read_only",)"
                          R"("message":"{}"}}]}})",
                          message));
  }
}

}  // namespace
}  // namespace netml::admin
