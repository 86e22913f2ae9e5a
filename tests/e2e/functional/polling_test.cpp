// Goal: sources are made, polled and reported over the endpoints of functional tests, as a client
// does that waits for a poll by reading its record (docs/requirements/http-api.md, section 10;
// docs/requirements/polling-and-publishing.md, sections 6, 7 and 14). Method: a node in test mode,
// and a peer.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <thread>

#include "tests/e2e/support/test_mode.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::e2e {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class FunctionalPolling : public testing::Test {
 protected:
  FunctionalPolling() {
    NETML_ASSERT(
        peer_.import(test::topology("urn:p", "urn:p:i", test::institution("urn:p:i"))).exit_code ==
        0);
    token_ = peer_.token("polling");
    served_ = peer_.serve();
  }

  json::object good(const std::string& name) const {
    return {{"name", name},
            {"protocol", "http"},
            {"hostname", "127.0.0.1"},
            {"port", served_->port()},
            {"token", token_}};
  }
  std::uint64_t add(json::object source) {
    const JsonAnswer answer = node_.ask_openly("POST", "/polling/test/sources/", source);
    EXPECT_EQ(answer.status, 201);
    EXPECT_EQ(answer.headers.get("Location"),
              fmt::format("/polling/test/sources/{}/", answer.key()));
    return answer.key();
  }
  // The detail of the batch that the answer names, once it has ended.
  json::object ended(const JsonAnswer& started) {
    EXPECT_EQ(started.status, 201);
    const std::string place(started.headers.get("Location"));
    EXPECT_THAT(place, HasSubstr("/polling/test/logs/batches/"));
    while (true) {
      JsonAnswer detail = node_.ask_openly("GET", place);
      EXPECT_EQ(detail.status, 200);
      if (detail.status != 200) return {};
      if (detail.value.at("status").as_bool()) return std::move(detail.value.as_object());
      std::this_thread::yield();
    }
  }
  json::object trigger(const char* query = "") {
    return ended(node_.ask_openly("POST", std::string("/polling/trigger/") + query));
  }
  static std::vector<std::int64_t> statuses(const json::object& batch) {
    std::vector<std::int64_t> statuses;
    for (const json::value& poll : batch.at("polls").as_array())
      statuses.push_back(poll.at("status").as_int64());
    return statuses;
  }

  TestModeNode node_;
  Node peer_;
  std::string token_;
  std::unique_ptr<Server> served_;
};

TEST_F(FunctionalPolling, PollsAllActiveSources) {
  add(good("one"));
  add(good("two"));
  json::object sleeper = good("sleeper");
  sleeper["active"] = false;
  add(sleeper);
  const json::object batch = trigger("?scheduled=1");
  EXPECT_THAT(statuses(batch), ElementsAre(4, 4));
  EXPECT_TRUE(batch.at("was_scheduled").as_bool());
  const json::object& poll = batch.at("polls").as_array().front().as_object();
  EXPECT_EQ(poll.at("polling_source").at("name").as_string(), "one");
  EXPECT_EQ(poll.at("batch_poll_import"), batch.at("id"));
  EXPECT_TRUE(poll.at("status_message").is_null());
  EXPECT_EQ(poll.at("grenml_data_import"), poll.at("netml_data_import"));
  EXPECT_THAT(std::string(poll.at("grenml_data_import").at("import_status").as_string()),
              HasSubstr("Import complete"));
  EXPECT_THAT(std::string(poll.at("poll_datetime").as_string()), testing::EndsWith("Z"));
  EXPECT_EQ(node_.ask_openly("GET", "/polling/trigger/").status, 201) << "GET does the same";
  EXPECT_EQ(node_.ask_openly("POST", "/polling/trigger/?scheduled=soon").status, 400);
  EXPECT_GE(node_.ask_openly("GET", "/polling/test/logs/batches/").value.as_array().size(), 2U);
  EXPECT_EQ(node_.ask_openly("GET", "/polling/test/logs/batches/99/").status, 404);
}

