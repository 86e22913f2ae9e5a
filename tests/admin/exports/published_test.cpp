// Goal: published items and the live data are served without waiting for the writer, each with the
// tag of its own content (K2, P5; docs/requirements/polling-and-publishing.md, section 11). Method:
// a node on a real directory; what must not wait for the writer is done while the writer's thread
// is inside a plan.
#include <gmock/gmock.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <future>
#include <set>

#include "admin/api/services.hpp"
#include "admin/api/status.hpp"
#include "admin/exports/exporter.hpp"
#include "admin/exports/publisher.hpp"
#include "engine/edit/plan_edit.hpp"
#include "engine/edit/plan_records.hpp"
#include "tests/admin/support/body_text.hpp"
#include "tests/admin/support/omitted_link.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/support/file_content.hpp"

namespace netml::admin {
namespace {

namespace fs = std::filesystem;
using testing::OpenNode;

using testing::kCaller;

void make_main_topology(OpenNode& node, const std::string& name) {
  Change change{.caller = kCaller};
  change.plan = [&](const engine::State& state, WallTime now) {
    return plan_root_topology(
        state, {"urn:t:" + name, name, "urn:i:" + name, name + " office", now.instant()});
  };
  ASSERT_TRUE(node->commit(std::move(change)).has_value());
}

// Below the main topology.
void add_topology(OpenNode& node, const std::string& id) {
  Change change{.caller = kCaller};
  change.plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    const RecordId main = state.graph.mains().front();
    engine::RecordEdit edit;
    edit.id = id;
    edit.name = id;
    edit.parent = main;
    edit.owner = state.graph.relations(main).owner();
    NETML_TRY(engine::RecordCreation created, plan_record_create(state, Kind::topology, edit));
    return std::move(created.transaction);
  };
  ASSERT_TRUE(node->commit(std::move(change)).has_value());
}

void set(OpenNode& node, const std::string& value) {
  Change change{.caller = kCaller, .cause = engine::Cause::setting};
  change.plan = [&](const engine::State& state, WallTime) {
    return Result<engine::Transaction>(plan_setting_set(state, "NAME", value));
  };
  ASSERT_TRUE(node->commit(std::move(change)).has_value());
}

// Whether `work` ends while the writer's thread waits for it. The limit only ends a test that has
// failed already.
bool ends_while_the_writer_is_busy(OpenNode& node, const std::function<void()>& work) {
  std::future<void> done;
  bool ended = false;
  Change change{.caller = kCaller};
  change.plan = [&](const engine::State&, WallTime) -> Result<engine::Transaction> {
    done = std::async(std::launch::async, work);
    ended = done.wait_for(std::chrono::seconds(20)) == std::future_status::ready;
    return fail(Errc::conflict, "nothing to change");
  };
  EXPECT_FALSE(node->commit(std::move(change)).has_value());
  done.wait();
  return ended;
}

std::string text_of(Result<PublishedFile> file) {
  return file ? testing::body_text(file->body) : "error: " + file.error().message;
}

std::set<std::string> cached(const OpenNode& node) {
  std::set<std::string> names;
  for (const auto& file : fs::directory_iterator(node.file("cache")))
    names.insert(file.path().filename().string());
  return names;
}

// A node with a main topology, and its services.
class Published : public ::testing::Test {
 protected:
  Published() {
    make_main_topology(node_, "north");
    services_ = std::make_unique<Services>(*node_);
  }

  std::uint64_t publish(const std::string& name) {
    const auto number = services_->publisher.publish(kCaller, name, "");
    EXPECT_TRUE(number.has_value()) << number.error().message;
    return number.value_or(0);
  }
  Export live() {
    auto exported = services_->exporter.open_live();
    EXPECT_TRUE(exported.has_value());
    return std::move(*exported);
  }

