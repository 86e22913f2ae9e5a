// Undo on the site: each change names its transaction, which can be previewed and undone; what is
// deleted keeps its history; several records are deleted as one.
#include <gtest/gtest.h>

#include "tests/admin/support/coast_site.hpp"

namespace netml::admin {
namespace {

namespace json = boost::json;
using net::Method;
using testing::Browser;
using testing::Reply;

class WebUndo : public testing::CoastSite {
 protected:
  WebUndo() : CoastSite(engine::Role::admin) {}
  static std::string lsn_of(const Reply& reply) {
    return std::string(reply.headers.get("X-NetML-LSN"));
  }
  Reply undo(const std::string& lsn, const json::object& fields = {}) {
    return browser.post("activity/" + lsn + "/undo", fields);
  }
  Reply rename(std::uint64_t number, const std::string& name) {
    const std::string path = "nodes/" + std::to_string(number);
    json::object fields = browser.get(path).json().as_object();
    fields["name"] = name;
    return browser.put(path, fields);
  }
  std::size_t count(const std::string& collection) {
    return browser.get(collection).json().at("total").to_number<std::size_t>();
  }
};

TEST_F(WebUndo, EveryChangeNamesTheTransactionThatItBecame) {
  const Reply made = browser.post("nodes", fields_of("Tower"));
  EXPECT_EQ(lsn_of(made), std::to_string(site.state()->lsn.value));
  EXPECT_TRUE(lsn_of(browser.get("nodes")).empty()) << "what only reads becomes none";
  const Reply same =
      browser.put("nodes/" + std::to_string(made.json().at("number").to_number<int>()),
                  made.json().as_object());
  EXPECT_TRUE(lsn_of(same).empty()) << "nothing was changed, so there is nothing to undo";
  const Reply zoomed = browser.put("settings/GREN_MAP_INITIAL_MAP_ZOOM", {{"value", "5"}});
  EXPECT_EQ(lsn_of(zoomed), std::to_string(site.state()->lsn.value));
}

TEST_F(WebUndo, APreviewTellsWhatComesBackAndChangesNothing) {
  const std::uint64_t a = node("a");
  link("ab", a, node("b"));
  const std::string lsn = lsn_of(browser.del("nodes/" + std::to_string(a)));
  const Lsn before = site.state()->lsn;
  const json::value preview = browser.post("activity/" + lsn + "/undo?preview=true").json();
  EXPECT_EQ(preview.at("created"), 2);
  EXPECT_EQ(preview.at("conflict_count"), 0);
  EXPECT_EQ(preview.at("items").as_array().size(), 2U);
  EXPECT_EQ(preview.at("items").at(0).at("action"), "created");
  EXPECT_EQ(site.state()->lsn, before);
}

TEST_F(WebUndo, AnUndoIsATransactionThatCanBeUndoneToo) {
  const std::string deletion = lsn_of(browser.del("nodes/" + std::to_string(node("a"))));
  const Reply undone = undo(deletion);
  ASSERT_EQ(undone.status, 201) << undone.body;
  EXPECT_EQ(count("nodes"), 1U);
  EXPECT_EQ(lsn_of(undone), std::to_string(undone.json().at("lsn").to_number<std::uint64_t>()));
  EXPECT_EQ(undo(lsn_of(undone)).status, 201);
  EXPECT_EQ(count("nodes"), 0U);
}

TEST_F(WebUndo, WhatWasChangedSinceIsLeftAloneUnlessForced) {
  const std::uint64_t number = node("first");
  const std::string lsn = lsn_of(rename(number, "second"));
  rename(number, "third");
  const json::value preview = browser.post("activity/" + lsn + "/undo?preview=true").json();
  EXPECT_EQ(preview.at("conflict_count"), 1);
  EXPECT_EQ(preview.at("conflicts").at(0).at("field"), "name");
  EXPECT_EQ(undo(lsn).code(), "nothing-undone");
  EXPECT_EQ(undo(lsn, {{"force", true}}).status, 201);
  EXPECT_EQ(browser.get("nodes/" + std::to_string(number)).json().at("name"), "first");
}

TEST_F(WebUndo, DoesWhatItsPreviewShowedOrNothing) {
  const std::uint64_t number = node("first");
  const std::string lsn = lsn_of(rename(number, "second"));
  const std::string path = "activity/" + lsn + "/undo";
  const json::value preview = browser.post(path + "?preview=true").json();
  rename(number, "third");
  const Reply late = browser.send_if(Method::post, path, preview.at("etag"), {{"force", true}});
  EXPECT_EQ(late.status, 412);
  EXPECT_EQ(late.code(), "preview-moved");
  EXPECT_EQ(browser.get("nodes/" + std::to_string(number)).json().at("name"), "third");
}

TEST_F(WebUndo, OfASettingIsHeldToItsPreviewToo) {
  const auto zoom = [&](const char* value) {
    return browser.put("settings/GREN_MAP_INITIAL_MAP_ZOOM", {{"value", value}});
  };
  const std::string path = "activity/" + lsn_of(zoom("5")) + "/undo";
  const json::value preview = browser.post(path + "?preview=true").json();
  zoom("6");
  EXPECT_EQ(browser.send_if(Method::post, path, preview.at("etag"), {{"force", true}}).code(),
            "preview-moved");
}

TEST_F(WebUndo, OfAccountsAndTokensAsksForThePassword) {
  const std::string lsn = lsn_of(browser.post("tokens", {{"name", "peer"}, {"type", "polling"}}));
  EXPECT_EQ(undo(lsn).code(), "confirm-password");
  EXPECT_EQ(count("tokens"), 1U);
  browser.confirm();
  EXPECT_EQ(undo(lsn).status, 201);
  EXPECT_EQ(count("tokens"), 0U);
}

TEST_F(WebUndo, IsForAdministrators) {
  const std::string lsn = lsn_of(browser.post("nodes", fields_of("Tower")));
  site.add_account("clerk", engine::Role::editor);
  Browser editor(site);
  editor.sign_in("clerk");
  EXPECT_EQ(editor.post("activity/" + lsn + "/undo").code(), "not-allowed");
  EXPECT_EQ(editor.get("activity/" + lsn).status, 200);
}

TEST_F(WebUndo, SeveralRecordsAreDeletedInOneTransaction) {
  const std::uint64_t a = node("a");
  const std::uint64_t b = node("b");
  const std::uint64_t c = node("c");
  link("ab", a, b);
  link("bc", b, c);
  const json::object chosen{{"numbers", {a, b}}};
  const json::value preview = browser.post("nodes/delete?preview=true", chosen).json();
  EXPECT_EQ(preview.at("impact").at("links"), 2) << "each link once, though two nodes take one";
  EXPECT_EQ(count("nodes"), 3U);
  const Lsn before = site.state()->lsn;
  const Reply deleted = browser.post("nodes/delete", chosen);
  EXPECT_EQ(deleted.status, 204);
  EXPECT_EQ(site.state()->lsn, before.next());
  EXPECT_EQ(count("nodes") + count("links"), 1U);
  EXPECT_EQ(undo(lsn_of(deleted)).status, 201);
  EXPECT_EQ(count("nodes") + count("links"), 5U);
}

TEST_F(WebUndo, SeveralEntriesAreDeletedInOneTransaction) {
  json::array numbers;
  for (const char* name : {"one", "two"})
    numbers.emplace_back(browser.create("tokens", {{"name", name}, {"type", "polling"}}));
  const Lsn before = site.state()->lsn;
  const Reply deleted = browser.post("tokens/delete", {{"numbers", numbers}});
  EXPECT_EQ(deleted.status, 204) << deleted.body;
  EXPECT_EQ(site.state()->lsn, before.next());
  EXPECT_EQ(count("tokens"), 0U);
  browser.confirm();
  EXPECT_EQ(undo(lsn_of(deleted)).status, 201);
  EXPECT_EQ(count("tokens"), 2U);
}

TEST_F(WebUndo, TheLastAdministratorsAreNotDeletedTogether) {
  site.add_account("deputy", engine::Role::admin);
  browser.confirm();
  json::array numbers;
  const json::value accounts = browser.get("accounts").json();
  for (const json::value& account : accounts.at("items").as_array())
    numbers.push_back(account.at("number"));
  EXPECT_EQ(browser.post("accounts/delete", {{"numbers", numbers}}).status, 409);
  EXPECT_EQ(count("accounts"), 2U);
}

TEST_F(WebUndo, NothingIsDeletedWhenOneOfSeveralIsGone) {
  const std::uint64_t a = node("a");
  EXPECT_EQ(browser.post("nodes/delete", {{"numbers", {a, 4242}}}).status, 404);
  EXPECT_EQ(count("nodes"), 1U);
  EXPECT_EQ(browser.post("nodes/delete", {{"numbers", json::array()}}).status, 400);
}

TEST_F(WebUndo, ADeletedRecordKeepsItsHistory) {
  const std::uint64_t number = node("Tower");
  const std::string path = "nodes/" + std::to_string(number);
  const std::string lsn = lsn_of(browser.del(path));
  EXPECT_EQ(browser.get(path).status, 404);
  const Reply history = browser.get(path + "/history");
  ASSERT_EQ(history.status, 200) << history.body;
  const json::value answer = history.json();
  EXPECT_TRUE(answer.at("number").is_null());
  EXPECT_EQ(answer.at("items").at(0).at("text"), "deleted");
  EXPECT_EQ(std::to_string(answer.at("items").at(0).at("lsn").to_number<std::uint64_t>()), lsn);
  EXPECT_TRUE(answer.at("items").at(0).at("undoable").as_bool());
  EXPECT_EQ(answer.at("items").at(0).at("effective_time"), answer.at("items").at(0).at("time"))
      << "no date was given";
  EXPECT_EQ(answer.at("name"), "Tower");
  EXPECT_EQ(answer.at("kind"), "Node");
  EXPECT_EQ(browser.get("links/" + std::to_string(number) + "/history").status, 404)
      << "it never was a link";
  EXPECT_EQ(browser.get("nodes/4242/history").status, 404);
}

TEST_F(WebUndo, AHistoryIsFoundFromATransactionToo) {
  const std::string lsn = lsn_of(browser.del("nodes/" + std::to_string(node("Tower"))));
  const json::value change = browser.get("activity/" + lsn + "/changes").json().at("items").at(0);
  EXPECT_TRUE(change.at("number").is_null());
  const std::string record = std::to_string(change.at("record").to_number<std::uint64_t>());
  EXPECT_EQ(browser.get("records/" + record + "/history").json().at("name"), "Tower");
  EXPECT_EQ(browser.get("records/4294967297/history").status, 404);
  EXPECT_EQ(browser.get("records/0/history").status, 404);
}

TEST_F(WebUndo, ActivityIsCutIntoPagesAndFiltered) {
  for (const char* name : {"a", "b", "c"}) node(name);
  browser.put("settings/GREN_MAP_INITIAL_MAP_ZOOM", {{"value", "5"}});
  const json::value first = browser.get("activity?cause=edit&limit=2").json();
  ASSERT_EQ(first.at("items").as_array().size(), 2U);
  EXPECT_EQ(first.at("items").at(0).at("cause"), "edit");
  EXPECT_TRUE(first.at("items").at(0).at("undoable").as_bool());
  const std::string cursor(first.at("next").as_string());
  const json::value second = browser.get("activity?cause=edit&limit=2&cursor=" + cursor).json();
  EXPECT_LT(second.at("items").at(0).at("lsn").to_number<std::uint64_t>(),
            first.at("items").at(1).at("lsn").to_number<std::uint64_t>());
  EXPECT_EQ(browser.get("activity?cause=setting").json().at("items").as_array().size(), 1U);
  EXPECT_EQ(browser.get("activity?cause=weather").status, 400);
}

TEST_F(WebUndo, ActivityIsSearchedByWhoAndWhatItIsFoundBy) {
  const std::uint64_t number = node("Tower");
  const std::string id(browser.get("nodes/" + std::to_string(number)).json().at("id").as_string());
  browser.del("nodes/" + std::to_string(number));
  const auto found = [&](const std::string& query) {
    return browser.get("activity?" + query).json().at("items").as_array().size();
  };
  EXPECT_EQ(found("q=ED"), found("actor=ed"));
  EXPECT_GT(found("q=ED"), 0U);
  EXPECT_EQ(found("q=nobody-of-this-name"), 0U);
  EXPECT_EQ(found("element=" + id), 2U) << "made and deleted";
  EXPECT_EQ(found("element=never-there"), 0U);
}

TEST_F(WebUndo, ActivitySinceOrUntilNonsenseIsRefused) {
  EXPECT_EQ(browser.get("activity?since=nonsense").status, 404);
  EXPECT_EQ(browser.get("activity?until=import:99").status, 404);
}

TEST_F(WebUndo, ActivityNamesWhatASmallTransactionChanged) {
  node("Tower");
  const json::value newest = browser.get("activity?limit=1").json().at("items").at(0);
  ASSERT_EQ(newest.at("examples").as_array().size(), 1U);
  EXPECT_EQ(newest.at("examples").at(0).at("name"), "Tower");
  EXPECT_EQ(newest.at("examples").at(0).at("action"), "created");
  EXPECT_FALSE(newest.at("examples").at(0).as_object().contains("fields"));
  const std::string path = "activity/" + std::to_string(newest.at("number").to_number<int>());
  EXPECT_EQ(browser.get(path).json().at("examples"), newest.at("examples"));
}

TEST_F(WebUndo, OnlyWhatCanBeUndoneNamesItsTransaction) {
  const std::string path = "topologies/" + std::to_string(topology);
  json::object fields = browser.get(path).json().as_object();
  fields["owner"] = owner;  // else there is nothing to publish
  EXPECT_EQ(browser.put(path, fields).status, 200);
  const Reply published = browser.post("publications", {{"name", "first"}, {"description", "d"}});
  EXPECT_EQ(published.status, 201) << published.body;
  EXPECT_TRUE(lsn_of(published).empty()) << "a publication is no matter of undo";
}

TEST_F(WebUndo, ATransactionTellsWhatItChangedPageByPage) {
  const std::uint64_t a = node("a");
  link("ab", a, node("b"));
  const std::string lsn = lsn_of(browser.del("nodes/" + std::to_string(a)));
  const std::string path = "activity/" + lsn + "/changes?limit=1";
  const json::value first = browser.get(path).json();
  ASSERT_EQ(first.at("items").as_array().size(), 1U);
  EXPECT_EQ(first.at("items").at(0).at("action"), "deleted");
  const json::value second =
      browser.get(path + "&cursor=" + std::string(first.at("next").as_string())).json();
  ASSERT_EQ(second.at("items").as_array().size(), 1U);
  EXPECT_NE(first.at("items").at(0).at("name"), second.at("items").at(0).at("name"));
  EXPECT_EQ(browser.get("activity/" + lsn + "/changes?cursor=x").status, 400);
  EXPECT_EQ(browser.get("activity/4242").status, 404);
}

}  // namespace
}  // namespace netml::admin
