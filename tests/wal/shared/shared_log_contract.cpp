// Goal: what leader, followers and upkeep of a cluster rely on, whatever engine holds the shared
// journal. Each test names the promise that it holds the implementation to. Doubt, which only a
// model can bring about at will, is in sim_shared_log_test.cpp.
#include "tests/wal/shared/shared_log_contract.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace netml::wal::test {

using std::chrono::hours;
using std::chrono::nanoseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::vector<std::byte> to_bytes(std::string_view text) {
  const std::span<const std::byte> bytes = bytes_of(text);
  return {bytes.begin(), bytes.end()};
}

std::string text_of(const std::vector<std::byte>& bytes) {
  std::string text(bytes.size(), '\0');
  std::ranges::transform(bytes, text.begin(),
                         [](std::byte each) { return static_cast<char>(each); });
  return text;
}

// Every value of a byte, and nothing that compresses well.
std::string mixed(std::size_t size) {
  std::string text(size, '\0');
  std::uint32_t state = 1;
  for (char& each : text) {
    state = state * 1664525U + 1013904223U;
    each = static_cast<char>(state >> 24U);
  }
  return text;
}

Sha256 some_hash(unsigned char fill) {
  Sha256 hash;
  hash.fill(std::byte{fill});
  return hash;
}

Member member(std::string name, Lsn applied) {
  const std::string address = "https://" + name + ".example:8443";
  return {std::move(name), address, {applied, some_hash(1)}, "1.2.3", {}};
}

}  // namespace

NodeUuid contract_cluster() {
  NodeUuid cluster;
  cluster.bytes.fill(std::byte{0x5c});
  return cluster;
}

Head contract_start() {
  return some_head(41);
}

Head some_head(std::uint64_t lsn, std::string_view history) {
  Head head{Lsn{lsn}, some_hash(static_cast<unsigned char>(lsn % 251))};
  for (std::size_t i = 0; i < history.size() && i < head.chain.size(); ++i)
    head.chain[i] = static_cast<std::byte>(history[i]);
  return head;
}

OwnedAppend::OwnedAppend(const Head& before, const Head& after, Epoch epoch,
                         std::vector<std::string> pieces)
    : before_(before), after_(after), epoch_(epoch), pieces_(std::move(pieces)) {
  views_.reserve(pieces_.size());
  for (const std::string& piece : pieces_) views_.push_back(bytes_of(piece));
}

// ---- helpers ----

Appended SharedLogContract::append(const Head& before, const Head& after,
                                   std::vector<std::string> pieces) {
  return append(before, after, epoch(), std::move(pieces));
}

Appended SharedLogContract::append(const Head& before, const Head& after, Epoch epoch,
                                   std::vector<std::string> pieces) {
  const OwnedAppend frames(before, after, epoch, std::move(pieces));
  return log_->append_if(frames.append());
}

Head SharedLogContract::append_each(const std::vector<std::string>& pieces) {
  Head at = start_;
  for (const std::string& piece : pieces) {
    const Head after = some_head(at.lsn.value + 1);
    const Appended appended = append(at, after, {piece});
    EXPECT_EQ(appended.outcome, Outcome::done) << appended.reason;
    at = after;
  }
  return at;
}

SharedHead SharedLogContract::head() {
  const Result<SharedHead> head = log_->head();
  EXPECT_TRUE(head) << (head ? "" : head.error().message);
  return head.value_or(SharedHead{});
}

std::string SharedLogContract::read_all(Lsn after) {
  const auto pieces = log_->read_from({after}, kAll);
  EXPECT_TRUE(pieces) << (pieces ? "" : pieces.error().message);
  std::string all;
  if (pieces)
    for (const SharedPiece& piece : *pieces) all += text_of(piece.bytes);
  return all;
}

Status SharedLogContract::put(const SharedUpload& upload, std::uint32_t number,
                              std::string_view bytes) {
  return log_->put_upload(upload, number, bytes_of(bytes));
}

// ---- the head, and appending ----

