// Services on an open node: what tests of the whole program cannot reach or would miss.
// Method: a node on a real directory, with a clock and a random source of the test.
#include "admin/node/node.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <limits>
#include <set>
#include <thread>
#include <utility>

#include "admin/access/tokens.hpp"
#include "admin/imports/intake.hpp"
#include "engine/edit/plan_edit.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/admin/support/uploads.hpp"

namespace netml::admin {
namespace {

namespace fs = std::filesystem;
using testing::from_client;
using testing::OpenNode;

using testing::kCaller;

Result<Lsn> set(OpenNode& node, const std::string& value, std::optional<WallTime> date = {}) {
  Change change{.caller = kCaller, .cause = engine::Cause::setting, .effective_time = date};
  change.plan = [value](const engine::State& state, WallTime) {
    return Result<engine::Transaction>(plan_setting_set(state, "NAME", value));
  };
  return node->commit(std::move(change));
}

// ---- versions ----

// Decision 22: a state and its place in the chain belong together, from the moment of the answer.
TEST(NodeVersions, HaveAHeadOfTheirOwn) {
  OpenNode node;
  std::set<std::string> hashes;
  std::string last;
  for (std::uint64_t i = 1; i <= 200; ++i) {
    const Result<Lsn> lsn = set(node, fmt::format("{}", i));
    ASSERT_TRUE(lsn.has_value());
    last = node->version().head;
    EXPECT_TRUE(last.starts_with(fmt::format("{}:", lsn->value))) << last;
    hashes.insert(last.substr(last.find(':')));
  }
  EXPECT_EQ(hashes.size(), 200U);
  node.close();
  node.open();
  EXPECT_EQ(node->version().head, last);
}

TEST(NodeVersions, OfAPlanThatFailsAreTheOldOnes) {
  OpenNode node;
  ASSERT_TRUE(set(node, "a").has_value());
  const std::string before = node->version().head;
  Change change{.caller = kCaller};
  change.plan = [](const engine::State&, WallTime) -> Result<engine::Transaction> {
    return fail(Errc::conflict, "no");
  };
  EXPECT_EQ(node->commit(std::move(change)).error().code, Errc::conflict);
  EXPECT_EQ(node->version().head, before);
}

// A change that changes nothing is none: neither the age of the journal nor the log knows of it.
TEST(NodeVersions, TellHowLongNothingHasChanged) {
  OpenNode node;
  node.clock().advance(std::chrono::seconds(5));
  EXPECT_EQ(node->unchanged(), std::chrono::seconds(5)) << "since it was opened";
  ASSERT_TRUE(set(node, "a").has_value());
  EXPECT_EQ(node->unchanged(), std::chrono::seconds(0));
  node.clock().advance(std::chrono::seconds(7));
  Change nothing{.caller = kCaller, .cause = engine::Cause::setting};
  nothing.plan = [](const engine::State& state, WallTime) {
    return Result<engine::Transaction>(engine::empty_transaction(state));
  };
  ASSERT_TRUE(node->commit(std::move(nothing)).has_value());
  EXPECT_EQ(node->unchanged(), std::chrono::seconds(7));
}

// What a watchdog goes by: a writer that hangs gives no sign.
TEST(NodeWriter, IsAwaitedBehindWhatItIsAt) {
  OpenNode node;
  EXPECT_TRUE(node->await_writer().has_value());
  std::promise<void> entered;
  std::promise<void> go;
  Change change{.caller = kCaller, .cause = engine::Cause::setting};
  change.plan = [&, first = true](const engine::State& state, WallTime) mutable {
    if (std::exchange(first, false)) {
      entered.set_value();
      go.get_future().wait();
    }
    return Result<engine::Transaction>(plan_setting_set(state, "NAME", "a"));
  };
  auto committing = std::async(std::launch::async, [&] { return node->commit(change); });
  entered.get_future().wait();
  auto turn = std::async(std::launch::async, [&] { return node->await_writer(); });
  EXPECT_EQ(turn.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
  go.set_value();
  EXPECT_TRUE(turn.get().has_value());
  EXPECT_TRUE(committing.get().has_value());
}

// Decision 19.
TEST(NodeVersions, HaveEffectiveTimesThatNeverGoBack) {
  OpenNode node;
  const WallTime now = node.clock().wall();
  const WallTime later{now.microseconds + 10'000'000};
  ASSERT_TRUE(set(node, "a", later).has_value());
  EXPECT_EQ(set(node, "b", now).error().code, Errc::conflict);
  ASSERT_TRUE(set(node, "c").has_value());
  EXPECT_EQ(node->version().state->effective_time, later) << "the machine's clock is behind";
  node.clock().advance(std::chrono::minutes(1));
  ASSERT_TRUE(set(node, "d").has_value());
  EXPECT_EQ(node->version().state->effective_time, node.clock().wall());
}

TEST(NodeVersions, HaveNoEffectiveTimeBeforeThatOfTheFirst) {
  OpenNode node;
  const Result<Lsn> refused = set(node, "a", WallTime{-1'000'000});
  EXPECT_EQ(refused.error().code, Errc::invalid_input);
  EXPECT_NE(refused.error().message.find("history begins with"), std::string::npos);
  EXPECT_TRUE(set(node, "a", WallTime{}).has_value());
}

TEST(NodeVersions, DoNotChangeWhenOpenedForReadingOnly) {
  OpenNode node;
  ASSERT_TRUE(set(node, "a").has_value());
  const std::string before = node->version().head;
  node.close();
  node.open(true);
  EXPECT_FALSE(node->writable());
  EXPECT_FALSE(node->reason().empty());
  EXPECT_EQ(set(node, "b").error().code, Errc::unavailable);
  EXPECT_EQ(node->checkpoint().error().code, Errc::unavailable);
  const auto item = [](Lsn, WallTime) { return Result<engine::PublishedItem>(); };
  EXPECT_EQ(node->publish(kCaller, item).error().code, Errc::unavailable);
  EXPECT_EQ(Intake(*node).admit(from_client(1), UploadEnd::import)->error.code, Errc::unavailable);
  EXPECT_EQ(node->version().head, before);
}

// ---- tokens ----

TEST(TokensOfANode, OpenTheirKindUntilTheyAreDeleted) {
  OpenNode node;
  Tokens tokens(*node);
  const auto polling = tokens.create(kCaller, "peer", engine::TokenKind::polling);
  ASSERT_TRUE(polling.has_value());
  const auto identity = tokens.check(*polling, engine::TokenKind::polling);
  ASSERT_TRUE(identity.has_value());
  EXPECT_EQ(identity->client_name, "peer");
  EXPECT_FALSE(tokens.check(*polling, engine::TokenKind::import).has_value());
  for (const std::string& other : {std::string(), *polling + "x", polling->substr(1)})
    EXPECT_FALSE(tokens.check(other, engine::TokenKind::polling).has_value()) << other;
  ASSERT_TRUE(tokens.remove(kCaller, "peer").has_value());
  EXPECT_FALSE(tokens.check(*polling, engine::TokenKind::polling).has_value());
  EXPECT_EQ(tokens.remove(kCaller, "peer").error().code, Errc::not_found);
}

// A look-up of one version must not be used for the next.
TEST(TokensOfANode, AreFoundAmongManyThatComeAndGo_A3) {
  OpenNode node;
  Tokens tokens(*node);
  std::vector<std::string> values;
  for (int i = 0; i < 20; ++i) {
    const std::string name = fmt::format("peer {}", i);
    values.push_back(*tokens.create(kCaller, name, engine::TokenKind::polling));
    EXPECT_EQ(tokens.check(values.back(), engine::TokenKind::polling)->client_name, name);
    EXPECT_EQ(tokens.check(values.front(), engine::TokenKind::polling)->client_name, "peer 0");
  }
  for (int i = 0; i < 20; i += 2)
    ASSERT_TRUE(tokens.remove(kCaller, fmt::format("peer {}", i)).has_value());
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(tokens.check(values[i], engine::TokenKind::polling).has_value(), i % 2 == 1) << i;
}

TEST(TokensOfANode, HaveNamesOfTheirOwn) {
  OpenNode node;
  Tokens tokens(*node);
  ASSERT_TRUE(tokens.create(kCaller, "peer", engine::TokenKind::polling).has_value());
  EXPECT_EQ(tokens.create(kCaller, "peer", engine::TokenKind::import).error().code, Errc::conflict);
  EXPECT_TRUE(tokens.create(kCaller, std::string(255, 'n'), engine::TokenKind::import).has_value());
  for (const std::string& name : {std::string(), std::string(256, 'n')})
    EXPECT_EQ(tokens.create(kCaller, name, engine::TokenKind::import).error().code,
              Errc::invalid_input);
}

TEST(TokensOfANode, AreKeptWithoutTheirValue) {
  OpenNode node;
  Tokens tokens(*node);
  const std::string value = *tokens.create(kCaller, "peer", engine::TokenKind::polling);
  node->version().state->catalog.tokens.for_each([&](std::uint64_t, const engine::Token& token) {
    EXPECT_EQ(token.ciphertext.find(value), std::string::npos);
    EXPECT_EQ(node->secrets().open(token.ciphertext), value) << "for those who may see it";
  });
}

TEST(TokensOfANode, KnowTheirKindsByEveryName) {
  for (const char* name : {"polling", "netml_export", "grenml_export"})
    EXPECT_EQ(parse_token_kind(name), engine::TokenKind::polling) << name;
  for (const char* name : {"import", "netml_import", "grenml_import"})
    EXPECT_EQ(parse_token_kind(name), engine::TokenKind::import) << name;
  for (const char* name : {"", "Polling", "export", "grenml"})
    EXPECT_EQ(parse_token_kind(name).error().code, Errc::invalid_input) << name;
}

// Decision 28: without the key the node goes on, but says what that means.
TEST(TokensOfANode, AreWorthlessWithoutTheKeyAndThatIsSaid) {
  OpenNode node;
  const std::string value = *Tokens(*node).create(kCaller, "peer", engine::TokenKind::polling);
  node.close();
  fs::remove(node.file("node.key"));
  node.open();
  EXPECT_FALSE(Tokens(*node).check(value, engine::TokenKind::polling).has_value());
  ASSERT_EQ(node.events().warnings.size(), 1U);
  EXPECT_NE(node.events().warnings[0].find("node.key is missing"), std::string::npos);
}

// ---- uploads ----

bool nothing_spooled(const OpenNode& node) {
  return fs::is_empty(node.file("tmp"));
}

std::optional<ImportFailure> admit(const Intake& intake) {
  return intake.admit(from_client(1000), UploadEnd::import);
}

std::vector<std::unique_ptr<Upload>> begin_uploads(Intake& intake, std::size_t count) {
  std::vector<std::unique_ptr<Upload>> uploads;
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_FALSE(admit(intake).has_value()) << i;
    auto upload = intake.begin(from_client());
    EXPECT_TRUE(upload.has_value()) << i;
    if (upload) uploads.push_back(std::move(*upload));
  }
  return uploads;
}

TEST(Uploads, StillOnTheirWayKeepNobodyFromImporting) {
  OpenNode node;
  Intake intake(*node);
  const auto slow = begin_uploads(intake, 31);
  auto fast = begin_uploads(intake, 1);
  ASSERT_EQ(fast.size(), 1U);
  EXPECT_TRUE(fast[0]->write("not XML").has_value());
  EXPECT_EQ(fast[0]->finish(UploadEnd::import).error().error.code, Errc::invalid_input);
}

TEST(Uploads, BeyondThoseReceivedAtOnceAreRefusedUntilOneIsDone) {
  OpenNode node;
  Intake intake(*node, {.received_at_once_max = 3});
  auto uploads = begin_uploads(intake, 3);
  EXPECT_EQ(intake.begin(from_client()).error().error.code, Errc::unavailable);
  const auto refused = admit(intake);
  ASSERT_TRUE(refused.has_value());
  EXPECT_EQ(refused->error.code, Errc::unavailable);
  EXPECT_THAT(refused->error.message,
              ::testing::HasSubstr("above uploads_at_once_max (3); raise it"));
  ImportRequest here = from_client();
  here.source = engine::ImportSource::command_line;
  EXPECT_FALSE(intake.admit(here, UploadEnd::import).has_value());
  EXPECT_TRUE(intake.begin(here).has_value()) << "a crowd keeps nobody out who is at the machine";
  ImportRequest poll = from_client();
  poll.source = engine::ImportSource::poll;
  EXPECT_TRUE(intake.begin(poll).has_value()) << "polls are bounded where they begin";
  uploads.pop_back();
  EXPECT_FALSE(admit(intake).has_value());
  EXPECT_TRUE(intake.begin(from_client()).has_value());
}

// docs/requirements/durability-and-security.md, section 3: one is applied, four wait, the sixth
// comes again later.
TEST(Uploads, ReceivedWholeWaitForTheWriterUpToALimit) {
  OpenNode node;
  Intake intake(*node);
  auto uploads = begin_uploads(intake, 6);
  ASSERT_EQ(uploads.size(), 6U);
  std::vector<std::future<ImportOutcome>> outcomes;
  std::optional<ImportFailure> refused;
  Change change{.caller = kCaller};
  change.plan = [&](const engine::State&, WallTime) -> Result<engine::Transaction> {
    for (std::size_t i = 0; i < 5; ++i)
      outcomes.push_back(
          std::async(std::launch::async, [&, i] { return uploads[i]->finish(UploadEnd::import); }));
    while (!(refused = admit(intake))) std::this_thread::yield();
    const auto sixth = uploads[5]->finish(UploadEnd::import);
    EXPECT_EQ(sixth.error().error.code, Errc::unavailable);
    EXPECT_THAT(sixth.error().error.message, ::testing::HasSubstr("above imports_waiting_max (4)"));
    return fail(Errc::conflict, "nothing to change");
  };
  EXPECT_FALSE(node->commit(std::move(change)).has_value());
  EXPECT_EQ(refused->error.code, Errc::unavailable);
  for (auto& outcome : outcomes) EXPECT_EQ(outcome.get().error().error.code, Errc::invalid_input);
  EXPECT_FALSE(admit(intake).has_value());
}

TEST(Uploads, LongerThanTheOneLimitAreNotBegun) {
  OpenNode node;
  const Intake intake(*node, {.bytes_max = 999});
  const auto refused = admit(intake);
  ASSERT_TRUE(refused.has_value());
  EXPECT_EQ(refused->error.code, Errc::too_large);
  EXPECT_EQ(refused->error.message, "bytes of the body: above 999");
  EXPECT_FALSE(refused->no_room);
}

TEST(Uploads, OfMoreThanTheDiskHoldsAreNotBegun) {
  OpenNode node;
  const Intake intake(*node, {.bytes_max = std::numeric_limits<std::uint64_t>::max()});
  const auto refused = intake.admit(from_client(node->free_bytes()), UploadEnd::import);
  ASSERT_TRUE(refused.has_value());
  EXPECT_EQ(refused->error.code, Errc::no_space);
  EXPECT_TRUE(refused->no_room);
}

TEST(Uploads, AbandonedLeaveNothing) {
  OpenNode node;
  const std::string before = node->version().head;
  Intake intake(*node);
  {
    auto upload = intake.begin(from_client());
    ASSERT_TRUE(upload.has_value());
    EXPECT_TRUE((*upload)->write("<half of a").has_value());
    EXPECT_FALSE(nothing_spooled(node));
  }
  EXPECT_TRUE(nothing_spooled(node));
  EXPECT_EQ(node->version().head, before);
}

TEST(Uploads, ThatFailHaveARecordWithTheirToken) {
  OpenNode node;
  Intake intake(*node);
  const ImportOutcome outcome = testing::upload(intake, "not XML");
  ASSERT_FALSE(outcome.has_value());
  const ImportFailure& failure = outcome.error();
  EXPECT_EQ(failure.error.code, Errc::invalid_input);
  EXPECT_EQ(failure.errors.count, failure.errors.first.size());
  ASSERT_FALSE(failure.errors.first.empty());
  EXPECT_EQ(failure.errors.first[0].line, 1U);

  const auto record = node->version().state->catalog.imports.find(failure.record);
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->status, engine::ImportStatus::aborted);
  EXPECT_EQ(record->name, "map.xml");
  EXPECT_EQ(record->token, 7U);
  EXPECT_TRUE(node.events().errors.empty()) << "a client's mistake is none of the node";
}

}  // namespace
}  // namespace netml::admin
