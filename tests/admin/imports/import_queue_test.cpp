// Goal: an upload that was accepted is imported, whatever happens in between, and in its turn
// (decision 10; docs/requirements/importing.md, sections 3 and 8). Method: a node on a real
// directory; the test itself does what the queue's thread does.
#include "admin/imports/import_queue.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "admin/imports/intake.hpp"
#include "admin/settings/settings.hpp"
#include "engine/base/sha256.hpp"
#include "engine/edit/plan_edit.hpp"
#include "engine/edit/plan_records.hpp"
#include "engine/transaction/entry_changes.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/admin/support/uploads.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::admin {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using testing::from_client;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::OpenNode;

using netml::test::small_map;
using testing::kCaller;

class Queue : public ::testing::Test {
 protected:
  ImportOutcome upload(const std::string& file, ImportRequest request = from_client()) {
    Intake intake(*node);
    intake.use(*queue);
    return testing::upload(intake, file, std::move(request));
  }
  // Below the topology of that identifier, under another name unless it is empty.
  ImportRequest below(const std::string& parent, const std::string& name = {}) {
    ImportRequest request = from_client();
    request.parent_record = node->version().state->graph.find_newest(Kind::topology, parent);
    request.topology_name = name;
    return request;
  }
  std::uint64_t accepted(const ImportOutcome& outcome) {
    EXPECT_TRUE(outcome.has_value());
    return outcome ? outcome->record : 0;
  }
  engine::ImportRecord record(std::uint64_t number) {
    const auto entry = node->version().state->catalog.imports.find(number);
    EXPECT_NE(entry, nullptr);
    return entry == nullptr ? engine::ImportRecord() : *entry;
  }
  std::uint64_t topologies() { return node->version().state->graph.count(Kind::topology); }
  void restart() {
    queue.reset();
    node.close();
    node.open();
    queue = std::make_unique<ImportQueue>(*node);
  }
  void change(std::function<Result<engine::Transaction>(const engine::State&, WallTime)> plan) {
    Change change{.caller = kCaller};
    change.plan = std::move(plan);
    ASSERT_TRUE(node->commit(std::move(change)).has_value());
  }

  OpenNode node{Mode::test};
  std::unique_ptr<ImportQueue> queue = std::make_unique<ImportQueue>(*node);
};

TEST_F(Queue, AcceptsWhatIsStoredAndImportsItLater) {
  const std::uint64_t number = accepted(upload(small_map("P")));
  EXPECT_EQ(record(number).status, engine::ImportStatus::in_progress);
  EXPECT_EQ(record(number).token, 7U);
  EXPECT_EQ(topologies(), 0U);
  node.clock().advance(std::chrono::hours(1));
  const Instant accepted_at = record(number).imported_at;
  queue->import_waiting();
  EXPECT_EQ(record(number).status, engine::ImportStatus::complete);
  EXPECT_EQ(record(number).imported_at, accepted_at);
  EXPECT_EQ(record(number).token_client_name, "peer");
  EXPECT_THAT(record(number).message, HasSubstr("Nodes: 1 parsed, 1 imported"));
  EXPECT_EQ(topologies(), 1U);
  EXPECT_EQ(node->version().state->catalog.imports.count(), 1U) << "no second record";
}

// Acknowledged is never lost (P1).
TEST_F(Queue, GoesOnAfterARestart) {
  const std::uint64_t first = accepted(upload(small_map("P")));
  const std::uint64_t second = accepted(upload(small_map("Q")));
  restart();
  EXPECT_EQ(record(first).status, engine::ImportStatus::in_progress);
  queue->import_waiting();
  restart();
  EXPECT_EQ(record(first).status, engine::ImportStatus::complete);
  EXPECT_EQ(record(second).status, engine::ImportStatus::complete);
  const engine::Graph& graph = node->version().state->graph;
  EXPECT_EQ(graph.relations(graph.find_newest(Kind::topology, "Q")).parent(),
            graph.find_newest(Kind::topology, "P"))
      << "in order: the first file became main, the second went below it";
}

