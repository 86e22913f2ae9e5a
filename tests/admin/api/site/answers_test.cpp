// What the API answers, against the schemas of its description (admin/api/site/openapi.json): each
// path that is read, of a node that has something of everything, and changes that lead there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "engine/import/plan_polls.hpp"
#include "net/http/observed_source.hpp"
#include "tests/admin/cluster/fake_member.hpp"
#include "tests/admin/support/api_schemas.hpp"
#include "tests/admin/support/body_text.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::admin {
namespace {

namespace json = boost::json;
using net::Method;
using test::institution;
using test::node;
using test::TopologyText;
using testing::Browser;
using testing::OpenSite;
using testing::Reply;

// What a request has beside its path.
struct Asked {
  std::string part = {};   // for {n} or {key}
  std::string query = {};  // with its '?'
  json::value body = json::object();
};

class ApiAnswers : public ::testing::Test {
 protected:
  ApiAnswers() {
    site.add_account("ada", engine::Role::admin);
    browser.sign_in("ada");
  }

  // As the command line asks, which may ask for everything.
  Reply ask(Method method, const std::string& pattern, const Asked& asked = {}) {
    std::string path = pattern;
    if (const std::size_t begin = path.find('{'); begin != std::string::npos)
      path.replace(begin, path.find('}') - begin + 1, asked.part);
    net::Request request = OpenSite::request(method, "/api/v1/" + path + asked.query);
    request.control = true;
    return judged(method, pattern, site.send(std::move(request), json::serialize(asked.body)));
  }
  Reply get(const std::string& pattern, const Asked& asked = {}) {
    return ask(Method::get, pattern, asked);
  }
  Reply post(const std::string& pattern, const Asked& asked = {}) {
    return ask(Method::post, pattern, asked);
  }
  Reply judged(Method method, const std::string& pattern, Reply reply) {
    for (const std::string& problem : schemas.problems(method, "/api/v1/" + pattern, reply))
      ADD_FAILURE() << net::method_name(method) << ' ' << pattern << ' ' << reply.status << ": "
                    << problem;
    return reply;
  }

