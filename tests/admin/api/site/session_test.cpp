// Signing in, staying in and being let out (rules A7 to A13 and A16).
#include <gtest/gtest.h>

#include "tests/admin/support/open_site.hpp"

namespace netml::admin {
namespace {

using namespace std::chrono_literals;
using net::Method;
using testing::Browser;
using testing::kPassword;
using testing::OpenSite;
using testing::Reply;

class WebSession : public ::testing::Test {
 protected:
  WebSession() { site.add_account("ada", engine::Role::admin); }
  bool is_in(Browser& who) { return who.get("session").json().at("signed_in").as_bool(); }

  OpenSite site;
  Browser browser{site};
};

TEST_F(WebSession, BeginsWithTheRightPasswordOnly) {
  EXPECT_EQ(browser.sign_in("ada", "a wrong but long one").code(), "wrong-credentials");
  EXPECT_FALSE(is_in(browser));
  const Reply reply = browser.sign_in("ada");
  ASSERT_EQ(reply.status, 200) << reply.body;
  EXPECT_EQ(reply.json().at("account").at("role"), "admin");
  EXPECT_TRUE(is_in(browser));
}

TEST_F(WebSession, FailsInOneWayForAllWhoMayNot_A7) {
  const Reply unknown = browser.sign_in("nobody");
  const Reply wrong = browser.sign_in("ada", "a wrong but long one");
  EXPECT_EQ(unknown.status, wrong.status);
  EXPECT_EQ(unknown.body, wrong.body);
}

TEST_F(WebSession, KeepsItsSecretInACookieThatNoScriptReads_A11) {
  const Reply reply = browser.sign_in("ada");
  const std::string set(reply.headers.get("Set-Cookie"));
  EXPECT_TRUE(set.starts_with("__Host-netml=")) << set;
  for (const char* part : {"; Secure", "; HttpOnly", "; SameSite=Lax", "; Path=/"})
    EXPECT_NE(set.find(part), std::string::npos) << set;
  EXPECT_EQ(set.find("Domain"), std::string::npos);
}

TEST_F(WebSession, NeedsTlsUnlessOnTheMachineItself_A11) {
  net::Request request = browser.request(Method::post, "session");
  request.secure = false;
  request.headers.set("Origin", "http://" + std::string(testing::kHost));
  const std::string body = R"({"name":"ada","password":"a long enough one"})";
  EXPECT_EQ(site.send(request, body).code(), "needs-https");
  request.client_address = net::kUnknownClient;
  EXPECT_EQ(site.send(request, body).code(), "needs-https") << "whom a proxy does not tell";
  request.client_address = "127.0.0.1";
  const Reply local = site.send(request, body);
  EXPECT_EQ(local.status, 200);
  EXPECT_TRUE(local.headers.get("Set-Cookie").starts_with("netml="));
  EXPECT_EQ(local.headers.get("Set-Cookie").find("Secure"), std::string_view::npos);
}

TEST_F(WebSession, IsStoredAsAHashAndAuditedWithTheAddress_A10_A19) {
  browser.sign_in("ada");
  const auto session = site.state()->catalog.sessions.find(1);
  ASSERT_NE(session, nullptr);
  EXPECT_EQ(session->address, "192.0.2.1");
  auto reader = site.node()->journal();
  const auto entry = reader->entry(site.state()->lsn);
  EXPECT_EQ(entry->provenance.cause, engine::Cause::session);
  EXPECT_EQ(entry->provenance.actor, "ada");
  EXPECT_EQ(entry->provenance.source, "192.0.2.1");
}

TEST_F(WebSession, IsANewOneWithEverySignIn_A10) {
  browser.sign_in("ada");
  Browser former = browser;
  browser.sign_in("ada");
  EXPECT_NE(browser.cookie(), former.cookie());
  EXPECT_FALSE(is_in(former)) << "whoever planted or kept the former cookie has nothing";
  EXPECT_TRUE(is_in(browser));
}

TEST_F(WebSession, EndsAfterHalfAnHourOfNothingAndTwelveHoursOfAnything_A10) {
  browser.sign_in("ada");
  site.node().clock().advance(31min);
  EXPECT_FALSE(is_in(browser));
  browser.sign_in("ada");
  for (int i = 0; i < 12 * 60 / 20 - 1; ++i) {
    site.node().clock().advance(20min);
    ASSERT_TRUE(is_in(browser)) << i;
  }
  site.node().clock().advance(20min);
  EXPECT_FALSE(is_in(browser));
}

// What it was used for last is not stored, so a restart must not count as a use.
TEST_F(WebSession, IsNotRevivedByARestart_A10) {
  browser.sign_in("ada");
  const std::string secret = browser.cookie().substr(browser.cookie().find('=') + 1);
  const auto found_after_restart = [&] { return Sessions(*site.node()).find(secret).has_value(); };
  site.node().clock().advance(29min);
  EXPECT_TRUE(found_after_restart()) << "younger than what it may be idle";
  site.node().clock().advance(2min);
  EXPECT_FALSE(found_after_restart());
  EXPECT_FALSE(is_in(browser));
}

// O9.
TEST_F(WebSession, IsNeitherExtendedNorEndedByAClockThatIsPutForwardOrBack) {
  constexpr auto kTenYears = std::chrono::hours(24 * 3650);
  browser.sign_in("ada");
  const std::string secret = browser.cookie().substr(browser.cookie().find('=') + 1);
  site.node().clock().put_wall_forward(kTenYears);
  EXPECT_TRUE(is_in(browser));
  site.node().clock().put_wall_forward(-2 * kTenYears);
  EXPECT_TRUE(is_in(browser));
  EXPECT_FALSE(Sessions(*site.node()).find(secret).has_value()) << "it began in the future";
  for (int i = 0; i < 12 * 60 / 20 - 1; ++i) {
    site.node().clock().advance(20min);
    ASSERT_TRUE(is_in(browser)) << i;
  }
  site.node().clock().advance(20min);
  EXPECT_FALSE(is_in(browser));
}

TEST_F(WebSession, EndsWithSigningOutAndCannotBeReplayed_A10) {
  browser.sign_in("ada");
  const Browser stolen = browser;
  const Reply out = browser.del("session");
  EXPECT_EQ(out.status, 204);
  EXPECT_NE(out.headers.get("Set-Cookie").find("Max-Age=0"), std::string_view::npos);
  Browser replayed = stolen;
  EXPECT_FALSE(is_in(replayed));
}

TEST_F(WebSession, EndsWhenTheAccountChanges_A10) {
  const std::uint64_t number = site.add_account("bob", engine::Role::editor);
  Browser bob(site);
  const auto change = [&](const Accounts::Edit& edit) {
    bob.sign_in("bob", edit.password ? kPassword : kPassword);
    ASSERT_TRUE(is_in(bob));
    ASSERT_TRUE(site.services().accounts.update({}, number, edit).has_value());
  };
  change({.role = engine::Role::viewer});
  EXPECT_FALSE(is_in(bob));
  change({.enabled = false});
  EXPECT_FALSE(is_in(bob));
  ASSERT_TRUE(site.services().accounts.update({}, number, {.enabled = true}).has_value());
  change({.email = "bob@example.org"});
  EXPECT_TRUE(is_in(bob)) << "an address is no right";
  change({.password = "quite another password"});
  EXPECT_FALSE(is_in(bob));
}

TEST_F(WebSession, IsRenewedWithThePasswordWhileAllOthersEnd_A10) {
  browser.sign_in("ada");
  Browser other(site);
  other.sign_in("ada");
  EXPECT_EQ(browser.put("session/password", {{"old", "wrong one, too"}, {"new", "x"}}).code(),
            "wrong-credentials");
  EXPECT_EQ(browser.put("session/password", {{"old", kPassword}, {"new", "short"}})
                .json()
                .at("error")
                .at("field"),
            "new");
  const Reply changed =
      browser.put("session/password", {{"old", kPassword}, {"new", "quite another password"}});
  ASSERT_EQ(changed.status, 200) << changed.body;
  browser.keep(changed);
  EXPECT_TRUE(is_in(browser));
  EXPECT_FALSE(is_in(other));
}

TEST_F(WebSession, ListsOnesOwnAndEndsTheOthers) {
  browser.sign_in("ada");
  Browser other(site);
  other.sign_in("ada");
  site.add_account("bob", engine::Role::viewer);
  Browser bob(site);
  bob.sign_in("bob");
  EXPECT_EQ(browser.get("sessions").json().at("total"), 3) << "an administrator sees all";
  EXPECT_EQ(bob.get("sessions").json().at("total"), 1);
  EXPECT_EQ(browser.del("sessions").status, 204);
  EXPECT_FALSE(is_in(other));
  EXPECT_TRUE(is_in(browser) && is_in(bob));
}

TEST_F(WebSession, TakesChangesOnlyFromItsOwnPages_A12) {
  browser.sign_in("ada");
  Browser other(site);
  other.sign_in("ada");
  const auto refused = [&](const auto& change) {
    net::Request request = browser.request(Method::put, "settings/IMPORT_ANSWER");
    change(request.headers);
    return site.send(request, R"({"value":"Queued"})").code() == "cross-site";
  };
  using Headers = net::Headers;
  EXPECT_FALSE(refused([](Headers&) {}));
  EXPECT_TRUE(refused([](Headers& headers) { headers.set("X-Netml-Csrf", ""); }));
  EXPECT_TRUE(refused([&](Headers& headers) { headers.set("X-Netml-Csrf", other.csrf()); }));
  EXPECT_TRUE(refused([](Headers& headers) { headers.set("Origin", "https://evil.example"); }));
  EXPECT_TRUE(refused([](Headers& headers) { headers.set("Origin", "null"); }));
  EXPECT_TRUE(refused([](Headers& headers) { headers.set("Sec-Fetch-Site", "cross-site"); }));
  EXPECT_TRUE(refused([](Headers& headers) { headers.set("Sec-Fetch-Site", "same-site"); }));
  EXPECT_TRUE(refused([](Headers& headers) {
    headers.set("Sec-Fetch-Site", "");
    headers.set("Origin", "");
  })) << "a browser always tells one of them";
}

TEST_F(WebSession, CannotBeBegunFromAnotherSite_A12) {
  net::Request request = browser.request(Method::post, "session");
  request.headers.set("Origin", "https://evil.example");
  EXPECT_EQ(site.send(request, R"({"name":"ada","password":"a long enough one"})").code(),
            "cross-site");
}

TEST_F(WebSession, ServesProgramsByPasswordWithoutACookie) {
  net::Request request = OpenSite::request(Method::put, "/api/v1/settings/IMPORT_ANSWER");
  request.headers.set("Authorization", "Basic YWRhOmEgbG9uZyBlbm91Z2ggb25l");  // ada:...
  EXPECT_EQ(site.send(request, R"({"value":"Queued"})").status, 200);
  request.headers.set("Origin", "https://evil.example");
  EXPECT_EQ(site.send(request, R"({"value":"Queued"})").code(), "cross-site")
      << "a browser that remembers a password";
}

TEST_F(WebSession, AsksForThePasswordAgainForAWhile_A13) {
  browser.sign_in("ada");
  const auto code = [&] { return browser.post("tokens/1/show").code(); };
  EXPECT_EQ(code(), "confirm-password");
  EXPECT_EQ(browser.post("session/confirm", {{"password", "a wrong but long one"}}).code(),
            "wrong-credentials");
  EXPECT_EQ(code(), "confirm-password");
  browser.confirm();
  EXPECT_EQ(code(), "not-found");
  site.node().clock().advance(6min);
  EXPECT_EQ(code(), "confirm-password");
}

// 5 failures are free; then the account answers more and more seldom, whatever is sent.
TEST_F(WebSession, SlowsDownWhoGuessesAndForgetsNothingInARestart_A8) {
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(browser.sign_in("ada", "a wrong but long one").status, 401) << i;
  const Reply slowed = browser.sign_in("ada");
  EXPECT_EQ(slowed.code(), "too-many-attempts");
  EXPECT_EQ(slowed.headers.get("Retry-After"), "15");
  SignInThrottle after_restart(*site.node());
  EXPECT_EQ(after_restart.wait("ada", "198.51.100.1"), 15s);
  EXPECT_EQ(after_restart.wait("bob", "198.51.100.1"), 0s);
  site.node().clock().advance(15s);
  EXPECT_EQ(browser.sign_in("ada").status, 200) << "nobody is locked out for good";
  EXPECT_EQ(site.site().throttle.wait("ada", "192.0.2.1"), 0s);
}

TEST_F(WebSession, EvaluatesFewOfTenThousandGuessesAnHour_A8) {
  SignInThrottle& throttle = site.site().throttle;
  int evaluated = 0;
  for (int i = 0; i < 10'000; ++i) {
    if (throttle.wait("ada", "192.0.2.1") == 0s) {
      ++evaluated;
      throttle.failed("ada", "192.0.2.1");
    }
    site.node().clock().advance(360ms);
  }
  EXPECT_LE(evaluated, 100);
}

TEST_F(WebSession, SlowsDownAnAddressAndAllTogether_A8) {
  SignInThrottle& throttle = site.site().throttle;
  for (int i = 0; i < 20; ++i) throttle.failed("name" + std::to_string(i), "192.0.2.1");
  EXPECT_EQ(throttle.wait("another", "192.0.2.1"), 60s);
  EXPECT_EQ(throttle.wait("another", "192.0.2.2"), 0s);
  for (int i = 0; i < 80; ++i) throttle.failed("other" + std::to_string(i), std::to_string(i));
  EXPECT_GT(throttle.wait("another", "192.0.2.2"), 0s);
  site.node().clock().advance(61s);
  EXPECT_EQ(throttle.wait("another", "192.0.2.1"), 0s);
}

// ---- the first administrator (A9) ----

TEST(FirstAdministrator, ComesInByTheCodeAndNobodyElseDoes_A9) {
  OpenSite site;
  Browser browser(site);
  EXPECT_TRUE(browser.get("session").json().at("first_account").as_bool());
  EXPECT_EQ(browser.sign_in("admin", "admin123").code(), "wrong-credentials");
  const auto first = [&](const std::string& code) {
    return browser.post("session/first",
                        {{"code", code}, {"name", "ada"}, {"password", kPassword}});
  };
  EXPECT_EQ(first("AAAA-BBBB-CCCC-DDDD").code(), "wrong-code");
  const Reply made = first(site.site().first_code.text());
  ASSERT_EQ(made.status, 200) << made.body;
  EXPECT_EQ(made.json().at("account").at("role"), "admin");
  EXPECT_EQ(first(site.site().first_code.text()).code(), "has-accounts");
}

TEST(FirstAdministrator, HasHalfAnHour_A9) {
  OpenSite site;
  Browser browser(site);
  site.node().clock().advance(31min);
  EXPECT_EQ(
      browser
          .post("session/first",
                {{"code", site.site().first_code.text()}, {"name", "ada"}, {"password", kPassword}})
          .code(),
      "wrong-code");
}

// ---- signing out by a link ----

class SignOutPage : public WebSession {
 protected:
  Reply open(const std::string& path, const char* languages = "") {
    net::Request request = OpenSite::request(Method::get, path);
    request.headers.set("Cookie", browser.cookie());
    request.headers.set("Accept-Language", languages);
    return site.send(request);
  }
  Reply confirm(const std::string& csrf, const char* origin) {
    net::Request request = OpenSite::request(Method::post, "/fim/logout/");
    request.headers.set("Cookie", browser.cookie());
    request.headers.set("Origin", origin);
    request.headers.set("Content-Type", "application/x-www-form-urlencoded");
    return site.send(request, "csrf=" + csrf);
  }
};

// Decision 38.
TEST_F(SignOutPage, AsksFirstAndEndsTheSessionByItsForm_A12) {
  browser.sign_in("ada");
  for (const char* path : {"/fim/logout/", "/admin/logout/"}) {
    const Reply page = open(path);
    EXPECT_EQ(page.status, 200);
    EXPECT_NE(page.body.find(browser.csrf()), std::string::npos);
    EXPECT_NE(page.headers.get("Content-Security-Policy").find("form-action 'self'"),
              std::string_view::npos);
  }
  EXPECT_TRUE(is_in(browser)) << "GET changes nothing";
  EXPECT_EQ(confirm("wrong", "https://node.example.org").code(), "cross-site");
  EXPECT_EQ(confirm(browser.csrf(), "https://evil.example").code(), "cross-site");
  EXPECT_TRUE(is_in(browser));
  const Reply out = confirm(browser.csrf(), "https://node.example.org");
  EXPECT_EQ(out.status, 302);
  EXPECT_EQ(out.headers.get("Location"), "/");
  EXPECT_NE(out.headers.get("Set-Cookie").find("Max-Age=0"), std::string_view::npos);
  EXPECT_FALSE(is_in(browser));
  EXPECT_EQ(open("/fim/logout/").headers.get("Location"), "/") << "nobody is signed in";
}

TEST_F(SignOutPage, SpeaksTheLanguageOfTheReader) {
  browser.sign_in("ada");
  const auto title = [&](const char* languages) {
    const std::string page = open("/fim/logout/", languages).body;
    const std::size_t begin = page.find("<title>") + 7;
    return page.substr(begin, page.find('<', begin) - begin);
  };
  EXPECT_EQ(title(""), "Sign out");
  EXPECT_EQ(title("de, fr-CA;q=0.8, en;q=0.5"), "Se déconnecter");
  EXPECT_EQ(title("es"), "Cerrar sesión");
  EXPECT_EQ(title("pt-BR"), "Terminar sessão");
  EXPECT_EQ(title("x"), "Sign out");
}

// ---- identity headers (A23) ----

class IdentityHeaders : public ::testing::Test {
 protected:
  static web::SiteOptions options() {
    return {.sso_proxies = {*net::IpNetwork::parse("192.0.2.0/28")},
            .admin_identities = {"Boss@Example.org"}};
  }
  Reply come(const std::string& eppn, const std::string& peer = "192.0.2.1",
             const std::string& path = "/admin/login/", const char* name = "X-Forwarded-eppn") {
    net::Request request = OpenSite::request(Method::get, path);
    request.peer_address = peer;
    request.headers.set(name, eppn);
    return site.send(request);
  }
  OpenSite site{options()};
};

TEST_F(IdentityHeaders, SignInFromTheProxyOnly_A23) {
  site.add_account("ed@example.org", engine::Role::editor);
  for (const char* name : {"X-Forwarded-eppn", "x-forwarded-EPPN"}) {
    const Reply in = come("Ed@Example.org;other@example.org", "192.0.2.1", "/admin/login/", name);
    EXPECT_EQ(in.status, 302) << name;
    EXPECT_EQ(in.headers.get("Location"), "/admin/");
    EXPECT_TRUE(in.headers.get("Set-Cookie").starts_with("__Host-netml=")) << name;
  }
  EXPECT_FALSE(come("ed@example.org", "192.0.2.99").headers.has("Set-Cookie"));
  EXPECT_FALSE(come("ed@example.org", "192.0.2.1", "/admin/").headers.has("Set-Cookie"));
  EXPECT_FALSE(come("", "192.0.2.1").headers.has("Set-Cookie"));
}

TEST_F(IdentityHeaders, BringNoRightsToStrangersUnlessListed_A23) {
  EXPECT_EQ(come("new@example.org").code(), "not-enabled");
  const auto account = site.state()->catalog.accounts.find(1);
  EXPECT_EQ(account->name, "new@example.org");
  EXPECT_FALSE(account->enabled);
  EXPECT_EQ(come("new@example.org").code(), "not-enabled");
  EXPECT_EQ(site.state()->catalog.accounts.count(), 1U) << "not another one each time";
  EXPECT_EQ(come("boss@example.org").status, 302);
  EXPECT_EQ(site.state()->catalog.accounts.find(2)->role, engine::Role::admin);
}

// The names of accounts are narrower than those of people.
TEST_F(IdentityHeaders, GiveEverybodyAnAccountOfAPossibleName) {
  EXPECT_EQ(come("a\"b c@x").code(), "not-enabled");
  EXPECT_EQ(site.state()->catalog.accounts.find(1)->name, "a_b_c@x");
  EXPECT_EQ(come("\xff@x").status, 400) << "no UTF-8";
  EXPECT_EQ(come(std::string(151, 'x')).status, 400);
}

TEST_F(IdentityHeaders, KeepWhatTheProxySaysOfThem) {
  net::Request request = OpenSite::request(Method::get, "/admin/login/");
  request.headers.set("X-Forwarded-eppn", "boss@example.org");
  request.headers.set("X-Forwarded-mail", "boss@mail.example;other@mail.example");
  request.headers.set("X-Forwarded-displayName", "The Boss");
  request.headers.set("X-Forwarded-givenName", "\xff");
  request.headers.set("X-Forwarded-sn", "Lovelace");
  ASSERT_EQ(site.send(request).status, 302);
  const auto identity = site.state()->catalog.identities.find(1);
  ASSERT_NE(identity, nullptr);
  EXPECT_EQ(*identity, (engine::ExternalIdentity{"boss@example.org", "boss@mail.example",
                                                 "The Boss", "", "Lovelace", 1}));
  EXPECT_EQ(site.state()->catalog.accounts.find(1)->email, "boss@mail.example");
  const auto entry = site.node()->journal()->entry(Lsn{site.state()->lsn.value - 1});
  EXPECT_EQ(entry->provenance.actor, "boss@example.org") << "the audit tells who granted what";
  EXPECT_EQ(entry->provenance.cause, engine::Cause::account);
}

// A proxy that sets its own headers lets through what only looks like them to who reads '_' as '-',
// and adds its own to what is there.
TEST_F(IdentityHeaders, AreNotBelievedWhenTheClientMayHaveSentThem_A23) {
  site.add_account("ed@example.org", engine::Role::editor);
  const auto refused = [&](const std::vector<std::pair<const char*, const char*>>& fields) {
    net::Request request = OpenSite::request(Method::get, "/admin/login/");
    for (const auto& [name, value] : fields) request.headers.add(name, value);
    const Reply reply = site.send(request);
    return reply.code() == "doubtful-identity" && !reply.headers.has("Set-Cookie");
  };
  const char* const own = "X-Forwarded-eppn";
  const char* const ed = "ed@example.org";
  const char* const boss = "boss@example.org";
  EXPECT_FALSE(refused({{own, ed}}));
  EXPECT_TRUE(refused({{own, boss}, {own, ed}}));
  EXPECT_TRUE(refused({{own, ed}, {"x-forwarded-EPPN", ed}})) << "even the same";
  for (const char* name : {"X_Forwarded_eppn", "X-Forwarded_eppn", "x_forwarded-EPPN"}) {
    EXPECT_TRUE(refused({{name, boss}})) << name;
    EXPECT_TRUE(refused({{own, ed}, {name, boss}})) << name;
  }
  EXPECT_TRUE(refused({{own, ed}, {"X_Forwarded_mail", boss}}));
  EXPECT_TRUE(refused({{own, ed}, {"X-Forwarded-sn", "A"}, {"X-Forwarded-sn", "B"}}));
  EXPECT_EQ(site.state()->catalog.accounts.count(), 1U);
}

TEST_F(IdentityHeaders, LeadToPagesOfTheSiteOnly_A16) {
  const auto next = [&](const std::string& value) {
    return std::string(come("boss@example.org", "192.0.2.1", "/admin/login/?next=" + value)
                           .headers.get("Location"));
  };
  EXPECT_EQ(next("/admin/nodes/7"), "/admin/nodes/7");
  for (const char* evil : {"//evil.example", "/%5Cevil", "%2f%2fevil", "https://evil.example",
                           "/admin//evil", "/admin/%0d%0aX:y", "javascript:x"})
    EXPECT_EQ(next(evil), "/admin/") << evil;
}

}  // namespace
}  // namespace netml::admin