TEST_P(SharedLogContract, BeginsWhereItWasMade) {
  const SharedHead begin = head();
  EXPECT_EQ(begin.cluster, tested_->cluster());
  EXPECT_EQ(begin.cluster, contract_cluster());
  EXPECT_EQ(begin.head, tested_->start());
  EXPECT_EQ(begin.head, start_);
  EXPECT_EQ(begin.lease.holder, "");
  EXPECT_LE(begin.lease.left, nanoseconds(0));
  EXPECT_EQ(read_all(start_.lsn), "");
}

TEST_P(SharedLogContract, AppendsBehindTheHeadThatIsNamed) {
  const Head after = some_head(44);
  const Appended appended = append(start_, after, {"frames"});
  EXPECT_EQ(appended.outcome, Outcome::done);
  EXPECT_EQ(appended.found, SharedHead{}) << "nobody was asked what stands there";
  EXPECT_EQ(head().head, after);
  EXPECT_EQ(read_all(start_.lsn), "frames");
}

TEST_P(SharedLogContract, RefusesAnotherLsnAndShowsItsHead) {
  const Head at = append_each({"one"});
  const Appended behind = append(some_head(43), some_head(44), {"two"});
  EXPECT_EQ(behind.outcome, Outcome::refused);
  EXPECT_EQ(behind.found.head, at);
  EXPECT_EQ(append(start_, some_head(43), {"two"}).outcome, Outcome::refused);
  EXPECT_EQ(head().head, at);
}

TEST_P(SharedLogContract, RefusesAnotherHashAtTheSameLsn) {
  const Head forked = some_head(start_.lsn.value, "another");
  EXPECT_EQ(append(forked, some_head(42), {"fork"}).outcome, Outcome::refused);
  EXPECT_EQ(head().head, start_);
}

TEST_P(SharedLogContract, RefusesAnyOtherEpoch) {
  ASSERT_EQ(log_->take_lease("a", epoch(), kLease).outcome, Outcome::done);
  const Epoch now = epoch();
  for (const std::uint64_t other : {now.value - 1, now.value + 1}) {
    const Appended refused = append(start_, some_head(42), Epoch{other}, {"x"});
    EXPECT_EQ(refused.outcome, Outcome::refused);
    EXPECT_EQ(refused.found.lease.epoch, now);
  }
  EXPECT_EQ(append(start_, some_head(42), now, {"x"}).outcome, Outcome::done);
}

TEST_P(SharedLogContract, KeepsNothingOfWhatItRefused) {
  EXPECT_EQ(append(some_head(7), some_head(42), {"x", "y"}).outcome, Outcome::refused);
  EXPECT_EQ(read_all(start_.lsn), "");
  append_each({"first"});
  EXPECT_EQ(read_all(start_.lsn), "first");
}

// History cannot fork, whoever believes to lead.
TEST_P(SharedLogContract, TakesOneOfTwoAppendsBehindOneHead) {
  const auto other = tested_->connect();
  const OwnedAppend mine(start_, some_head(42, "mine"), epoch(), {"mine"});
  const OwnedAppend theirs(start_, some_head(42, "theirs"), epoch(), {"theirs"});
  EXPECT_EQ(log_->append_if(mine.append()).outcome, Outcome::done);
  const Appended refused = other->append_if(theirs.append());
  EXPECT_EQ(refused.outcome, Outcome::refused);
  EXPECT_EQ(refused.found.head, some_head(42, "mine"));
  EXPECT_EQ(read_all(start_.lsn), "mine");
}

TEST_P(SharedLogContract, TakesOneAppendOnceHoweverOftenItArrives) {
  const OwnedAppend frames(start_, some_head(42), epoch(), {"once"});
  EXPECT_EQ(log_->append_if(frames.append()).outcome, Outcome::done);
  const Appended again = log_->append_if(frames.append());
  EXPECT_EQ(again.outcome, Outcome::refused);
  EXPECT_EQ(again.found.head, some_head(42));  // by which the caller knows its own
  EXPECT_EQ(read_all(start_.lsn), "once");
}