  static std::string number_in(const json::value& value) { return json::serialize(value); }
  // The number of the entry or record that it makes.
  std::string make(const std::string& collection, const json::object& fields) {
    const Reply made = post(collection, {.body = fields});
    EXPECT_EQ(made.status, 201) << collection << ' ' << made.body;
    return made.status == 201 ? number_in(made.json().at("number")) : "0";
  }
  // A topology that can be exported, with an owner, two nodes and a link.
  void make_records() {
    parts["topologies"] = make("topologies", {{"name", "Coast"}});
    const json::array topologies{std::stoi(parts["topologies"])};
    const json::value tags = json::parse(R"([{"name": "tag", "value": "NREN"}])");
    parts["institutions"] = make("institutions", {{"name", "Harbour"},
                                                  {"short_name", "H"},
                                                  {"topologies", topologies},
                                                  {"latitude", "44.5"},
                                                  {"longitude", "-63"},
                                                  {"properties", tags}});
    const json::array owners{std::stoi(parts["institutions"])};
    json::object coast = get("topologies/{n}", {.part = parts["topologies"]}).json().as_object();
    coast["owner"] = owners.at(0);
    const Asked owned{.part = parts["topologies"], .body = coast};
    EXPECT_EQ(ask(Method::put, "topologies/{n}", owned).status, 200);
    EXPECT_EQ(post("topologies/{n}/main", {.part = parts["topologies"]}).status, 200);
    json::object fields{{"name", "a"},           {"topologies", topologies},
                        {"owners", owners},      {"latitude", "44.65"},
                        {"longitude", "-63.57"}, {"start", "2020-01-01T00:00:00Z"},
                        {"properties", tags}};
    parts["nodes"] = make("nodes", fields);
    fields["name"] = "b";
    const std::string other = make("nodes", fields);
    parts["links"] = make("links", {{"name", "ab"},
                                    {"topologies", topologies},
                                    {"owners", owners},
                                    {"node_a", std::stoi(parts["nodes"])},
                                    {"node_b", std::stoi(other)}});
    parts["records"] = "1";
    fields["name"] = "b, as we call it";
    const Asked kept{.part = other, .query = "?keep=true&reason=Ours", .body = fields};
    EXPECT_EQ(ask(Method::put, "nodes/{n}", kept).status, 200);
    parts["overrides"] = "1";
    for (const char* kind : {"nodes", "links", "institutions"})
      parts[fmt::format("map/{}", kind)] = parts[kind];
  }
  void make_entries() {
    parts["tokens"] = make("tokens", {{"name", "reader"}, {"type", "polling"}});
    parts["accounts"] =
        make("accounts", {{"name", "eve"}, {"password", testing::kPassword}, {"role", "viewer"}});
    parts["origins"] =
        make("origins", {{"name", "Partner"}, {"origin", "https://partner.example"}});
    parts["identities"] = make("identities", {{"eppn", "bob@example.org"}});
    parts["policies"] = make("policies", {{"name", "Two ways"},
                                          {"policy",
                                           {{"who", {{"kind", "institution"}}},
                                            {"to", {{"kind", "node"}, {"tag", "NREN"}}},
                                            {"routes", 2}}}});
    const json::value steps = json::parse(R"([{"drop": {"tag": "internal"}}])");
    parts["views"] = make("views", {{"name", "Public"}, {"view", {{"steps", steps}}}});
    parts["webhooks"] = make("webhooks", {{"name", "desk"}, {"url", "https://desk.example/netml"}});
    parts["settings"] = "IMPORT_DAYS_KEPT";
    parts["rulesets"] = make("rulesets", {{"name", "mine"}});
    parts["rules"] = make("rules", rule("no a"));
    parts["publications"] = make("publications", {{"name", "first"}, {"description", "all"}});
    parts["sources"] =
        make("sources", {{"name", "Peer"}, {"hostname", "peer.example"}, {"token", "t"}});
    poll();
    parts["polls"] = "1";
  }
  json::object rule(const std::string& name) {
    return {
        {"ruleset", std::stoi(parts["rulesets"])},
        {"name", name},
        {"enabled", false},
        {"criteria",
         {{{"type", "Match Nodes by ID"}, {"infos", {{{"key", "ID"}, {"value", "urn:bay:a"}}}}}}},
        {"actions", {{{"type", "Delete Node"}, {"infos", json::array()}}}}};
  }
  // The map to whoever holds the token, with a receipt.
  void deliver() {
    Services& services = site.services();
    Exporter::Opened exported = services.exporter.open_live();
    ASSERT_TRUE(exported.has_value());
    net::Body body = services.receipts.observed(
        std::move(exported->body), {.client = "reader", .token = std::stoull(parts["tokens"])},
        exported->basis, exported->etag);
    net::BodySource& source = *std::get<net::StreamBody>(body).source;
    EXPECT_FALSE(testing::body_text(source).empty());
    dynamic_cast<net::ObservedSource&>(source).sent();
    parts["receipts"] = "1";
  }
  // One that failed.
  void poll() {
    const std::vector<std::uint64_t> sources{std::stoull(parts["sources"])};
    const auto commit = [&](auto plan) {
      Change change{.caller = {}, .cause = engine::Cause::poll};
      change.plan = [&](const engine::State& state, WallTime) {
        return Result<engine::Transaction>(plan(state));
      };
      EXPECT_TRUE(site.node()->commit(std::move(change)).has_value());
    };
    commit([&](const engine::State& state) { return plan_poll_batch(state, {}, sources, 9); });
    commit([](const engine::State& state) {
      return plan_poll_batch_finish(state, 1, 1500, "nobody answered");
    });
  }
  Reply upload(const std::string& name, const Browser::FormFields& fields) {
    const std::string id = "urn:" + name;
    const std::string file = TopologyText(id, id + ":i")
                                 .named(name)
                                 .add(institution(id + ":i"))
                                 .add(node(id + ":a").owned_by(id + ":i"));
    return judged(Method::post, "imports", browser.upload(file, fields));
  }
  // One that is done, one that waits to be decided on.
  void make_imports() {
    EXPECT_EQ(upload("bay", {{"parent", parts["topologies"]}}).status, 202);
    EXPECT_EQ(get("tasks").json().at("running").as_array().size(), 1U);
    EXPECT_TRUE(site.queue().import_waiting());
    parts["imports"] = "1";
    const Reply planned = upload("cape", {{"plan", "true"}});
    ASSERT_EQ(planned.status, 202) << planned.body;
    parts["plans"] = parts["node/plans"] = number_in(planned.json().at("plan").at("id"));
  }
  void make_all() {
    make_records();
    make_entries();
    make_imports();
    deliver();
    parts["activity"] = "2";
  }

