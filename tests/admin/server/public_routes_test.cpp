// Goal: no route of the public listeners goes without its security headers, and none opens in a
// mode that it does not belong to (rules A14 and A21). Method: a server as it is started, every
// route that is registered asked over a socket, and what came compared with tests/golden/routes.
// After a change that was meant:
//   NETML_RENEW_GOLDEN=1 ctest --test-dir build/debug -R PublicRoutes
#include "admin/server/public_routes.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <set>

#include "admin/api/services.hpp"
#include "admin/api/site/calls/site.hpp"
#include "admin/api/site/web_files.hpp"
#include "admin/imports/intake.hpp"
#include "admin/server/system_clock.hpp"
#include "net/client/http_client.hpp"
#include "net/server/http_server.hpp"
#include "tests/admin/support/poller_fixture.hpp"
#include "tests/admin/support/uploads.hpp"
#include "tests/net/support/raw_client.hpp"
#include "tests/support/file_content.hpp"
#include "tests/support/http_clients.hpp"

namespace netml::admin {
namespace {

using net::Method;

// A route as somebody asks for it: with a number or a word in place of each {field}.
struct Target {
  Method method = Method::get;
  std::string pattern;

  auto operator<=>(const Target&) const = default;
  std::string path() const {
    std::string path = pattern;
    for (std::size_t open = path.find('{'); open != std::string::npos; open = path.find('{'))
      path.replace(open, path.find('}') - open + 1, "999999");
    return path;
  }
  std::string name() const { return fmt::format("{} {}", net::method_name(method), pattern); }
};

// The addresses of the access log.
class KeptAccess : public net::ServerEvents {
 public:
  void answered(const net::AccessRecord& record) override {
    const std::lock_guard lock(mutex_);
    clients_.emplace(record.client_address);
  }
  void event(const net::EventRecord&) override {}
  std::set<std::string> clients() const {
    const std::lock_guard lock(mutex_);
    return clients_;
  }

 private:
  mutable std::mutex mutex_;
  std::set<std::string> clients_;  // guarded by mutex_
};

// A node behind a proxy that speaks TLS, with a map and an administrator.
class Listener {
 public:
  explicit Listener(const RouteOptions& options = {},
                    std::vector<net::IpNetwork> proxies = net::loopback_networks())
      : routes_(public_routes(services_, site_, options)),
        server_(server_options(std::move(proxies)), clock_, random_, events_) {
    services_.intake.use(queue_);
    import(testing::kMap);
    account_ = services_.accounts.create({}, {"ada", "", engine::Role::admin, "a long enough one"})
                   .value_or(0);
    const auto bound = server_.listen_tcp({"127.0.0.1", 0}, routes_);
    EXPECT_TRUE(bound.has_value());
    address_ = *bound;
    server_.start();
  }
  ~Listener() { server_.stop(std::chrono::seconds(5)); }  // again does nothing

  std::uint16_t port() const { return address_.port; }
  std::set<Target> targets() const {
    std::set<Target> all;
    for (const net::Router::Route& route : routes_.routes())
      all.insert({route.method, route.pattern});
    return all;
  }

  net::ClientResponse ask(const Target& target) { return ask(target, net::Headers()); }
  // Of somebody who guesses, each time another name, and says to come from `address`.
  int guess(int count, const std::string& address) {
    net::Headers headers;
    headers.set("X-Forwarded-For", address);
    headers.set("Sec-Fetch-Site", "same-origin");
    return ask({Method::post, "/api/v1/session"}, std::move(headers),
               fmt::format(R"({{"name":"guess{}","password":"a wrong but long one"}})", count))
        .status;
  }
  // Once all that was asked is answered.
  std::set<std::string> logged_clients() {
    server_.stop(std::chrono::seconds(5));
    return events_.clients();
  }

  // With a session of its own, whose password was given again just now.
  net::ClientResponse ask_signed_in(const Target& target) {
    const auto begun = site_.sessions.begin({}, account_);
    EXPECT_TRUE(begun.has_value());
    site_.sessions.confirm(begun->who.session);
    net::Headers headers;
    headers.set("Cookie", "__Host-netml=" + begun->secret);
    headers.set("X-Netml-Csrf", begun->who.csrf);
    headers.set("Sec-Fetch-Site", "same-origin");
    return ask(target, std::move(headers));
  }