TEST_P(SharedLogContract, RefusesWhatNoLogTakes) {
  EXPECT_EQ(append(start_, some_head(42), {}).outcome, Outcome::refused);
  EXPECT_EQ(append(start_, some_head(42), {"x", ""}).outcome, Outcome::refused);
  EXPECT_EQ(append(start_, start_, {"x"}).outcome, Outcome::refused);
  EXPECT_EQ(append(start_, some_head(40), {"x"}).outcome, Outcome::refused);
  const std::string large(kSharedPieceBytesMax + 1, 'x');
  EXPECT_EQ(append(start_, some_head(42), {large}).outcome, Outcome::refused);
  EXPECT_EQ(head().head, start_);
}

TEST_P(SharedLogContract, ShowsAllConnectionsTheSame) {
  const auto other = tested_->connect();
  const Head at = append_each({"one", "two"});
  const Result<SharedHead> seen = other->head();
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->head, at);
  const auto pieces = other->read_from({start_.lsn}, kAll);
  ASSERT_TRUE(pieces);
  EXPECT_THAT(*pieces, SizeIs(2));
}

// ---- reading ----

TEST_P(SharedLogContract, GivesBackEveryByteAndWhereItBelongs) {
  const std::string large = mixed(kSharedPieceBytesMax);
  const Head middle = some_head(45);
  const Head end = some_head(46);
  ASSERT_EQ(append(start_, middle, {large, "tail"}).outcome, Outcome::done);
  ASSERT_EQ(append(middle, end, {std::string("\0\xff", 2)}).outcome, Outcome::done);
  const auto pieces = log_->read_from({start_.lsn}, kAll);
  ASSERT_TRUE(pieces);
  ASSERT_THAT(*pieces, SizeIs(3));
  const Epoch now = epoch();
  const auto bytes = [](std::string_view text) {
    const auto view = bytes_of(text);
    return std::vector<std::byte>(view.begin(), view.end());
  };
  // Not EXPECT_EQ: it would print a megabyte.
  EXPECT_TRUE((*pieces)[0] == (SharedPiece{start_, middle, now, 0, 2, bytes(large)}));
  EXPECT_TRUE((*pieces)[1] == (SharedPiece{start_, middle, now, 1, 2, bytes("tail")}));
  EXPECT_TRUE((*pieces)[2] ==
              (SharedPiece{middle, end, now, 0, 1, bytes(std::string_view("\0\xff", 2))}));
}

TEST_P(SharedLogContract, GivesNoMoreThanAskedButAlwaysAPiece) {
  append_each({"1234", "5678", "90"});
  const auto count = [&](std::uint64_t bytes) {
    const auto pieces = log_->read_from({start_.lsn}, bytes);
    return pieces ? pieces->size() : 0;
  };
  EXPECT_EQ(count(0), 1);
  EXPECT_EQ(count(7), 1);
  EXPECT_EQ(count(8), 2);
  EXPECT_EQ(count(10), 3);
}

TEST_P(SharedLogContract, GoesOnWithinAnAppend) {
  ASSERT_EQ(append(start_, some_head(42), {"a", "b", "c"}).outcome, Outcome::done);
  const auto rest = log_->read_from({start_.lsn, 1}, kAll);
  ASSERT_TRUE(rest);
  ASSERT_THAT(*rest, SizeIs(2));
  EXPECT_EQ(rest->front().number, 1);
  EXPECT_EQ(text_of(rest->back().bytes), "c");
  const auto beyond = log_->read_from({start_.lsn, 3}, kAll);
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().code, Errc::invalid_input);
}

// A member may have put a part of an append into its journal and then been killed.
TEST_P(SharedLogContract, BeginsWithTheAppendThatHoldsTheNextTransaction) {
  ASSERT_EQ(append(start_, some_head(45), {"four"}).outcome, Outcome::done);
  ASSERT_EQ(append(some_head(45), some_head(46), {"one"}).outcome, Outcome::done);
  EXPECT_EQ(read_all(Lsn{43}), "fourone");
  EXPECT_EQ(read_all(Lsn{44}), "fourone");
  EXPECT_EQ(read_all(Lsn{45}), "one");
  EXPECT_EQ(read_all(Lsn{46}), "");
}

TEST_P(SharedLogContract, SaysWhoIsBeforeItsBeginningOrBeyondItsEnd) {
  append_each({"one"});
  const auto before = log_->read_from({Lsn{40}}, kAll);
  ASSERT_FALSE(before);
  EXPECT_EQ(before.error().code, Errc::not_found);
  const auto beyond = log_->read_from({Lsn{43}}, kAll);
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().code, Errc::conflict);
}