TEST_F(Queue, IsFullWithAThousandThatWait) {
  change([](const engine::State& state, WallTime) {
    engine::Transaction transaction = engine::empty_transaction(state);
    std::uint64_t number = state.catalog.imports.next_number();
    for (std::size_t i = 1; i < 1000; ++i) {
      add_entry(transaction, state, engine::ImportRecord{});
      transaction.imports.back().number = number++;
    }
    return Result<engine::Transaction>(std::move(transaction));
  });
  Intake intake(*node);
  intake.use(*queue);
  EXPECT_FALSE(intake.admit(from_client(1000), UploadEnd::queue).has_value());
  accepted(upload(small_map("P")));
  const auto refusal = intake.admit(from_client(1000), UploadEnd::queue);
  ASSERT_TRUE(refusal.has_value());
  EXPECT_EQ(refusal->error.code, Errc::unavailable);
}

TEST_F(Queue, StartsByItselfAndStopsInBetween) {
  const std::uint64_t number = accepted(upload(small_map("P")));
  queue->start();
  while (record(number).status == engine::ImportStatus::in_progress) std::this_thread::yield();
  EXPECT_EQ(topologies(), 1U);
  const std::uint64_t next = accepted(upload(small_map("Q")));
  while (record(next).status == engine::ImportStatus::in_progress) std::this_thread::yield();
  queue->stop();
  const std::uint64_t last = accepted(upload(small_map("R")));
  EXPECT_EQ(record(last).status, engine::ImportStatus::in_progress);
}

TEST_F(Queue, TellsHowFarTheImportInHandIs) {
  const std::string file = small_map("P");
  const std::uint64_t number = accepted(upload(file));
  ImportProgress progress;
  const auto reading = ImportJob::resume(*node, number);
  ASSERT_TRUE(reading.has_value());
  (*reading)->report_to(progress);
  ASSERT_TRUE((*reading)->read().has_value());
  EXPECT_EQ(progress.now(),
            (ImportProgress::Now{number, ImportStep::reading, file.size(), file.size()}));
  const auto whole = ImportJob::resume(*node, number);
  ASSERT_TRUE(whole.has_value());
  (*whole)->report_to(progress);
  const ImportOutcome outcome = (*whole)->commit();
  ASSERT_TRUE(outcome.has_value());
  const auto& [created, updated, deleted] = outcome->changes;
  EXPECT_GE(created, 3U) << "topology, institution, node";
  EXPECT_EQ(progress.now(),
            (ImportProgress::Now{number, ImportStep::storing, 0, created + updated + deleted}));
  accepted(upload(small_map("Q")));
  queue->import_waiting();
  EXPECT_FALSE(queue->progress().now().has_value()) << "nothing is in hand any more";
}

TEST_F(Queue, NamesNoPlanOfAHeldImportThatCouldNotBeKept) {
  accepted(upload(test::topology("P", "o", test::institution("o"), test::node("a"), test::node("b"),
                                 test::node("c"))));
  queue->import_waiting();
  change([](const engine::State& state, WallTime) {
    return Result<engine::Transaction>(plan_setting(state, kMassDeletionGuardCount, "1"));
  });
  const std::uint64_t number = accepted(upload(test::topology("P", "o", test::institution("o"))));
  const auto job = ImportJob::resume(*node, number);
  ASSERT_TRUE(job.has_value());
  change([](const engine::State& state, WallTime) {
    return Result<engine::Transaction>(plan_import_records_delete(state, is_waiting));
  });
  const ImportOutcome outcome = (*job)->commit();
  ASSERT_FALSE(outcome.has_value());
  const ImportFailure& failure = outcome.error();
  EXPECT_EQ(failure.error.code, Errc::conflict);
  EXPECT_THAT(failure.error.message,
              AllOf(HasSubstr("it is held: it would delete 3 of"),
                    HasSubstr("no plan was kept: the import record was deleted"),
                    Not(HasSubstr("held as plan"))));
  EXPECT_EQ(failure.plan, 0U);
  EXPECT_EQ(failure.record, 0U);
  EXPECT_EQ(node->version().state->catalog.plans.count(), 0U);
}

TEST_F(Queue, RecordsWhatIsWrongWithAFile) {
  const std::uint64_t invalid = accepted(upload("<not a map"));
  const std::uint64_t empty = accepted(upload(""));
  const std::uint64_t good = accepted(upload(small_map("P")));
  queue->import_waiting();
  for (const std::uint64_t number : {invalid, empty}) {
    EXPECT_EQ(record(number).status, engine::ImportStatus::aborted);
    EXPECT_THAT(record(number).message, HasSubstr("Error"));
  }
  EXPECT_EQ(record(good).status, engine::ImportStatus::complete);
}

