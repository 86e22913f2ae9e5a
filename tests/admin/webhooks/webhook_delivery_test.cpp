// Goal: whoever hears of changes misses none, has them in order, and finds a message again by its
// id; who does not answer is left in peace for longer and longer, and holds nobody up
// (docs/following.md, "Webhooks"). Method: deliveries of a node to a server on loopback, step by
// step under a clock that the test sets.
#include <gmock/gmock.h>

#include <filesystem>
#include <set>

#include "admin/webhooks/detail/webhook_signature.hpp"
#include "engine/edit/plan_entries.hpp"
#include "tests/admin/webhooks/telling.hpp"
#include "tests/support/file_content.hpp"

namespace netml::admin {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using ::testing::HasSubstr;
using testing::kCaller;
using ::testing::Not;
using testing::Telling;
using Message = testing::WebhookReceiver::Message;

class WebhookDeliveryTest : public testing::TellingTest {};

TEST_F(WebhookDeliveryTest, TellsEachChangeOfTheMapInOrder) {
  add(receiver_.url());
  deliver();
  EXPECT_EQ(types(), std::vector<std::string>{"reset"}) << "it begins now";
  const std::string before = node_->version().head;
  EXPECT_THAT(receiver_.messages().front().body, HasSubstr("\"after\":\"" + before + "\""));
  rename("second");
  change_a_setting("9");
  rename("third");
  deliver();
  EXPECT_EQ(types(), (std::vector<std::string>{"reset", "transaction", "transaction"}));
  const json::value second = json::parse(receiver_.messages().at(1).body).at("data");
  const json::value third = json::parse(receiver_.messages().at(2).body).at("data");
  EXPECT_EQ(second.at("changes").at(0).at("fields").at(0).at("after"), "second");
  EXPECT_EQ(third.at("changes").at(0).at("fields").at(0).at("before"), "second");
  EXPECT_EQ(third.at("head"), json::value(node_->version().head));
  EXPECT_EQ(third.at("cause"), "import");
  EXPECT_EQ(third.at("updated"), 1);
  EXPECT_THAT(receiver_.messages().at(2).body, Not(HasSubstr("tester"))) << "who it was";
  deliver();
  EXPECT_EQ(receiver_.messages().size(), 3U) << "nothing is posted twice";
}

TEST_F(WebhookDeliveryTest, SignsEachMessage) {
  begin();
  rename("second");
  deliver();
  const Message message = receiver_.messages().at(0);
  EXPECT_EQ(message.timestamp, std::to_string(node_.clock().wall().instant().seconds));
  EXPECT_EQ(message.signature,
            *webhook_signature(secret_, message.id, std::stoll(message.timestamp), message.body));
}

TEST_F(WebhookDeliveryTest, TellsWhereAManyChangesAreRead) {
  const std::uint64_t number = begin();
  const std::string before = node_->version().head;
  rename("second", 200);
  rename("third", 200);
  deliver();
  ASSERT_EQ(receiver_.messages().size(), 2U);
  const json::value large = json::parse(receiver_.messages().at(0).body).at("data");
  EXPECT_FALSE(large.as_object().contains("changes"));
  EXPECT_EQ(large.at("created"), 200);
  EXPECT_EQ(large.at("changes_at"), json::value("/api/v1/changes?after=" + before));
  EXPECT_EQ(json::parse(receiver_.messages().at(1).body).at("data").at("changes").as_array().size(),
            1U);
  EXPECT_EQ(to_string(status(number).place.after), node_->version().head);
}

TEST_F(WebhookDeliveryTest, PostsAgainUnderTheSameIdAfterLongerAndLongerPauses) {
  const std::uint64_t number = begin();
  receiver_.answer(500);
  rename("second");
  rename("third");
  deliver();
  ASSERT_EQ(ids().size(), 1U) << "the next waits for it";
  std::vector<std::chrono::seconds> pauses;
  for (int attempt = 2; attempt <= 12; ++attempt) {
    std::chrono::seconds waited{0};
    while (ids().size() < static_cast<std::size_t>(attempt)) {
      node_.clock().advance(1s);
      ++waited;
      deliver();
    }
    pauses.push_back(waited);
  }
  for (std::size_t i = 0; i < pauses.size(); ++i) {
    const std::chrono::seconds whole = std::min<std::chrono::seconds>(5s * (1 << i), 1h);
    EXPECT_LE(pauses[i], whole) << i;
    EXPECT_GE(pauses[i], whole - whole / 10) << i;
  }
  const std::vector<std::string> posted = ids();
  EXPECT_EQ(std::set<std::string>(posted.begin(), posted.end()).size(), 1U);
  EXPECT_EQ(status(number).state, WebhookState::failing);
  EXPECT_EQ(status(number).attempts.front().status, 500);
  receiver_.answer(204);
  node_.clock().advance(1h);
  receiver_.forget();
  deliver();
  EXPECT_EQ(ids().size(), 2U);
  EXPECT_EQ(status(number).state, WebhookState::working);
  EXPECT_EQ(node_.events().warnings.size(), 1U) << "one for all failures in a row";
}

TEST_F(WebhookDeliveryTest, IsPausedAfterFiveDaysAndGoesOnWhereItStood) {
  const std::uint64_t number = begin();
  receiver_.answer(503);
  rename("second");
  int hours = 0;
  for (; status(number).state != WebhookState::paused && hours < 1000; ++hours) {
    deliver();
    node_.clock().advance(1h);
  }
  EXPECT_EQ(hours, 5 * 24 + 1);
  receiver_.forget();
  rename("third");
  node_.clock().advance(24h);
  restart();
  deliver();
  EXPECT_EQ(status(number).state, WebhookState::paused) << "also after a restart";
  EXPECT_EQ(ids().size(), 0U);
  receiver_.answer(200);
  ASSERT_TRUE(telling_->delivery.resume(number).has_value());
  deliver();
  EXPECT_EQ(types(), (std::vector<std::string>{"transaction", "transaction"}));
  EXPECT_EQ(status(number).state, WebhookState::working);
}

TEST_F(WebhookDeliveryTest, IsPausedAtOnceWhereTheReceiverSaysThatItIsGone) {
  const std::uint64_t number = begin();
  receiver_.answer(410);
  rename("second");
  deliver();
  EXPECT_EQ(status(number).state, WebhookState::paused);
}

TEST_F(WebhookDeliveryTest, GoesOnAfterARestartWithoutMissingAnything) {
  begin();
  rename("second");
  deliver();
  rename("third");
  restart();
  rename("fourth");
  deliver();
  std::vector<std::string> names;
  for (const Message& message : receiver_.messages())
    names.emplace_back(json::parse(message.body)
                           .at("data")
                           .at("changes")
                           .at(0)
                           .at("fields")
                           .at(0)
                           .at("after")
                           .as_string());
  EXPECT_EQ(names, (std::vector<std::string>{"second", "third", "fourth"}));
}

TEST_F(WebhookDeliveryTest, PostsWhatWasNotNotedAgainUnderTheSameId) {
  begin();
  const std::filesystem::path places = node_.file("webhook-places");
  const std::filesystem::path kept = node_.file("kept-places");
  std::filesystem::copy_file(places, kept);
  rename("second");
  deliver();
  std::filesystem::rename(kept, places);  // as if the node had crashed before it was written
  restart();
  deliver();
  ASSERT_EQ(ids().size(), 2U);
  EXPECT_EQ(ids().at(0), ids().at(1));
}

TEST_F(WebhookDeliveryTest, TellsThatWhatIsKnownIsVoidWhereTheHistoryIsAnother) {
  const std::uint64_t number = begin();
  const std::string directory = node_->directory();
  const wal::Head elsewhere{node_->version().state->lsn, Sha256{}};
  const wal::Head ahead{Lsn{999}, Sha256{}};
  for (const wal::Head& place : {elsewhere, ahead}) {
    receiver_.forget();
    ASSERT_TRUE(
        store_webhook_places(directory, {{number, {.after = place, .reset = false}}}).has_value());
    restart();
    receiver_.answer(500);
    deliver();
    receiver_.answer(204);
    node_.clock().advance(1h);
    rename("another " + std::to_string(place.lsn.value));
    deliver();
    EXPECT_EQ(types(), (std::vector<std::string>{"reset", "reset", "transaction"}));
    EXPECT_EQ(ids().at(0), ids().at(1)) << "it stays the same message";
  }
}

// Restored to the very place that its first reset named.
TEST_F(WebhookDeliveryTest, TellsARestoredNodesReceiverToBeginAnew) {
  add(receiver_.url());
  deliver();
  const Lsn backed_up = node_->version().state->lsn;
  rename("second");
  deliver();
  const std::vector<std::string> before = ids();
  ASSERT_EQ(types(), (std::vector<std::string>{"reset", "transaction"}));
  receiver_.forget();
  netml::test::TemporaryDirectory directory;
  const std::string path = directory.file("restored").string();
  ASSERT_TRUE(node_->copy_until(backed_up, path).has_value());
  telling_.reset();
  netml::testing::SeededRandom random(2);
  testing::KeptEvents events;
  auto restored = Node::open({.data_directory = path}, node_.clock(), random, events);
  ASSERT_TRUE(restored.has_value());
  Telling telling(**restored);
  telling.deliver();
  EXPECT_EQ(types(), std::vector<std::string>{"reset"});
  EXPECT_THAT(before, Not(::testing::Contains(ids().front())));
}

TEST_F(WebhookDeliveryTest, GoesNowhereThatIsNotAllowed) {
  telling_.reset();
  telling_.emplace(*node_, false);
  const std::uint64_t number = add(receiver_.url());
  deliver();
  EXPECT_EQ(receiver_.messages().size(), 0U);
  EXPECT_EQ(status(number).state, WebhookState::failing);
  EXPECT_THAT(status(number).attempts.front().problem, HasSubstr("127.0.0.1"));
}

TEST_F(WebhookDeliveryTest, FollowsNoRedirect) {
  const std::uint64_t number = begin();
  receiver_.answer(302, receiver_.url("elsewhere"));
  rename("second");
  deliver();
  ASSERT_EQ(receiver_.messages().size(), 1U);
  EXPECT_EQ(receiver_.messages().front().path, "/hook");
  EXPECT_EQ(status(number).state, WebhookState::failing);
}

TEST_F(WebhookDeliveryTest, TellsNothingWhileItIsInactiveAndNobodyOfWhatIsDeleted) {
  const std::uint64_t number = begin();
  ASSERT_TRUE(telling_->webhooks.update(kCaller, number, {.active = false}).has_value());
  rename("second");
  deliver();
  EXPECT_EQ(ids().size(), 0U);
  EXPECT_EQ(status(number).state, WebhookState::inactive);
  ASSERT_TRUE(telling_->webhooks.update(kCaller, number, {.active = true}).has_value());
  deliver();
  EXPECT_EQ(types(), std::vector<std::string>{"transaction"}) << "nothing was missed";

  receiver_.forget();
  const auto removal = [&](const engine::State& state, WallTime) {
    return engine::plan_entry_delete<engine::Webhook>(state, number);
  };
  ASSERT_TRUE(node_->commit(kCaller, engine::Cause::setting, removal).has_value());
  rename("third");
  deliver();
  EXPECT_EQ(ids().size(), 0U);
  EXPECT_FALSE(telling_->delivery.test(number).has_value());
}

TEST_F(WebhookDeliveryTest, KeepsItsSecretFromEverybody) {
  const std::uint64_t number = begin();
  const std::string key = secret_.substr(6);
  rename("second");
  receiver_.answer(500);
  deliver();
  ASSERT_TRUE(telling_->delivery.test(number).has_value());
  for (const std::string& warning : node_.events().warnings)
    EXPECT_THAT(warning, Not(HasSubstr(key)));
  telling_.reset();
  node_.close();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(node_.file(""))) {
    if (!entry.is_regular_file()) continue;
    EXPECT_EQ(test::file_content(entry.path()).find(key), std::string::npos) << entry.path();
  }
}

