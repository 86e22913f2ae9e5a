// Goal: nothing that a view hides is seen through it. Method: maps with a canary wherever somebody
// hides something, and the same maps without what is hidden; every route of the public listeners
// that shows the map, asked of both through the same view. No answer has the canary, and both nodes
// answer the same: what is hidden shows in no count, number, order or length either.
//
// docs/views.md says of each route how it treats views. NETML_CANARY_MAPS: how many maps (200).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "admin/analysis/map_answers.hpp"
#include "admin/api/services.hpp"
#include "admin/api/site/calls/site.hpp"
#include "admin/server/public_routes.hpp"
#include "codecs/formats/view_json.hpp"
#include "codecs/netml/delta/apply_delta.hpp"
#include "engine/edit/plan_entries.hpp"
#include "tests/admin/cluster/fake_member.hpp"
#include "tests/admin/support/body_text.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::admin {
namespace {

using net::Method;
using test::institution;
using test::link;
using test::node;
using test::topology;
using test::TopologyText;

// In every text that is hidden; and digits that only a hidden place has.
constexpr std::string_view kCanary = "zqcanary";
constexpr std::string_view kJson = "application/json";
constexpr std::string_view kCode = "ZQCNY";
constexpr std::string_view kDigits = "7171";

// Hides by tag, owner and topology, and all but the rough place of what it shows.
constexpr std::string_view kView = R"({"steps": [
  {"drop": {"tag": "hidden"}},
  {"drop": {"owner": "urn:zqcanary:owner"}},
  {"drop": {"topology": "urn:zqcanary:topology"}},
  {"drop_properties": {"names": ["zqcanary*"]}},
  {"drop_fields": {"names": ["short_name", "start"]}},
  {"round": {"degrees": 1}},
  {"pseudonyms": {"fields": ["id", "name"], "kind": "institution", "key": "public"}}]})";
constexpr const char* kViewName = "Public";
constexpr const char* kSeen = "token-that-is-bound-to-a-view";
// The same again; and without pseudonyms, so that elements keep the identities of the map.
constexpr const char* kTwin = "token-that-is-bound-to-its-twin";
constexpr const char* kPlain = "token-that-shows-real-names-only";
constexpr const char* kWhole = "token-that-shows-all-of-the-map";

// ---- maps ----

// With what the view hides, or without.
class Maps {
 public:
  Maps(unsigned seed, bool hidden) : random_(seed), hidden_(hidden) {}

  std::string draw() {
    TopologyText map("urn:t", "urn:seen");
    map.named("Seen").add(institution("urn:seen").named("Seen owner").with("tag", "owner"));
    if (hidden_) add_hidden_parts(map);
    const std::size_t nodes = 2 + below(5);
    for (std::size_t i = 0; i < nodes; ++i) add_node(map, i);
    const std::size_t links = below(6);
    for (std::size_t i = 0; i < links; ++i) add_link(map, i, below(nodes), below(nodes));
    return map;
  }

