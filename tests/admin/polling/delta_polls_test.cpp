// Goal: a peer that offers deltas is asked for what changed alone, and the map that comes of it is
// the one that it exports; whatever goes wrong with a delta ends with one fetch of the whole map
// (docs/following.md). Method: two nodes on real directories, over a socket on loopback; between
// them stands who may replace answers.
#include <gmock/gmock.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "admin/api/public/public_api.hpp"
#include "admin/imports/kept_map.hpp"
#include "engine/edit/plan_edit.hpp"
#include "engine/edit/plan_records.hpp"
#include "tests/admin/support/body_text.hpp"
#include "tests/admin/support/poller_fixture.hpp"
#include "tests/net/support/fakes.hpp"

namespace netml::admin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::kCaller;

constexpr const char* kWhole = "/netml_export/";
constexpr const char* kDelta = "/netml_export/delta/";

std::string map_named(const std::string& name) {
  return netml::test::topology("P", "p", netml::test::institution("p"),
                               netml::test::node("a").named(name), netml::test::node("b"));
}

// A node that is polled.
class Publisher {
 public:
  explicit Publisher(const std::string& directory) : directory_(directory) { open(); }

  void open() {
    api_.reset();
    node_.reset();
    auto opened = Node::open({.data_directory = directory_}, clock_, random_, events_);
    NETML_ASSERT(opened.has_value());
    node_ = std::move(*opened);
    api_.emplace(*node_);
  }
  void import(const std::string& map) {
    ASSERT_TRUE(testing::import_job(*node_, map)->commit().has_value());
  }
  void set(std::string_view setting, std::string_view value) {
    const auto done =
        node_->commit(kCaller, engine::Cause::setting,
                      [&](const engine::State& now, WallTime) -> Result<engine::Transaction> {
                        return plan_setting_set(now, std::string(setting), std::string(value));
                      });
    ASSERT_TRUE(done.has_value());
  }
  net::Response answer(const net::Request& request) {
    const auto resolved = api_->router.resolve(request.method, request.path);
    const auto* route = std::get_if<net::Router::Found>(&resolved);
    NETML_ASSERT(route != nullptr);
    return std::get<net::Response>((*route->handler)(request));
  }
  std::string exported() {
    net::Request request;
    request.path = kWhole;
    return testing::body_text(answer(request).body);
  }
  Node& node() { return *node_; }

 private:
  struct Api {
    explicit Api(Node& node) : services(node, {}, testing::kCheapPasswords) {
      register_public_api(router, services, ExportToken::dropped);
    }
    Services services;
    net::Router router;
  };

  const std::string directory_;
  netml::testing::ManualClock clock_;
  netml::testing::SeededRandom random_;
  testing::KeptEvents events_;
  std::unique_ptr<Node> node_;
  std::optional<Api> api_;
};

class DeltaPolls : public testing::PollerFixture {
 protected:
  DeltaPolls() : publisher_(std::make_unique<Publisher>(directory_.file("first").string())) {
    for (const char* path : {kWhole, kDelta})
      between_.router.add(net::Method::get, path,
                          [this](const net::Request& request) -> net::Answer {
                            asked_.push_back(request.path);
                            const bool replaced = request.path == kDelta && replaced_;
                            return replaced ? replaced_(request) : publisher_->answer(request);
                          });
    between_.start();
    SourceFields moved;
    moved.port = between_.port;
    change(moved);
    publisher_->import(map_named("first"));
    EXPECT_EQ(poll().end, PollEnd::imported);
    asked_.clear();
  }
  ~DeltaPolls() override { between_.server->stop(std::chrono::seconds(5)); }

  std::string message_of(const PollReport& report) {
    return state()->catalog.poll_records.find(report.poll_record)->message;
  }
  // The file that was imported last, as it is kept.
  KeptMap kept() {
    const auto peer = state()->catalog.peer_states.find(1);
    return {peer->file_hash, peer->changes_of};
  }
  // That it is the one that the publisher exports.
  void expect_same_map() {
    std::string map;
    const auto taken = replay_kept_map(*node_, kept(), {}, [&](std::string_view piece) {
      map += piece;
      return Status();
    });
    ASSERT_TRUE(taken.has_value()) << taken.error().text();
    EXPECT_EQ(map, publisher_->exported());
  }
  void expect_healed() {
    node_.keep_records();
    const PollReport report = poll();
    EXPECT_EQ(report.end, PollEnd::imported) << report.message;
    EXPECT_THAT(message_of(report), HasSubstr("taken whole, as "));
    EXPECT_EQ(node_.events().records_of("poll_delta").size(), 1U);
    EXPECT_THAT(asked_, ElementsAre(kDelta, kWhole));
    expect_same_map();
  }