TEST_F(Queue, KeepsTheFilesOfWhatIsRefused) {
  accepted(upload("<not a map"));
  queue->import_waiting();
  EXPECT_EQ(std::distance(fs::directory_iterator(node.file("uploads")), {}), 1);
  EXPECT_TRUE(fs::is_empty(node.file("tmp")));
}

TEST_F(Queue, TakesSpreadsheetsAsTheyAre) {
  ImportRequest workbook = from_client();
  workbook.file_name = "map.xlsx";
  workbook.topology_name = "T";
  const std::uint64_t number = accepted(upload("PK\x03\x04\xff", workbook));
  queue->import_waiting();
  EXPECT_EQ(record(number).status, engine::ImportStatus::aborted);
  EXPECT_EQ(record(number).topology_name, "T");
}

TEST_F(Queue, KeepsTheParentThatWasAskedFor) {
  accepted(upload(small_map("P")));
  accepted(upload(small_map("Q")));
  queue->import_waiting();
  const std::uint64_t number = accepted(upload(small_map("R"), below("Q", "Renamed")));
  accepted(upload(small_map("Q")));  // gives Q another number
  queue->import_waiting();
  EXPECT_EQ(record(number).status, engine::ImportStatus::complete);
  const engine::Graph& graph = node->version().state->graph;
  const RecordId r = graph.find_newest(Kind::topology, "R");
  EXPECT_EQ(graph.attributes(r).name(), "Renamed");
  EXPECT_EQ(graph.relations(r).parent(), graph.find_newest(Kind::topology, "Q"));
}

TEST_F(Queue, AbortsWhenTheParentIsGone) {
  accepted(upload(small_map("P")));
  accepted(upload(small_map("Q")));
  queue->import_waiting();
  const std::uint64_t number = accepted(upload(small_map("R"), below("Q")));
  change([](const engine::State& state, WallTime) {
    return plan_record_delete(state, state.graph.find_newest(Kind::topology, "Q"));
  });
  queue->import_waiting();
  EXPECT_EQ(record(number).status, engine::ImportStatus::aborted);
  EXPECT_THAT(record(number).message, HasSubstr("Error: the parent topology was deleted"));
}

TEST_F(Queue, AbortsWhenTheKeptFileIsGone) {
  const std::uint64_t lost = accepted(upload(small_map("P")));
  const std::uint64_t next = accepted(upload(small_map("Q")));
  for (const auto& entry : fs::directory_iterator(node.file("uploads"))) fs::remove(entry);
  queue->import_waiting();
  EXPECT_EQ(record(lost).status, engine::ImportStatus::aborted);
  EXPECT_THAT(record(lost).message, HasSubstr("Error: the stored upload is missing"));
  EXPECT_EQ(record(next).status, engine::ImportStatus::aborted);
}

// What is imported is what was accepted, byte by byte (docs/requirements/importing.md, section 3).
TEST_F(Queue, AbortsWhenTheKeptFileIsDamaged) {
  const std::string accepted_file = small_map("P");
  for (const std::string& found : {small_map("Q"), accepted_file + " ", accepted_file.substr(0, 9),
                                   std::string("<nonsense/>")}) {
    const std::uint64_t number = accepted(upload(accepted_file));
    for (const auto& entry : fs::directory_iterator(node.file("uploads")))
      std::ofstream(entry.path(), std::ios::trunc) << found;
    queue->import_waiting();
    EXPECT_EQ(record(number).status, engine::ImportStatus::aborted);
    EXPECT_THAT(record(number).message, HasSubstr("Error: the stored upload is damaged"));
    for (const auto& entry : fs::directory_iterator(node.file("uploads"))) fs::remove(entry);
  }
  EXPECT_EQ(topologies(), 0U);
}

std::string large_map_of(const std::string& id) {
  test::TopologyText text = test::topology(id, "o", test::institution("o"));
  for (int i = 0; i < 200; ++i) text.add(test::node("n" + std::to_string(i)));
  return text;
}

