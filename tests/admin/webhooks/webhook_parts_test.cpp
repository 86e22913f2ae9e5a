// Goal: signatures are those of Standard Webhooks, an address is read in one way, and the file of
// places comes back as it was written, or not at all.
#include <gtest/gtest.h>

#include <fstream>

#include "admin/webhooks/detail/webhook_places.hpp"
#include "admin/webhooks/detail/webhook_signature.hpp"
#include "admin/webhooks/webhook_address.hpp"
#include "tests/support/file_content.hpp"
#include "tests/support/ports.hpp"
#include "tests/support/temporary_directory.hpp"

namespace netml::admin {
namespace {

// The example that libraries of Standard Webhooks are tested with.
TEST(WebhookSignature, IsThatOfThePublishedExample) {
  const auto signature =
      webhook_signature("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek",
                        1614265330, R"({"test": 2432232314})");
  ASSERT_TRUE(signature.has_value());
  EXPECT_EQ(*signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

TEST(WebhookSignature, NeedsASecretThatWasMadeHere) {
  netml::testing::SeededRandom random;
  const std::string secret = make_webhook_secret(random);
  EXPECT_EQ(secret.size(), 6U + 44U);
  EXPECT_NE(secret, make_webhook_secret(random));
  const auto one = webhook_signature(secret, "a", 1, "body");
  ASSERT_TRUE(one.has_value());
  for (const auto& other :
       {webhook_signature(secret, "b", 1, "body"), webhook_signature(secret, "a", 2, "body"),
        webhook_signature(secret, "a", 1, "Body")})
    EXPECT_NE(*one, *other);
  for (const char* wrong : {"", "whsec_", "whsec_?", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"})
    EXPECT_FALSE(webhook_signature(wrong, "a", 1, "body").has_value()) << wrong;
}

TEST(WebhookAddressText, IsTakenApartOnce) {
  const auto full = parse_webhook_url("https://desk.example:8443/a/b?c=d");
  ASSERT_TRUE(full.has_value());
  EXPECT_EQ(full->peer.host, "desk.example");
  EXPECT_EQ(full->peer.port, 8443);
  EXPECT_TRUE(full->peer.tls && full->peer.verified);
  EXPECT_EQ(full->target, "/a/b?c=d");
  const auto bare = parse_webhook_url("http://[2001:db8::1]");
  ASSERT_TRUE(bare.has_value());
  EXPECT_EQ(bare->peer.host, "2001:db8::1");
  EXPECT_EQ(bare->peer.port, 80);
  EXPECT_EQ(bare->target, "/");
  EXPECT_EQ(parse_webhook_url("https://desk.example?x")->target, "/?x");
}

TEST(WebhookAddressText, IsRefusedWhereTwoProgramsCouldReadItInTwoWays) {
  for (const char* url :
       {"", "desk.example", "ftp://desk.example/", "https:///x", "https://user@desk.example/",
        "https://user:word@desk.example/", "https://desk.example/#x", "https://desk.example/a b",
        "https://desk.example/\r\nX: y", "https://0x7f.1/", "https://127.1/", "https://2130706433/",
        "https://desk.example:0/", "https://desk.example:70000/", "https://desk.example\\@x/",
        "https://d\xc3\xa9sk.example/"}) {
    const auto address = parse_webhook_url(url);
    ASSERT_FALSE(address.has_value()) << url;
    EXPECT_EQ(address.error().field, "url");
  }
}

class WebhookPlacesFile : public ::testing::Test {
 protected:
  std::string directory() const { return directory_.path().string(); }
  std::string file() const { return directory() + "/webhook-places"; }

  netml::test::TemporaryDirectory directory_;
  WebhookPlaces places{{1, {.after = {Lsn{7}, Sha256{}}, .reset = false}},
                       {12, {.after = {Lsn{9}, Sha256{}}, .reset_digits = 0xabc, .paused = true}},
                       {13, {}}};
};

TEST_F(WebhookPlacesFile, ComesBackAsItWasWritten) {
  EXPECT_EQ(load_webhook_places(directory()).value(), WebhookPlaces());
  ASSERT_TRUE(store_webhook_places(directory(), places).has_value());
  EXPECT_EQ(load_webhook_places(directory()).value(), places);
}

TEST_F(WebhookPlacesFile, IsNotBelievedWhereAByteIsAnother) {
  ASSERT_TRUE(store_webhook_places(directory(), places).has_value());
  const std::string text = netml::test::file_content(file());
  ASSERT_FALSE(text.empty());
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string other = text;
    other[i] ^= 1;
    std::ofstream(file(), std::ios::trunc) << other;
    const auto loaded = load_webhook_places(directory());
    ASSERT_FALSE(loaded.has_value()) << i;
    EXPECT_EQ(loaded.error().code, Errc::corruption);
  }
}

}  // namespace
}  // namespace netml::admin