  netml::test::TemporaryDirectory directory_;
  std::unique_ptr<Publisher> former_;  // of which the last answer may not be over yet
  std::unique_ptr<Publisher> publisher_;
  std::function<net::Response(const net::Request&)> replaced_;  // instead of a delta
  std::vector<std::string> asked_;                              // paths; one request at a time
  net::TestServer between_;
};

TEST_F(DeltaPolls, TakeWhatChangedAlone) {
  for (const char* name : {"second", "third", "first"}) {
    publisher_->import(map_named(name));
    const PollReport report = poll();
    EXPECT_EQ(report.end, PollEnd::imported) << report.message;
    EXPECT_THAT(message_of(report), HasSubstr("made from a delta of "));
    EXPECT_THAT(asked_, ElementsAre(kDelta));
    EXPECT_EQ(report.result.changes.updated, 1U);
    expect_same_map();
    asked_.clear();
  }
}

TEST_F(DeltaPolls, AreKeptAsWhatChangedOnceTheFileIsKnown) {
  std::uint64_t most = 0;
  for (int i = 0; i < 20; ++i) {
    publisher_->import(map_named("name " + std::to_string(i)));
    const PollReport report = poll();
    EXPECT_EQ(report.result.changes.updated, 1U) << report.message;
    most = std::max<std::uint64_t>(most, kept().changes_of.size());
    expect_same_map();
    const auto record = state()->catalog.imports.find(report.record);
    EXPECT_EQ(record->changes_of, kept().changes_of);
    EXPECT_EQ(record->file_hash, kept().hash);
    EXPECT_TRUE(ImportJob::losses_of(*node_, *record).has_value());
    EXPECT_TRUE(ImportJob::once_more(*node_, *record, {}, {}).has_value());
  }
  EXPECT_EQ(most, 16U);
}

TEST_F(DeltaPolls, AreReadWithTheWholeFileWhereTheMapIsNotAsTheLastOneLeftIt) {
  for (const char* name : {"second", "third"}) {
    publisher_->import(map_named(name));
    poll();
  }
  EXPECT_EQ(kept().changes_of.size(), 1U);
  const RecordId node = state()->graph.find_newest(Kind::node, "b");
  const auto renamed =
      node_->commit(kCaller, engine::Cause::edit, [&](const engine::State& now, WallTime) {
        engine::RecordEdit edit;
        edit.name = "ours";
        return engine::plan_record_update(now, node, edit);
      });
  ASSERT_TRUE(renamed.has_value());
  publisher_->import(map_named("fourth"));
  const PollReport report = poll();
  EXPECT_EQ(report.end, PollEnd::imported) << report.message;
  EXPECT_THAT(message_of(report), HasSubstr("made from a delta of "));
  EXPECT_EQ(report.result.changes.updated, 2U) << "both names are the file's again";
  EXPECT_TRUE(kept().changes_of.empty());
  expect_same_map();
}

TEST_F(DeltaPolls, ThatWouldChangeTooMuchAreHeldWithTheWholeFile) {
  for (const char* name : {"second", "third"}) {
    publisher_->import(map_named(name));
    poll();
  }
  SourceFields guarded;
  guarded.deletions_max = 1;
  change(guarded);
  publisher_->import(netml::test::topology("P", "p", netml::test::institution("p")));
  const PollReport report = poll();
  EXPECT_EQ(report.end, PollEnd::failed);
  EXPECT_EQ(report.reason, "held") << report.message;
  const auto record = state()->catalog.imports.find(report.record);
  EXPECT_TRUE(record->changes_of.empty());
  const auto file = read_kept_file(*node_, record->file_hash);
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(*file, publisher_->exported());
}

