// Who may do what: every route for every role (rule A13), and the sections that decide it: tokens,
// accounts, origins, settings.
#include <gtest/gtest.h>

#include "engine/edit/plan_access.hpp"
#include "tests/admin/support/open_site.hpp"

namespace netml::admin {
namespace {

namespace json = boost::json;
using net::Method;
using testing::Browser;
using testing::kPassword;
using testing::OpenSite;
using testing::Reply;

class WebAccess : public ::testing::Test {
 protected:
  WebAccess() {
    site.add_account("ada", engine::Role::admin);
    site.add_account("ed", engine::Role::editor);
    site.add_account("vera", engine::Role::viewer);
    browser.sign_in("ada");
    browser.confirm();
  }
  OpenSite site;
  Browser browser{site};
};

std::string fill_in(std::string pattern) {
  pattern.erase(0, std::string_view("/api/v1/").size());
  for (std::size_t open = pattern.find('{'); open != std::string::npos; open = pattern.find('{'))
    pattern.replace(open, pattern.find('}') - open + 1, "999999");
  return pattern;
}

// All routes that are registered, so that none is forgotten.
TEST_F(WebAccess, EachRouteAsksForItsRole_A13) {
  struct Who {
    const char* name;
    Needs may;
  };
  for (const Who& who :
       {Who{"vera", Needs::viewer}, Who{"ed", Needs::editor}, Who{"ada", Needs::admin}}) {
    for (const WebRoute& route : site.routes()) {
      if (route.pattern == "/api/v1/session" && route.method == Method::del) continue;  // signs out
      if (route.pattern == "/api/v1/events" || route.pattern == "/api/v1/changes")
        continue;  // which do not end by themselves
      Browser person(site);
      person.sign_in(who.name);
      const Reply reply = person.send(route.method, fill_in(route.pattern), "{}");
      const std::string what = std::string(who.name) + " " +
                               std::string(net::method_name(route.method)) + " " + route.pattern;
      const bool allowed = route.needs <= who.may;
      EXPECT_EQ(reply.status == 403 && reply.code() == "not-allowed", !allowed) << what;
      if (allowed && route.confirmed) {
        EXPECT_EQ(reply.code(), "confirm-password") << what;
      }
    }
  }
}

TEST_F(WebAccess, NobodyGetsAnythingButTheMapAndTheSignIn_A13) {
  Browser nobody(site);
  for (const WebRoute& route : site.routes()) {
    const Reply reply = nobody.send(route.method, fill_in(route.pattern), "{}");
    EXPECT_EQ(reply.status == 401 && reply.code() == "not-signed-in", route.needs != Needs::nothing)
        << route.pattern;
    if (route.needs != Needs::nothing) continue;
    EXPECT_TRUE(route.pattern.starts_with("/api/v1/map") ||
                route.pattern.starts_with("/api/v1/session"))
        << route.pattern;
  }
}

// ---- tokens ----

TEST_F(WebAccess, ATokenIsShownOnceAndLaterWithThePassword_A4) {
  const Reply made = browser.post("tokens", {{"name", "peer"}, {"type", "polling"}});
  ASSERT_EQ(made.status, 201) << made.body;
  const std::string value(made.json().at("value").as_string());
  EXPECT_TRUE(site.services().tokens.check(value, engine::TokenKind::polling).has_value());
  const std::string list = browser.get("tokens").body;
  EXPECT_EQ(list.find(value), std::string::npos);
  EXPECT_EQ(browser.post("tokens/1/reveal").json().at("value"), json::value(value));
  EXPECT_FALSE(site.node().events().warnings.empty()) << "each reveal is logged";
  EXPECT_EQ(site.node().events().warnings.back().find(value), std::string::npos);
  EXPECT_EQ(browser.get("tokens/1").json().at("shown"), 1);
  const Reply anew = browser.post("tokens/1/regenerate");
  EXPECT_FALSE(site.services().tokens.check(value, engine::TokenKind::polling).has_value());
  EXPECT_TRUE(
      site.services()
          .tokens
          .check(std::string(anew.json().at("value").as_string()), engine::TokenKind::polling)
          .has_value());
}

TEST_F(WebAccess, ATokenIsRegeneratedWithThePasswordOnly) {
  const Reply made = browser.post("tokens", {{"name", "peer"}, {"type", "polling"}});
  const std::string value(made.json().at("value").as_string());
  Browser later(site);  // a session that has not confirmed its password yet
  later.sign_in("ada");
  const Reply refused = later.post("tokens/1/regenerate");
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.code(), "confirm-password");
  EXPECT_TRUE(site.services().tokens.check(value, engine::TokenKind::polling).has_value());
  later.confirm();
  EXPECT_EQ(later.post("tokens/1/regenerate").status, 200);
  EXPECT_FALSE(site.services().tokens.check(value, engine::TokenKind::polling).has_value());
}

TEST_F(WebAccess, ATokenIsRevealedByTheFormerPathToo) {
  browser.post("tokens", {{"name", "peer"}, {"type", "polling"}});
  const Reply now = browser.post("tokens/1/reveal");
  ASSERT_EQ(now.status, 200);
  EXPECT_EQ(browser.post("tokens/1/show").body, now.body);
}

// Who saw it, from where, and nothing of the value.
TEST_F(WebAccess, RevealingATokenIsATransaction_A19) {
  const Reply made = browser.post("tokens", {{"name", "peer"}, {"type", "polling"}});
  const std::string value(made.json().at("value").as_string());
  for (std::uint64_t times = 1; times <= 2; ++times) {
    const Lsn before = site.state()->lsn;
    ASSERT_EQ(browser.post("tokens/1/reveal").status, 200);
    ASSERT_EQ(site.state()->lsn, before.next());
    auto reader = site.node()->journal();
    const auto entry = reader->entry(site.state()->lsn);
    EXPECT_EQ(entry->provenance.cause, engine::Cause::token);
    EXPECT_EQ(entry->provenance.actor, "ada");
    EXPECT_EQ(entry->provenance.source, "192.0.2.1");
    std::vector<wal::EntryEffect> entries;
    ASSERT_TRUE(reader->effects(site.state()->lsn, [&](const wal::JournalEffects& effects) {
      entries = effects.entries;
      return true;
    }));
    ASSERT_EQ(entries.size(), 1U);
    EXPECT_EQ(entries[0].number, 1U);
    ASSERT_EQ(entries[0].fields.size(), 1U) << "how often, and nothing else";
    EXPECT_EQ(std::string_view(entries[0].fields[0].field), "shown");
  }
  EXPECT_EQ(browser.post("tokens/7/reveal").status, 404);
}

TEST_F(WebAccess, NoValueIsKeptWhenTokensAreDisplayedOnce_A4) {
  const auto make = [&](const char* name) {
    const Reply made = browser.post("tokens", {{"name", name}, {"type", "polling"}});
    return std::string(made.json().at("value").as_string());
  };
  const std::string before = make("before");
  EXPECT_EQ(browser.put("settings/TOKEN_DISPLAY", {{"value", "once"}}).status, 200);
  const std::string after = make("after");
  const std::string anew(browser.post("tokens/1/regenerate").json().at("value").as_string());
  site.state()->catalog.tokens.for_each([](std::uint64_t, const engine::Token& token) {
    EXPECT_TRUE(token.ciphertext.empty()) << token.client_name;
  });
  for (const char* number : {"1", "2"}) {
    const std::string path = std::string("tokens/") + number;
    EXPECT_EQ(browser.post(path + "/reveal").code(), "conflict");
    EXPECT_FALSE(browser.get(path).json().at("kept").as_bool());
  }
  const auto opens = [&](const std::string& value) {
    return site.services().tokens.check(value, engine::TokenKind::polling).has_value();
  };
  EXPECT_TRUE(opens(after) && opens(anew)) << "they open what they did";
  EXPECT_FALSE(opens(before));
  EXPECT_EQ(browser.del("settings/TOKEN_DISPLAY").status, 200);
  make("later");
  EXPECT_EQ(browser.post("tokens/3/reveal").status, 200);
}

TEST_F(WebAccess, ATokenKeepsItsValueWhenItIsRenamed) {
  const std::string value(browser.post("tokens", {{"name", "peer"}, {"type", "polling"}})
                              .json()
                              .at("value")
                              .as_string());
  EXPECT_EQ(browser.put("tokens/1", {{"name", "other"}, {"type", "import"}}).status, 200);
  const auto identity = site.services().tokens.check(value, engine::TokenKind::import);
  ASSERT_TRUE(identity.has_value());
  EXPECT_EQ(identity->client_name, "other");
  EXPECT_EQ(browser.post("tokens", {{"name", "other"}, {"type", "import"}})
                .json()
                .at("error")
                .at("field"),
            "name");
  EXPECT_EQ(browser.post("tokens", {{"name", "x"}, {"type", ""}}).json().at("error").at("field"),
            "type");
  EXPECT_EQ(browser.del("tokens/1").status, 204);
  EXPECT_EQ(browser.get("tokens/1").status, 404);
}

// ---- accounts ----

TEST_F(WebAccess, AccountsAreMadeChangedAndDeleted) {
  const Reply made = browser.post("accounts", {{"name", "new@example.org"},
                                               {"email", "new@example.org"},
                                               {"role", "editor"},
                                               {"password", kPassword}});
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.body.find(kPassword), std::string::npos);
  const std::string path = "accounts/" + json::serialize(made.json().at("number"));
  const Reply changed = browser.put(path, {{"role", "viewer"}, {"active", false}});
  EXPECT_EQ(changed.json().at("role"), "viewer");
  EXPECT_FALSE(changed.json().at("active").as_bool());
  EXPECT_EQ(browser.del(path).status, 204);
  const auto refused = [&](const json::object& fields) {
    const Reply reply = browser.post("accounts", fields);
    return std::string(reply.json().at("error").at("field").as_string());
  };
  EXPECT_EQ(refused({{"name", "ed"}, {"password", kPassword}}), "name");
  EXPECT_EQ(refused({{"name", "x"}, {"password", "short"}}), "password");
  EXPECT_EQ(refused({{"name", "x"}, {"password", kPassword}, {"role", "king"}}), "role");
}