 private:
  std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
  }
  static std::string canary(std::string_view what, std::size_t i = 0) {
    return fmt::format("urn:{}:{}{}", kCanary, what, i == 0 ? "" : fmt::to_string(i));
  }
  // Both variants draw the same.
  bool one_in(std::size_t count) { return below(count) == 0; }

  void add_hidden_parts(TopologyText& map) {
    TopologyText below("urn:zqcanary:topology", "urn:zqcanary:owner");
    below.named(kCanary).with(kCanary, kCanary);
    below.add(hidden_place(institution("urn:zqcanary:owner")));
    below.add(hidden_place(node("urn:zqcanary:there")).owned_by("urn:zqcanary:owner"));
    map.add(below);
  }
  static test::ElementText hidden_place(test::ElementText element) {
    element.named(kCanary).short_named(kCanary).with(kCanary, kCanary);
    element.location(
        fmt::format("<grenml:long>33.33{0}</grenml:long><grenml:lat>44.44{0}</"
                    "grenml:lat><grenml:alt>{0}</grenml:alt>"
                    "<grenml:unlocode>{1}</grenml:unlocode><grenml:address>{2}</grenml:address>",
                    kDigits, kCode, kCanary));
    return element;
  }
  // Seen, but for its exact place and what else the view takes from it.
  void add_node(TopologyText& map, std::size_t i) {
    auto seen = node(fmt::format("urn:n{}", i)).named(fmt::format("N{}", i)).owned_by("urn:seen");
    const std::size_t cell = below(50);
    if (hidden_) {
      seen.short_named(kCanary).with("zqcanary-room", kCanary);
      seen.location(
          fmt::format("<grenml:long>{0}.1{1}</grenml:long><grenml:lat>{0}.2{1}</"
                      "grenml:lat><grenml:alt>{1}</grenml:alt>"
                      "<grenml:unlocode>{2}</grenml:unlocode><grenml:address>{3}</grenml:address>",
                      cell, kDigits, kCode, kCanary));
      seen.lifetime("<nml:start>2017-07-17T17:17:17Z</nml:start>");
    } else {
      seen.location(
          fmt::format("<grenml:long>{0}.2</grenml:long><grenml:lat>{0}.1</grenml:lat>", cell));
    }
    seen.with("tag", one_in(2) ? "core" : "edge");
    map.add(seen);
    if (one_in(2) && hidden_)
      map.add(hidden_place(node(canary("node", i + 1))).owned_by("urn:seen").with("tag", "hidden"));
  }
  void add_link(TopologyText& map, std::size_t i, std::size_t a, std::size_t b) {
    if (a != b)
      map.add(link(fmt::format("urn:l{}", i), fmt::format("urn:n{}", a), fmt::format("urn:n{}", b))
                  .named(fmt::format("L{}", i))
                  .owned_by("urn:seen"));
    if (one_in(2) && hidden_ && a != b)
      map.add(link(canary("link", i + 1), fmt::format("urn:n{}", a), fmt::format("urn:n{}", b))
                  .named(kCanary)
                  .short_named(kCanary)
                  .with("tag", "hidden")
                  .with(kCanary, kCanary)
                  .owned_by("urn:seen"));
  }

  std::mt19937 random_;
  const bool hidden_;
};

// ---- a node with all that its public listeners serve ----

class Answering {
 public:
  Answering() {
    routes_ = public_routes(services_, site_, {});
    for (const auto& [name, steps] : {std::pair{kViewName, std::string(kView)},
                                      {"Twin", std::string(kView)},
                                      {"Plain", without_pseudonyms()}}) {
      engine::StoredView stored;
      stored.name = name;
      stored.view = boost::json::serialize(codecs::view_json(*codecs::read_view(steps)));
      EXPECT_TRUE(node_->commit(
          testing::kCaller, engine::Cause::setting,
          [&](const engine::State& state, WallTime) { return plan_entry_create(state, stored); }));
    }
    const auto token = [&](const char* value, std::uint64_t view) {
      EXPECT_TRUE(services_.tokens.store(testing::kCaller, value, engine::TokenKind::polling,
                                         std::string(value).substr(0, 32), view));
    };
    token(kSeen, 1);
    token(kTwin, 2);
    token(kPlain, 3);
    token(kWhole, kWholeMap);
    set(kQualityBadge, "On");
  }