  OpenNode node_;
  std::unique_ptr<Services> services_;
};

// ---- what exports omit (decision 45) ----

constexpr const char* kOmission =
    "the export omits 1 link whose ends carry the same identifier: urn:loop; give one of the two "
    "nodes another identifier, or merge them";

TEST_F(Published, LiveExportsSayWhatTheyOmitAndWarnOnceForEachState) {
  EXPECT_EQ(live().omitted, "");
  testing::add_omitted_link(node_);
  EXPECT_EQ(live().omitted, "1 link whose ends carry the same identifier");
  EXPECT_EQ(live().omitted, "1 link whose ends carry the same identifier");
  EXPECT_THAT(node_.events().warnings, ::testing::ElementsAre(std::string("export: ") + kOmission));
}

TEST_F(Published, ItemsWarnOfWhatTheyOmit) {
  testing::add_omitted_link(node_);
  publish("first");
  EXPECT_THAT(node_.events().warnings,
              ::testing::ElementsAre(std::string("publish: ") + kOmission));
}

TEST_F(Published, AttemptsAreCounted) {
  const auto count = [](OpenNode& node, PublicationEnd end) {
    return node->metrics().publications[end].value();
  };
  publish("first");
  EXPECT_FALSE(services_->publisher.publish(kCaller, "", "").has_value()) << "nothing was tried";
  EXPECT_EQ(count(node_, PublicationEnd::published), 1U);
  EXPECT_EQ(count(node_, PublicationEnd::failed), 0U);
  OpenNode empty;
  Services of_empty(*empty);
  EXPECT_TRUE(of_empty.publisher.publish(kCaller, "nothing", "").has_value()) << "kept as failed";
  EXPECT_EQ(count(empty, PublicationEnd::published), 0U);
  EXPECT_EQ(count(empty, PublicationEnd::failed), 1U);
}

TEST_F(Published, AttemptsAreOneLineEach) {
  node_.keep_records();
  publish("first");
  auto lines = node_.events().records_of("publish");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines.front().level, EventLevel::information);
  EXPECT_EQ(lines.front().text, "first: published as 1");
  EXPECT_EQ(lines.front().request_id, kCaller.request_id);
  EXPECT_EQ(lines.front().actor, kCaller.actor);
  EXPECT_TRUE(lines.front().timed);
  OpenNode empty;
  empty.keep_records();
  Services of_empty(*empty);
  EXPECT_TRUE(of_empty.publisher.publish(kCaller, "nothing", "").has_value()) << "kept as failed";
  lines = empty.events().records_of("publish");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines.front().level, EventLevel::information);
  EXPECT_THAT(lines.front().text, ::testing::StartsWith("nothing: nothing can be published: "));
}

// ---- the writer keeps nobody waiting ----

TEST_F(Published, ItemsAreServedWhileTheWriterIsBusy_P5) {
  const std::uint64_t number = publish("first");
  fs::remove_all(node_.file("cache"));  // so that the file must be made, too
  std::string text;
  EXPECT_TRUE(ends_while_the_writer_is_busy(
      node_, [&] { text = text_of(services_->publisher.open(number)); }));
  EXPECT_EQ(text, testing::body_text(live().body));
}

TEST_F(Published, StatusIsToldWhileTheWriterIsBusy) {
  ASSERT_TRUE(node_->checkpoint().has_value());
  boost::json::object status;
  EXPECT_TRUE(ends_while_the_writer_is_busy(node_, [&] { status = status_json(*services_); }));
  EXPECT_EQ(status["last_checkpoint"].as_object()["lsn"].to_number<std::uint64_t>(),
            node_->version().state->lsn.value);
  EXPECT_GT(status["disk"].as_object()["free_bytes"].to_number<std::uint64_t>(), 0U);
  EXPECT_TRUE(status["certificates_expire"].is_null()) << "no server runs";
}

TEST_F(Published, TheLastCheckpointIsTheNewestRecoveryBase_K2) {
  ASSERT_TRUE(node_->checkpoint().has_value());
  const Lsn base = node_->version().state->lsn;
  set(node_, "a");
  publish("not a base");
  ASSERT_TRUE(node_->last_checkpoint().has_value());
  EXPECT_EQ(node_->last_checkpoint()->lsn, base);
}

// ---- the tree of an export ----

TEST_F(Published, TheTreeOfTheLiveDataIsMadeOnceForEachContent) {
  ExportTrees trees(node_->events());
  const auto tree_now = [&] {
    const engine::StatePtr state = node_->version().state;
    const RecordId root = *export_root(state->graph);
    return trees.of(state->graph, root, entity_tag(state->graph, root)).value();
  };
  const auto first = tree_now();
  EXPECT_EQ(first->steps.size(), 1U);
  set(node_, "no part of the map");
  EXPECT_EQ(tree_now(), first);
  add_topology(node_, "urn:t:below");
  const auto second = tree_now();
  EXPECT_NE(second, first);
  EXPECT_EQ(second->steps.size(), 2U);
}

// ---- the cache ----

TEST_F(Published, ItemsHaveTheirFileFromTheStart) {
  const std::uint64_t number = publish("first");
  ASSERT_EQ(cached(node_).size(), 1U);
  Export exported = live();
  const auto file = services_->publisher.open(number);
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(file->etag, exported.etag);
  const std::uint64_t bytes = std::get<net::StreamBody>(file->body).length.value();
  EXPECT_THAT(*cached(node_).begin(), ::testing::HasSubstr("." + file->etag + "."));
  EXPECT_TRUE(cached(node_).begin()->ends_with("-" + std::to_string(bytes) + ".xml"));
}