 private:
  static net::ServerOptions server_options(std::vector<net::IpNetwork> proxies) {
    net::ServerOptions options;
    options.trusted_proxies = std::move(proxies);
    return options;
  }
  void import(const std::string& file) {
    Intake intake(*node_);
    EXPECT_TRUE(testing::upload(intake, file).has_value());
  }
  net::ClientResponse ask(const Target& target, net::Headers headers, std::string body = "{}") {
    auto client = net::client_over_tcp(address_, clock_);
    EXPECT_TRUE(client.has_value());
    net::ClientRequest request;
    // Streams of events do not end by themselves.
    const bool endless = target.pattern == "/api/v1/events" || target.pattern == "/api/v1/changes";
    request.method = endless ? "HEAD" : net::method_name(target.method);
    request.target = target.path();
    request.headers = std::move(headers);
    request.headers.set("X-Forwarded-Proto", "https");
    if (target.method != Method::get) request.body = std::move(body);
    const auto response = client->send(request);
    EXPECT_TRUE(response.has_value()) << target.name();
    return response.value_or(net::ClientResponse());
  }

  testing::OpenNode node_;
  Services services_{*node_, {}, testing::kCheapPasswords};
  ImportQueue queue_{*node_};
  web::Site site_{services_, &queue_};
  net::Router routes_;
  SystemClock clock_;
  netml::testing::SeededRandom random_;
  KeptAccess events_;
  net::HttpServer server_;
  net::TcpAddress address_;
  std::uint64_t account_ = 0;
};

// What a browser judges by. Types, tags and lengths belong to the content.
std::string security_headers(const net::Headers& headers) {
  std::string text;
  for (const char* name :
       {"Access-Control-Allow-Credentials", "Access-Control-Allow-Origin", "Cache-Control",
        "Content-Disposition", "Content-Security-Policy", "Cross-Origin-Opener-Policy",
        "Cross-Origin-Resource-Policy", "Referrer-Policy", "Strict-Transport-Security", "Vary",
        "X-Content-Type-Options", "X-Frame-Options"})
    if (headers.has(name)) text += fmt::format("  {}: {}\n", name, headers.get(name));
  return text;
}

// Sets of headers by letters, in the order in which they are met.
class Letters {
 public:
  char of(const std::string& headers) {
    const auto found = std::ranges::find(seen_, headers);
    if (found != seen_.end()) return letter(found - seen_.begin());
    seen_.push_back(headers);
    return letter(std::ssize(seen_) - 1);
  }
  std::string legend() const {
    std::string text;
    for (std::ptrdiff_t i = 0; i < std::ssize(seen_); ++i)
      text += fmt::format("\n{}\n{}", letter(i), seen_[static_cast<std::size_t>(i)]);
    return text;
  }