  void set(std::string_view setting, const std::string& value) {
    EXPECT_TRUE(node_->commit(
        testing::kCaller, engine::Cause::setting, [&](const engine::State& state, WallTime) {
          return Result<engine::Transaction>(plan_setting(state, setting, value));
        }));
  }
  void import(const std::string& file) {
    node_.clock().advance(std::chrono::minutes(1));
    ImportRequest request;
    request.place = ImportPlace::top_level;
    const auto done = testing::import_job(*node_, file, request)->commit();
    EXPECT_TRUE(done.has_value()) << done.error().error.text();
  }
  std::string now() { return format_instant(node_.clock().wall().instant()); }
  void publish() {
    EXPECT_TRUE(services_.publisher.publish(testing::kCaller, "p", "d").has_value());
  }
  // As this member of a cluster; null: of none.
  void join(const ClusterMember* member) { services_.cluster = member; }
  web::MapAnswers& map_answers() { return site_.map_answers; }
  // What everybody who is not signed in sees.
  engine::StatePtr seen() {
    const auto seen = services_.views.seen_by_public(state());
    EXPECT_TRUE(seen.has_value());
    return seen ? *seen : state();
  }
  const net::Router& routes() const { return routes_; }
  engine::StatePtr state() { return node_->version().state; }

  // All that comes back. Tags are left out of what is compared: they are keyed hashes.
  struct Reply {
    int status = 0;
    std::string text;  // headers, then the body
    std::string etag;
    std::string head;  // X-NetML-Head
    std::string body = {};
  };
  Reply ask(Method method, const std::string& target, std::string_view token = {},
            const std::string& body = {}, std::string_view accept = kJson) {
    net::Headers headers;
    headers.set("Accept", accept);
    return ask_with(std::move(headers), method, target, token, body);
  }
  // As who takes deltas.
  Reply collect(const std::string& target, std::string_view token) {
    net::Headers headers;
    headers.set(codecs::kDeltaHeader, codecs::kDeltaVersion);
    headers.set("Accept", kJson);
    return ask_with(std::move(headers), Method::get, target, token, {});
  }

 private:
  static std::string without_pseudonyms() {
    auto view = *codecs::read_view(kView);
    view.steps.pop_back();
    return boost::json::serialize(codecs::view_json(view));
  }
  Reply ask_with(net::Headers headers, Method method, const std::string& target,
                 std::string_view token, const std::string& body) {
    net::Request request;
    request.headers = std::move(headers);
    request.method = method;
    request.path = target.substr(0, target.find('?'));
    if (target.size() > request.path.size()) request.query = target.substr(request.path.size() + 1);
    request.headers.set("Host", "node.example.org");
    if (!token.empty())
      request.headers.set("Authorization", fmt::format("Bearer {}", token.substr(0, 32)));
    if (!body.empty()) request.headers.set("Content-Type", "application/json");
    request.id = "request";
    request.client_address = request.peer_address = "192.0.2.1";
    request.secure = true;
    const auto resolution = routes_.resolve(method, request.path);
    const auto* const found = std::get_if<net::Router::Found>(&resolution);
    EXPECT_NE(found, nullptr) << target;
    if (found == nullptr) return {};
    request.parameters = found->parameters;
    return read((*found->handler)(request), body);
  }

  static Reply read(net::Answer answer, const std::string& body) {
    if (auto* sink = std::get_if<std::unique_ptr<net::BodySink>>(&answer)) {
      if (auto early = (*sink)->write(body)) return read(net::Answer(*std::move(early)), {});
      return read(net::Answer((*sink)->finish()), {});
    }
    auto& response = std::get<net::Response>(answer);
    Reply reply{response.status,
                {},
                std::string(response.headers.get("ETag")),
                std::string(response.headers.get("X-NetML-Head"))};
    for (const auto& [name, value] : response.headers.fields())
      if (name != "ETag") reply.text += fmt::format("{}: {}\n", name, value);
    reply.body = testing::body_text(response.body);
    reply.text += reply.body;
    return reply;
  }

  testing::OpenNode node_;
  Services services_{*node_, {}, testing::kCheapPasswords};
  ImportQueue queue_{*node_};
  web::Site site_{services_, &queue_};
  net::Router routes_;
};

// ---- what is asked ----

