// Goal: whatever takes much memory asks the one budget first: imports, exports, states of the past,
// answers of the map (docs/operation.md, "Memory").
// Method: a node whose budget the test fills and empties; no memory is really taken.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <thread>
#include <tuple>

#include "admin/base/import_memory.hpp"
#include "admin/exports/exporter.hpp"
#include "admin/imports/import_plans.hpp"
#include "admin/imports/intake.hpp"
#include "engine/edit/plan_records.hpp"
#include "engine/export/export_order.hpp"
#include "tests/admin/support/open_site.hpp"
#include "tests/admin/support/uploads.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::admin {
namespace {

using netml::test::small_map;
using testing::Browser;
using testing::from_client;
using ::testing::HasSubstr;
using testing::OpenNode;
using testing::OpenSite;

constexpr std::uint64_t kBudget = 64 << 20;
constexpr std::uint64_t kHuge = 512 << 20;  // but within what may be sent
constexpr int kLarge = 2000;                // nodes of a large map

class SystemOfSomeRoom : public ProcessMemory {
 public:
  std::uint64_t room() override { return left; }
  void trim() override {}
  std::uint64_t left = kUnlimited;
};

// One of about 1 MB.
std::string large_map(const std::string& id) {
  test::TopologyText map(id, "o");
  map.add(test::institution("o"));
  for (int i = 0; i < kLarge; ++i)
    map.add(test::node(std::to_string(i)).with("note", std::string(400, 'x')));
  return map;
}

class BoundedNode : public ::testing::Test {
 protected:
  explicit BoundedNode(Mode mode = Mode::production) : node(&memory, mode) {}
  // All that is left.
  MemoryReservation take_the_rest() {
    const MemoryBudget::Report report = node->memory().report();  // with the map as it is now
    return memory.account(MemoryUse::exports, report.limit.bytes - report.used);
  }
  // All but `bytes`.
  MemoryReservation leave(std::uint64_t bytes) {
    MemoryReservation others = take_the_rest();
    others.set(others.bytes() - bytes);
    return others;
  }
  std::uint64_t used_for(MemoryUse use) {
    return memory.report().by_use[static_cast<std::size_t>(use)];
  }
  // 0 when it was refused.
  std::uint64_t import(const std::string& file) {
    const ImportOutcome outcome = testing::upload(intake, file, from_client(file.size()));
    return outcome ? outcome->record : 0;
  }
  void remove_all() {
    Change change;
    change.plan = [](const engine::State& state, WallTime) {
      return plan_record_delete(state, *export_root(state.graph));
    };
    ASSERT_TRUE(node->commit(std::move(change)).has_value());
    ASSERT_LT(node->map_bytes(), 128U << 10);
  }
  // The number of a plan of the import.
  std::uint64_t keep_plan(const std::string& file) {
    ImportRequest request;
    request.file_name = "map.xml";
    request.place = ImportPlace::top_level;
    auto job = ImportJob::begin(*node, request);
    if (!job || !(*job)->write(file)) return 0;
    const ImportOutcome kept = (*job)->keep_plan();
    return kept ? kept->plan : 0;
  }
  std::uint64_t topologies() { return node->version().state->graph.count(Kind::topology); }
  std::uint64_t imports() { return node->version().state->catalog.imports.count(); }