TEST_P(SharedLogContract, WaitsOnlyForWhatIsNotThere) {
  append_each({"one"});
  EXPECT_TRUE(log_->wait_beyond(start_.lsn, hours(24)));  // a test that hangs has failed
  EXPECT_TRUE(log_->wait_beyond(Lsn{42}, nanoseconds(1)));
}

// ---- the lease ----

TEST_P(SharedLogContract, GivesAFreeLeaseUnderTheNextEpoch) {
  const Epoch before = epoch();
  const Leased taken = log_->take_lease("a", before, kLease);
  ASSERT_EQ(taken.outcome, Outcome::done);
  EXPECT_EQ(taken.found.lease.epoch.value, before.value + 1);
  EXPECT_EQ(taken.found.lease.holder, "a");
  EXPECT_EQ(taken.found.head, start_);
  EXPECT_GT(taken.found.lease.left, nanoseconds(0));
  EXPECT_LE(taken.found.lease.left, kLease);
  EXPECT_EQ(head().lease.holder, "a");
}

TEST_P(SharedLogContract, KeepsALeaseFromOthersUntilItHasRunOut) {
  ASSERT_EQ(log_->take_lease("a", epoch(), kLease).outcome, Outcome::done);
  const Leased refused = log_->take_lease("b", epoch(), kLease);
  EXPECT_EQ(refused.outcome, Outcome::refused);
  EXPECT_EQ(refused.found.lease.holder, "a");
  tested_->pass(kLease);
  const Leased taken = log_->take_lease("b", epoch(), kLease);
  EXPECT_EQ(taken.outcome, Outcome::done);
  EXPECT_EQ(taken.found.lease.holder, "b");
}

TEST_P(SharedLogContract, TakesALeaseOnceHoweverOftenTheCallArrives) {
  const Epoch seen = epoch();
  ASSERT_EQ(log_->take_lease("a", seen, kLease).outcome, Outcome::done);
  const Leased again = log_->take_lease("a", seen, kLease);
  EXPECT_EQ(again.outcome, Outcome::refused);
  EXPECT_EQ(again.found.lease.holder, "a");  // by which the caller knows its own
  EXPECT_EQ(again.found.lease.epoch.value, seen.value + 1);
}

// The barrier: what was on its way under the old epoch is refused from then on.
TEST_P(SharedLogContract, EndsTheOldEpochWhenItsHolderTakesTheLeaseAgain) {
  ASSERT_EQ(log_->take_lease("a", epoch(), kLease).outcome, Outcome::done);
  const Epoch old = epoch();
  const Leased barrier = log_->take_lease("a", old, kLease);
  ASSERT_EQ(barrier.outcome, Outcome::done);
  EXPECT_EQ(barrier.found.head, start_);
  EXPECT_EQ(append(start_, some_head(42), old, {"late"}).outcome, Outcome::refused);
  EXPECT_EQ(append(start_, some_head(42), barrier.found.lease.epoch, {"new"}).outcome,
            Outcome::done);
  EXPECT_EQ(read_all(start_.lsn), "new");
}

// Only epochs decide who can write; time decides who should.
TEST_P(SharedLogContract, TakesAppendsOfALeaseThatRanOutUntilAnotherIsTaken) {
  ASSERT_EQ(log_->take_lease("a", epoch(), kLease).outcome, Outcome::done);
  const Epoch mine = epoch();
  tested_->pass(kLease);
  EXPECT_EQ(append(start_, some_head(42), mine, {"one"}).outcome, Outcome::done);
  ASSERT_EQ(log_->take_lease("b", mine, kLease).outcome, Outcome::done);
  EXPECT_EQ(append(some_head(42), some_head(43), mine, {"two"}).outcome, Outcome::refused);
}

