// What a planned change would do, as a reader takes it in: in groups, page by page of each, and on
// a map.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/admin/support/coast_site.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::admin {
namespace {

namespace json = boost::json;
using test::institution;
using test::TopologyText;
using testing::Browser;
using testing::OpenSite;
using testing::Reply;

constexpr const char* kHere = "<grenml:long>-63.57</grenml:long><grenml:lat>44.65</grenml:lat>";
constexpr const char* kThere = "<grenml:long>-52.71</grenml:long><grenml:lat>47.56</grenml:lat>";

json::object group(const char* action, const char* kind, int count, const json::array& examples,
                   const json::value& topology) {
  return {{"kind", kind},
          {"action", action},
          {"count", count},
          {"examples", examples},
          {"topology", topology}};
}

class PlannedChanges : public ::testing::Test {
 protected:
  PlannedChanges() {
    site.add_account("ed", engine::Role::editor);
    browser.sign_in("ed");
  }
  static TopologyText coast() {
    TopologyText text("urn:coast", "urn:i");
    text.named("Coast").add(institution("urn:i").named("Harbour"));
    return text;
  }
  static auto tower(const char* id, const char* name, const char* at = kHere) {
    return test::node(id).named(name).owned_by("urn:i").location(at);
  }
  static auto cable(const char* id, const char* a, const char* b) {
    return test::link(id, a, b).named(id).owned_by("urn:i");
  }
  void import(const std::string& text) {
    ASSERT_EQ(browser.upload(text).status, 202);
    ASSERT_TRUE(site.queue().import_waiting());
  }
  // The address of its changes.
  std::string plan(const std::string& text) {
    const Reply planned = browser.upload(text, {{"plan", "true"}, {"parent", "keep"}});
    EXPECT_EQ(planned.status, 202) << planned.body;
    return "plans/" + json::serialize(planned.json().at("plan").at("id")) + "/changes";
  }
  std::uint64_t number(const std::string& list, const std::string& name) {
    const json::value found = browser.get(list + "?q=" + name).json();
    return found.at("items").at(0).at("number").to_number<std::uint64_t>();
  }
  static std::vector<std::string> names_of(const json::value& page) {
    std::vector<std::string> names;
    for (const json::value& item : page.at("items").as_array())
      names.emplace_back(item.at("name").as_string());
    return names;
  }

  // Ann moves, Bob goes with the cable, Dan and another cable come.
  std::string plan_of_all_kinds() {
    import(coast()
               .add(tower("urn:a", "Ann"))
               .add(tower("urn:b", "Bob"))
               .add(tower("urn:c", "Cid"))
               .add(cable("urn:ab", "urn:a", "urn:b")));
    return plan(coast()
                    .add(tower("urn:a", "Ann", kThere))
                    .add(tower("urn:c", "Cid"))
                    .add(tower("urn:d", "Dan"))
                    .add(cable("urn:ad", "urn:a", "urn:d")));
  }