  SystemOfSomeRoom system;
  MemoryBudget memory{{kBudget, "a test"}, &system};
  OpenNode node;
  Intake intake{*node};
};

TEST_F(BoundedNode, RefusesAnImportThatCanNeverFitBeforeItIsSent) {
  const auto refused = intake.admit(from_client(kHuge), UploadEnd::import);
  ASSERT_TRUE(refused.has_value());
  EXPECT_TRUE(refused->no_room);
  EXPECT_THAT(refused->error.message, HasSubstr("the node may use 64.0 MiB (a test)"));
  const auto begun = intake.begin(from_client(kHuge));
  ASSERT_FALSE(begun.has_value());
  EXPECT_TRUE(begun.error().no_room);
  EXPECT_FALSE(intake.admit(from_client(1000), UploadEnd::import).has_value());
}

TEST_F(BoundedNode, CountsAWorkbookForMoreThanAText) {
  EXPECT_TRUE(intake.begin(from_client(kBudget / 4)).has_value());
  ImportRequest workbook = from_client(kBudget / 4);
  workbook.file_name = "map.xlsx";
  EXPECT_FALSE(intake.begin(workbook).has_value());
}

TEST_F(BoundedNode, GivesTheMemoryOfAnImportBack) {
  EXPECT_NE(import(small_map("P")), 0U);
  const MemoryBudget::Report report = node->memory().report();
  EXPECT_EQ(report.by_use[static_cast<std::size_t>(MemoryUse::imports)], 0U);
  EXPECT_NE(report.by_use[static_cast<std::size_t>(MemoryUse::map)], 0U);
}

TEST_F(BoundedNode, ReadsAFileLaterWhenTheMemoryIsTakenNow) {
  MemoryReservation others = take_the_rest();
  const std::string file = small_map("P");
  auto begun = intake.begin(from_client(file.size()));
  ASSERT_TRUE(begun.has_value());
  EXPECT_TRUE((*begun)->write(file).has_value());
  std::thread other([&] { others.release(); });
  const ImportOutcome outcome = (*begun)->finish(UploadEnd::import);
  other.join();
  EXPECT_TRUE(outcome.has_value());
  EXPECT_EQ(topologies(), 1U);
}

TEST_F(BoundedNode, RefusesAnImportThatMemoryRunsOutFor) {
  import(small_map("P"));
  const std::uint64_t before = imports();
  const std::string file = small_map(std::string(1 << 20, 'q')).append(1 << 20, ' ');
  auto begun = intake.begin(from_client(file.size()));
  ASSERT_TRUE(begun.has_value());
  system.left = 1;
  const Status written = (*begun)->write(file);
  ASSERT_FALSE(written.has_value());
  EXPECT_THAT(written.error().message, HasSubstr("the memory ran out"));
  begun->reset();
  EXPECT_EQ(imports(), before);
  EXPECT_EQ(topologies(), 1U);
  system.left = ProcessMemory::kUnlimited;
  EXPECT_NE(import(small_map("Q")), 0U) << "and the next one goes on";
}

class BoundedQueue : public BoundedNode {
 protected:
  BoundedQueue() : BoundedNode(Mode::test) {}  // where uploads are queued
  std::uint64_t accept(const std::string& file) {
    intake.use(queue);
    return import(file);
  }
  engine::ImportRecord record(std::uint64_t number) {
    return *node->version().state->catalog.imports.find(number);
  }

  ImportQueue queue{*node};
};

TEST_F(BoundedQueue, KeepsThePlaceOfAnImportThatMayFitLater) {
  const std::uint64_t number = accept(small_map("P"));
  MemoryReservation others = take_the_rest();
  EXPECT_FALSE(queue.import_waiting());
  EXPECT_EQ(record(number).status, engine::ImportStatus::in_progress);
  others.release();
  EXPECT_TRUE(queue.import_waiting());
  EXPECT_EQ(record(number).status, engine::ImportStatus::complete);
}

TEST_F(BoundedQueue, EndsAnImportThatCanNoLongerFit) {
  const std::uint64_t number = accept(small_map("P"));
  const MemoryReservation grown = memory.account(MemoryUse::program, kBudget);
  EXPECT_TRUE(queue.import_waiting());
  EXPECT_EQ(record(number).status, engine::ImportStatus::aborted);
  EXPECT_THAT(record(number).message, HasSubstr("the node may use 64.0 MiB"));
}

TEST_F(BoundedNode, BoundsExportsThatAreUnderWay) {
  import(small_map("P"));
  const engine::StatePtr state = node->version().state;
  const auto tree = export_tree(state->graph, *export_root(state->graph));
  std::vector<std::unique_ptr<net::BodySource>> exports;
  Result<std::string_view> first = std::string_view();
  while (first && exports.size() < 1000) {
    exports.push_back(export_stream(node->memory(), state, *tree));
    first = exports.back()->next();
  }
  ASSERT_FALSE(first.has_value());
  EXPECT_EQ(first.error().code, Errc::unavailable);
  EXPECT_GT(exports.size(), 8U);
  exports.erase(exports.begin());
  EXPECT_TRUE(exports.back()->next().has_value()) << "one has ended";
}

TEST_F(BoundedNode, BoundsStatesOfThePast) {
  import(small_map("P"));
  const Lsn past = node->version().state->lsn;
  import(small_map("Q"));
  auto held = node->state_at(past);
  ASSERT_TRUE(held.has_value());
  const auto use = static_cast<std::size_t>(MemoryUse::past);
  EXPECT_GT(memory.report().by_use[use], 0U);
  const MemoryBudget::Report free = memory.report();
  std::ignore = memory.reserve(MemoryUse::exports, free.limit.bytes - free.used + 1);  // no caches
  MemoryReservation others = take_the_rest();
  const auto refused = node->state_at(past);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Errc::unavailable);
  held->state.reset();
  EXPECT_EQ(memory.report().by_use[use], 0U) << "nobody looks at it any more";
  others.release();
  EXPECT_TRUE(node->state_at(past).has_value());
}