TEST_F(Published, FilesAreNotMixedUpWithThoseOfAnotherHistory) {
  publish("first");
  OpenNode other;
  make_main_topology(other, "south");
  Services services(*other);
  const auto number = services.publisher.publish(kCaller, "first", "");
  ASSERT_EQ(number, 1U);
  const std::string right = text_of(services.publisher.open(1));
  EXPECT_NE(services.publisher.open(1)->etag, services_->publisher.open(1)->etag);
  fs::remove_all(other.file("cache"));
  fs::copy(node_.file("cache"), other.file("cache"));
  EXPECT_EQ(text_of(services.publisher.open(1)), right);
}

TEST_F(Published, EqualContentHasEqualTags) {
  const std::uint64_t first = publish("first");
  set(node_, "no part of the map");
  const std::uint64_t second = publish("second");
  EXPECT_EQ(services_->publisher.open(first)->etag, services_->publisher.open(second)->etag);
}

TEST_F(Published, FilesGoWithTheirItem) {
  const std::uint64_t first = publish("first");
  publish("second");
  ASSERT_EQ(cached(node_).size(), 2U);
  ASSERT_TRUE(services_->publisher.remove(kCaller, first).has_value());
  EXPECT_EQ(cached(node_).size(), 1U);
  EXPECT_EQ(services_->publisher.open(first).error().code, Errc::not_found);
}

TEST_F(Published, OldItemsGoThatAreNotAmongTheNewest) {
  for (int i = 0; i < 21; ++i) publish("old " + std::to_string(i));
  EXPECT_EQ(node_->version().state->catalog.published.count(), 21U) << "all of them are young";
  node_.clock().advance(std::chrono::hours(24 * 31));
  const std::uint64_t newest = publish("new");
  EXPECT_EQ(node_->version().state->catalog.published.count(), 20U);
  EXPECT_EQ(latest_published(node_->version().state->catalog), newest);
  EXPECT_EQ(node_->version().state->catalog.published.find(2), nullptr);
  EXPECT_NE(node_->version().state->catalog.published.find(3), nullptr);
  EXPECT_THAT(text_of(services_->publisher.open(3)), ::testing::HasSubstr("north"));
}

// ---- failures ----

const engine::PublishedItem& item(OpenNode& node, std::uint64_t number) {
  return *node->version().state->catalog.published.find(number);
}

TEST_F(Published, OnesThatFailAreKeptWithTheirReasonAndNeverServed) {
  OpenNode empty;
  Services services(*empty);
  const auto number = services.publisher.publish(kCaller, "too early", "d");
  ASSERT_EQ(number, 1U);
  EXPECT_EQ(item(empty, 1).status, engine::PublishedStatus::failed);
  EXPECT_THAT(item(empty, 1).failure, ::testing::HasSubstr("there is no map yet"));
  EXPECT_EQ(item(empty, 1).description, "d");
  EXPECT_EQ(latest_published(empty->version().state->catalog), 0U);
  EXPECT_EQ(services.publisher.open(1).error().code, Errc::not_found);
  const auto served = services.exporter.open_published(kCaller);
  ASSERT_FALSE(served.has_value());
  EXPECT_EQ(served.error(), ExportProblem::nothing_published);
}

TEST_F(Published, OnesThatCannotBeWrittenLeaveTheGoodOneInService) {
  const std::uint64_t good = publish("good");
  const std::string text = text_of(services_->publisher.open(good));
  fs::remove_all(node_.file("cache"));
  std::ofstream(node_.file("cache")) << "in the way";
  const auto bad = services_->publisher.publish(kCaller, "bad", "");
  ASSERT_TRUE(bad.has_value());
  EXPECT_EQ(item(node_, *bad).status, engine::PublishedStatus::failed);
  EXPECT_EQ(item(node_, *bad).failure, "the data could not be written; see the log");
  EXPECT_EQ(latest_published(node_->version().state->catalog), good);
  fs::remove(node_.file("cache"));
  services_.reset();
  node_.close();
  node_.open();
  Services services(*node_);
  EXPECT_EQ(item(node_, *bad).status, engine::PublishedStatus::failed) << "also after a restart";
  EXPECT_EQ(text_of(services.publisher.open(good)), text);
  EXPECT_THAT(node_->verify()->findings, ::testing::IsEmpty());
}

TEST_F(Published, OnesThatFailedCrowdOutNoGoodOne) {
  const std::uint64_t good = publish("good");
  std::ofstream(node_.file("in the way")) << "";
  fs::remove_all(node_.file("cache"));
  fs::copy(node_.file("in the way"), node_.file("cache"));
  for (int i = 0; i < 22; ++i)
    ASSERT_TRUE(services_->publisher.publish(kCaller, "bad", "").has_value());
  node_.clock().advance(std::chrono::hours(24 * 31));
  ASSERT_TRUE(services_->publisher.publish(kCaller, "bad", "").has_value());
  EXPECT_EQ(node_->version().state->catalog.published.count(), 21U) << "20 of them, and the good";
  EXPECT_EQ(latest_published(node_->version().state->catalog), good);
}