TEST_F(FunctionalPolling, EndsEachBatchWhateverASourceDoes) {
  struct Row {
    const char* field;
    json::value value;
  };
  int number = 0;
  for (const Row& row : {Row{"hostname", "nobody.invalid"}, Row{"port", 1},
                         Row{"protocol", "https"}, Row{"path", "status/"}, Row{"token", "wrong"}}) {
    json::object bad = good(fmt::format("bad {}", ++number));
    bad[row.field] = row.value;
    add(bad);
  }
  add(good("good"));
  const json::object batch = trigger();
  EXPECT_THAT(statuses(batch), ElementsAre(-1, -1, -1, -1, -1, 4));
  for (const json::value& poll : batch.at("polls").as_array())
    if (poll.at("status").as_int64() == -1) {
      EXPECT_THAT(std::string(poll.at("status_message").as_string()),
                  testing::StartsWith("Polling error: "));
    }
  EXPECT_THAT(json::serialize(batch), Not(HasSubstr(token_)));
}

TEST_F(FunctionalPolling, PollsOneSourceWhetherActiveOrNot) {
  json::object sleeper = good("sleeper");
  sleeper["active"] = false;
  const std::uint64_t id = add(sleeper);
  EXPECT_EQ(node_.ask_openly("PUT", "/polling/test/enabled/0/").value, "False");
  const json::object batch =
      ended(node_.ask_openly("POST", fmt::format("/polling/test/trigger/source/{}/", id)));
  EXPECT_THAT(statuses(batch), ElementsAre(4));
  EXPECT_FALSE(batch.at("polls").as_array().front().at("polling_source").at("active").as_bool());
  const JsonAnswer none = node_.ask_openly("POST", "/polling/test/trigger/source/99/");
  EXPECT_EQ(none.status, 404);
  EXPECT_TRUE(none.value.is_string());
}

TEST_F(FunctionalPolling, TellsWhenThereIsNothingToPollOrItIsDisabled) {
  EXPECT_EQ(node_.ask_openly("POST", "/polling/trigger/").status, 204);
  add(good("peer"));
  EXPECT_EQ(node_.ask_openly("PUT", "/polling/test/enabled/0/").value, "False");
  const JsonAnswer disabled = node_.ask_openly("POST", "/polling/trigger/");
  EXPECT_EQ(disabled.status, 403);
  EXPECT_TRUE(disabled.value.is_string());
  EXPECT_EQ(node_.ask_openly("GET", "/polling/test/enabled/").value, "False");
  EXPECT_EQ(node_.ask_openly("PUT", "/polling/test/enabled/7/").value, "True");
  EXPECT_EQ(node_.ask_openly("PUT", "/polling/test/enabled/x/").status, 404);
  EXPECT_THAT(statuses(trigger()), ElementsAre(4));
}