struct Question {
  std::string route;  // as docs/views.md has it
  Method method = Method::get;
  std::string target;
  bool by_token = false;
  std::string body;
  std::string accept{kJson};
};

// `before`: a time at which there was another map.
std::vector<Question> questions(const std::string& before, const std::string& now,
                                int number_max = 15) {
  std::vector<Question> all;
  const std::string current = "/published_network_data/current";
  for (const std::string& path :
       {std::string("/netml_export/"), std::string("/netml_export/map_data/"),
        std::string("/netml_export/test"), std::string("/test/netml_export/"),
        current + "/collect/", current + "/netml_export/"})
    all.push_back({path, Method::get, path, true, {}});
  const std::string delta = "/netml_export/delta/";
  all.push_back({delta, Method::get, delta + "?from=1:" + std::string(64, '0'), true, {}});
  for (const std::string& path : {current + "/test/collect/", current + "/test/netml_export/"})
    all.push_back({path, Method::post, path, true, {}});
  const std::string elements = "{ id grenmlId name shortName version properties { id name value } ";
  all.push_back(
      {"/visualization/graphql/", Method::post, "/visualization/graphql/", false,
       boost::json::serialize(boost::json::object{
           {"query", "{ nodes " + elements +
                         "latitude longitude altitude unlocode address start end owners { "
                         "id name } linksA { id } linksB { id } } links " +
                         elements + "nodeA { id } nodeB { id } } institutions " + elements +
                         "latitude longitude address } }"}})});
  for (const char* path : {"/badge/quality.json", "/badge/quality.svg", "/status/"})
    all.push_back({path, Method::get, path, false, {}});
  const std::string map = "/api/v1/map";
  for (const std::string& at :
       {std::string(), "?at=" + before, std::string("?at=1"), std::string("?at=99999"),
        std::string("?at=1990-01-01T00:00:00Z")}) {
    all.push_back({map, Method::get, map + at, false, {}});
    all.push_back({map, Method::get, map + at, false, {}, "application/vnd.netml.map.v2"});
    for (const char* kind : {"institutions", "links", "nodes"}) {
      all.push_back({fmt::format("{}/features/{}.geojson", map, kind),
                     Method::get,
                     fmt::format("{}/features/{}.geojson{}", map, kind, at),
                     false,
                     {}});
      for (int number = 1; number <= number_max; ++number)
        all.push_back({fmt::format("{}/{}/{{n}}", map, kind),
                       Method::get,
                       fmt::format("{}/{}/{}{}", map, kind, number, at),
                       false,
                       {}});
    }
  }
  const std::string span = fmt::format("?from={}&to={}", before, now);
  for (const std::string& path : {map + "/difference", map + "/points-in-time", map + "/moments"}) {
    all.push_back({path, Method::get, path + span, false, {}});
    all.push_back({path, Method::get, path + "?from=1&to=2", false, {}});
  }
  for (int number = 1; number <= number_max; ++number)
    all.push_back({map + "/what-if", Method::post, map + "/what-if", false,
                   fmt::format(R"({{"nodes":[{}],"links":[]}})", number)});
  return all;
}

bool has_canary(const std::string& text) {
  for (const std::string_view sign : {kCanary, kCode, kDigits, std::string_view("17:17:17")})
    if (text.find(sign) != std::string::npos) return true;
  return false;
}

std::size_t maps_to_try() {
  const char* const text = std::getenv("NETML_CANARY_MAPS");
  return text == nullptr ? 200 : std::strtoul(text, nullptr, 10);
}

class Views : public ::testing::Test {
 protected:
  void import(unsigned seed) {
    with.import(Maps(seed, true).draw());
    without.import(Maps(seed, false).draw());
  }
  void bind_public_map() {
    with.set(kPublicMapView, kViewName);
    without.set(kPublicMapView, kViewName);
  }

  Answering with;
  Answering without;
};