// ---- damage of the cache ----

fs::path only_cached(const OpenNode& node) {
  return node.file("cache/" + *cached(node).begin());
}

TEST_F(Published, DamagedFilesAreFoundAndMadeAgain) {
  const std::uint64_t number = publish("first");
  const std::string right = text_of(services_->publisher.open(number));
  const fs::path file = only_cached(node_);
  std::vector<std::string> wrong{"", right.substr(1), right + "x"};
  for (std::size_t at = 0; at < right.size(); at += 13) {
    wrong.push_back(right);
    wrong.back()[at] ^= 1;
  }
  for (const std::string& content : wrong) {
    std::ofstream(file, std::ios::binary) << content;
    EXPECT_THAT(services_->publisher.findings(),
                ::testing::ElementsAre(::testing::HasSubstr(file.filename().string())));
    ASSERT_EQ(text_of(services_->publisher.open(number)), right);
    EXPECT_EQ(test::file_content(file), right);
    EXPECT_THAT(services_->publisher.findings(), ::testing::IsEmpty());
  }
}

// Not even their length tells it, and nobody has verified them in between.
TEST_F(Published, FilesThatChangeAfterTheyWereCheckedAreMadeAgain) {
  const std::uint64_t number = publish("first");
  const std::string right = text_of(services_->publisher.open(number));
  const fs::path file = only_cached(node_);
  const fs::file_time_type checked = fs::last_write_time(file);
  std::string wrong = right;
  wrong.front() ^= 1;
  std::ofstream(file, std::ios::binary) << wrong;
  fs::last_write_time(file, checked + std::chrono::hours(1));
  EXPECT_EQ(text_of(services_->publisher.open(number)), right);
  EXPECT_EQ(test::file_content(file), right);
}

TEST_F(Published, FilesDamagedWhileTheyAreSentAreNotSentToTheEnd) {
  const std::uint64_t number = publish("first");
  const std::string right = text_of(services_->publisher.open(number));
  auto opened = services_->publisher.open(number);
  ASSERT_TRUE(opened.has_value());
  std::string wrong = right;
  wrong.back() ^= 1;
  std::ofstream(only_cached(node_), std::ios::binary) << wrong;
  EXPECT_FALSE(std::get<net::StreamBody>(opened->body).source->next().has_value());
  EXPECT_EQ(text_of(services_->publisher.open(number)), right);
}

TEST_F(Published, DamagedFilesAreNotSentByANodeThatMayNotWriteEither) {
  const std::uint64_t number = publish("first");
  const std::string right = text_of(services_->publisher.open(number));
  services_.reset();
  node_.close();
  std::ofstream(only_cached(node_), std::ios::binary) << "something else";
  node_.open(true);
  Services services(*node_);
  EXPECT_EQ(text_of(services.publisher.open(number)), right);
  EXPECT_EQ(test::file_content(only_cached(node_)), "something else");
}

// What is left of it may be what fills the disk.
TEST_F(Published, FilesThatCannotBeWrittenLeaveNothing) {
  class Broken : public net::BodySource {
   public:
    Result<std::string_view> next() override {
      if (std::exchange(begun_, true)) return fail(Errc::no_space, "no space left");
      return "the beginning";
    }

   private:
    bool begun_ = false;
  };
  Broken source;
  EXPECT_FALSE(PublishedCache(node_->directory()).write(source).has_value());
  EXPECT_TRUE(cached(node_).empty());
}

// ---- reading only ----

TEST_F(Published, ItemsAreServedFromANodeThatMayNotWrite_E4) {
  const std::uint64_t number = publish("first");
  const std::string before = text_of(services_->publisher.open(number));
  services_.reset();
  node_.close();
  fs::remove_all(node_.file("cache"));
  node_.open(true);
  Services services(*node_);
  EXPECT_EQ(text_of(services.publisher.open(number)), before);
  EXPECT_FALSE(fs::exists(node_.file("cache")));
}

TEST_F(Published, TheFileOfAnEmptiedCacheIsMadeOnce) {
  const std::uint64_t number = publish("first");
  fs::remove_all(node_.file("cache"));
  ASSERT_TRUE(services_->publisher.open(number).has_value());
  const auto names = cached(node_);
  ASSERT_EQ(names.size(), 1U);
  const auto written = fs::last_write_time(node_.file("cache/" + *names.begin()));
  ASSERT_TRUE(services_->publisher.open(number).has_value());
  EXPECT_EQ(fs::last_write_time(node_.file("cache/" + *names.begin())), written);
}

}  // namespace
}  // namespace netml::admin
