// Goal: what goes wrong with one webhook, with the file of places or with the lead of a cluster
// holds up no other one, and makes nobody miss anything (docs/following.md, "Webhooks"). Method: as
// in webhook_delivery_test.cpp, and with the threads.
#include <gmock/gmock.h>

#include <atomic>
#include <filesystem>
#include <future>
#include <thread>

#include "tests/admin/support/raw_peer.hpp"
#include "tests/admin/webhooks/telling.hpp"

namespace netml::admin {
namespace {

using namespace std::chrono_literals;
using ::testing::IsEmpty;

class WebhookTroubleTest : public testing::TellingTest {};

TEST_F(WebhookTroubleTest, PostsAResetAgainUnderTheSameIdAlsoAfterARestart) {
  add(receiver_.url());
  receiver_.answer(500);
  deliver();
  restart();
  receiver_.answer(204);
  deliver();
  ASSERT_EQ(types(), (std::vector<std::string>{"reset", "reset"}));
  EXPECT_EQ(ids().at(0), ids().at(1));
}

TEST_F(WebhookTroubleTest, CountsFailuresFromTheRestartOn) {
  const std::uint64_t number = begin();
  receiver_.answer(503);
  rename("second");
  deliver();
  node_.clock().advance(10 * 24h);
  restart();
  deliver();
  EXPECT_EQ(status(number).state, WebhookState::failing) << "it was off meanwhile";
  EXPECT_EQ(status(number).place.failures, 1U);
}

TEST_F(WebhookTroubleTest, ForgetsFailuresAndThePauseWhereItBeginsToLead) {
  std::atomic<bool> leads = true;
  telling_->delivery.set_leads([&] { return leads.load(); });
  const std::uint64_t number = begin();
  receiver_.answer(410);
  rename("second");
  deliver();
  ASSERT_EQ(status(number).state, WebhookState::paused);
  leads = false;
  receiver_.answer(204);
  receiver_.forget();
  deliver();
  EXPECT_THAT(ids(), IsEmpty());
  leads = true;
  deliver();
  EXPECT_EQ(types(), std::vector<std::string>{"transaction"});
  EXPECT_EQ(status(number).state, WebhookState::working);
}

TEST_F(WebhookTroubleTest, PostsNothingMoreOnceItLeadsNoMore) {
  std::atomic<bool> leads = true;
  telling_->delivery.set_leads([&] { return leads.load(); });
  const std::uint64_t number = begin();
  rename("second");
  rename("third");
  receiver_.when_one_comes([&](const std::string&) { leads = false; });
  telling_->delivery.deliver_due();
  EXPECT_EQ(ids().size(), 1U);
  EXPECT_EQ(status(number).state, WebhookState::working);
}

// As many slow receivers as there are threads, each of which takes what it is sent.
TEST_F(WebhookTroubleTest, GivesOthersTheirTurnWhereReceiversAreSlow) {
  for (std::size_t i = 0; i < WebhookDelivery::kThreads; ++i)
    add(receiver_.url("slow" + std::to_string(i)), "slow " + std::to_string(i));
  add(receiver_.url());
  deliver();
  for (int i = 0; i < 5; ++i) rename("name " + std::to_string(i));
  receiver_.forget();
  receiver_.when_one_comes([&](const std::string& path) {
    if (path != "/hook") node_.clock().advance(kWebhookSecondsMax / 2 + 1s);
  });
  for (std::size_t i = 0; i <= WebhookDelivery::kThreads; ++i) telling_->delivery.deliver_due();
  std::map<std::string, int> posted;
  for (const auto& message : receiver_.messages()) ++posted[message.path];
  EXPECT_EQ(posted["/hook"], 5);
  for (std::size_t i = 0; i < WebhookDelivery::kThreads; ++i)
    EXPECT_EQ(posted["/slow" + std::to_string(i)], 2) << i;
}

TEST_F(WebhookTroubleTest, WaitsWhileTheFileOfPlacesCannotBeRead) {
  const std::uint64_t number = begin();
  const std::filesystem::path places = node_.file("webhook-places");
  const std::filesystem::path kept = node_.file("kept-places");
  std::filesystem::rename(places, kept);
  std::filesystem::create_symlink(places, places);  // which leads nowhere
  restart();
  rename("second");
  deliver();
  EXPECT_THAT(ids(), IsEmpty());
  EXPECT_EQ(telling_->delivery.resume(number).error().code, Errc::unavailable);
  EXPECT_TRUE(std::filesystem::is_symlink(places)) << "it is not overwritten";
  deliver();
  EXPECT_EQ(node_.events().warnings.size(), 1U) << "which is said once";
  std::filesystem::rename(kept, places);
  deliver();
  EXPECT_EQ(types(), std::vector<std::string>{"transaction"}) << "it knows where it stood";
}

TEST_F(WebhookTroubleTest, WritesThePlacesAtMostOnceASecondWhileMessagesFollowEachOther) {
  begin();
  const auto noted = [&] { return load_webhook_places(node_->directory()).value(); };
  rename("second");
  node_.clock().advance(1s);
  ASSERT_TRUE(telling_->delivery.deliver_due());
  const WebhookPlaces second = noted();
  rename("third");
  ASSERT_TRUE(telling_->delivery.deliver_due());
  EXPECT_EQ(noted(), second);
  EXPECT_FALSE(telling_->delivery.deliver_due()) << "nothing is due any more";
  EXPECT_NE(noted(), second);
}

TEST_F(WebhookTroubleTest, BreaksATestOffWhereTheNodeEnds) {
  std::promise<void> came;
  testing::RawPeer silent;
  silent.play([&](const testing::RawPeer::Connection& connection) {
    came.set_value();
    connection.wait(60s);
  });
  const std::uint64_t number = add("http://127.0.0.1:" + std::to_string(silent.port) + "/");
  auto tested = std::async(std::launch::async, [&] { return telling_->delivery.test(number); });
  came.get_future().wait();
  telling_->delivery.stop();
  const auto attempt = tested.get();
  ASSERT_FALSE(attempt.has_value());
  EXPECT_EQ(attempt.error().code, Errc::unavailable);
  EXPECT_THAT(status(number).attempts, IsEmpty()) << "it says nothing of the receiver";
}

// The threads, and a receiver that never answers.
TEST_F(WebhookTroubleTest, IsHeldUpByNobodyElse) {
  testing::RawPeer silent;
  silent.play([](const testing::RawPeer::Connection& connection) { connection.wait(60s); });
  add("http://127.0.0.1:" + std::to_string(silent.port) + "/", "silent");
  add(receiver_.url());
  telling_->delivery.start();
  ASSERT_TRUE(receiver_.wait_for(1));
  rename("second");
  ASSERT_TRUE(receiver_.wait_for(2));
  rename("third");
  ASSERT_TRUE(receiver_.wait_for(3));
  telling_->delivery.stop();  // breaks off what is posted to the silent one
  EXPECT_EQ(types(), (std::vector<std::string>{"reset", "transaction", "transaction"}));
}

}  // namespace
}  // namespace netml::admin
