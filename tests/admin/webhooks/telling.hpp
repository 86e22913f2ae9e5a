// A node that tells a receiver of its changes, step by step under a clock that the test sets.
// Thread: one.
#pragma once

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "admin/settings/settings.hpp"
#include "admin/webhooks/webhook_delivery.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/admin/support/webhook_receiver.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::admin::testing {

// What stands on a node while it is open.
struct Telling {
  explicit Telling(Node& open_node, bool internal_allowed = true)
      : node(open_node), sources(node), intake(node), poller(node, sources, intake) {
    PollRules rules;
    rules.outgoing.internal_allowed = internal_allowed;
    poller.set_rules(rules);
  }
  void deliver() {
    while (delivery.deliver_due()) {
    }
  }

  Node& node;
  Sources sources;
  Intake intake;
  Poller poller;
  Webhooks webhooks{node};
  WebhookDelivery delivery{node, webhooks, poller};
};

class TellingTest : public ::testing::Test {
 protected:
  TellingTest() {
    telling_.emplace(*node_);
    rename("first");
  }

  std::uint64_t add(const std::string& url, const std::string& name = "desk") {
    const auto made =
        telling_->webhooks.create(kCaller, {.name = name, .url = url, .plain_http = true});
    EXPECT_TRUE(made.has_value());
    secret_ = made->secret;
    return made->number;
  }
  // It has heard where it begins.
  std::uint64_t begin() {
    const std::uint64_t number = add(receiver_.url());
    deliver();
    receiver_.forget();
    return number;
  }
  void restart() {
    telling_.reset();
    node_.close();
    node_.open();
    telling_.emplace(*node_);
  }
  // One node gets that name, and so many others are there with a long note.
  void rename(const std::string& name, int noted = 0) {
    using namespace netml::test;
    TopologyText map = topology("R", "r", institution("r"), node("a").named(name));
    for (int i = 0; i < noted; ++i)
      map.add(node("n" + std::to_string(i)).with("note", std::string(500, 'x')));
    ASSERT_TRUE(import_job(*node_, map)->commit().has_value());
  }
  void change_a_setting(const std::string& value) {
    const auto plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
      return plan_setting(state, "IMPORT_DAYS_KEPT", value);
    };
    ASSERT_TRUE(node_->commit(kCaller, engine::Cause::setting, plan).has_value());
  }
  void deliver() { telling_->deliver(); }
  WebhookStatus status(std::uint64_t number) { return *telling_->delivery.status(number); }
  std::vector<std::string> ids() {
    std::vector<std::string> ids;
    for (const WebhookReceiver::Message& message : receiver_.messages()) ids.push_back(message.id);
    return ids;
  }
  std::vector<std::string> types() {
    std::vector<std::string> types;
    for (const WebhookReceiver::Message& message : receiver_.messages())
      types.emplace_back(boost::json::parse(message.body).at("type").as_string());
    return types;
  }

  OpenNode node_;
  WebhookReceiver receiver_;
  std::optional<Telling> telling_;
  std::string secret_;
};

}  // namespace netml::admin::testing