 private:
  static char letter(std::ptrdiff_t index) { return static_cast<char>('A' + index); }
  std::vector<std::string> seen_;
};

void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(NETML_GOLDEN) + "/routes/" + name;
  if (std::getenv("NETML_RENEW_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  EXPECT_EQ(text, test::file_content(path))
      << "if that was meant: NETML_RENEW_GOLDEN=1 ctest -R PublicRoutes";
}

TEST(PublicRoutes, SendTheirSecurityHeaders_A14) {
  ASSERT_FALSE(web::web_files().empty()) << "the program was built without its pages";
  Listener listener;
  std::set<Target> targets = listener.targets();
  // What the router answers itself.
  targets.insert({Method::get, "/no/such/path/"});
  targets.insert({Method::get, "/status"});
  targets.insert({Method::del, "/status/"});
  targets.insert({Method::options, "/status/"});
  Letters letters;
  std::string text = "# Route, without a session, signed in: which of the sets below\n";
  for (const Target& target : targets) {
    const char open = letters.of(security_headers(listener.ask(target).headers));
    const char signed_in = letters.of(security_headers(listener.ask_signed_in(target).headers));
    text += fmt::format("{:<60} {} {}\n", target.name(), open, signed_in);
  }
  expect_golden("headers.txt", text + letters.legend());
}

// O1, O5: what needs the node is to be asked for again, by whatever method and name; on a
// connection that was open meanwhile, too, the node answers as soon as it is open.
TEST(PublicRoutes, AnswerUnavailableUntilTheNodeIsOpen_O5) {
  const SystemClock clock;
  netml::testing::SeededRandom random;
  KeptAccess events;
  const net::Router starting = starting_routes({});
  net::Router open;
  open.add(Method::get, "/status/",
           [](const net::Request&) -> net::Answer { return net::Response(); });
  net::HttpServer server({}, clock, random, events);
  const auto address = server.listen_tcp({"127.0.0.1", 0}, starting);
  ASSERT_TRUE(address.has_value());
  server.start();
  net::RawClient client(address->port);
  const auto ask = [&](const std::string& line, const std::string& fields = "") {
    client.send(fmt::format("{} HTTP/1.1\r\nHost: localhost\r\n{}\r\n", line, fields));
    return client.receive().value_or(net::RawResponse{});
  };
  for (const char* line :
       {"GET /", "GET /admin/", "GET /admin/settings/", "GET /netml_export/", "GET /api/v1/session",
        "DELETE /api/v1/session", "GET /netml_import/records/7/", "GET /fim/logout/",
        "POST /visualization/graphql/", "POST /netml_import/upload/"}) {
    const net::RawResponse response = ask(line);
    EXPECT_EQ(response.status, 503) << line;
    EXPECT_EQ(response.field("Retry-After"), "1") << line;
    EXPECT_EQ(response.body, R"({"detail":"starting; try again later"})") << line;
  }
  EXPECT_EQ(ask("GET /status/").body, "");
  const net::RawResponse reported = ask("GET /status/", "Accept: application/json\r\n");
  EXPECT_EQ(reported.status, 503);
  EXPECT_EQ(reported.field("Retry-After"), "1");
  EXPECT_EQ(reported.body, R"({"status":"starting"})");
  EXPECT_EQ(ask("GET /api-schema/").status, 200);
  EXPECT_EQ(ask("POST /test/flushdb/").status, 403) << "A21";
  server.replace(starting, open);
  EXPECT_EQ(ask("GET /status/").status, 200);
  EXPECT_EQ(ask("GET /netml_export/").status, 404) << "it is not among the routes of this test";
}

// Files have names that change with their content, so these stand apart.
TEST(PublicRoutes, SendTheFilesOfThePagesWithTheHeadersOfData_A14) {
  Listener listener;
  for (const web::WebFile& file : web::web_files()) {
    if (!file.path.starts_with("staticfiles/")) continue;
    const auto got = listener.ask({Method::get, fmt::format("/{}", file.path)});
    EXPECT_EQ(got.status, 200) << file.path;
    EXPECT_EQ(got.headers.get("X-Content-Type-Options"), "nosniff") << file.path;
    EXPECT_EQ(got.headers.get("Content-Security-Policy"),
              "default-src 'none'; frame-ancestors 'none'; sandbox")
        << file.path;
  }
}

// Nobody signs in and nobody has a token.
TEST(PublicRoutes, OpenInTheirModesOnly_A21) {
  const WallTime start{1'700'000'000'000'000};
  Listener plain;
  Listener test({.test_mode = true, .start = start});
  Listener development({.development = true, .start = start});
  std::set<Target> targets = plain.targets();
  targets.merge(test.targets());
  targets.merge(development.targets());
  std::string text = "# Route, and its status: as started, --test-mode, --development\n";
  for (const Target& target : targets)
    text += fmt::format("{:<75} {} {} {}\n", target.name(), plain.ask(target).status,
                        test.ask(target).status, development.ask(target).status);
  expect_golden("modes.txt", text);
}

// In chunks, so that its length is known only once it has come.
TEST(PublicRoutes, TakeNoBodyOfAStrangerBeyond256Kibibytes) {
  Listener listener;
  const auto answer = [&](const std::string& path, std::size_t bytes) {
    net::RawClient client(listener.port());
    client.send(
        fmt::format("POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                    "application/json\r\nX-Forwarded-Proto: https\r\nSec-Fetch-Site: "
                    "same-origin\r\nTransfer-Encoding: chunked\r\n\r\n",
                    path));
    for (std::size_t left = bytes; left > 0;) {
      const std::size_t piece = std::min<std::size_t>(left, 50'000);
      client.send(fmt::format("{:x}\r\n{}\r\n", piece, std::string(piece, ' ')));
      left -= piece;
    }
    client.send("0\r\n\r\n");
    return client.receive().value_or(net::RawResponse{});
  };
  for (const char* path : {"/visualization/graphql/", "/api/v1/session", "/api/v1/session/first"}) {
    const net::RawResponse read = answer(path, 256 << 10);
    EXPECT_TRUE(read.status != 413 && read.status != 0) << path << ": " << read.status;
    const net::RawResponse refused = answer(path, (256 << 10) + 1);
    EXPECT_EQ(refused.status, 413) << path;
    EXPECT_NE(refused.body.find("open_form_bytes_max"), std::string::npos) << refused.body;
  }
}

// 20 failures a minute slow down an address (A8), which nobody changes by saying so.
TEST(PublicRoutes, BelieveForwardedAddressesOfTrustedProxiesOnly_A20) {
  constexpr int kPerAddress = 20;
  const auto from = [](int i) { return fmt::format("198.51.100.{}", i + 1); };
  Listener direct({}, {});
  for (int i = 0; i < kPerAddress; ++i) EXPECT_EQ(direct.guess(i, from(i)), 401) << i;
  EXPECT_EQ(direct.guess(kPerAddress, from(kPerAddress)), 429);
  EXPECT_EQ(direct.logged_clients(), std::set<std::string>{"127.0.0.1"});

  Listener proxied;
  std::set<std::string> all;
  for (int i = 0; i <= kPerAddress; ++i) {
    EXPECT_EQ(proxied.guess(i, from(i)), 401) << i;
    all.insert(from(i));
  }
  EXPECT_EQ(proxied.logged_clients(), all);
}

}  // namespace
}  // namespace netml::admin