TEST_F(BoundedNode, CountsTheElementsOfTheLargestTopologyForAnExport) {
  test::TopologyText map("P", "o");
  map.add(test::institution("o"));
  for (int i = 0; i < 2000; ++i) map.add(test::node(std::to_string(i)));
  import(map);
  const engine::StatePtr state = node->version().state;
  const auto source =
      export_stream(memory, state, *export_tree(state->graph, *export_root(state->graph)));
  ASSERT_TRUE(source->next().has_value());
  const auto use = static_cast<std::size_t>(MemoryUse::exports);
  EXPECT_GT(memory.report().by_use[use], (4U << 20) + 2000 * 3 * sizeof(engine::ExportedElement));
}

// The map of now says nothing of how large an earlier one was.
TEST_F(BoundedNode, BoundsAStateOfThePastByWhatItTakesItself) {
  import(large_map("P"));
  const Lsn large = node->version().state->lsn;
  remove_all();
  MemoryReservation others = leave(256 << 10);
  const auto refused = node->state_at(large);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Errc::unavailable);
  EXPECT_EQ(used_for(MemoryUse::past), 0U);
  others.release();
  EXPECT_TRUE(node->state_at(large).has_value());
}

TEST_F(BoundedNode, ShowsASmallStateOfThePastBesideALargeMap) {
  import(small_map("P"));
  const Lsn small = node->version().state->lsn;
  import(large_map("Q"));
  const MemoryReservation others = leave(256 << 10);
  EXPECT_TRUE(node->state_at(small).has_value());
}

TEST_F(BoundedNode, BoundsAStateOfACheckpointByItsFiles) {
  import(large_map("P"));
  const Lsn large = node->version().state->lsn;
  ASSERT_TRUE(node->checkpoint().has_value());
  remove_all();
  const MemoryReservation others = leave(256 << 10);
  const auto refused = node->state_at(large);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Errc::unavailable);
}

TEST_F(BoundedNode, BoundsAPublishedStateByItsFiles) {
  import(large_map("P"));
  const auto make = [](Lsn published, WallTime) -> Result<engine::PublishedItem> {
    engine::PublishedItem item;
    item.lsn = published;
    return item;
  };
  const auto number = node->publish({}, make);
  ASSERT_TRUE(number.has_value());
  remove_all();
  MemoryReservation others = leave(256 << 10);
  const auto refused = node->published_state(*number);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Errc::unavailable);
  others.release();
  EXPECT_TRUE(node->published_state(*number).has_value());
}

TEST_F(BoundedNode, HoldsTheMemoryOfTwoStatesWhileTheirDifferenceIsSent) {
  import(large_map("P"));
  const Lsn large = node->version().state->lsn;
  remove_all();
  Services services(*node, {}, testing::kCheapPasswords);
  const Lsn now = node->version().state->lsn;
  auto difference = services.audit.diff(std::to_string(large.value), std::to_string(now.value), {});
  ASSERT_TRUE(difference.has_value());
  EXPECT_GT(used_for(MemoryUse::past), 1U << 20);
  difference->reset();
  EXPECT_EQ(used_for(MemoryUse::past), 0U);
}

TEST_F(BoundedNode, ReservesForATransactionBeforeItIsRead) {
  import(large_map("P"));
  const Lsn imported = node->version().state->lsn;
  MemoryReservation others = leave(std::uint64_t{kLarge} << 10);
  const auto refused = node->transaction_at(imported);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Errc::unavailable);
  others.release();
  const auto read = node->transaction_at(imported);
  ASSERT_TRUE(read.has_value());
  EXPECT_GE(used_for(MemoryUse::answers), std::uint64_t{kLarge} << 10) << "for as long as it is";
}

// It is read again with its file whenever somebody looks at it.
TEST_F(BoundedNode, HoldsTheMemoryOfAPlanForAsLongAsItIsSent) {
  const std::string file = large_map("P");
  const std::uint64_t plan = keep_plan(file);
  ImportPlans plans(*node);
  auto sent = plans.show(plan, {}, PlanNow::tell);
  ASSERT_TRUE(sent.has_value()) << sent.error().message;
  EXPECT_GE(used_for(MemoryUse::imports), file.size());
  EXPECT_GE(used_for(MemoryUse::answers), std::uint64_t{kLarge} << 10);
  sent->reset();
  EXPECT_EQ(used_for(MemoryUse::imports), 0U);
  EXPECT_EQ(used_for(MemoryUse::answers), 0U);
}

TEST_F(BoundedNode, PlansAgainOnlyWithMemoryForWhatTheTwoPlansChange) {
  const std::string file = large_map("P");
  const std::uint64_t plan = keep_plan(file);
  ImportPlans plans(*node);
  const std::uint64_t of_one = std::uint64_t{kLarge + 2} << 10;  // with topology and institution
  MemoryReservation others = leave(file.size() + of_one + of_one / 2);
  const auto refused = plans.again({}, plan, PlanAgain::look);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Errc::unavailable);
  others.release();
  EXPECT_TRUE(plans.again({}, plan, PlanAgain::look).has_value());
}

