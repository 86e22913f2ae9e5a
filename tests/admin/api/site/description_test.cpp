// The description of /api/v1/ (admin/api/site/openapi.json) describes each route that the control
// socket has, with what it asks of callers, and nothing else.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/admin/support/open_site.hpp"
#include "tests/support/file_content.hpp"

namespace netml::admin {
namespace {

namespace json = boost::json;
using testing::OpenSite;

json::object description() {
  return json::parse(test::file_content(NETML_API_DESCRIPTION)).as_object();
}

const char* role_text(Needs needs) {
  switch (needs) {
    case Needs::nothing:
      return "nobody";
    case Needs::viewer:
      return "viewer";
    case Needs::editor:
      return "editor";
    case Needs::admin:
      break;
  }
  return "admin";
}

std::string operation_text(std::string_view method, std::string_view path, std::string_view role,
                           bool confirmed, bool previewed) {
  return fmt::format("{} {}: {}{}{}", method, path, role, confirmed ? ", password" : "",
                     previewed ? ", preview" : "");
}

bool flag(const json::object& operation, std::string_view name) {
  const json::value* value = operation.if_contains(name);
  return value != nullptr && value->as_bool();
}

std::set<std::string> described() {
  std::set<std::string> all;
  const json::object whole = description();
  for (const auto& path : whole.at("paths").as_object())
    for (const auto& entry : path.value().as_object()) {
      if (entry.key() == "parameters") continue;
      const json::object& operation = entry.value().as_object();
      std::string method(entry.key());
      for (char& c : method) c = static_cast<char>(c - 'a' + 'A');
      all.insert(operation_text(method, path.key(), operation.at("x-role").as_string(),
                                flag(operation, "x-password"), flag(operation, "x-preview")));
    }
  return all;
}

// Browsers alone ask with OPTIONS, before a page of another site may ask.
std::set<std::string> registered(const std::vector<WebRoute>& routes) {
  std::set<std::string> all;
  for (const WebRoute& route : routes)
    if (route.method != net::Method::options)
      all.insert(operation_text(net::method_name(route.method), route.pattern,
                                role_text(route.needs), route.confirmed, route.previewed));
  return all;
}

TEST(ApiV1Description, NamesEachRouteWithWhatItAsksOfCallers) {
  const OpenSite site;
  const std::set<std::string> wanted = registered(site.control_routes());
  const std::set<std::string> named = described();
  for (const std::string& route : wanted) EXPECT_TRUE(named.contains(route)) << "not: " << route;
  for (const std::string& route : named) EXPECT_TRUE(wanted.contains(route)) << "only: " << route;
}

// Those without a body have none.
TEST(ApiV1Description, GivesEachAnswerASchema) {
  const json::value whole(description());
  const auto check = [&](const std::string& status, const json::value& described) {
    const json::value* reference = described.as_object().if_contains("$ref");
    const json::value& answer =
        reference == nullptr ? described : whole.at_pointer(reference->as_string().subview(1));
    const json::value* content = answer.as_object().if_contains("content");
    EXPECT_EQ(content == nullptr, status == "204" || status == "304");
    if (content == nullptr) return;
    for (const auto& type : content->as_object())
      EXPECT_TRUE(type.value().as_object().contains("schema"));
  };
  for (const auto& path : whole.at("paths").as_object())
    for (const auto& entry : path.value().as_object()) {
      if (entry.key() == "parameters") continue;
      const json::object& responses = entry.value().at("responses").as_object();
      for (const char* refusals : {"4XX", "5XX"})
        EXPECT_TRUE(responses.contains(refusals)) << path.key() << ' ' << entry.key();
      for (const auto& response : responses) {
        const std::string status(response.key());
        SCOPED_TRACE(fmt::format("{} {} {}", std::string_view(entry.key()),
                                 std::string_view(path.key()), status));
        check(status, response.value());
      }
    }
}

// ---- work that goes on ----

TEST(NodeWork, IsShownByItsNameWhileItIsDone) {
  OpenSite site;
  const auto ask = [&](std::string_view name) {
    net::Request request =
        OpenSite::request(net::Method::get, fmt::format("/api/v1/node/work?name={}", name));
    request.control = true;
    return site.send(request);
  };
  EXPECT_EQ(ask("1-2").status, 404);
  const WorkList::Work work = site.services().works.begin("1-2");
  EXPECT_EQ(ask("1-2").status, 404) << "it has reported nothing";
  work.report()({.part = "p", .unit = WorkUnit::transactions, .done = 3, .total = 4});
  const auto reply = ask("1-2");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.json(),
            json::value({{"part", "p"}, {"unit", "transactions"}, {"done", 3}, {"total", 4}}));
  EXPECT_EQ(ask("").status, 404);
}

// ---- the two doors ----

TEST(ControlSocket, HasAllThatTheSiteHasAndTheVerbsOfTheMachine) {
  OpenSite site;
  const std::set<std::string> in_public = registered(site.routes());
  const std::set<std::string> local = registered(site.control_routes());
  for (const std::string& route : in_public) EXPECT_TRUE(local.contains(route)) << route;
  for (const std::string& route : local) {
    const bool of_the_machine = route.find(" /api/v1/node/") != std::string::npos;
    EXPECT_NE(in_public.contains(route), of_the_machine) << route;
  }
  EXPECT_EQ(site.send(OpenSite::request(net::Method::get, "/api/v1/node/status")).status, 404);
}

TEST(ControlSocket, AsksForNoSessionNoTokenAndNoPassword) {
  OpenSite site;
  net::Request create = OpenSite::request(net::Method::post, "/api/v1/accounts?actor=ann");
  create.control = true;
  const testing::Reply made =
      site.send(create, R"({"name":"ada","role":"admin","password":"a long enough one"})");
  EXPECT_EQ(made.status, 201) << made.body;
  auto reader = site.node()->journal();
  const auto entry = reader->entry(site.state()->lsn);
  EXPECT_EQ(entry->provenance.actor, "ann");
  EXPECT_EQ(entry->provenance.actor_kind, engine::ActorKind::command_line);
}

// Whoever is on the machine may read the log anyway.
TEST(ControlSocket, IsToldOfFieldsAndOfPreviewsAsTheSiteIs) {
  OpenSite site;
  net::Request put = OpenSite::request(net::Method::put, "/api/v1/settings/IMPORT_DAYS_KEPT");
  put.control = true;
  const testing::Reply refused = site.send(put, R"({"value":"soon"})");
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.code(), "invalid-input");
  put.query = "preview=true";
  EXPECT_EQ(site.send(put, R"({"value":"7"})").status, 400) << "it has no preview";
}

// Peers in networks of one's own choice are asked from the machine alone (N2).
TEST(ControlSocket, AloneMayAllowNetworksToPolls) {
  OpenSite site;
  site.add_account("ada", engine::Role::admin);
  testing::Browser browser(site);
  browser.sign_in("ada");
  const json::object body{{"sources", json::array()}, {"allow", {"127.0.0.1"}}};
  for (const char* path : {"polls", "sources/test"}) {
    EXPECT_EQ(browser.post(path, body).status, 403) << path;
    net::Request local = OpenSite::request(net::Method::post, std::string("/api/v1/") + path);
    local.control = true;
    EXPECT_NE(site.send(local, json::serialize(body)).status, 403) << path;
  }
}

}  // namespace
}  // namespace netml::admin