TEST_P(SharedLogContract, RenewsTheLeaseOfItsHolderAlone) {
  ASSERT_EQ(log_->take_lease("a", epoch(), kLease).outcome, Outcome::done);
  const Epoch mine = epoch();
  EXPECT_EQ(log_->renew_lease("b", mine, kLease).outcome, Outcome::refused);
  EXPECT_EQ(log_->renew_lease("a", Epoch{mine.value - 1}, kLease).outcome, Outcome::refused);
  const Leased renewed = log_->renew_lease("a", mine, 10 * kLease);
  EXPECT_EQ(renewed.outcome, Outcome::done);
  EXPECT_EQ(renewed.found.lease.epoch, mine);
  EXPECT_GT(renewed.found.lease.left, kLease);
  EXPECT_EQ(renewed.found.head, start_);
}

TEST_P(SharedLogContract, RenewsALeaseThatRanOutUnlessItWasTaken) {
  ASSERT_EQ(log_->take_lease("a", epoch(), kLease).outcome, Outcome::done);
  const Epoch mine = epoch();
  tested_->pass(kLease);
  EXPECT_EQ(log_->renew_lease("a", mine, kLease).outcome, Outcome::done);
  tested_->pass(kLease);
  ASSERT_EQ(log_->take_lease("b", mine, kLease).outcome, Outcome::done);
  EXPECT_EQ(log_->renew_lease("a", mine, kLease).outcome, Outcome::refused);
}

TEST_P(SharedLogContract, GivesAReleasedLeaseToAnotherAtOnce) {
  ASSERT_EQ(log_->take_lease("a", epoch(), kLease).outcome, Outcome::done);
  const Epoch mine = epoch();
  EXPECT_EQ(log_->release_lease("b", mine).outcome, Outcome::refused);
  EXPECT_EQ(log_->release_lease("a", mine).outcome, Outcome::done);
  EXPECT_EQ(head().lease.holder, "");
  EXPECT_EQ(log_->renew_lease("a", mine, kLease).outcome, Outcome::refused);
  ASSERT_EQ(log_->take_lease("b", mine, kLease).outcome, Outcome::done);
  EXPECT_EQ(log_->release_lease("a", mine).outcome, Outcome::refused);
  EXPECT_EQ(head().lease.holder, "b");
}

TEST_P(SharedLogContract, KeepsALeaseWhoseConnectionEnded) {
  auto other = tested_->connect();
  ASSERT_EQ(other->take_lease("a", epoch(), 100 * kLease).outcome, Outcome::done);
  other.reset();
  EXPECT_EQ(head().lease.holder, "a");
  EXPECT_EQ(log_->take_lease("b", epoch(), kLease).outcome, Outcome::refused);
}

TEST_P(SharedLogContract, TakesNoHolderWithoutAName) {
  EXPECT_EQ(log_->take_lease("", epoch(), kLease).outcome, Outcome::refused);
  const std::string long_name(kSharedNameBytesMax + 1, 'n');
  EXPECT_EQ(log_->take_lease(long_name, epoch(), kLease).outcome, Outcome::refused);
  EXPECT_EQ(head().lease.epoch, epoch());
  EXPECT_EQ(head().lease.holder, "");
}

// ---- stored files ----

TEST_P(SharedLogContract, HasAFileWhenAllItsPiecesAreThere) {
  const std::string first = mixed(kSharedPieceBytesMax);
  const SharedUpload upload{some_hash(9), StoredAs::itself, kSharedPieceBytesMax + 3};
  ASSERT_EQ(pieces_of(upload), 2);
  const auto none = log_->find_upload(upload.hash);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, Errc::not_found);
  EXPECT_TRUE(put(upload, 1, "end"));
  EXPECT_TRUE(put(upload, 1, "end"));
  EXPECT_FALSE(log_->find_upload(upload.hash));
  EXPECT_TRUE(put(upload, 0, first));
  const auto found = log_->find_upload(upload.hash);
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, upload);
  const auto begin = log_->get_upload(upload, 0);
  ASSERT_TRUE(begin);
  EXPECT_TRUE(text_of(*begin) == first);
  const auto end = log_->get_upload(upload, 1);
  ASSERT_TRUE(end);
  EXPECT_EQ(text_of(*end), "end");
  const auto beyond = log_->get_upload(upload, 2);
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().code, Errc::not_found);
}

