// Goal: a follower puts into its journal what it has verified, and nothing else; a transaction that
// was cut off in it is completed from the shared log.
#include "wal/cluster/follower.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/wal/cluster/passing_log.hpp"
#include "tests/wal/cluster/sim_cluster.hpp"
#include "wal/cluster/shared_files.hpp"
#include "wal/commit/held_group.hpp"
#include "wal/upkeep/verify.hpp"

namespace netml::wal::test {
namespace {

using testing::CrashPattern;
using testing::import_topology;

// A log that gives the pieces of another, altered.
class AlteredLog final : public PassingLog {
 public:
  using Alter = std::function<void(std::vector<SharedPiece>&)>;
  AlteredLog(std::unique_ptr<SharedLog> log, Alter alter)
      : PassingLog(std::move(log)), alter_(std::move(alter)) {}

  Result<std::vector<SharedPiece>> read_from(const ReadPlace& place,
                                             std::uint64_t bytes_max) override {
    auto pieces = PassingLog::read_from(place, bytes_max);
    if (pieces && !pieces->empty()) alter_(*pieces);
    return pieces;
  }

 private:
  const Alter alter_;
};

// A leader and a follower, which has looked at the log once.
class FollowerTest : public ::testing::Test {
 protected:
  FollowerTest() : cluster_(2) {
    leader_ = cluster_.wait_for_leader();
    NETML_ASSERT(leader_ != nullptr);
    follower_ = leader_ == &cluster_[0] ? &cluster_[1] : &cluster_[0];
    cluster_.pass(1);
  }
  void altered(const AlteredLog::Alter& alter) {
    AlteredLog log(cluster_.log().connect(), alter);
    while (follower_->member().follow(log)) {
    }
  }
  std::string error() const { return follower_->member().standing().status().last_error; }