  OpenSite site;
  Browser browser{site};
};

using Names = std::vector<std::string>;

TEST_F(PlannedChanges, AreCountedByTopologyActionAndKind) {
  const json::value all = browser.get(plan_of_all_kinds()).json();
  const json::object coast{{"id", "urn:coast"}, {"name", "Coast"}};
  EXPECT_EQ(all.at("groups"), (json::array{group("created", "Node", 1, {"Dan"}, coast),
                                           group("created", "Link", 1, {"urn:ad"}, coast),
                                           group("updated", "Node", 1, {"Ann"}, coast),
                                           group("deleted", "Node", 1, {"Bob"}, coast),
                                           group("deleted", "Link", 1, {"urn:ab"}, coast)}));
  EXPECT_EQ(all.at("total"), 5);
}

TEST_F(PlannedChanges, AGroupNamesThreeAndCountsAll) {
  TopologyText text = coast();
  for (const char* name : {"A", "B", "C", "D", "E"})
    text.add(tower((std::string("urn:") + name).c_str(), name));
  const json::value all = browser.get(plan(text) + "?kind=Node&limit=1").json();
  const json::array& groups = all.at("groups").as_array();
  const auto nodes = std::ranges::find_if(
      groups, [](const json::value& each) { return each.at("kind") == "Node"; });
  ASSERT_NE(nodes, groups.end());
  EXPECT_EQ(nodes->at("count"), 5);
  EXPECT_EQ(nodes->at("examples"), (json::array{"A", "B", "C"}));
}

TEST_F(PlannedChanges, AreAskedForByGroupPageByPage) {
  const std::string path = plan_of_all_kinds();
  const auto names = [&](const std::string& query) {
    return names_of(browser.get(path + query).json());
  };
  EXPECT_EQ(names("?action=created&kind=Node&topology=urn%3Acoast"), Names{"Dan"});
  EXPECT_EQ(names("?kind=Node"), (Names{"Ann", "Bob", "Dan"}));
  EXPECT_EQ(names("?topology=urn%3Anowhere"), Names{});
  EXPECT_EQ(names("?topology=-"), Names{}) << "all are in one";
  const json::value first = browser.get(path + "?kind=Node&limit=2").json();
  EXPECT_EQ(first.at("total"), 3);
  EXPECT_EQ(first.at("next"), "2");
  EXPECT_EQ(names("?kind=Node&limit=2&cursor=2"), Names{"Dan"});
  const Reply wrong = browser.get(path + "?action=made");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_EQ(wrong.json().at("error").at("field"), "action");
}

TEST_F(PlannedChanges, OfManyGroupsTopologiesAreJoined) {
  TopologyText text = coast();
  for (int i = 0; i < 50; ++i) {  // each is two groups
    const std::string id = "urn:t" + std::to_string(i);
    text.add(TopologyText(id, id + ":i").named(id).add(institution(id + ":i")));
  }
  const std::string path = plan(text);
  const json::array groups = browser.get(path).json().at("groups").as_array();
  ASSERT_EQ(groups.size(), 2U) << groups;
  EXPECT_EQ(groups.at(0).at("count"), 51);
  EXPECT_FALSE(groups.at(0).as_object().contains("topology"));
  EXPECT_EQ(browser.get(path + "?kind=Topology&topology=urn%3At7").json().at("total"), 1)
      << "asked for alone it is apart";
}

TEST_F(PlannedChanges, AreDrawnOverTheMapThatTheyWouldChange) {
  const json::value answer = browser.get(plan_of_all_kinds() + "?map=true&limit=1").json();
  const json::value& map = answer.at("map");
  EXPECT_EQ(map.at("nodes").at("removed"), json::array{number("nodes", "Bob")});
  EXPECT_EQ(map.at("nodes").at("changed"), json::array{number("nodes", "Ann")});
  EXPECT_EQ(map.at("links").at("removed"), json::array{number("links", "urn:ab")});
  EXPECT_EQ(map.at("coming").at("nodes").at("name"), json::array{"Dan"});
  EXPECT_EQ(map.at("coming").at("nodes").at("number"), map.at("nodes").at("added"));
  EXPECT_EQ(map.at("coming").at("links").at("a"), (json::array{json::array{47.56, -52.71}}))
      << "where its end will be";
  EXPECT_EQ(map.at("moved").at("number"), map.at("nodes").at("changed"));
  EXPECT_EQ(map.at("moved").at("latitude"), json::array{47.56});
  EXPECT_EQ(map.at("left_out"), 0);
  EXPECT_EQ(browser.get("map?at=" + json::serialize(map.at("lsn"))).status, 200);
  EXPECT_FALSE(browser.get("plans/1/changes").json().as_object().contains("map"));
}

TEST_F(PlannedChanges, APlanIsPlannedOnceForItsPages) {
  const std::string path = plan_of_all_kinds();
  const CacheCounts& counts = site.node()->metrics().cache(CacheName::previews);
  browser.get(path);
  const std::uint64_t made = counts.misses.value();
  for (const char* query : {"?kind=Node", "?kind=Link", "?map=true"}) browser.get(path + query);
  EXPECT_EQ(counts.misses.value(), made);
}

// The same of every request that can be previewed.
class PlannedDeletions : public testing::CoastSite {
 protected:
  PlannedDeletions() : CoastSite(engine::Role::editor) {}
};

TEST_F(PlannedDeletions, AreInGroupsAndDrawnToo) {
  const std::uint64_t a = node("Ann");
  const std::uint64_t b = node("Bob");
  const std::uint64_t ab = link("ab", a, b);
  const json::object wanted{{"numbers", {a}}};
  const auto ask = [&](const std::string& query) {
    return browser.post("nodes/delete?preview=true" + query, wanted).json();
  };
  EXPECT_EQ(ask("").at("groups").as_array().size(), 2U);
  EXPECT_EQ(ask("&kind=Link").at("items").as_array().size(), 1U);
  const json::value map = ask("&map=true").at("map");
  EXPECT_EQ(map.at("nodes").at("removed"), json::array{a});
  EXPECT_EQ(map.at("links").at("removed"), json::array{ab});
  EXPECT_EQ(map.at("coming").at("nodes").at("number"), json::array());
}

}  // namespace
}  // namespace netml::admin
