// The map for everybody: columns, drawers, the time line, differences, outages, features, and who
// may ask (docs/requirements/http-api.md, section 14; rules A14 and A17).
#include <gtest/gtest.h>
#include <zlib.h>

#include <array>
#include <cstring>

#include "admin/answers/json_text.hpp"
#include "engine/base/json_string.hpp"
#include "engine/edit/plan_records.hpp"
#include "tests/admin/support/open_site.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::admin {
namespace {

namespace json = boost::json;
using net::Method;
using test::institution;
using test::link;
using test::node;
using test::TopologyText;
using testing::Browser;
using testing::OpenSite;
using testing::Reply;

// The text of a gzip file, whose check and size are right.
std::string expanded(const std::string& compressed) {
  constexpr int kGzipWindow = 15 + 16;
  z_stream stream{};
  EXPECT_EQ(::inflateInit2(&stream, kGzipWindow), Z_OK);
  std::string text(4 << 20, 0);
  std::string file = compressed;
  stream.next_in = reinterpret_cast<Bytef*>(file.data());
  stream.avail_in = static_cast<uInt>(file.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  EXPECT_EQ(::inflate(&stream, Z_FINISH), Z_STREAM_END);
  EXPECT_EQ(stream.avail_in, 0U);
  text.resize(stream.total_out);
  ::inflateEnd(&stream);
  return text;
}

// A section of the map in binary.
struct Section {
  Section(const std::string& body, std::size_t begin) : magic(body.substr(begin, 4)) {
    std::uint32_t length = 0;
    std::memcpy(&length, body.data() + begin + 4, sizeof(length));
    header = json::parse(body.substr(begin + 8, length));
    const std::size_t base = begin + (8 + length + 7) / 8 * 8;
    columns = body.data() + base;
    end = base + header.at("bytes").to_number<std::size_t>();
  }
  const char* at(const json::value& column) const {
    return columns + column.at("at").to_number<std::size_t>();
  }

  std::string magic;
  json::value header;
  const char* columns;
  std::size_t end;
};

class WebMap : public ::testing::Test {
 protected:
  std::uint64_t import(const std::string& file) {
    ImportRequest request;
    request.place = ImportPlace::top_level;
    const ImportOutcome outcome = testing::import_job(*site.node(), file, request)->commit();
    if (!outcome)
      for (const engine::InputError& error : outcome.error().errors.first)
        ADD_FAILURE() << error.message;
    return outcome ? outcome->lsn.value : 0;
  }
  static constexpr const char* kElsewhere =
      "<grenml:long>10.5</grenml:long><grenml:lat>-1</grenml:lat>";
  // a - b - c
  static TopologyText coast() {
    return TopologyText("urn:coast", "urn:i")
        .named("Coast")
        .add(institution("urn:i")
                 .named("Inst \"One\"")
                 .short_named("I1")
                 .with("tag", "NREN")
                 .with("url", "https://i.example"))
        .add(node("urn:a")
                 .named("Ålesund")
                 .owned_by("urn:i")
                 .with("tag", "NREN")
                 .with("description", "first")
                 .with("!-secret", "hidden"))
        .add(node("urn:b").owned_by("urn:i"))
        .add(node("urn:c").owned_by("urn:i").location(kElsewhere))
        .add(link("urn:ab", "urn:a", "urn:b").owned_by("urn:i").with("throughput", "100"))
        .add(link("urn:bc", "urn:b", "urn:c").owned_by("urn:i"));
  }
  json::value map(const std::string& query = {}) { return browser.get("map" + query).json(); }
  std::uint64_t number(const char* table, const char* id) {
    const json::value all = map();
    const json::array& ids = all.at(table).at("id").as_array();
    for (std::size_t i = 0; i < ids.size(); ++i)
      if (ids[i] == id) return all.at(table).at("number").at(i).to_number<std::uint64_t>();
    ADD_FAILURE() << id;
    return 0;
  }

  OpenSite site;
  Browser browser{site};
};

TEST_F(WebMap, ComesAsColumnsThatNameEachOtherByPlace) {
  import(coast());
  const json::value all = map();
  const json::value& nodes = all.at("nodes");
  const json::value& links = all.at("links");
  EXPECT_EQ(nodes.at("id"), (json::array{"urn:a", "urn:b", "urn:c"}));
  EXPECT_EQ(nodes.at("name").at(0), "Ålesund");
  EXPECT_EQ(nodes.at("latitude"), (json::array{44.65, 44.65, -1}));
  EXPECT_EQ(nodes.at("longitude").at(0), -63.57);
  EXPECT_EQ(nodes.at("tags"), (json::array{{0}, json::array(), json::array()}));
  EXPECT_EQ(nodes.at("owners"), (json::array{{1}, {1}, {1}})) << "the global one comes first";
  EXPECT_EQ(nodes.at("topologies").at(0), json::array{0});
  EXPECT_EQ(links.at("a"), (json::array{0, 1}));
  EXPECT_EQ(links.at("b"), (json::array{1, 2}));
  EXPECT_EQ(all.at("institutions").at("name").at(1), "Inst \"One\"");
  EXPECT_EQ(all.at("institutions").at("url").at(1), "https://i.example");
  EXPECT_EQ(all.at("topologies").at("parent"), json::array{-1});
  EXPECT_EQ(all.at("tags").at(0), "NREN");
  EXPECT_EQ(all.at("lsn"), site.state()->lsn.value);
}

TEST_F(WebMap, SaysHowFastALinkSaysThatItIs) {
  import(
      coast()
          .add(link("urn:ca", "urn:c", "urn:a")
                   .owned_by("urn:i")
                   .with("LinkSpeedRaw", "64000")
                   .with("speed", "10G")
                   .with("throughput", ""))
          .add(link("urn:cb", "urn:c", "urn:b").owned_by("urn:i").with("linkspeedraw", "64000")));
  EXPECT_EQ(map().at("links").at("capacity"),
            (json::array{100'000'000'000, nullptr, 10'000'000'000, 64'000}));
}

TEST_F(WebMap, ListsTheLinksThatBeginOrEnd) {
  import(coast().add(link("urn:ca", "urn:c", "urn:a")
                         .owned_by("urn:i")
                         .lifetime("<nml:start>2020-01-02T03:04:05Z</nml:start>")));
  const json::value lifetimes = map().at("lifetimes");
  EXPECT_EQ(lifetimes.at("link"), json::array{2});
  EXPECT_EQ(lifetimes.at("start"), json::array{"2020-01-02T03:04:05Z"});
  EXPECT_EQ(lifetimes.at("end"), json::array{nullptr});
}

TEST_F(WebMap, ComesInColumnsOfFixedWidthForWhoWantsThem) {
  import(coast());
  net::Request request = browser.request(Method::get, "map");
  const std::string plain(site.send(request).headers.get("ETag"));
  request.headers.set("Accept", "application/vnd.netml.map.v2, application/json;q=0.9");
  const Reply binary = site.send(request);
  EXPECT_EQ(binary.headers.get("Content-Type"), "application/vnd.netml.map.v2");
  EXPECT_NE(binary.headers.get("Vary").find("Accept,"), std::string_view::npos);
  const Section drawing(binary.body, 0);
  ASSERT_EQ(drawing.magic, "NMAP");
  const json::value& nodes = drawing.header.at("nodes");
  EXPECT_EQ(nodes.at("rows"), 3);
  std::array<std::int32_t, 3> latitudes{};
  std::memcpy(latitudes.data(), drawing.at(nodes.at("latitude")), sizeof(latitudes));
  EXPECT_EQ(latitudes, (std::array<std::int32_t, 3>{44'650'000, 44'650'000, -1'000'000}));
  EXPECT_EQ(nodes.at("tags").at("distinct"), (json::array{{0}, json::array()}));
  EXPECT_EQ(std::string_view(drawing.at(nodes.at("tags")), 3), std::string_view("\0\1\1", 3));
  EXPECT_EQ(nodes.at("owners").at("distinct"), json::array{{1}});
  EXPECT_EQ(nodes.at("owners").at("width"), 0) << "all have the first";
  const json::value& links = drawing.header.at("links");
  EXPECT_EQ(links.at("capacity").at("distinct").at(0).at(0), 100'000'000'000);
  EXPECT_EQ(std::string_view(drawing.at(links.at("b")), 2), std::string_view("\1\2", 2));
  EXPECT_EQ(drawing.header.at("tags").at(0), "NREN");
  const Section texts(binary.body, drawing.end);
  ASSERT_EQ(texts.magic, "NTXT");
  EXPECT_EQ(texts.end, binary.body.size());
  const json::value& names = texts.header.at("nodes").at("name");
  EXPECT_EQ(names.at("width"), 1);
  EXPECT_EQ(*texts.at(names), 7) << "as JavaScript counts";
  EXPECT_EQ(std::string_view(texts.at(names.at("text")), 8), "Ålesund");
  request.headers.set("If-None-Match", plain);
  EXPECT_EQ(site.send(request).status, 200) << "the tag of the other form";
  request.headers.set("If-None-Match", binary.headers.get("ETag"));
  EXPECT_EQ(site.send(request).status, 304);
}

// Numbers of links follow each other: what is sent is how far each is from the one before.
TEST_F(WebMap, SendsTheStepsOfNumbersThatAscend) {
  TopologyText file = coast();
  constexpr int kMore = 300;
  for (int i = 0; i < kMore; ++i)
    file.add(link("urn:more:" + std::to_string(i), "urn:a", "urn:c").owned_by("urn:i"));
  import(file);
  net::Request request = browser.request(Method::get, "map");
  request.headers.set("Accept", "application/vnd.netml.map.v2");
  const std::string body = site.send(request).body;
  const Section drawing(body, 0);
  const json::value& column = drawing.header.at("links").at("number");
  ASSERT_EQ(column.at("width"), 1);
  ASSERT_EQ(column.at("steps"), true);
  const json::array numbers = map().at("links").at("number").as_array();
  EXPECT_EQ(numbers.size(), kMore + 2U);
  std::int64_t number = 0;
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    number += static_cast<signed char>(drawing.at(column)[row]);
    EXPECT_EQ(numbers[row], number);
  }
}

// One file, though its pieces are made and stored by themselves.
TEST_F(WebMap, InBinaryIsOneCompressedFileOfBothSections) {
  import(coast());
  net::Request request = browser.request(Method::get, "map");
  request.headers.set("Accept", "application/vnd.netml.map.v2");
  const std::string plain = site.send(request).body;
  request.headers.set("Accept-Encoding", "gzip");
  const Reply compressed = site.send(request);
  EXPECT_EQ(compressed.headers.get("Content-Encoding"), "gzip");
  EXPECT_EQ(expanded(compressed.body), plain);
}

TEST_F(WebMap, IsGivenInJsonToThoseWhoKnowTheFormerColumnsOnly) {
  import(coast());
  net::Request request = browser.request(Method::get, "map");
  request.headers.set("Accept", "application/vnd.netml.map, application/json;q=0.9");
  EXPECT_EQ(site.send(request).headers.get("Content-Type"), "application/json");
}

TEST_F(WebMap, OfAnEmptyNodeIsWhole) {
  const json::value all = map();
  EXPECT_TRUE(all.at("nodes").at("id").as_array().empty());
  EXPECT_TRUE(all.at("tags").as_array().empty());
}

TEST_F(WebMap, IsPackedForWhoTakesItAndNotSentTwice) {
  import(coast());
  net::Request request = browser.request(Method::get, "map");
  request.headers.set("Accept-Encoding", "br, gzip");
  const Reply compressed = site.send(request);
  EXPECT_EQ(compressed.headers.get("Content-Encoding"), "gzip");
  EXPECT_EQ(expanded(compressed.body), browser.get("map").body);
  request.headers.set("If-None-Match", compressed.headers.get("ETag"));
  EXPECT_EQ(site.send(request).status, 304);
  browser.get("session");
  site.add_account("ada", engine::Role::admin);
  EXPECT_EQ(site.send(request).status, 304) << "what does not concern the map does not count";
  import(coast().add(node("urn:d").owned_by("urn:i")));
  EXPECT_EQ(site.send(request).status, 200);
}

TEST_F(WebMap, ShowsAnyMomentOfThePast) {
  const std::uint64_t before = import(coast());
  import(coast().add(node("urn:d").owned_by("urn:i")));
  EXPECT_EQ(map().at("nodes").at("id").as_array().size(), 4U);
  const std::string at = "?at=" + std::to_string(before);
  EXPECT_EQ(map(at).at("nodes").at("id").as_array().size(), 3U);
  EXPECT_EQ(map("?at=0").at("nodes").at("id").as_array().size(), 0U);
  EXPECT_EQ(map("?at=import:1").at("lsn"), before);
  EXPECT_EQ(browser.get("map?at=9999").status, 404);
  EXPECT_EQ(browser.get("map?at=yesterday").status, 404);
}

TEST_F(WebMap, IsEmptyBeforeTheFirstImportAndKnowsDays) {
  import(coast());
  const std::string today = format_instant(site.node().clock().wall().instant()).substr(0, 10);
  EXPECT_EQ(map("?at=" + today).at("nodes").at("id").as_array().size(), 3U);
  for (const char* before : {"1998-12-31", "1998-12-31T23:59:59Z", "1", "0"}) {
    EXPECT_EQ(map(std::string("?at=") + before).at("nodes").at("id").as_array().size(), 0U);
    const json::value points = browser.get(std::string("map/moments?to=") + before).json();
    EXPECT_TRUE(points.at("items").as_array().empty()) << before;
  }
  EXPECT_EQ(browser.get("map?at=2024-02-30").status, 404) << "there is no such day";
}

TEST_F(WebMap, DrawersTellWhatMayBeSeen) {
  import(coast());
  const json::value a = browser.get("map/nodes/" + std::to_string(number("nodes", "urn:a"))).json();
  EXPECT_EQ(a.at("description"), "first");
  EXPECT_EQ(a.at("tags"), json::array{"NREN"});
  EXPECT_EQ(a.at("owners").at(0).at("name"), "Inst \"One\"");
  EXPECT_EQ(a.at("connected_owners").as_array().size(), 1U);
  for (const json::value& property : a.at("properties").as_array())
    EXPECT_FALSE(property.at("name").as_string().starts_with("!-"));
  const std::string ab = "map/links/" + std::to_string(number("links", "urn:ab"));
  EXPECT_EQ(browser.get(ab).json().at("throughput"), "100");
  EXPECT_EQ(browser.get(ab).json().at("ends").at(1).at("id"), "urn:b");
  const std::string i = "map/institutions/" + std::to_string(number("institutions", "urn:i"));
  EXPECT_EQ(browser.get(i).json().at("nodes").as_array().size(), 3U);
  EXPECT_EQ(browser.get("map/nodes/0").status, 404);
  EXPECT_EQ(browser.get("map/nodes/x").status, 404);
  EXPECT_EQ(browser.get("map/nodes/" + std::to_string(number("links", "urn:ab"))).status, 404);
}

TEST_F(WebMap, GraphqlKeepsTheNodesOwnPropertiesToItself) {
  import(coast());
  net::Request request = OpenSite::request(Method::post, "/visualization/graphql/");
  request.headers.set("Content-Type", "application/graphql");
  const Reply answer = site.send(request, "{node(id: \"urn:a\") {properties {id name value}}}");
  const json::value properties = answer.json().at("data").at("node").at("properties");
  ASSERT_FALSE(properties.as_array().empty());
  EXPECT_EQ(answer.body.find("!-"), std::string::npos);
  EXPECT_EQ(answer.body.find("hidden"), std::string::npos);
}

TEST_F(WebMap, TellsThePointsInTimeAtWhichItChanged) {
  const std::uint64_t first = import(coast());
  site.add_account("ada", engine::Role::admin);
  const std::uint64_t second = import(coast().add(node("urn:d").owned_by("urn:i")));
  const json::array items = browser.get("map/points-in-time").json().at("items").as_array();
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0].at("lsn"), first);
  EXPECT_EQ(items[0].at("added").at("nodes"), 3);
  EXPECT_EQ(items[0].at("added").at("links"), 2);
  EXPECT_EQ(items[0].at("text"), "import");
  EXPECT_EQ(items[1].at("lsn"), second);
  EXPECT_EQ(items[1].at("added").at("nodes"), 1);
  EXPECT_EQ(browser.get("map/points-in-time?limit=1").json().at("items").as_array().size(), 1U);
  EXPECT_EQ(browser.get("map/points-in-time?to=" + std::to_string(first))
                .json()
                .at("items")
                .as_array()
                .size(),
            1U);
}

TEST_F(WebMap, LeavesMomentsOutEvenlyAndKeepsBothEnds) {
  TopologyText all = coast();
  for (int i = 0; i < 9; ++i) {
    all.add(node("urn:n" + std::to_string(i)).owned_by("urn:i"));
    import(all);
  }
  const auto points = site.site().points.list(Lsn{1}, site.state()->lsn, 3);
  ASSERT_EQ(points->size(), 3U);
  const auto whole = site.site().points.list(Lsn{1}, site.state()->lsn, 100);
  EXPECT_EQ(points->front().lsn, whole->front().lsn);
  EXPECT_EQ(points->back().lsn, whole->back().lsn);
}

TEST_F(WebMap, DifferenceTellsWhatCameAndWhatIsGoneWithItsPlace) {
  const std::uint64_t before = import(coast());
  const std::uint64_t a = number("nodes", "urn:a");
  const std::uint64_t ab = number("links", "urn:ab");
  const std::uint64_t after = import(TopologyText("urn:coast", "urn:i")
                                         .named("Coast")
                                         .add(institution("urn:i").named("Inst \"One\""))
                                         .add(node("urn:b").named("moved").owned_by("urn:i"))
                                         .add(node("urn:c").owned_by("urn:i").location(kElsewhere))
                                         .add(node("urn:d").owned_by("urn:i"))
                                         .add(link("urn:bc", "urn:b", "urn:c").owned_by("urn:i")));
  const json::value found =
      browser.get("map/difference?from=" + std::to_string(before) + "&to=" + std::to_string(after))
          .json();
  EXPECT_EQ(found.at("nodes").at("added"), json::array{number("nodes", "urn:d")});
  EXPECT_EQ(found.at("nodes").at("changed"), json::array{number("nodes", "urn:b")});
  EXPECT_EQ(found.at("nodes").at("removed"), json::array{a});
  EXPECT_EQ(found.at("links").at("removed"), json::array{ab});
  EXPECT_EQ(found.at("gone").at("nodes").at("name"), json::array{"Ålesund"});
  EXPECT_EQ(found.at("gone").at("nodes").at("latitude"), json::array{44.65});
  EXPECT_EQ(found.at("gone").at("links").at("a").at(0), (json::array{44.65, -63.57}));
  EXPECT_EQ(browser.get("map/difference?from=1").status, 400);
}

TEST_F(WebMap, SimulatesAnOutageAndChangesNothing) {
  import(coast());
  const Lsn lsn = site.state()->lsn;
  const Reply reply = browser.post("map/what-if", {{"nodes", json::array()},
                                                   {"links", {number("links", "urn:ab")}},
                                                   {"topology", nullptr},
                                                   {"at", nullptr}});
  ASSERT_EQ(reply.status, 200) << reply.body;
  const json::value found = reply.json();
  EXPECT_EQ(found.at("simulated"), true);
  EXPECT_EQ(found.at("components_before"), 1);
  EXPECT_EQ(found.at("components_after"), 2);
  EXPECT_EQ(found.at("cut_off").at("nodes"), json::array{number("nodes", "urn:a")});
  EXPECT_TRUE(found.at("cut_off").at("institutions").as_array().empty());
  EXPECT_EQ(found.at("single_path").at("links"), json::array{number("links", "urn:bc")});
  EXPECT_EQ(site.state()->lsn, lsn);
  EXPECT_EQ(browser.post("map/what-if", {{"nodes", "all"}}).status, 400);
  EXPECT_EQ(browser.post("map/what-if", {{"topology", 4242}}).status, 404);
  json::array many;
  for (int i = 0; i < 10'001; ++i) many.emplace_back(i);
  EXPECT_EQ(browser.post("map/what-if", {{"nodes", many}}).status, 400);
}

TEST_F(WebMap, SimulatesTheTopologyThatIsNamedAndEveryNetworkByItself) {
  import(coast());
  TopologyText larger("urn:larger", "urn:j");
  larger.add(institution("urn:j"));
  for (const char* id : {"urn:1", "urn:2", "urn:3", "urn:4"})
    larger.add(node(id).owned_by("urn:j"));
  larger.add(link("urn:12", "urn:1", "urn:2").owned_by("urn:j"));
  larger.add(link("urn:23", "urn:2", "urn:3").owned_by("urn:j"));
  larger.add(link("urn:34", "urn:3", "urn:4").owned_by("urn:j"));
  import(larger);
  const json::array cut_off{number("nodes", "urn:a")};
  const json::array links{number("links", "urn:ab")};
  const json::value all = browser.post("map/what-if", {{"links", links}}).json();
  EXPECT_EQ(all.at("cut_off").at("nodes"), cut_off);
  EXPECT_EQ(all.at("components_before"), 2);
  const std::uint64_t coast_number = map().at("topologies").at("number").at(0).to_number<int>();
  const json::value one =
      browser.post("map/what-if", {{"links", links}, {"topology", coast_number}}).json();
  EXPECT_EQ(one.at("cut_off").at("nodes"), cut_off);
  EXPECT_EQ(one.at("components_before"), 1);
}

TEST_F(WebMap, GivesFeaturesToOtherProgramsLongitudeFirst) {
  import(coast());
  const json::value nodes = browser.get("map/features/nodes.geojson").json();
  EXPECT_EQ(nodes.at("type"), "FeatureCollection");
  ASSERT_EQ(nodes.at("features").as_array().size(), 3U);
  const json::value& first = nodes.at("features").at(0);
  EXPECT_EQ(first.at("geometry").at("coordinates"), (json::array{-63.57, 44.65}));
  EXPECT_EQ(first.at("properties").at("id"), "urn:a");
  const json::value links = browser.get("map/features/links.geojson").json();
  ASSERT_EQ(links.at("features").as_array().size(), 2U);
  EXPECT_EQ(links.at("features").at(0).at("geometry").at("type"), "LineString");
  EXPECT_EQ(browser.get("map/features/institutions.geojson?topology=9999").status, 404);
}

TEST_F(WebMap, KnowsThatAPlaceMayBeUnknown) {
  import(coast());
  Change change;
  change.plan = [](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    engine::RecordEdit edit;
    edit.name = "lost";
    edit.id = "urn:lost";
    edit.topologies = {state.graph.find_newest(Kind::topology, "urn:coast")};
    edit.owners = {state.graph.find_newest(Kind::institution, "urn:i")};
    NETML_TRY(engine::RecordCreation made, plan_record_create(state, Kind::node, edit));
    return std::move(made.transaction);
  };
  ASSERT_TRUE(site.node()->commit(std::move(change)).has_value());
  EXPECT_TRUE(map().at("nodes").at("latitude").at(3).is_null());
  EXPECT_EQ(browser.get("map/features/nodes.geojson").json().at("features").as_array().size(), 3U);
}

// ---- who may ask ----

TEST_F(WebMap, OpensItselfToListedPagesOnly_A17) {
  site.add_account("ada", engine::Role::admin);
  Browser admin(site);
  admin.sign_in("ada");
  admin.post("origins", {{"name", "on"}, {"origin", "https://on.example"}});
  admin.post("origins", {{"name", "off"}, {"origin", "https://off.example"}, {"active", false}});
  const auto ask = [&](const char* origin) {
    net::Request request = browser.request(Method::get, "map");
    request.headers.set("Sec-Fetch-Site", origin == nullptr ? "none" : "cross-site");
    if (origin != nullptr) request.headers.set("Origin", origin);
    return site.send(request);
  };
  EXPECT_EQ(ask(nullptr).status, 200);
  EXPECT_FALSE(ask(nullptr).headers.has("Access-Control-Allow-Origin"));
  const Reply listed = ask("https://on.example");
  EXPECT_EQ(listed.status, 200);
  EXPECT_EQ(listed.headers.get("Access-Control-Allow-Origin"), "https://on.example");
  EXPECT_FALSE(listed.headers.has("Access-Control-Allow-Credentials"));
  EXPECT_NE(listed.headers.get("Vary").find("Origin"), std::string_view::npos);
  for (const char* foreign :
       {"https://off.example", "null", "https://on.example.evil", "http://on.example", "*"}) {
    const Reply refused = ask(foreign);
    EXPECT_EQ(refused.status, 401) << foreign;
    EXPECT_FALSE(refused.headers.has("Access-Control-Allow-Origin")) << foreign;
  }
}

TEST_F(WebMap, TellsThePointsInTimeByTheFormerPathToo) {
  import(coast());
  const Reply now = browser.get("map/points-in-time");
  ASSERT_EQ(now.status, 200);
  EXPECT_EQ(browser.get("map/moments").body, now.body);
}

TEST_F(WebMap, IsNotThereWhenSwitchedOff) {
  site.add_account("ada", engine::Role::admin);
  Browser admin(site);
  admin.sign_in("ada");
  admin.put("settings/GREN_MAP_VISUALIZATION_ENABLED", {{"value", "False"}});
  for (const char* path :
       {"map", "map/points-in-time", "map/nodes/1", "map/features/nodes.geojson"}) {
    EXPECT_EQ(browser.get(path).status, 403) << path;
    EXPECT_EQ(browser.get(path).code(), "map-disabled") << path;
  }
  const Reply root = site.send(OpenSite::request(Method::get, "/"));
  EXPECT_EQ(root.status, 302);
  EXPECT_EQ(root.headers.get("Location"), "/admin/");
}

// ---- pages ----

TEST_F(WebMap, AdministrationPagesSendStrangersToTheSignIn_A16) {
  const auto location = [&](const char* path) {
    const Reply reply = site.send(OpenSite::request(Method::get, path));
    EXPECT_EQ(reply.status, 302) << path;
    return std::string(reply.headers.get("Location"));
  };
  EXPECT_EQ(location("/admin/"), "/admin/login/?next=/admin/");
  EXPECT_EQ(location("/admin/nodes/7"), "/admin/login/?next=/admin/nodes/7");
  EXPECT_EQ(location("/admin/a b\"<"), "/admin/login/?next=/admin/a%2520b%2522%253C");
  net::Request sorted = OpenSite::request(Method::get, "/admin/nodes/");
  sorted.query = "sort=name&q=a+b";
  EXPECT_EQ(site.send(sorted).headers.get("Location"),
            "/admin/login/?next=/admin/nodes/%3Fsort%3Dname%26q%3Da%2Bb");
  site.add_account("ada", engine::Role::admin);
  browser.sign_in("ada");
  net::Request request = OpenSite::request(Method::get, "/admin/");
  request.headers.set("Cookie", browser.cookie());
  EXPECT_NE(site.send(request).status, 302);
}

// ---- JSON ----

TEST(JsonText, WritesNumbersExactlyAndTextsSafely) {
  const auto decimal = [](std::int64_t micro) {
    std::string out;
    web::append_decimal(out, {micro});
    return out;
  };
  EXPECT_EQ(decimal(0), "0");
  EXPECT_EQ(decimal(44'650'000), "44.65");
  EXPECT_EQ(decimal(-1), "-0.000001");
  EXPECT_EQ(decimal(-180'000'000), "-180");
  EXPECT_EQ(decimal(10'000'001), "10.000001");
  std::string out;
  const std::string hostile = "a\"\\\n\x01</script>\xc3\x85";
  append_json_string(out, hostile);
  EXPECT_EQ(json::parse(out), json::value(hostile));
  out.clear();
  append_json_string(out, "plain");
  EXPECT_EQ(out, "\"plain\"");
}

}  // namespace
}  // namespace netml::admin