TEST_F(Queue, ImportsALargeFileThatIsKeptCompressed) {
  const std::string map = large_map_of("P");
  const std::uint64_t number = accepted(upload(map));
  const fs::path kept = fs::directory_iterator(node.file("uploads"))->path();
  EXPECT_EQ(kept.filename().string(), to_hex(record(number).file_hash) + ".zst");
  EXPECT_LT(fs::file_size(kept), map.size() / 2);
  EXPECT_EQ(record(number).file_bytes, map.size());
  restart();
  queue->import_waiting();
  EXPECT_EQ(record(number).status, engine::ImportStatus::complete);
  EXPECT_EQ(topologies(), 1U);
}

TEST_F(Queue, AbortsWhenACompressedFileIsDamaged) {
  const std::uint64_t number = accepted(upload(large_map_of("P")));
  const fs::path kept = fs::directory_iterator(node.file("uploads"))->path();
  {
    std::fstream file(kept, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(100).put('\x7f');
    file.seekp(101).put('\x7f');
  }
  queue->import_waiting();
  EXPECT_EQ(record(number).status, engine::ImportStatus::aborted);
  EXPECT_THAT(record(number).message, HasSubstr("the stored file is damaged"));
  EXPECT_EQ(topologies(), 0U);
}

TEST_F(Queue, TriesAgainWhatCannotBeReadNow) {
  const std::uint64_t number = accepted(upload(small_map("P")));
  const fs::path kept = fs::directory_iterator(node.file("uploads"))->path();
  const fs::path aside = node.file("aside");
  fs::rename(kept, aside);
  fs::create_directory(kept);
  EXPECT_FALSE(queue->import_waiting());
  EXPECT_EQ(record(number).status, engine::ImportStatus::in_progress);
  fs::remove(kept);
  fs::rename(aside, kept);
  EXPECT_TRUE(queue->import_waiting());
  EXPECT_EQ(record(number).status, engine::ImportStatus::complete);
}

TEST_F(Queue, GoesOnByItselfWhenAFileStaysUnreadable) {
  const std::uint64_t unreadable = accepted(upload(small_map("P")));
  const fs::path kept = fs::directory_iterator(node.file("uploads"))->path();
  const std::uint64_t next = accepted(upload(small_map("Q")));
  fs::remove(kept);
  fs::create_directory(kept);
  queue = std::make_unique<ImportQueue>(*node, std::chrono::milliseconds(1));
  queue->start();
  while (record(next).status == engine::ImportStatus::in_progress) std::this_thread::yield();
  queue->stop();
  EXPECT_EQ(record(unreadable).status, engine::ImportStatus::aborted);
  EXPECT_EQ(record(next).status, engine::ImportStatus::complete);
  EXPECT_EQ(node.events().errors.size(), 2U) << "the third failure is the last";
}

TEST_F(Queue, PassesOverWhatWasDeleted) {
  const std::uint64_t number = accepted(upload(small_map("P")));
  const auto job = ImportJob::resume(*node, number);
  ASSERT_TRUE(job.has_value());
  change([](const engine::State& state, WallTime) {
    return Result<engine::Transaction>(plan_clear(state));
  });
  const ImportOutcome outcome = (*job)->commit();
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().error.code, Errc::not_found);
  queue->import_waiting();
  EXPECT_EQ(topologies(), 0U);
  EXPECT_EQ(node->version().state->catalog.imports.count(), 0U);
}

TEST_F(Queue, IsUsedAsTheSettingSays) {
  Intake intake(*node);
  EXPECT_EQ(intake.end_for_clients(), UploadEnd::import) << "there is no queue";
  intake.use(*queue);
  EXPECT_EQ(intake.end_for_clients(), UploadEnd::queue);
  change([](const engine::State& state, WallTime) {
    return Result<engine::Transaction>(plan_setting_set(state, "IMPORT_ANSWER", "Result"));
  });
  EXPECT_EQ(intake.end_for_clients(), UploadEnd::import);
  const std::uint64_t number = accepted(upload(small_map("P")));
  EXPECT_EQ(record(number).status, engine::ImportStatus::complete);
}

TEST_F(Queue, WaitsForThisMemberToLead) {
  bool leads = false;
  ImportQueue following(*node, std::chrono::seconds(10), [&] { return leads; });
  const std::uint64_t number = accepted(upload(small_map("waits")));
  EXPECT_TRUE(following.import_waiting());
  EXPECT_EQ(record(number).status, engine::ImportStatus::in_progress);
  leads = true;
  EXPECT_TRUE(following.import_waiting());
  EXPECT_EQ(record(number).status, engine::ImportStatus::complete);
}

}  // namespace
}  // namespace netml::admin
