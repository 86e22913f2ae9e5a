// Goal: the score of a source says how it delivers (docs/quality.md, section "How a source
// delivers"). Method: a peer on loopback that is polled, by a node whose clock is set forward.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "admin/polling/source_deliveries.hpp"
#include "engine/edit/plan_edit.hpp"
#include "tests/admin/support/open_site.hpp"
#include "tests/admin/support/poller_fixture.hpp"

namespace netml::admin {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using testing::Browser;
using testing::FakePeer;
using testing::OpenSite;

class SourceQuality : public ::testing::Test {
 protected:
  SourceQuality() {
    PollRules rules;
    rules.outgoing.internal_allowed = true;
    rules.attempts_max = 1;
    rules.retry_after = 0ms;
    site.services().poller.set_rules(std::move(rules));
    site.add_account("ada", engine::Role::admin);
    browser.sign_in("ada");
    browser.create("sources", {{"name", "alps"},
                               {"hostname", "127.0.0.1"},
                               {"port", peer.port},
                               {"protocol", "http"},
                               {"plain_http", true}});
    put("NETML_POLLING_INTERVAL", "0 */4 * * *");
  }
  void put(const std::string& setting, const std::string& value) {
    EXPECT_EQ(browser.put("settings/" + setting, {{"value", value}}).status, 200);
  }
  // A session does not last as long.
  void pass(std::chrono::hours time) {
    site.node().clock().advance(time);
    browser.sign_in("ada");
  }
  PollEnd poll() {
    const auto started = site.services().polling.collect({.caller = testing::kCaller}, {1});
    NETML_ASSERT(started.has_value());
    return started->reports.get().front().end;
  }
  // A map of 40 nodes, the first few of which have another name than before, and as many that are
  // there twice, which the default rules make one.
  PollEnd import(int renamed, int doubled = 0) {
    ++version_;
    std::vector<netml::test::ElementText> nodes;
    netml::test::TopologyText map("urn:alps", "urn:net");
    map.add(netml::test::institution("urn:net"));
    netml::test::TopologyText part("urn:part", "urn:net");
    part.add(netml::test::institution("urn:net"));
    for (int i = 0; i < 40; ++i) {
      auto node = netml::test::node(fmt::format("urn:{}", i)).owned_by("urn:net");
      if (i < renamed) name_of_[i] = fmt::format("Node {} of {}", i, version_);
      node.named(name_of_.count(i) == 0 ? fmt::format("Node {}", i) : name_of_[i]);
      map.add(node);
      if (i < doubled) part.add(node);
    }
    map.add(part);
    peer.say(200, map);
    pass(4h);
    return poll();
  }
  json::value source(const std::string& query = {}) {
    return browser.get("quality" + query).json().at("sources").at(0);
  }
  static std::vector<std::string> findings_of(const json::value& source) {
    std::vector<std::string> checks;
    for (const json::value& each : source.at("delivery").at("findings").as_array())
      checks.emplace_back(each.at("check").as_string());
    return checks;
  }
  static double score_of(const json::value& source) {
    return source.at("score").to_number<double>();
  }
  using Checks = std::vector<std::string>;

  OpenSite site;
  Browser browser{site};
  FakePeer peer;