TEST_F(DeltaPolls, AreUnchangedWithoutABody) {
  for (int i = 0; i < 2; ++i) {
    const PollReport report = poll();
    EXPECT_EQ(report.end, PollEnd::unchanged) << report.message;
    EXPECT_THAT(asked_, ElementsAre(kDelta));
    asked_.clear();
    // Another head, of the same map.
    publisher_->set("NETML_POLLING_ENABLED", "False");
  }
  publisher_->import(map_named("second"));
  EXPECT_THAT(message_of(poll()), HasSubstr("made from a delta of "));
  expect_same_map();
}

TEST_F(DeltaPolls, GoOnAfterTheNodesWereOpenedAgain) {
  publisher_->import(map_named("second"));
  publisher_->open();
  EXPECT_THAT(message_of(poll()), HasSubstr("made from a delta of "));
  EXPECT_THAT(asked_, ElementsAre(kDelta));
  expect_same_map();
}

TEST_F(DeltaPolls, AreMendedByTheWholeWhereADeltaIsForged) {
  replaced_ = [this](const net::Request& request) {
    std::string delta = testing::body_text(publisher_->answer(request).body);
    return testing::answer(200, delta.replace(delta.find("second"), 6, "forged"));
  };
  publisher_->import(map_named("second"));
  expect_healed();
}

TEST_F(DeltaPolls, AreMendedByTheWholeWhereADeltaIsRepeated) {
  std::string delta;
  replaced_ = [&](const net::Request& request) {
    delta = testing::body_text(publisher_->answer(request).body);
    return testing::answer(200, delta);
  };
  publisher_->import(map_named("second"));
  EXPECT_EQ(poll().end, PollEnd::imported);
  asked_.clear();
  replaced_ = [delta](const net::Request&) { return testing::answer(200, delta); };
  publisher_->import(map_named("third"));
  expect_healed();
}

TEST_F(DeltaPolls, AreMendedByTheWholeWhereADeltaIsNone) {
  replaced_ = [](const net::Request&) { return testing::answer(200, "<html/>"); };
  publisher_->import(map_named("second"));
  expect_healed();
}

TEST_F(DeltaPolls, TakeTheWholeOfAPeerThatWasRestoredFromABackup) {
  const Lsn backed_up = publisher_->node().version().state->lsn;
  publisher_->import(map_named("second"));
  EXPECT_EQ(poll().end, PollEnd::imported);
  asked_.clear();
  const std::string restored = directory_.file("restored").string();
  ASSERT_TRUE(publisher_->node().copy_until(backed_up, restored).has_value());
  former_ = std::exchange(publisher_, std::make_unique<Publisher>(restored));
  publisher_->import(map_named("other"));  // with the LSN of the second one
  const PollReport report = poll();
  EXPECT_EQ(report.end, PollEnd::imported) << report.message;
  EXPECT_THAT(asked_, ElementsAre(kDelta, kWhole));
  expect_same_map();
  publisher_->import(map_named("third"));
  EXPECT_THAT(message_of(poll()), HasSubstr("made from a delta of "));
  expect_same_map();
}

TEST_F(DeltaPolls, AreNotOfferedToWhoeverDoesNotAsk) {
  net::Request request;
  request.path = kWhole;
  EXPECT_FALSE(publisher_->answer(request).headers.has("X-NetML-Delta"));
  request.headers.add("X-NetML-Delta", "1");
  EXPECT_EQ(publisher_->answer(request).headers.get("X-NetML-Delta"), "1");
}

TEST_F(DeltaPolls, AreNotOfWhatWasPublished) {
  publisher_->set("NETML_POLLING_DATA_SUPPLY_TYPE", "Published");
  net::Request request;
  request.path = kDelta;
  request.query = "from=" + publisher_->node().version().head;
  EXPECT_EQ(publisher_->answer(request).status, 404) << "nothing is published";
}

TEST_F(DeltaPolls, RefuseAHeadThatIsNone) {
  net::Request request;
  request.path = kDelta;
  EXPECT_EQ(publisher_->answer(request).status, 400);
  for (const char* from : {"from=", "from=1", "from=x:y"}) {
    request.query = from;
    EXPECT_EQ(publisher_->answer(request).status, 400) << from;
  }
  request.query = "from=1:" + std::string(64, '0');
  EXPECT_EQ(publisher_->answer(request).status, 410);
}

}  // namespace
}  // namespace netml::admin