TEST_F(Views, ShowNothingOfWhatTheyHide) {
  bind_public_map();
  for (std::size_t i = 0; i < maps_to_try(); ++i) {
    const std::string before = with.now();
    import(static_cast<unsigned>(i));
    if (i % 10 == 0) {
      with.publish();
      without.publish();
    }
    for (const Question& asked : questions(before, with.now())) {
      const auto ask = [&](Answering& of) {
        return of.ask(asked.method, asked.target, asked.by_token ? kSeen : "", asked.body,
                      asked.accept);
      };
      const auto seen = ask(with);
      const auto nothing_hidden = ask(without);
      EXPECT_FALSE(has_canary(seen.text)) << asked.target << seen.text;
      EXPECT_EQ(seen.status, nothing_hidden.status) << asked.target;
      EXPECT_EQ(seen.text, nothing_hidden.text) << asked.target;
      if (HasFailure()) FAIL() << "map " << i;
    }
  }
}

// Else the test above would find nothing anywhere.
TEST_F(Views, HideWhatIsSeenWithoutThem) {
  constexpr int kNumberMax = 100;
  std::map<std::string, bool> leaks;
  for (unsigned seed = 0; seed < 5; ++seed) {
    const std::string before = with.now();
    with.import(Maps(seed, true).draw());
    with.publish();
    for (const Question& asked : questions(before, with.now(), kNumberMax)) {
      const auto answer = with.ask(asked.method, asked.target, asked.by_token ? kWhole : "",
                                   asked.body, asked.accept);
      const bool binary = asked.accept != kJson;
      leaks[binary ? asked.route + " in binary" : asked.route] |= has_canary(answer.text);
    }
  }
  // These say nothing but numbers; and there is no delta from the head that is asked for: of those
  // that there are see ViewDeltas.
  for (const char* route : {"/netml_export/delta/", "/badge/quality.json", "/badge/quality.svg",
                            "/status/", "/api/v1/map/points-in-time", "/api/v1/map/moments",
                            "/api/v1/map/difference", "/api/v1/map/what-if"})
    leaks.erase(route);
  for (const auto& [route, leaked] : leaks) EXPECT_TRUE(leaked) << route;
}

TEST_F(Views, KeepTheirTagWhileOnlyWhatIsHiddenChanges) {
  const auto tag = [&] { return with.ask(Method::get, "/netml_export/", kSeen).etag; };
  with.import(Maps(1, true).draw());
  const std::string first = tag();
  EXPECT_FALSE(first.empty());
  with.import(Maps(1, false).draw());
  EXPECT_EQ(tag(), first);
  with.import(Maps(2, true).draw());
  EXPECT_NE(tag(), first);
}

// ---- deltas ----

constexpr const char* kExport = "/netml_export/";
constexpr const char* kDelta = "/netml_export/delta/";
std::string delta_from(const std::string& place) {
  return fmt::format("{}?from={}", kDelta, place);
}

// Which node it is of, and the names of the two states, which are keyed hashes.
std::string without_names(std::string delta) {
  for (const char* name : {" stream=\"", " from=\"", " to=\""}) {
    const std::size_t begin = delta.find(name);
    if (begin == std::string::npos) return "no delta: " + delta;
    delta.erase(begin, delta.find('"', begin + std::strlen(name)) + 1 - begin);
  }
  return delta;
}