TEST_P(SharedLogContract, NeverMixesTwoWaysToStoreAContent) {
  const SharedUpload itself{some_hash(9), StoredAs::itself, 5};
  const SharedUpload compressed{some_hash(9), StoredAs::compressed, 3};
  EXPECT_TRUE(put(itself, 0, "12345"));
  EXPECT_TRUE(put(compressed, 0, "abc"));
  const auto one = log_->get_upload(itself, 0);
  const auto two = log_->get_upload(compressed, 0);
  ASSERT_TRUE(one && two);
  EXPECT_EQ(text_of(*one), "12345");
  EXPECT_EQ(text_of(*two), "abc");
}

TEST_P(SharedLogContract, StoresAFileOfNoBytes) {
  const SharedUpload empty{some_hash(3), StoredAs::itself, 0};
  EXPECT_FALSE(log_->find_upload(empty.hash));
  EXPECT_TRUE(put(empty, 0, ""));
  const auto found = log_->find_upload(empty.hash);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->bytes, 0);
}

TEST_P(SharedLogContract, HasTheFilesThatAnAppendBrings) {
  const SharedFile one{{some_hash(5), StoredAs::itself, 3}, to_bytes("one")};
  const SharedFile two{{some_hash(6), StoredAs::compressed, 0}, {}};
  OwnedAppend frames(start_, some_head(42), epoch(), {"frames"});
  frames.bring(one);
  frames.bring(two);
  for (int time = 0; time < 2; ++time) static_cast<void>(log_->append_if(frames.append()));
  EXPECT_EQ(read_all(start_.lsn), "frames");
  for (const SharedFile& file : {one, two}) {
    const auto found = log_->find_upload(file.upload.hash);
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, file.upload);
    const auto bytes = log_->get_upload(file.upload, 0);
    ASSERT_TRUE(bytes);
    EXPECT_EQ(*bytes, file.bytes);
  }
}

TEST_P(SharedLogContract, LeavesAFileThatIsThereWhenAnAppendBringsIt) {
  const SharedUpload upload{some_hash(5), StoredAs::itself, 3};
  EXPECT_TRUE(put(upload, 0, "one"));
  OwnedAppend frames(start_, some_head(42), epoch(), {"frames"});
  frames.bring({upload, to_bytes("one")});
  EXPECT_EQ(log_->append_if(frames.append()).outcome, Outcome::done);
  EXPECT_TRUE(log_->find_upload(upload.hash));
}

TEST_P(SharedLogContract, HasNoFileOfAnAppendThatIsRefused) {
  const SharedFile file{{some_hash(5), StoredAs::itself, 3}, to_bytes("one")};
  OwnedAppend elsewhere(some_head(7), some_head(42), epoch(), {"frames"});
  elsewhere.bring(file);
  EXPECT_EQ(log_->append_if(elsewhere.append()).outcome, Outcome::refused);
  EXPECT_FALSE(log_->find_upload(file.upload.hash));
  const std::vector<std::byte> large(kBroughtBytesMax + 1);
  for (const SharedFile& wrong :
       {SharedFile{{file.upload.hash, StoredAs::itself, 2}, file.bytes},
        SharedFile{{file.upload.hash, StoredAs::itself, large.size()}, large}}) {
    OwnedAppend frames(start_, some_head(42), epoch(), {"frames"});
    frames.bring(wrong);
    EXPECT_EQ(log_->append_if(frames.append()).outcome, Outcome::refused);
  }
  EXPECT_EQ(head().head, start_);
  EXPECT_FALSE(log_->find_upload(file.upload.hash));
}

TEST_P(SharedLogContract, RefusesAPieceOfAnotherLength) {
  const SharedUpload upload{some_hash(4), StoredAs::itself, 4};
  for (const char* wrong : {"", "123", "12345"}) {
    const Status put_wrong = put(upload, 0, wrong);
    ASSERT_FALSE(put_wrong);
    EXPECT_EQ(put_wrong.error().code, Errc::invalid_input);
  }
  EXPECT_FALSE(put(upload, 1, ""));
  EXPECT_FALSE(log_->find_upload(upload.hash));
}

// ---- members, and what is forgotten ----