  SimCluster cluster_;
  SimMember* leader_ = nullptr;
  SimMember* follower_ = nullptr;
};

TEST_F(FollowerTest, TakesNoByteThatIsNotTheOneThatWasWritten) {
  ASSERT_EQ(cluster_.write(*leader_), Said::yes);
  std::size_t bytes = 0;
  altered([&](std::vector<SharedPiece>& pieces) {
    bytes = pieces.front().bytes.size();
    pieces.clear();
  });
  ASSERT_GT(bytes, 0U);
  for (std::size_t at = 0; at < bytes; ++at) {
    altered(
        [at](std::vector<SharedPiece>& pieces) { pieces.front().bytes[at] ^= std::byte{0x10}; });
    ASSERT_EQ(follower_->head().lsn, Lsn{0}) << at;
    ASSERT_NE(error(), "") << at;
  }
  cluster_.pass(1);
  cluster_.check();
}

TEST_F(FollowerTest, TakesPiecesHoweverTheyWereCut) {
  ASSERT_EQ(cluster_.write(*leader_, 2), Said::yes);
  altered([](std::vector<SharedPiece>& pieces) {
    const SharedPiece whole = pieces.front();
    pieces.clear();
    const auto count = static_cast<std::uint32_t>(whole.bytes.size());
    for (std::uint32_t i = 0; i < count; ++i)
      pieces.push_back({whole.before, whole.after, whole.epoch, i, count, {whole.bytes[i]}});
  });
  EXPECT_EQ(follower_->head(), leader_->head());
}

TEST_F(FollowerTest, MissesWhatIsLeftOutAndTakesNothingTwice) {
  ASSERT_EQ(cluster_.write(*leader_), Said::yes);
  ASSERT_EQ(cluster_.write(*leader_), Said::yes);
  altered([](std::vector<SharedPiece>& pieces) { pieces.erase(pieces.begin()); });
  EXPECT_EQ(follower_->head().lsn, Lsn{0});
  EXPECT_THAT(error(), ::testing::HasSubstr("skips"));
  altered([](std::vector<SharedPiece>& pieces) { pieces.front().bytes.resize(64); });
  EXPECT_EQ(follower_->head().lsn, Lsn{0});
  altered([](std::vector<SharedPiece>& pieces) { pieces.insert(pieces.begin(), pieces.front()); });
  cluster_.pass(1);
  cluster_.check();
}

TEST_F(FollowerTest, StopsAtAFrameOfANewerVersion) {
  ASSERT_EQ(cluster_.write(*leader_), Said::yes);
  altered([&](std::vector<SharedPiece>& pieces) {
    std::vector<std::byte>& bytes = pieces.front().bytes;
    const FramePlace place{follower_->store().manifest().node, kSharedSegment, 0};
    const auto head = std::span(bytes).first<format::kFrameHeaderBytes>();
    FrameHeader header = *decode_frame_header(head, place);
    header.version = format::kVersion + 1;
    encode_frame_header(header, place, head);
  });
  EXPECT_EQ(follower_->member().standing().role(), Role::stopped);
  EXPECT_THAT(follower_->member().standing().status().reason,
              ::testing::HasSubstr("newer version"));
}

// Each operation of the disk at which a machine may stop while it follows, and what a crash there
// may leave: it goes on from there, without an ABORT.
TEST_F(FollowerTest, CompletesWhatACrashCutOff) {
  ASSERT_EQ(cluster_.write(*leader_), Said::yes);
  cluster_.pass(1);
  ASSERT_EQ(leader_->commit(
                {[](const engine::State& base) { return import_topology(base, "large", 60); }}),
            Said::yes);
  ASSERT_EQ(leader_->write({"behind"}), Said::yes);
  leader_->step();
  const testing::SimDisk before = follower_->disk().killed();
  std::vector<testing::SimDisk> images;
  follower_->disk().observe([&](std::uint64_t number, const std::string&) {
    for (const CrashPattern& pattern : follower_->disk().patterns(number))
      images.push_back(follower_->disk().crashed(pattern));
  });
  follower_->step();
  follower_->disk().observe({});
  ASSERT_EQ(follower_->head(), leader_->head());
  ASSERT_GT(images.size(), 20U);
  std::size_t cut = 0;
  for (testing::SimDisk& image : images) {
    follower_->replace(std::move(image));
    ASSERT_TRUE(follower_->start());
    cut += follower_->store().log().ends_at_head() ? 0 : 1;
    follower_->step();
    leader_->step();
    ASSERT_EQ(follower_->head(), leader_->head()) << error();
    ASSERT_TRUE(follower_->store().log().ends_at_head());
  }
  EXPECT_GT(cut, 0U) << "no crash has left a part of a transaction";
}

TEST_F(FollowerTest, GoesOnWhenThereIsRoomAgain) {
  ASSERT_EQ(cluster_.write(*leader_, 3), Said::yes);
  follower_->disk().set_free_bytes(0);
  follower_->disk().inject([](std::uint64_t, const std::string& what) -> std::optional<Error> {
    if (what.starts_with("write")) return Error{Errc::no_space, "full"};
    return std::nullopt;
  });
  cluster_.pass(1);
  EXPECT_NE(follower_->head(), leader_->head());
  const std::uint64_t calls = cluster_.log().calls();
  EXPECT_FALSE(follower_->member().follow(*cluster_.log().connect()));
  EXPECT_EQ(cluster_.log().calls(), calls) << "the store has time to look for room";
  follower_->disk().inject({});
  follower_->disk().set_free_bytes(std::uint64_t{1} << 40);
  cluster_.pass(2);
  cluster_.check();
}

TEST_F(FollowerTest, WritesThePublishedStatesItself) {
  ASSERT_EQ(cluster_.write(*leader_, 2), Said::yes);
  Store& store = leader_->store();
  const Lsn published = store.head_hash().lsn;
  ASSERT_TRUE(
      store.checkpoints().publish(*store.checkpoints().write(store.checkpoints().source())));
  ASSERT_EQ(leader_->commit({[&](const engine::State& base) {
    testing::TransactionBuilder builder(base);
    builder.publish("edition", published);
    return builder.finish();
  }}),
            Said::yes);
  cluster_.pass(1);
  ASSERT_EQ(follower_->head(), leader_->head());
  const auto of_leader = read_published(store, published);
  const auto of_follower = read_published(follower_->store(), published);
  ASSERT_TRUE(of_leader);
  ASSERT_TRUE(of_follower) << of_follower.error().message;
  EXPECT_EQ(of_follower->state->digest(), of_leader->state->digest());
  EXPECT_EQ(of_follower->head, of_leader->head);
}

// ---- stored files ----

std::vector<std::byte> some_bytes(std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i * 31 + i / 251);
  return bytes;
}

Sha256 store_file(SimMember& member, const std::vector<std::byte>& bytes) {
  const Sha256 hash = Sha256Hasher().hash(bytes);
  const std::unique_ptr<Storage> temporary = *member.root().open_directory(kTemporaryDirectory);
  EXPECT_TRUE((*temporary->open("upload", OpenMode::create_empty))->write(0, bytes));
  EXPECT_TRUE(member.store().keep_upload("upload", hash));
  return hash;
}

Said name_file(SimMember& leader, const Sha256& hash) {
  return leader.commit({[&](const engine::State& base) {
    testing::TransactionBuilder builder(base);
    builder.import_record("named.xml", hash);
    return builder.finish();
  }});
}

TEST_F(FollowerTest, DoesNotFetchAStoredFileOverAndOverForWhichThereIsNoRoom) {
  ASSERT_EQ(name_file(*leader_, store_file(*leader_, some_bytes(100))), Said::yes);
  follower_->disk().set_free_bytes(0);
  follower_->disk().inject([](std::uint64_t, const std::string& what) -> std::optional<Error> {
    const bool fetches = what.starts_with("write") && what.find("tmp/") != std::string::npos;
    return fetches ? std::optional(Error{Errc::no_space, "full"}) : std::nullopt;
  });
  cluster_.pass(1);
  EXPECT_NE(follower_->head(), leader_->head());
  const std::uint64_t calls = cluster_.log().calls();
  EXPECT_FALSE(follower_->member().follow(*cluster_.log().connect()));
  EXPECT_EQ(cluster_.log().calls(), calls);
  follower_->disk().inject({});
  follower_->disk().set_free_bytes(std::uint64_t{1} << 40);
  cluster_.pass(2);
  cluster_.check();
}

TEST_F(FollowerTest, HasTheStoredFilesThatATransactionNames) {
  const std::vector<std::byte> bytes = some_bytes(2 * kSharedPieceBytesMax + 17);
  const Sha256 hash = store_file(*leader_, bytes);
  ASSERT_EQ(name_file(*leader_, hash), Said::yes);
  cluster_.pass(1);
  ASSERT_EQ(follower_->head(), leader_->head());
  const std::unique_ptr<Storage> uploads = *follower_->root().open_directory(kUploadDirectory);
  const auto file = open_stored(*uploads, hash);
  ASSERT_TRUE(file);
  std::vector<std::byte> found(bytes.size());
  ASSERT_TRUE(read_exactly(**file, 0, found));
  EXPECT_EQ(found, bytes);
}

}  // namespace
}  // namespace netml::wal::test