class ViewDeltas : public Views {
 protected:
  // What leads from `before` to now, of both nodes.
  void expect_delta(std::string_view token, const Answering::Reply& before,
                    const Answering::Reply& before_without) {
    EXPECT_TRUE(before.head.starts_with("0:")) << before.head;
    const auto now = with.collect(kExport, token);
    const auto delta = with.collect(delta_from(before.head), token);
    const auto nothing_hidden = without.collect(delta_from(before_without.head), token);
    EXPECT_EQ(delta.status, 200) << delta.text;
    // The label has hashes, in which any digits may stand.
    EXPECT_FALSE(has_canary(delta.body.substr(delta.body.find('>', delta.body.find("<delta:")))))
        << delta.body;
    EXPECT_EQ(without_names(delta.body), without_names(nothing_hidden.body));
    EXPECT_EQ(delta.head, now.head);
    std::string made;
    const auto read = codecs::read_delta(delta.body);
    ASSERT_TRUE(read.has_value()) << read.error().text();
    const auto take = [&](std::string_view piece) -> Status {
      made += piece;
      return {};
    };
    const auto taken = codecs::apply_delta(before.body, *read, before.head, take);
    ASSERT_TRUE(taken.has_value()) << taken.error().text();
    EXPECT_EQ(read->label.to, now.head);
    EXPECT_EQ(made, now.body);
  }
};

TEST_F(ViewDeltas, TellNothingOfWhatIsHidden) {
  import(0);
  for (unsigned i = 1; i <= maps_to_try(); ++i) {
    std::map<std::string_view, std::pair<Answering::Reply, Answering::Reply>> before;
    for (const char* token : {kSeen, kPlain})
      before[token] = {with.collect(kExport, token), without.collect(kExport, token)};
    import(i);
    for (const auto& [token, seen] : before) expect_delta(token, seen.first, seen.second);
    if (HasFailure()) FAIL() << "map " << i;
  }
}

TEST_F(ViewDeltas, NameAStateBySeenContentAlone) {
  const auto place = [&] { return with.collect(kExport, kSeen).head; };
  with.import(Maps(1, true).draw());
  const std::string first = place();
  with.import(Maps(1, false).draw());
  EXPECT_EQ(place(), first);
  with.import(Maps(2, true).draw());
  EXPECT_NE(place(), first);
  with.import(Maps(1, true).draw());
  EXPECT_EQ(place(), first);
}

TEST_F(ViewDeltas, GiveNoDeltaFromWhatOthersSee) {
  const std::vector<const char*> tokens{kWhole, kSeen, kTwin, kPlain};
  with.import(Maps(1, true).draw());
  std::vector<std::string> places;
  for (const char* token : tokens) places.push_back(with.collect(kExport, token).head);
  with.import(Maps(2, true).draw());
  for (std::size_t i = 0; i < tokens.size(); ++i)
    for (std::size_t j = 0; j < tokens.size(); ++j)
      EXPECT_EQ(with.collect(delta_from(places[j]), tokens[i]).status, i == j ? 200 : 410)
          << tokens[i] << places[j];
  // Who does not say that it takes deltas learns of none.
  EXPECT_EQ(with.ask(Method::get, kExport, kSeen).head, "");
}

TEST_F(ViewDeltas, KeepAPlaceHoweverOftenTheMapIsCollected) {
  constexpr unsigned kImports = 70;
  with.import(Maps(1, true).draw());
  const auto before = with.collect(kExport, kSeen);
  for (unsigned i = 2; i < kImports; ++i) {
    with.import(Maps(i, true).draw());
    EXPECT_EQ(with.collect(kExport, kWhole).status, 200);
  }
  EXPECT_EQ(with.collect(delta_from(before.head), kSeen).status, 200);
}

// Who knows how a tag is computed could try for which real identifiers it comes out.
TEST_F(Views, TagWhatIsSeenByWhatNobodyCanCompute) {
  bind_public_map();
  for (unsigned seed = 0; seed < 5; ++seed) {
    import(seed);
    const engine::Digest digest = with.seen()->graph.digest();
    const std::string plain = fmt::format("{:016x}{:016x}", digest.high, digest.low);
    const std::string tag = with.ask(Method::get, "/api/v1/map").etag;
    EXPECT_FALSE(tag.empty());
    EXPECT_EQ(tag.find(plain), std::string::npos) << tag;
    EXPECT_EQ(with.ask(Method::get, "/api/v1/map").etag, tag);
  }
}