TEST_F(WebAccess, TheLastAdministratorStays) {
  const std::string path = "accounts/1";
  EXPECT_EQ(browser.del(path).status, 409);
  EXPECT_EQ(browser.put(path, {{"role", "editor"}}).status, 409);
  EXPECT_EQ(browser.put(path, {{"active", false}}).status, 409);
  site.add_account("eve", engine::Role::admin);
  EXPECT_EQ(browser.del(path).status, 204);
}

TEST_F(WebAccess, ListsTellWhenSomebodyWasHereLast) {
  Browser(site).sign_in("ed");
  const Reply list = browser.get("accounts?sort=-name&q=e&limit=2");
  const json::value answer = list.json();
  EXPECT_EQ(answer.at("total"), 2) << "ed and vera";
  EXPECT_EQ(answer.at("items").at(0).at("name"), "vera");
  EXPECT_TRUE(answer.at("items").at(0).at("last_sign_in").is_null());
  EXPECT_EQ(answer.at("items").at(1).at("last_sign_in"), "2024-01-01T00:00:00Z");
  EXPECT_EQ(browser.get("accounts?role=editor").json().at("total"), 1);
  const json::value first = browser.get("accounts?limit=2").json();
  EXPECT_EQ(first.at("items").as_array().size(), 2U);
  const std::string cursor(first.at("next").as_string());
  const json::value second = browser.get("accounts?limit=2&cursor=" + cursor).json();
  EXPECT_EQ(second.at("items").as_array().size(), 1U);
  EXPECT_TRUE(second.at("next").is_null());
  EXPECT_EQ(browser.get("accounts?sort=nothing").status, 400);
  EXPECT_EQ(browser.get("accounts?q=%ff").status, 400);
}

