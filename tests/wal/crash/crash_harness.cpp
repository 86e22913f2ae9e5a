#include "tests/wal/crash/crash_harness.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "tests/support/sanitized.hpp"
#include "wal/checkpoint/signatures.hpp"
#include "wal/upkeep/verify.hpp"

namespace netml::wal::test {

using testing::CrashPattern;
using testing::SimDisk;

void Client::open() {
  auto opened = node_.open();
  ASSERT_TRUE(opened) << opened.error().message;
  store_ = std::move(*opened);
  appended_ = store_->next()->lsn;
}

void Client::reopen() {
  store_.reset();
  open();
  oracle_.forget_after(store_->head()->lsn);
}

void Client::append(const Plan& plan) {
  const Status appended = try_append(plan);
  ASSERT_TRUE(appended) << appended.error().message;
}

void Client::sync() {
  const Status synced = try_sync();
  ASSERT_TRUE(synced) << synced.error().message;
}

// The oracle hears of the state before the disk does: a crash may keep it from then on.
Status Client::try_append(const Plan& plan) {
  const engine::Transaction transaction = plan(*store_->next());
  const Lsn lsn{std::max(appended_, store_->head_hash().lsn).value + 1};
  if (const auto after = engine::apply(*store_->next(), transaction, lsn))
    oracle_.attempt(lsn, after->digest());
  const Result<Lsn> given = store_->append(transaction);
  if (!given) {
    note_failure();
    return tl::make_unexpected(given.error());
  }
  EXPECT_EQ(*given, lsn);
  appended_ = lsn;
  return {};
}

Status Client::try_sync() {
  if (Status synced = store_->sync(); !synced) {
    note_failure();
    return synced;
  }
  oracle_.acknowledge(appended_);
  return {};
}

// What was undone, durably, cannot come back; after other errors a start tells what is there.
void Client::note_failure() {
  appended_ = store_->head()->lsn;
  if (store_->write_state() == WriteState::no_space) oracle_.forget_after(appended_);
}

void Client::publish(const std::string& name) {
  const auto files = store_->checkpoints().write(store_->checkpoints().source());
  ASSERT_TRUE(files) << files.error().message;
  const Status published = store_->checkpoints().publish(*files);
  ASSERT_TRUE(published) << published.error().message;
  commit([&](const engine::State& base) {
    testing::TransactionBuilder builder(base);
    builder.publish(name, files->lsn);
    return builder.finish();
  });
}

void Client::close() {
  const Status closed = store_->close();
  ASSERT_TRUE(closed) << closed.error().message;
  store_.reset();
}

void note_marks(const RecoveryReport& report, Marks& marks) {
  if (report.quarantined_bytes != 0) marks.reach("torn tail");
  if (report.rewritten_frames != 0) marks.reach("tail written again");
  if (report.checkpoint.value != 0) marks.reach("started from a checkpoint");
  if (report.created) marks.reach("created");
  if (report.aborted != 0) marks.reach("aborted transaction");
  if (report.clean_stop) marks.reach("started after a clean stop");
  const auto tell = [](const std::vector<std::string>& texts, std::string_view word) {
    return std::ranges::any_of(
        texts, [&](const std::string& text) { return text.find(word) != std::string::npos; });
  };
  if (tell(report.notes, "aborted")) marks.reach("transaction cut off");
  if (tell(report.warnings, "cannot be used")) marks.reach("checkpoint fallback");
  if (tell(report.warnings, "the other manifest")) marks.reach("manifest fallback");
}

void check_recovered(Store& store, const Oracle& oracle) {
  const Lsn lsn = store.head()->lsn;
  EXPECT_GE(lsn, oracle.acknowledged()) << "an acknowledged change is lost";
  const auto expected = oracle.digests().find(lsn.value);
  EXPECT_TRUE(expected != oracle.digests().end() && expected->second == store.head()->digest())
      << "not the state after LSN " << lsn.value;
  std::set<Lsn> named;
  store.head()->catalog.published.for_each(
      [&](std::uint64_t number, const engine::PublishedItem& item) {
        named.insert(item.lsn);
        const auto read = read_published(store, item.lsn);
        ASSERT_TRUE(read) << "item " << number << ": " << read.error().message;
        EXPECT_TRUE(read->state->digest() == oracle.at(item.lsn)) << number;
      });
  std::set<Lsn> kept;
  for (const CheckpointEntry& entry : store.manifest().checkpoints)
    if (entry.published) kept.insert(entry.lsn);
  EXPECT_TRUE(kept == named) << "published states and items differ";
}

namespace {
bool has_signatures(Node& node) {
  const auto text = read_signatures(node.root());
  return text && !text->empty();
}
}  // namespace

void check_goes_on(Node& node, const engine::Digest& digest) {
  auto store = node.open();
  ASSERT_TRUE(store) << store.error().message;
  ASSERT_TRUE((*store)->head()->digest() == digest);
  const auto committed = commit(**store, testing::import_topology(*(*store)->next(), "z", 2));
  ASSERT_TRUE(committed) << committed.error().message;
  const engine::Digest later = (*store)->head()->digest();
  store->reset();
  InlineParallel parallel;
  VerifyOptions wanted;
  if (const auto& key = node.options().signing_key; key && has_signatures(node))
    wanted.key = ed25519_public_key(*key);
  const auto report = verify(node.root(), parallel, wanted);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_TRUE(report->findings.empty()) << report->findings.front();
  auto again = node.open();
  ASSERT_TRUE(again) << again.error().message;
  ASSERT_TRUE((*again)->head()->digest() == later);
}

namespace {

class Examiner {
 public:
  Examiner(const CrashOptions& options, CrashCounts& counts) : options_(options), counts_(counts) {}