// A view that hides nothing may show a map with the digest of the whole one; the answer that was
// made of that for who is signed in tells an LSN and a time.
TEST_F(Views, AreNotServedWhatWasMadeOfAllOfTheMap) {
  import(1);
  engine::State seen;
  seen.graph = with.state()->graph;
  EXPECT_NE(web::MapAnswers::etag_of(*with.state()), web::MapAnswers::etag_of(seen));
  const auto whole = with.map_answers().of(*with.state());
  const auto viewed = with.map_answers().of(seen);
  ASSERT_TRUE(whole && viewed);
  EXPECT_NE(*whole, *viewed);
  EXPECT_EQ((*viewed)->text_bytes, web::map_columns(seen).size());
}

TEST_F(Views, LeaveOutHowOftenAClusterChangesItsMap) {
  testing::FakeMember member(wal::Role::leader, 7);
  member.listed.resize(1);
  with.join(&member);
  const auto cluster = [&] {
    const std::string text = with.ask(Method::get, "/status/").text;
    return boost::json::parse(text.substr(text.find('{'))).at("cluster").as_object();
  };
  const char* const names[] = {"lsn", "shared_lsn", "epoch", "behind"};
  for (const char* name : names) EXPECT_TRUE(cluster().contains(name)) << name;
  EXPECT_TRUE(cluster().at("members").at(0).as_object().contains("lsn"));
  with.set(kPublicMapView, kViewName);
  for (const char* name : names) EXPECT_FALSE(cluster().contains(name)) << name;
  EXPECT_FALSE(cluster().at("members").at(0).as_object().contains("lsn"));
  EXPECT_EQ(cluster().at("role"), "leader");
  with.join(nullptr);
}

TEST_F(Views, ThatAreNotThereShowNothing) {
  import(1);
  with.set(kPublicMapView, "nobody made it");
  EXPECT_EQ(with.ask(Method::get, "/api/v1/map").status, 503);
  EXPECT_EQ(with.ask(Method::get, "/api/v1/map/features/nodes.geojson").status, 503);
  EXPECT_EQ(
      with.ask(Method::post, "/visualization/graphql/", {}, R"({"query": "{ nodes { name } }"})")
          .status,
      503);
}

// ---- the list of routes in docs/views.md ----

std::map<std::string, std::string> decisions() {
  std::ifstream page(NETML_SOURCE_DIR "/docs/views.md");
  std::map<std::string, std::string> found;
  for (std::string line; std::getline(page, line);) {
    const std::size_t path_end = line.find("` | ");
    if (!line.starts_with("| `/") || path_end == std::string::npos) continue;
    std::string decision = line.substr(path_end + 4);
    found[line.substr(3, path_end - 3)] = decision.substr(0, decision.find(" |"));
  }
  return found;
}

TEST_F(Views, EachRouteIsDecided) {
  const auto decided = decisions();
  std::set<std::string> asked;
  for (const Question& question : questions("2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z"))
    asked.insert(question.route);
  std::set<std::string> registered;
  for (const net::Router::Route& route : with.routes().routes()) {
    std::string target = route.pattern;
    for (std::size_t at = target.find('{'); at != std::string::npos; at = target.find('{'))
      target.replace(at, target.find('}') - at + 1, "1");
    const bool needs_session =
        route.pattern.starts_with("/api/v1/") && with.ask(route.method, target).status == 401;
    if (needs_session) continue;
    registered.insert(route.pattern);
    const auto decision = decided.find(route.pattern);
    ASSERT_NE(decision, decided.end())
        << route.pattern << ": docs/views.md does not say how it treats views";
    EXPECT_EQ(decision->second == "viewed", asked.contains(route.pattern)) << route.pattern;
  }
  for (const auto& [pattern, decision] : decided)
    EXPECT_TRUE(registered.contains(pattern)) << pattern << " is no route";
}

}  // namespace
}  // namespace netml::admin