// ---- identities ----

TEST_F(WebAccess, IdentitiesAreMadeChangedAndDeleted) {
  const Reply made =
      browser.post("identities", {{"eppn", "new#1@example.org"}, {"first_name", "Ada"}});
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.json().at("account").at("name"), "new_1@example.org");
  const json::value account =
      browser.get("accounts/" + json::serialize(made.json().at("account").at("number"))).json();
  EXPECT_FALSE(account.at("active").as_bool()) << "until an administrator says so";
  const std::string path = "identities/" + json::serialize(made.json().at("number"));
  const Reply changed = browser.put(path, {{"eppn", "new@example.org"}, {"last_name", "L."}});
  EXPECT_EQ(changed.json().at("eppn"), "new@example.org");
  EXPECT_EQ(changed.json().at("first_name"), "");
  EXPECT_EQ(changed.json().at("account").at("name"), "new_1@example.org") << "it keeps its account";
  EXPECT_EQ(browser.get("identities?q=new@").json().at("total"), 1);
  EXPECT_EQ(browser.get("identities?q=nobody").json().at("total"), 0);
  const auto refused = [&](const json::object& fields) {
    const Reply reply = browser.post("identities", fields);
    return std::string(reply.json().at("error").at("field").as_string());
  };
  EXPECT_EQ(refused({{"eppn", "NEW@example.org"}}), "eppn");
  EXPECT_EQ(refused({{"eppn", ""}}), "eppn");
  EXPECT_EQ(refused({{"eppn", "x@x"}, {"email", std::string(151, 'x')}}), "email");
  EXPECT_EQ(browser.del(path).status, 204);
  EXPECT_EQ(browser.get(path).status, 404);
}

