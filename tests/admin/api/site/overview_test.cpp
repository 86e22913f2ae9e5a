// What the start page draws, over /api/v1/: it counts what the lists that it leads to hold.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/import/plan_polls.hpp"
#include "tests/admin/support/open_site.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::admin {
namespace {

namespace json = boost::json;
using test::institution;
using test::node;
using test::TopologyText;
using testing::Browser;
using testing::OpenSite;
using testing::Reply;

class WebOverview : public ::testing::Test {
 protected:
  WebOverview() {
    site.add_account("ada", engine::Role::admin);
    browser.sign_in("ada");
  }
  json::value overview() { return browser.get("overview").json(); }
  // Today, which comes last.
  json::value today() { return overview().at("days").at(6); }
  void upload(int nodes) {
    TopologyText map("urn:coast", "urn:i");
    map.add(institution("urn:i"));
    for (int i = 0; i < nodes; ++i) map.add(node("urn:" + std::to_string(i)).owned_by("urn:i"));
    EXPECT_EQ(browser.upload(map).status, 202);
    EXPECT_TRUE(site.queue().import_waiting());
  }
  void commit(const std::function<engine::Transaction(const engine::State&)>& plan) {
    Change change{.caller = {}, .cause = engine::Cause::poll};
    change.plan = [&](const engine::State& state, WallTime) {
      return Result<engine::Transaction>(plan(state));
    };
    EXPECT_TRUE(site.node()->commit(std::move(change)).has_value());
  }
  // A poll of the source that failed because of `reason`; of none: one that succeeded.
  void poll(std::uint64_t source, const std::string& reason = {}) {
    const std::vector<std::uint64_t> sources{source};
    engine::PollBatch batch;
    batch.started = site.node()->clock().wall().instant();
    std::uint64_t number = 0;
    commit([&](const engine::State& state) {
      number = state.catalog.poll_records.next_number();
      return plan_poll_batch(state, batch, sources, 100);
    });
    commit([&](const engine::State& state) {
      engine::PollRecord record = *state.catalog.poll_records.find(number);
      record.status = reason.empty() ? engine::PollStatus::complete : engine::PollStatus::aborted;
      record.reason = reason;
      record.poll_milliseconds = 1500;
      engine::Transaction transaction = engine::empty_transaction(state);
      set_poll_record(transaction, state, number, record);
      return transaction;
    });
  }
  std::uint64_t add_source(const std::string& name) {
    return browser.create("sources",
                          {{"name", name}, {"hostname", "peer.example"}, {"token", "t"}});
  }
  std::uint64_t listed(const std::string& path) {
    return browser.get(path).json().at("total").to_number<std::uint64_t>();
  }

  OpenSite site;
  Browser browser{site};
};

TEST_F(WebOverview, OfAnEmptyNodeIsAWeekOfNothing) {
  const json::value found = overview();
  EXPECT_EQ(found.at("days").as_array().size(), 7U);
  EXPECT_EQ(found.at("days").at(0).at("imports").at("complete"), 0);
  EXPECT_EQ(found.at("sources").at("total"), 0);
  EXPECT_TRUE(found.at("growth").as_array().empty());
}

TEST_F(WebOverview, CountsImportsAsTheirListDoes) {
  upload(1);
  upload(2);
  EXPECT_EQ(browser.upload("<rubbish>").status, 202);
  EXPECT_TRUE(site.queue().import_waiting());
  const json::value counted = today();
  EXPECT_EQ(counted.at("imports").at("complete"), 2);
  EXPECT_EQ(counted.at("imports").at("aborted"), 1);
  const std::string day(counted.at("day").as_string());
  EXPECT_EQ(listed(fmt::format("imports?day={}", day)), 3U);
  EXPECT_EQ(listed(fmt::format("imports?day={}&state=aborted", day)), 1U);
  EXPECT_EQ(listed("imports?day=1999-01-01"), 0U);
}

TEST_F(WebOverview, CountsPollsAndTheirFailuresByKindAsTheirListDoes) {
  const std::uint64_t source = add_source("Alps");
  poll(source);
  poll(source, "time_out");
  poll(source, "time_out");
  poll(source, "tls");
  const json::value counted = today();
  EXPECT_EQ(counted.at("polls").at("complete"), 1);
  EXPECT_EQ(counted.at("polls").at("aborted"), 3);
  const json::array reasons{json::object{{"reason", "time_out"}, {"count", 2}},
                            json::object{{"reason", "tls"}, {"count", 1}}};
  EXPECT_EQ(counted.at("reasons"), json::value(reasons));
  const std::string day(counted.at("day").as_string());
  EXPECT_EQ(listed(fmt::format("polls?day={}", day)), 4U);
  EXPECT_EQ(listed(fmt::format("polls?day={}&q=time_out", day)), 2U);
}

TEST_F(WebOverview, TellsHowEachSourceAnsweredTheOldestFirst) {
  add_source("Coast");
  const std::uint64_t alps = add_source("Alps");
  poll(alps);
  poll(alps, "tls");
  const json::value sources = overview().at("sources");
  EXPECT_EQ(sources.at("total"), 2);
  const json::value& first = sources.at("items").at(0);
  EXPECT_EQ(first.at("name"), "Alps") << "by name, where none fails in a row";
  EXPECT_EQ(first.at("polls").as_array().size(), 2U);
  EXPECT_EQ(first.at("polls").at(0).at("state"), "complete");
  EXPECT_EQ(first.at("polls").at(0).at("seconds"), 1.5);
  EXPECT_EQ(first.at("polls").at(1).at("state"), "aborted");
  EXPECT_TRUE(sources.at("items").at(1).at("polls").as_array().empty());
}

TEST_F(WebOverview, TellsHowLargeTheMapWasAfterEachChange) {
  upload(1);
  upload(3);
  upload(2);
  const json::value growth = overview().at("growth");
  ASSERT_EQ(growth.as_array().size(), 3U) << growth;
  EXPECT_EQ(growth.at(0).at("nodes"), 1);
  EXPECT_EQ(growth.at(1).at("nodes"), 3);
  EXPECT_EQ(growth.at(2).at("nodes"), 2);
  EXPECT_EQ(growth.at(0).at("institutions"), 2) << "that of the map, and that of the root";
  EXPECT_EQ(growth.at(2).at("lsn"), site.state()->lsn.value);
}

TEST_F(WebOverview, SaysHowTheMachineIs) {
  const Reply reply = browser.get("overview/node");
  ASSERT_EQ(reply.status, 200) << reply.body;
  const json::value found = reply.json();
  EXPECT_GT(found.at("disk").at("free_bytes").to_number<std::uint64_t>(), 0U);
  EXPECT_GT(found.at("journal_bytes").to_number<std::uint64_t>(), 0U);
  EXPECT_EQ(found.at("lsn"), site.state()->lsn.value);
  EXPECT_TRUE(found.at("certificates_expire").is_null()) << "no server runs";
  site.add_account("vera", engine::Role::viewer);
  Browser viewer(site);
  viewer.sign_in("vera");
  EXPECT_EQ(viewer.get("overview/node").status, 403);
}

}  // namespace
}  // namespace netml::admin
