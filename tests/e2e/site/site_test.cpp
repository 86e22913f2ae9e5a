// Goal: the site over real sockets: headers of every kind of route, cookies, redirects, streams of
// events (rules A9 to A12, A14 and A23). Method: the built program, asked as a browser asks.
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "tests/e2e/support/node.hpp"

namespace netml::e2e {
namespace {

namespace json = boost::json;

class Site : public ::testing::Test {
 protected:
  Site() : server(node.serve()) {}
  net::ClientResponse ask(std::string_view method, const std::string& path,
                          const std::string& body = {}) {
    net::Headers headers;
    headers.set("Sec-Fetch-Site", "same-origin");
    if (!cookie.empty()) headers.set("Cookie", cookie);
    if (!csrf.empty()) headers.set("X-Netml-Csrf", csrf);
    const auto answer = server->client("").send(method, path, std::move(headers), body);
    EXPECT_TRUE(answer.has_value());
    return answer.value_or(net::ClientResponse{});
  }
  // From the line that the server prints behind its address.
  std::string first_code() {
    const std::string line = server->process().read_line().value_or("");
    const std::string_view before = "enter the code ";
    const std::size_t at = line.find(before);
    EXPECT_NE(at, std::string::npos) << line;
    return at == std::string::npos ? "" : line.substr(at + before.size(), 19);
  }
  void sign_in() {
    const std::string body = json::serialize(
        json::object{{"code", first_code()}, {"name", "ada"}, {"password", "a long enough one"}});
    const net::ClientResponse made = ask("POST", "/api/v1/session/first", body);
    ASSERT_EQ(made.status, 200) << made.body;
    const std::string_view set = made.headers.get("Set-Cookie");
    cookie = set.substr(0, set.find(';'));
    csrf = json::parse(made.body).at("csrf").as_string();
  }

  Node node;
  std::unique_ptr<Server> server;
  std::string cookie;
  std::string csrf;
};

TEST_F(Site, MakesItsFirstAdministratorByThePrintedCode_A9) {
  sign_in();
  const json::value session = json::parse(ask("GET", "/api/v1/session").body);
  EXPECT_EQ(session.at("account").at("name"), "ada");
  EXPECT_EQ(session.at("account").at("role"), "admin");
  EXPECT_EQ(server->stop(), 0);
  server = node.serve();
  EXPECT_EQ(ask("GET", "/api/v1/records").status, 404);
  EXPECT_EQ(ask("GET", "/api/v1/tokens").status, 200) << "a session outlasts a restart";
}

TEST_F(Site, SendsItsHeadersWithEveryRoute_A14) {
  sign_in();
  struct Route {
    const char* path;
    int status;
    bool page;
  };
  for (const Route& route :
       {Route{"/", 200, true}, Route{"/admin/", 200, true}, Route{"/admin/nodes", 200, true},
        Route{"/admin/login/", 200, true}, Route{"/api/v1/session", 200, false},
        Route{"/api/v1/map", 200, false}, Route{"/api/v1/nodes", 200, false},
        Route{"/api/v1/tokens", 200, false},
        Route{"/api/v1/map/features/nodes.geojson", 200, false},
        Route{"/visualization/initial_zoom/", 200, false},
        Route{"/staticfiles/none.js", 404, false}, Route{"/api/v1/nothing", 404, false}}) {
    const net::ClientResponse got = ask("GET", route.path);
    EXPECT_EQ(got.status, route.status) << route.path;
    const std::string_view policy = got.headers.get("Content-Security-Policy");
    if (route.page) {
      EXPECT_EQ(policy,
                "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
          << route.path;
      EXPECT_EQ(got.headers.get("Cache-Control"), "no-store") << route.path;
    } else {
      EXPECT_EQ(policy, "default-src 'none'; frame-ancestors 'none'; sandbox") << route.path;
    }
    EXPECT_EQ(got.headers.get("X-Content-Type-Options"), "nosniff") << route.path;
    EXPECT_EQ(got.headers.get("X-Frame-Options"), "DENY") << route.path;
    EXPECT_EQ(got.headers.get("Referrer-Policy"), "strict-origin-when-cross-origin") << route.path;
    EXPECT_FALSE(got.headers.has("Access-Control-Allow-Origin")) << route.path;
  }
}

TEST_F(Site, LetsTilesInFromTheServerThatIsNamedOnly_A14) {
  sign_in();
  const net::ClientResponse set = ask("PUT", "/api/v1/settings/MAP_TILE_SERVER",
                                      R"({"value":"https://t.example.org/{z}/{x}/{y}.png"})");
  ASSERT_EQ(set.status, 200) << set.body;
  EXPECT_NE(ask("GET", "/")
                .headers.get("Content-Security-Policy")
                .find("img-src 'self' data: https://t.example.org;"),
            std::string_view::npos);
}

TEST_F(Site, ServesItsFilesPackedAndOnce) {
  const std::string page = ask("GET", "/").body;
  const std::size_t begin = page.find("/staticfiles/assets/");
  ASSERT_NE(begin, std::string::npos) << page;
  const std::string path = page.substr(begin, page.find('"', begin) - begin);
  net::Headers headers;
  headers.set("Accept-Encoding", "gzip");
  const auto compressed = server->client("").get(path, headers);
  ASSERT_TRUE(compressed.has_value());
  EXPECT_EQ(compressed->headers.get("Content-Encoding"), "gzip");
  EXPECT_EQ(compressed->headers.get("Cache-Control"), "public, max-age=31536000, immutable");
  EXPECT_LT(compressed->body.size(), ask("GET", path).body.size());
  headers.set("If-None-Match", compressed->headers.get("ETag"));
  EXPECT_EQ(server->client("").get(path, headers)->status, 304);
}

TEST_F(Site, KnowsNobodyByAHeader_A23) {
  for (const char* name : {"X-Forwarded-eppn", "X-Forwarded-Eppn", "X_Forwarded_eppn", "eppn"}) {
    net::Headers headers;
    headers.set(name, "admin@example.org");
    for (const char* path : {"/admin/login/", "/api/v1/session", "/admin/"}) {
      const auto got = server->client("").get(path, headers);
      ASSERT_TRUE(got.has_value());
      EXPECT_FALSE(got->headers.has("Set-Cookie")) << name << path;
    }
    const auto tokens = server->client("").get("/api/v1/tokens", headers);
    EXPECT_EQ(tokens->status, 401) << name;
  }
}

}  // namespace
}  // namespace netml::e2e
