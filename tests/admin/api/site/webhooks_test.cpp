// Webhooks as administrators see them (docs/api.md, section "Publications and activity"): the
// collection, the one time that a secret is shown, and what is tried.
#include <gmock/gmock.h>

#include "tests/admin/support/open_site.hpp"
#include "tests/admin/support/webhook_receiver.hpp"

namespace netml::admin {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Reply;

class WebWebhooks : public ::testing::Test {
 protected:
  WebWebhooks() {
    PollRules rules;
    rules.outgoing.internal_allowed = true;
    site.services().poller.set_rules(rules);
    site.add_account("ada", engine::Role::admin);
    browser.sign_in("ada");
  }

  json::object desk() const {
    return {{"name", "desk"}, {"url", receiver.url()}, {"plain_http", true}};
  }
  json::value made() {
    const Reply reply = browser.post("webhooks", desk());
    EXPECT_EQ(reply.status, 201) << reply.body;
    return reply.json();
  }
  static std::string field_of(const Reply& reply) {
    EXPECT_EQ(reply.status / 100, 4) << reply.body;
    const json::value answer = reply.json();
    const json::value* const field = answer.at("error").as_object().if_contains("field");
    return field == nullptr ? "" : std::string(field->as_string());
  }

  testing::WebhookReceiver receiver;
  testing::OpenSite site;
  testing::Browser browser{site};
};

TEST_F(WebWebhooks, AreAddedChangedAndDeleted) {
  EXPECT_EQ(made().at("state"), "working");
  EXPECT_EQ(browser.post("webhooks", desk()).status, 409);
  EXPECT_EQ(browser.put("webhooks/1", {{"name", "board"}, {"active", false}}).status, 200);
  const json::value item = browser.get("webhooks?q=boa").json().at("items").at(0);
  EXPECT_EQ(item.at("state"), "inactive");
  EXPECT_EQ(item.at("url"), json::value(receiver.url())) << "what is not given stays";
  EXPECT_TRUE(item.at("place").is_null());
  EXPECT_EQ(browser.del("webhooks/1").status, 204);
  EXPECT_EQ(browser.get("webhooks/1").status, 404);
  for (const char* of : {"resume", "test", "secret"})
    EXPECT_EQ(browser.post(std::string("webhooks/1/") + of).status, 404) << of;
  EXPECT_EQ(browser.get("webhooks/1/deliveries").status, 404);
}

TEST_F(WebWebhooks, NameTheFieldThatIsWrong) {
  EXPECT_EQ(field_of(browser.post("webhooks", {{"name", "desk"}})), "url");
  EXPECT_EQ(field_of(browser.post("webhooks", {{"name", ""}, {"url", receiver.url()}})), "name");
  EXPECT_EQ(field_of(browser.post("webhooks", {{"name", "desk"}, {"url", receiver.url()}})), "url")
      << "in clear only where that is meant";
  EXPECT_EQ(field_of(browser.post(
                "webhooks",
                {{"name", "desk"}, {"url", "https://desk.example/"}, {"ca_certificates", "none"}})),
            "ca_certificates");
  EXPECT_EQ(site.state()->catalog.webhooks.count(), 0U);
}

TEST_F(WebWebhooks, ShowTheirSecretOnce) {
  const std::string first(made().at("secret").as_string());
  EXPECT_THAT(first, HasSubstr("whsec_"));
  const std::string second(browser.post("webhooks/1/secret").json().at("secret").as_string());
  EXPECT_NE(first, second);
  EXPECT_EQ(browser.put("webhooks/1", {{"name", "board"}}).status, 200);
  EXPECT_EQ(browser.post("webhooks/1/test").status, 200);
  for (const char* path :
       {"webhooks", "webhooks/1", "webhooks/1/deliveries", "activity", "activity/2/changes",
        "activity/3/changes", "activity/4/changes", "activity/5/changes"})
    for (const std::string& secret : {first, second}) {
      const Reply reply = browser.get(path);
      EXPECT_THAT(reply.body, Not(HasSubstr(secret.substr(6)))) << path;
      EXPECT_THAT(reply.body, Not(HasSubstr("sealed"))) << path;
    }
}

TEST_F(WebWebhooks, AreTriedAndTellWhatWasAnswered) {
  made();
  receiver.answer(418);
  const json::value tried = browser.post("webhooks/1/test").json();
  EXPECT_EQ(tried.at("taken"), false);
  EXPECT_EQ(tried.at("status"), 418);
  EXPECT_EQ(tried.at("type"), "test");
  const json::value items = browser.get("webhooks/1/deliveries").json().at("items");
  ASSERT_EQ(items.as_array().size(), 1U);
  EXPECT_EQ(items.at(0), tried);
  EXPECT_EQ(browser.get("webhooks/1").json().at("state"), "working") << "it was only tried";
}

TEST_F(WebWebhooks, AreResumedByANewSecret) {
  made();
  receiver.answer(410);
  site.services().webhook_delivery.deliver_due();
  EXPECT_EQ(browser.get("webhooks/1").json().at("state"), "paused");
  EXPECT_EQ(browser.post("webhooks/1/secret").json().at("state"), "working");
}

TEST_F(WebWebhooks, AreForAdministratorsAlone) {
  made();
  site.add_account("eve", engine::Role::editor);
  testing::Browser other(site);
  other.sign_in("eve");
  for (const char* path : {"webhooks", "webhooks/1", "webhooks/1/deliveries"})
    EXPECT_EQ(other.get(path).status, 403) << path;
  EXPECT_EQ(other.post("webhooks", desk()).status, 403);
}

}  // namespace
}  // namespace netml::admin