  const testing::ApiSchemas schemas{NETML_API_DESCRIPTION};
  OpenSite site;
  Browser browser{site};
  std::map<std::string, std::string> parts;  // of the paths below a collection
};

TEST_F(ApiAnswers, AreFoundOutWhereTheyAreNotAsDescribed) {
  const auto wrong = [&](int status, const std::string& body, const std::string& path = "tasks") {
    Reply reply{status, {}, body};
    reply.headers.set("Content-Type", "application/json");
    return schemas.problems(Method::get, "/api/v1/" + path, reply);
  };
  using Problems = std::vector<std::string>;
  EXPECT_EQ(wrong(200, R"({"next_poll":null,"running":[{"kind":"poll"}]})"), Problems());
  EXPECT_EQ(wrong(200, R"({"running":[]})"), Problems{R"(the answer has no "next_poll")"});
  EXPECT_EQ(wrong(200, R"({"next_poll":null,"running":[],"x":1})"),
            Problems{"/x is not described"});
  EXPECT_EQ(wrong(200, R"({"next_poll":"soon","running":[]})"),
            Problems{R"(/next_poll is no time: "soon")"});
  EXPECT_EQ(wrong(200, R"({"next_poll":null,"running":[{"kind":7}]})"),
            Problems{R"(/running/0/kind is no "string": 7)"});
  EXPECT_EQ(wrong(200, R"({"next_poll":null,"running":[{"kind":"x"}]})"),
            Problems{R"(/running/0/kind is none of ["import","poll"]: "x")"});
  EXPECT_EQ(wrong(404, R"({"error":{"code":"not-found"}})"),
            Problems{R"(/error has no "message")"});
  EXPECT_EQ(wrong(201, "{}"), Problems{"the status 201 is not described"});
  EXPECT_EQ(wrong(200, "{}", "errands"), Problems{"the path is not described"});
}

// What is new is asked, too: a list as it is, what is below it once `parts` says of which item.
TEST_F(ApiAnswers, ToEachPathThatIsReadAreAsDescribed) {
  make_all();
  const testing::FakeMember member(wal::Role::leader, 7);
  site.services().cluster = &member;
  const auto work = site.services().works.begin("verify");
  work.report()({.part = "journal", .unit = WorkUnit::bytes, .done = 1, .total = 2});
  const std::map<std::string, std::string> queries{
      {"map/difference", "?from=1&to=latest"},
      {"plans/{n}/changes", "?map=true"},
      {"node/work", "?name=verify"},
      {"node/log/show", "?at=1"},
      {"node/log/history", "?element=%23" + parts["topologies"]},
      {"node/log/diff", "?from=1&to=latest"}};
  for (const std::string& path : schemas.read_patterns()) {
    const std::string pattern = path.substr(std::string_view("/api/v1/").size());
    const auto query = queries.find(pattern);
    Asked asked{.query = query == queries.end() ? "" : query->second};
    if (const std::size_t part = pattern.find("/{"); part != std::string::npos) {
      const auto found = parts.find(pattern.substr(0, part));
      if (found == parts.end()) {
        ADD_FAILURE() << "which one of " << pattern.substr(0, part) << " is asked?";
        continue;
      }
      asked.part = found->second;
    }
    const Reply reply = get(pattern, asked);
    EXPECT_EQ(reply.status, 200) << pattern << ' ' << reply.body;
  }
  judged(Method::get, "session", Browser(site).get("session"));
  judged(Method::get, "session", browser.get("session"));
}

TEST_F(ApiAnswers, ThatTellOfEachTransactionAreAsDescribed) {
  make_all();
  std::size_t previews = 0;
  for (std::uint64_t lsn = 1; lsn <= site.state()->lsn.value; ++lsn) {
    const std::string number = std::to_string(lsn);
    const Reply shown = get("activity/{n}", {.part = number});
    get("activity/{n}/changes", {.part = number});
    get("node/log/show", {.query = "?at=" + number});
    if (shown.status != 200 || !shown.json().at("undoable").as_bool()) continue;
    const Asked preview{.part = number, .query = "?preview=true"};
    previews += post("activity/{n}/undo", preview).status == 200 ? 1 : 0;
  }
  EXPECT_GT(previews, 0U);
}

TEST_F(ApiAnswers, ToChangesAndTheirPreviewsAreAsDescribed) {
  make_all();
  for (const char* kind : {"topologies", "institutions", "nodes", "links"}) {
    const json::object body{{"numbers", {std::stoi(parts[kind])}}};
    const Asked preview{.query = "?preview=true&map=true", .body = body};
    EXPECT_EQ(post(fmt::format("{}/delete", kind), preview).status, 200) << kind;
  }
  const json::object failed{{"nodes", {std::stoi(parts["nodes"])}}, {"links", json::array()}};
  EXPECT_EQ(post("map/what-if", {.body = failed}).status, 200);
  const json::object policy{{"who", {{"kind", "institution"}}},
                            {"to", {{"kind", "node"}, {"ids", {"urn:nowhere"}}}},
                            {"routes", 2}};
  EXPECT_EQ(post("redundancy", {.query = "?all=true", .body = policy}).status, 200);
  EXPECT_EQ(post("tokens/{n}/reveal", {.part = parts["tokens"]}).status, 200);
  EXPECT_EQ(post("tokens/{n}/regenerate", {.part = parts["tokens"]}).status, 200);
  const Asked setting{.part = parts["settings"], .body = json::object{{"value", "soon"}}};
  EXPECT_EQ(ask(Method::put, "settings/{key}", setting).status, 400);
  EXPECT_EQ(post("plans/{n}/apply", {.part = parts["plans"]}).status, 200);
  EXPECT_EQ(judged(Method::post, "imports", browser.upload("<no map", {{"plan", "true"}})).status,
            400);
  const Reply done = ask(Method::del, "links/{n}", {.part = parts["links"]});
  EXPECT_EQ(done.status, 204);
  const std::string lsn(done.headers.get("X-NetML-LSN"));
  EXPECT_EQ(post("activity/{n}/undo", {.part = lsn}).status, 201);
  EXPECT_EQ(post("node/verify").status, 200);
  EXPECT_EQ(post("node/checkpoint").status, 201);
}

TEST_F(ApiAnswers, ToChangesOfRulesAreAsDescribed) {
  make_all();
  const std::string preview = "?preview=true";
  const Asked of_rule{.part = parts["rules"]};
  json::object runs = rule("no a");
  runs["enabled"] = true;
  EXPECT_EQ(post("rulesets", {.query = preview, .body = json::object{{"name", "x"}}}).status, 200);
  EXPECT_EQ(post("rules/try", {.body = rule("new")}).status, 200);
  EXPECT_EQ(post("rules/{n}/try", of_rule).status, 200);
  EXPECT_EQ(post("rules/{n}/clone", of_rule).status, 201);
  EXPECT_EQ(post("rules/{n}/apply", {.part = of_rule.part, .query = preview}).status, 200);
  EXPECT_EQ(ask(Method::put, "rules/{n}", {of_rule.part, preview, runs}).status, 200);
  const json::value file = get("rulesets/export").json();
  EXPECT_EQ(post("rulesets/try", {.body = file}).status, 200);
  EXPECT_EQ(post("rulesets/rehearsal", {.query = "?since=0", .body = file}).status, 200);
  EXPECT_EQ(post("rulesets/import", {.query = preview, .body = file}).status, 200);
  EXPECT_EQ(post("rulesets/import", {.body = json::object{{"x", 1}}}).status, 400);
  EXPECT_EQ(ask(Method::put, "rules/{n}", {of_rule.part, {}, runs}).status, 200);
  EXPECT_EQ(post("rules/{n}/apply", of_rule).status, 200);
  EXPECT_EQ(ask(Method::del, "rules/{n}", {of_rule.part, preview}).status, 200);
  EXPECT_EQ(ask(Method::del, "rules/{n}", of_rule).status, 200);
  EXPECT_EQ(post("rulesets/import", {.body = file}).status, 200);
  EXPECT_EQ(post("rulesets/restore-defaults").status, 200);
  post("rulesets/apply");
}

}  // namespace
}  // namespace netml::admin