  // All ways to crash now.
  void examine(const SimDisk& disk, const Oracle& oracle, const std::string& where) {
    ++counts_.operations;
    for (const CrashPattern& pattern : disk.patterns(counts_.operations, all_)) {
      const std::string label = where + ", crash keeps: " + to_string(pattern);
      SCOPED_TRACE(label);
      const SimDisk image = disk.crashed(pattern);
      const engine::Digest state = recovers(image, oracle);
      if (worth_second_crash(pattern)) crash_again(image, oracle, state);
      if (::testing::Test::HasFailure()) return;
    }
    SCOPED_TRACE(where + ", killed");
    killed(disk, oracle);
  }

 private:
  // A part of them: there are many more crashes inside recovery than before it.
  bool worth_second_crash(const CrashPattern& pattern) const {
    if (netml::test::kSanitized && counts_.images % 8 != 0) return false;
    return pattern.kind == CrashPattern::Kind::all ||
           (pattern.kind == CrashPattern::Kind::torn && pattern.argument % 73 == 1) ||
           (pattern.kind == CrashPattern::Kind::random && pattern.argument % 3 == 0) ||
           (pattern.kind == CrashPattern::Kind::subset && pattern.argument % 8 == 5);
  }

  engine::Digest recovers(const SimDisk& image, const Oracle& oracle) {
    ++counts_.images;
    Node node(image.crashed({CrashPattern::Kind::none, 0}), options_.store);
    engine::Digest digest;
    {
      auto store = node.open();
      EXPECT_TRUE(store) << store.error().message;
      if (!store) return {};
      note_marks((*store)->recovery(), counts_.marks);
      check_recovered(**store, oracle);
      digest = (*store)->head()->digest();
    }
    check_goes_on(node, digest);
    return digest;
  }

  // What a start after a kill shows stays, although it may have found it in the page cache only.
  void killed(const SimDisk& disk, const Oracle& oracle) {
    Node node(disk.killed(), options_.store);
    ++counts_.images;
    auto store = node.open();
    ASSERT_TRUE(store) << store.error().message;
    check_recovered(**store, oracle);
    for (const CrashPattern& pattern : node.disk().patterns(counts_.operations)) {
      SCOPED_TRACE("then a crash keeps: " + to_string(pattern));
      ++counts_.images;
      Node later(node.disk().crashed(pattern), options_.store);
      auto again = later.open();
      ASSERT_TRUE(again) << again.error().message;
      check_recovered(**again, oracle);
      EXPECT_TRUE((*again)->head()->digest() == (*store)->head()->digest());
    }
  }

  // T3: recovery itself is cut off at each of its operations.
  void crash_again(const SimDisk& image, const Oracle& oracle, const engine::Digest& expected) {
    Node node(image.crashed({CrashPattern::Kind::none, 0}), options_.store);
    std::uint64_t seed = counts_.second;
    node.disk().observe([&](std::uint64_t number, const std::string& operation) {
      SCOPED_TRACE(
          fmt::format("second crash before operation {} of recovery: {}", number, operation));
      for (const CrashPattern& pattern :
           {CrashPattern{CrashPattern::Kind::none, 0}, CrashPattern{CrashPattern::Kind::all, 0},
            CrashPattern{CrashPattern::Kind::random, ++seed}}) {
        ++counts_.second;
        Node second(node.disk().crashed(pattern), options_.store);
        auto store = second.open();
        ASSERT_TRUE(store) << store.error().message;
        check_recovered(**store, oracle);
        EXPECT_TRUE((*store)->head()->digest() == expected);
      }
    });
    const auto store = node.open();
    node.disk().observe(nullptr);
  }

  const CrashOptions& options_;
  CrashCounts& counts_;
  const bool all_ = std::getenv("NETML_CRASH_ALL") != nullptr;
};

}  // namespace

CrashCounts crash_everywhere(const Workload& workload, const CrashOptions& options) {
  CrashCounts counts;
  Examiner examiner(options, counts);
  Node node(options.store);
  Oracle oracle;
  if (options.before) {
    Client client(node, oracle);
    options.before(client);
  }
  Client client(node, oracle);
  node.disk().observe([&](std::uint64_t number, const std::string& operation) {
    if (::testing::Test::HasFailure()) return;
    examiner.examine(node.disk(), oracle,
                     fmt::format("before operation {}: {}", number, operation));
  });
  workload(client);
  node.disk().observe(nullptr);
  examiner.examine(node.disk(), oracle, "after the last operation");
  return counts;
}

}  // namespace netml::wal::test