TEST_F(FunctionalPolling, MakesChangesAndDeletesSources) {
  const std::uint64_t id = add(good("peer"));
  const std::string item = fmt::format("/polling/test/sources/{}/", id);
  const JsonAnswer shown = node_.ask_openly("GET", item);
  EXPECT_EQ(shown.text("polling_url"),
            fmt::format("http://127.0.0.1:{}/netml_export/", served_->port()));
  EXPECT_EQ(shown.text("status_url"), fmt::format("http://127.0.0.1:{}/status/", served_->port()));
  EXPECT_EQ(shown.value.as_object().if_contains("token"), nullptr);
  const JsonAnswer changed =
      node_.ask_openly("PATCH", item, {{"path", "a/b/"}, {"port", "8080"}, {"active", false}});
  EXPECT_EQ(changed.status, 201);
  EXPECT_EQ(changed.text("url"), "http://127.0.0.1:8080/a/b/");
  const JsonAnswer plain = node_.ask_openly("POST", "/polling/test/sources/",
                                            {{"name", "plain"}, {"hostname", "peer.example.org"}});
  EXPECT_EQ(plain.text("url"), "https://peer.example.org:443/");
  EXPECT_EQ(node_.ask_openly("GET", "/polling/test/sources/").value.as_array().size(), 2U);
  struct Row {
    const char* field;
    json::value value;
  };
  for (const Row& row :
       {Row{"name", "plain"}, Row{"name", ""}, Row{"hostname", "a b"}, Row{"port", 65536},
        Row{"port", "x"}, Row{"path", "a b/c/xx"}, Row{"path", "/a/"}, Row{"protocol", "ftp"},
        Row{"token", "a-token-that-is-longer-than-a-token"}, Row{"active", "perhaps"}}) {
    const JsonAnswer refused =
        node_.ask_openly("PATCH", item, json::object{{row.field, row.value}});
    EXPECT_EQ(refused.status, 400) << row.field;
    EXPECT_TRUE(refused.value.as_object().contains(row.field)) << json::serialize(refused.value);
  }
  EXPECT_EQ(node_.ask_openly("POST", "/polling/test/sources/", {{"name", "x"}}).status, 400);
  EXPECT_EQ(node_.ask_openly("DELETE", item).status, 204);
  EXPECT_EQ(node_.ask_openly("DELETE", item).status, 204) << "also when it is gone";
  EXPECT_EQ(node_.ask_openly("GET", item).status, 404);
  EXPECT_EQ(node_.ask_openly("PATCH", item, {{"path", ""}}).status, 404);
}

TEST_F(FunctionalPolling, TakesScheduleTextsAsTheyAreSpecified) {
  const std::string path = "/polling/test/interval/";
  EXPECT_EQ(node_.ask_openly("GET", path).value, "R */4 * * *");
  for (const char* text :
       {"* * * * *", "* * * * * *", "5 * * * * *", "R */4 * * *", "R R * * *", "R(0-29) * * * *",
        "@hourly", "*/5 * * * 7", "0 0 L * *", "0 0 31 2 *", "0 0 * jan mon", "  0 0 * * *  "}) {
    const JsonAnswer set = node_.ask_openly("PUT", path, {{"interval", text}});
    EXPECT_EQ(set.status, 200) << text;
    EXPECT_EQ(set.value, text);
  }
  for (const char* text : {"", "bad", "a a a b b *", "@every 4h", "@every 7z", "@reboot",
                           "60 * * * *", "H * * * *", "* * * * * * *"})
    EXPECT_EQ(node_.ask_openly("PUT", path, {{"interval", text}}).status, 400) << text;
  EXPECT_EQ(node_.ask_openly("GET", path).value, "  0 0 * * *  ") << "nothing changed";
  EXPECT_EQ(node_.ask_openly("PUT", path, json::object()).value, "R */4 * * *");
}

TEST(FunctionalPollingModes, AreAbsentInASandboxAndRefusedWithoutTestMode) {
  Node node;
  {
    const auto sandbox = node.serve({"--test-mode"}, {"SANDBOX=1"});
    for (const char* path : {"/polling/trigger/", "/polling/test/sources/",
                             "/polling/test/interval/", "/polling/test/logs/batches/"})
      EXPECT_EQ(sandbox->client({}).get(path)->status, 404) << path;
    EXPECT_EQ(node.control().get("/polling/trigger/")->status, 404);
  }
  const auto server = node.serve();
  for (const char* method : {"GET", "POST", "HEAD", "PUT"}) {
    EXPECT_EQ(server->client({}).send(method, "/polling/test/sources/")->status, 403) << method;
    EXPECT_EQ(server->client({}).send(method, "/polling/trigger/")->status, 404) << method;
  }
  EXPECT_EQ(node.control().send("POST", "/polling/trigger/")->status, 204);
  EXPECT_EQ(node.control().get("/polling/trigger/?scheduled=0")->status, 204);
  EXPECT_EQ(node.control().send("HEAD", "/polling/trigger/")->status, 405);
}

}  // namespace
}  // namespace netml::e2e