TEST_F(BoundedNode, CannotUndoWithoutMemoryForThePast) {
  import(small_map("P"));
  import(small_map("Q"));
  Services services(*node, {}, testing::kCheapPasswords);
  const MemoryReservation others = take_the_rest();
  const auto refused = services.undo.preview("import:1", {});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Errc::unavailable);
}

TEST(BoundedSite, AsksToComeAgainForAnswersOfTheMap) {
  MemoryBudget memory({kBudget, "a test"});
  OpenSite site({}, &memory);
  {  // what it remembers of the file is a cache, too
    Intake intake(*site.node());
    ASSERT_TRUE(testing::upload(intake, small_map("P")).has_value());
  }
  Browser browser(site);
  const std::uint64_t used = memory.report().used;
  MemoryReservation others = memory.account(MemoryUse::imports, kBudget - used);
  for (const char* question : {"map", "map/difference?from=1&to=2"}) {
    const testing::Reply refused = browser.get(question);
    EXPECT_EQ(refused.status, 503) << question;
    EXPECT_FALSE(refused.headers.get("Retry-After").empty()) << question;
  }
  EXPECT_EQ(browser.post("map/what-if").status, 503);
  others.release();
  const testing::Reply map = browser.get("map");
  EXPECT_EQ(map.status, 200);
  EXPECT_EQ(browser.get("map").body, map.body);
  EXPECT_EQ(browser.post("map/what-if").status, 200);
  const auto caches = static_cast<std::size_t>(MemoryUse::caches);
  EXPECT_GT(memory.report().by_use[caches], 0U);
  EXPECT_TRUE(memory.reserve(MemoryUse::imports, kBudget - memory.report().used).has_value());
}

// Pages on which a large deletion is looked at before it is done.
class BoundedPreviews : public ::testing::Test {
 protected:
  void SetUp() override {
    site.add_account("ed", engine::Role::editor);
    ASSERT_EQ(browser.sign_in("ed").status, 200);
    import(large_map("P"));
    const engine::Graph& graph = site.state()->graph;
    impact = fmt::format("topologies/{}/delete-impact", graph.number(*export_root(graph)).value);
  }
  void import(const std::string& file) {
    Intake intake(*site.node());
    ASSERT_TRUE(testing::upload(intake, file).has_value());
  }
  MemoryReservation leave(std::uint64_t bytes) {
    const std::uint64_t used = site.node()->memory().report().used;  // with the map as it is now
    return memory.account(MemoryUse::exports, kBudget - used - bytes);
  }

  MemoryBudget memory{{kBudget, "a test"}};
  OpenSite site{{}, &memory};
  Browser browser{site};
  std::string impact;
};

TEST_F(BoundedPreviews, AskToComeAgainWithoutMemoryForWhatWouldChange) {
  MemoryReservation others = leave(1 << 20);
  for (const std::string& path : {impact, impact + "/changes"}) {
    const testing::Reply refused = browser.get(path);
    EXPECT_EQ(refused.status, 503) << path;
    EXPECT_FALSE(refused.headers.get("Retry-After").empty()) << path;
  }
  others.release();
  EXPECT_EQ(browser.get(impact).status, 200);
}

TEST_F(BoundedPreviews, ArePlannedOnceForAllTheirPages) {
  const boost::json::value first = browser.get(impact + "/changes").json();
  const std::string next(first.at("next").as_string());
  const auto planned = [&] {
    return memory.report().by_use[static_cast<std::size_t>(MemoryUse::answers)];
  };
  ASSERT_GE(planned(), std::uint64_t{kLarge} << 10) << "it is kept";
  const MemoryReservation others = leave(0);
  const testing::Reply second = browser.get(impact + "/changes?cursor=" + next);
  EXPECT_EQ(second.status, 200) << "nothing had to be planned";
  EXPECT_EQ(second.json().at("etag"), first.at("etag"));
  EXPECT_EQ(browser.get(impact).status, 200) << "nor for the sums";
  ASSERT_TRUE(memory.reserve(MemoryUse::imports, planned()).has_value());
  EXPECT_EQ(planned(), 0U) << "it is given up when somebody needs its memory";
}

TEST_F(BoundedPreviews, ArePlannedAgainOnceTheMapHasChanged) {
  const boost::json::value before = browser.get(impact + "/changes").json();
  const auto found = site.state()->graph.find(Kind::node, "0");
  ASSERT_EQ(found.size(), 1U);
  ASSERT_EQ(
      browser.del(fmt::format("nodes/{}", site.state()->graph.number(found.front()).value)).status,
      204);
  const boost::json::value after = browser.get(impact + "/changes").json();
  EXPECT_EQ(after.at("total").to_number<int>(), before.at("total").to_number<int>() - 1);
}

}  // namespace
}  // namespace netml::admin