 private:
  int version_ = 0;
  std::map<int, std::string> name_of_;
};

TEST_F(SourceQuality, ThatNeverSucceededHasNoAgeAndNoPast) {
  const json::value delivery = source().at("delivery");
  EXPECT_TRUE(delivery.at("age").is_null());
  EXPECT_TRUE(delivery.at("changes").is_null());
  EXPECT_EQ(delivery.at("polls"), 0);
  EXPECT_TRUE(delivery.at("findings").as_array().empty());
}

TEST_F(SourceQuality, LosesPointsWhileItIsOverdueAndSaysByHowMuch) {
  ASSERT_EQ(import(0), PollEnd::imported);  // at 04:00, so the second run after it is at 12:00
  EXPECT_EQ(source().at("delivery").at("allowed"), 8 * 3600);
  const double before = score_of(source());
  pass(8h);
  EXPECT_TRUE(findings_of(source()).empty());
  EXPECT_EQ(score_of(source()), before);
  pass(1h);
  const json::value late = source();
  EXPECT_EQ(findings_of(late), (Checks{"source-overdue"}));
  EXPECT_EQ(score_of(late), before - 5);
  EXPECT_EQ(late.at("delivery").at("findings").at(0).at("text"),
            "its newest success is 9 h old, 1 h more than the 8 h that its schedule allows");
  pass(7h);
  EXPECT_EQ(score_of(source()), before - 10);
  EXPECT_EQ(poll(), PollEnd::unchanged) << "a success all the same";
  EXPECT_EQ(score_of(source()), before);
}

TEST_F(SourceQuality, IsNotOverdueWhereNothingIsExpected) {
  ASSERT_EQ(import(0), PollEnd::imported);
  pass(1000h);
  EXPECT_EQ(findings_of(source()), (Checks{"source-overdue"}));
  put("NETML_POLLING_ENABLED", "False");
  EXPECT_TRUE(source().at("delivery").at("allowed").is_null());
  EXPECT_TRUE(findings_of(source()).empty());
  put("NETML_POLLING_ENABLED", "True");
  EXPECT_EQ(findings_of(source()), (Checks{"source-overdue"}));
  json::object fields = browser.get("sources/1").json().as_object();
  fields["active"] = false;
  ASSERT_EQ(browser.put("sources/1", fields).status, 200);
  EXPECT_TRUE(findings_of(source()).empty());
}

TEST_F(SourceQuality, LosesPointsWhereItsNewestImportChangedFarMoreThanIsUsual) {
  for (const int renamed : {0, 1, 2, 1, 1}) ASSERT_EQ(import(renamed), PollEnd::imported);
  const double before = score_of(source());
  ASSERT_EQ(import(30), PollEnd::imported);
  const json::value jumped = source();
  EXPECT_EQ(findings_of(jumped), (Checks{"changes-jump"}));
  EXPECT_EQ(score_of(jumped), before - 10);
  const json::value& delivery = jumped.at("delivery");
  EXPECT_EQ(delivery.at("imports").as_array().size(), 6U);
  EXPECT_EQ(delivery.at("imports").at(0).at("updated"), 30);
  EXPECT_EQ(delivery.at("imports").at(1).at("updated"), 1);
  EXPECT_EQ(delivery.at("imports").at(5).at("created"), 44)
      << "nodes, topologies, institution, and the global one";
  EXPECT_EQ(delivery.at("changes").at("jumped"), true);
  ASSERT_EQ(import(1), PollEnd::imported);
  EXPECT_TRUE(findings_of(source()).empty()) << "it is the newest that counts";
}

TEST_F(SourceQuality, LosesPointsWhereRulesChangedFarMoreThanIsUsual) {
  for (int i = 0; i < 5; ++i) ASSERT_EQ(import(1), PollEnd::imported);
  ASSERT_EQ(import(1, 30), PollEnd::imported);
  const json::value jumped = source();
  const Checks found = findings_of(jumped);
  EXPECT_EQ(std::ranges::count(found, "rule-hits-jump"), 1) << jumped.at("delivery");
  const json::value& newest = jumped.at("delivery").at("imports").at(0);
  std::uint64_t hits = 0;
  for (const json::value& each : jumped.at("delivery").at("rules").as_array())
    hits += each.at("changed").to_number<std::uint64_t>() +
            each.at("cascaded").to_number<std::uint64_t>();
  EXPECT_EQ(newest.at("rule_hits"), hits);
  EXPECT_GE(hits, 30U);
}

TEST_F(SourceQuality, CountsFailuresByKind) {
  ASSERT_EQ(import(0), PollEnd::imported);
  for (const int status : {401, 404, 401, 404, 401}) {
    peer.say(status, "");
    EXPECT_EQ(poll(), PollEnd::failed);
  }
  const json::value delivery = source().at("delivery");
  EXPECT_EQ(delivery.at("polls"), 6);
  EXPECT_EQ(delivery.at("failures"), (json::value{{{"reason", "denied"}, {"count", 3}},
                                                  {{"reason", "not_found"}, {"count", 2}}}));
}

// The same question about the same point in time has the same answer, whatever is remembered.
TEST_F(SourceQuality, IsAFunctionOfJournalStateAndInstant) {
  for (const int renamed : {0, 1, 2, 1, 1, 30}) ASSERT_EQ(import(renamed), PollEnd::imported);
  const engine::StatePtr then = site.state();
  const std::string query = fmt::format("?at={}", then->lsn.value);
  const json::value before = source(query);
  EXPECT_EQ(findings_of(before), (Checks{"changes-jump"}));
  ASSERT_EQ(import(1), PollEnd::imported);
  pass(1000h);
  EXPECT_TRUE(std::ranges::count(findings_of(source()), "source-overdue") == 1);
  EXPECT_EQ(source(query), before) << "as of then, not as of now";
  ImportChanges forgetful;
  const Instant asked = then->effective_time.instant();
  const auto again = source_deliveries(*site.node(), *then, asked, forgetful);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(engine::findings_of(again->at(1)).size(), 1U);
  EXPECT_EQ(again->at(1).imports.front().updated, 30U);
}

TEST(SecondRunAfter, IsTheLatestThatRandomColumnsCanDraw) {
  const auto at = [](const char* schedule, const char* success) -> std::string {
    const auto run = second_run_after(*CronSchedule::parse(schedule), *parse_instant(success));
    return run ? format_instant(*run) : "";
  };
  EXPECT_EQ(at("0 */4 * * *", "2024-01-01T04:00:30Z"), "2024-01-01T12:00:00+00:00");
  EXPECT_EQ(at("R */4 * * *", "2024-01-01T04:17:00Z"), "2024-01-01T12:59:00+00:00");
  EXPECT_EQ(at("R R * * *", "2024-01-01T04:17:00Z"), "2024-01-03T23:59:00+00:00");
  EXPECT_EQ(at("* * * * * *", "2024-01-01T04:17:00Z"), "2024-01-01T04:18:01+00:00")
      << "runs are a minute apart";
  EXPECT_EQ(at("0 0 31 2 *", "2024-01-01T04:17:00Z"), "");
}

}  // namespace
}  // namespace netml::admin