TEST_F(WebhookDeliveryTest, SignsWithTheNewSecretOnceThereIsOne) {
  const std::uint64_t number = begin();
  const auto renewed = telling_->webhooks.renew_secret(kCaller, number);
  ASSERT_TRUE(renewed.has_value());
  EXPECT_NE(*renewed, secret_);
  rename("second");
  deliver();
  const Message message = receiver_.messages().at(0);
  EXPECT_EQ(message.signature,
            *webhook_signature(*renewed, message.id, std::stoll(message.timestamp), message.body));
}

TEST_F(WebhookDeliveryTest, TriesOneWithAMessageOfItsOwn) {
  const std::uint64_t number = begin();
  const auto one = telling_->delivery.test(number);
  const auto other = telling_->delivery.test(number);
  ASSERT_TRUE(one && other);
  EXPECT_EQ(one->status, 204);
  EXPECT_TRUE(one->problem.empty());
  EXPECT_NE(one->message, other->message);
  EXPECT_EQ(types(), (std::vector<std::string>{"test", "test"}));
  EXPECT_EQ(telling_->delivery.test(number + 1).error().code, Errc::not_found);
}

TEST_F(WebhookDeliveryTest, HasAtMostAHundred) {
  for (std::size_t i = 0; i < Webhooks::kWebhooksMax; ++i)
    add("https://desk.example/", std::to_string(i));
  const auto more =
      telling_->webhooks.create(kCaller, {.name = "more", .url = "https://desk.example/"});
  ASSERT_FALSE(more.has_value());
  EXPECT_EQ(more.error().code, Errc::conflict);
}

}  // namespace
}  // namespace netml::admin