TEST_P(SharedLogContract, ListsMembersAsTheyReportedLast) {
  EXPECT_TRUE(log_->report(member("beta", Lsn{41})));
  EXPECT_TRUE(log_->report(member("alpha", Lsn{41})));
  EXPECT_TRUE(log_->report(member("beta", Lsn{44})));
  auto members = log_->members();
  ASSERT_TRUE(members);
  for (Member& each : *members) {
    EXPECT_GE(each.seen_ago, nanoseconds(0));
    each.seen_ago = {};
  }
  EXPECT_THAT(*members, ElementsAre(member("alpha", Lsn{41}), member("beta", Lsn{44})));
  EXPECT_TRUE(log_->remove_member("alpha"));
  EXPECT_TRUE(log_->remove_member("alpha"));
  members = log_->members();
  ASSERT_TRUE(members);
  EXPECT_THAT(*members, SizeIs(1));
}

TEST_P(SharedLogContract, SaysHowLongAMemberWasSilent) {
  EXPECT_TRUE(log_->report(member("alpha", Lsn{41})));
  tested_->pass(kLease);
  const auto members = log_->members();
  ASSERT_TRUE(members);
  ASSERT_THAT(*members, SizeIs(1));
  EXPECT_GE(members->front().seen_ago, kLease);
}

TEST_P(SharedLogContract, ForgetsOnlyWhatEveryMemberHas) {
  append_each({"42", "43", "44"});
  EXPECT_TRUE(log_->forget(Lsn{44}, nanoseconds(0)));
  EXPECT_EQ(read_all(start_.lsn), "424344");  // nobody has said to have anything
  EXPECT_TRUE(log_->report(member("ahead", Lsn{44})));
  EXPECT_TRUE(log_->report(member("behind", Lsn{42})));
  EXPECT_TRUE(log_->forget(Lsn{44}, nanoseconds(0)));
  const auto gone = log_->read_from({start_.lsn}, kAll);
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code, Errc::not_found);
  EXPECT_EQ(read_all(Lsn{42}), "4344");
  EXPECT_TRUE(log_->remove_member("behind"));
  EXPECT_TRUE(log_->forget(Lsn{43}, nanoseconds(0)));
  EXPECT_EQ(read_all(Lsn{43}), "44");
}

TEST_P(SharedLogContract, ForgetsNoPartOfAnAppend) {
  ASSERT_EQ(append(start_, some_head(45), {"four"}).outcome, Outcome::done);
  EXPECT_TRUE(log_->report(member("alpha", Lsn{44})));
  EXPECT_TRUE(log_->forget(Lsn{44}, nanoseconds(0)));
  EXPECT_EQ(read_all(start_.lsn), "four");
}

TEST_P(SharedLogContract, ForgetsNothingThatIsYounger) {
  append_each({"old"});
  EXPECT_TRUE(log_->report(member("alpha", Lsn{42})));
  EXPECT_TRUE(log_->forget(Lsn{42}, hours(1)));
  EXPECT_EQ(read_all(start_.lsn), "old");
}

TEST_P(SharedLogContract, ForgetsAllInTheEndHoweverManyCallsItTakes) {
  const Head at = append_each({"42", "43", "44", "45", "46"});
  EXPECT_TRUE(log_->report(member("alpha", at.lsn)));
  Result<bool> more = true;
  for (int calls = 0; more && *more && calls < 10; ++calls)
    more = log_->forget(at.lsn, nanoseconds(0));
  ASSERT_TRUE(more);
  EXPECT_FALSE(*more);
  EXPECT_FALSE(log_->read_from({Lsn{at.lsn.value - 1}}, kAll));
  EXPECT_EQ(read_all(at.lsn), "");
}

TEST_P(SharedLogContract, GoesOnBehindAllThatItForgot) {
  const Head at = append_each({"old"});
  EXPECT_TRUE(log_->report(member("alpha", at.lsn)));
  EXPECT_TRUE(log_->forget(at.lsn, nanoseconds(0)));
  EXPECT_EQ(head().head, at);
  EXPECT_EQ(read_all(at.lsn), "");
  ASSERT_EQ(append(at, some_head(43), {"new"}).outcome, Outcome::done);
  EXPECT_EQ(read_all(at.lsn), "new");
}

}  // namespace netml::wal::test