TEST_F(WebAccess, AnIdentityMayBeMadeForAnAccountThatIsThere) {
  const Reply made = browser.post("identities", {{"eppn", "ED"}});
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.json().at("account").at("name"), "ed");
}

// ---- origins and settings ----

TEST_F(WebAccess, OriginsAreWhatBrowsersSend) {
  const auto add = [&](const char* origin) {
    return browser.post("origins", {{"name", origin}, {"origin", origin}}).status;
  };
  for (const char* fine :
       {"https://www.example.org", "http://localhost:8080", "https://[::1]:8443"})
    EXPECT_EQ(add(fine), 201) << fine;
  for (const char* wrong :
       {"", "www.example.org", "https://www.example.org/", "https://WWW.example.org", "https://",
        "ftp://example.org", "https://example.org:443", "null", "*", "https://a b", "https://u@h"})
    EXPECT_EQ(add(wrong), 400) << wrong;
  EXPECT_EQ(add("https://www.example.org"), 409);
  EXPECT_EQ(
      browser.put("origins/1", {{"name", "n"}, {"origin", "https://x.example"}, {"active", false}})
          .status,
      200);
  EXPECT_FALSE(is_allowed_origin(site.state()->catalog, "https://x.example"));
  EXPECT_EQ(browser.del("origins/1").status, 204);
}

TEST_F(WebAccess, SettingsAreSetAndReset) {
  const Reply set = browser.put("settings/GREN_MAP_INITIAL_MAP_ZOOM", {{"value", "5"}});
  EXPECT_EQ(set.json().at("value"), "5");
  EXPECT_EQ(set.json().at("kind"), "text");
  EXPECT_EQ(browser.put("settings/GREN_MAP_INITIAL_MAP_ZOOM", {{"value", "inf"}})
                .json()
                .at("error")
                .at("field"),
            "value");
  EXPECT_EQ(browser.del("settings/GREN_MAP_INITIAL_MAP_ZOOM").json().at("value"), "3");
  EXPECT_EQ(browser.get("settings/NO_SUCH").status, 404);
  const json::value all = browser.get("settings").json();
  for (const json::value& item : all.at("items").as_array())
    EXPECT_TRUE(item.at("choices").is_array()) << item;
}

}  // namespace
}  // namespace netml::admin
