// Goal: the port is enough to decide every append of which a writer does not know what became of
// it: nothing that was acknowledged is lost or doubled, nothing that was refused is there.
// Method: writers that do what docs/cluster.md asks of a leader, against the model, with faults and
// fail-overs from a seed; and one that leaves out the barrier, to see that the model would tell.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/sha256.hpp"
#include "tests/support/sim_shared_log.hpp"
#include "tests/wal/shared/shared_log_contract.hpp"

namespace netml::wal::test {
namespace {

using std::chrono::seconds;
using testing::CallFate;
using testing::SimSharedLog;

constexpr std::chrono::nanoseconds kLease = seconds(3);
constexpr int kTries = 40;

Sha256 hash_behind(const Sha256& before, std::string_view content) {
  Sha256Hasher hasher;
  hasher.add(before);
  return hasher.hash(std::as_bytes(std::span(content)));
}

enum class Said : std::uint8_t { yes, no, unknown };

// A leader without a journal.
class Writer {
 public:
  Writer(SimSharedLog& model, std::string name) : log_(model.connect()), name_(std::move(name)) {}

  Said write(const std::string& content) {
    if (!leads_ && !take()) return Said::no;
    const Head after{head_.lsn.next(), hash_behind(head_.chain, content)};
    const OwnedAppend frames(head_, after, epoch_, {content});
    switch (log_->append_if(frames.append()).outcome) {
      case Outcome::done:
        head_ = after;
        return Said::yes;
      case Outcome::refused:
        leads_ = false;
        return Said::no;
      case Outcome::unknown:
        return decide(after);
    }
    NETML_ASSERT(false);
  }

 private:
  bool take() {
    const Result<SharedHead> here = log_->head();
    if (!here) return false;
    const Leased taken = log_->take_lease(name_, here->lease.epoch, kLease);
    if (taken.outcome != Outcome::done) return false;
    lead(taken.found);
    return true;
  }
  void lead(const SharedHead& found) {
    leads_ = true;
    epoch_ = found.lease.epoch;
    head_ = found.head;
  }

  // Until the epoch of the append is over: only then does reading decide it.
  Said decide(const Head& after) {
    const Epoch epoch = epoch_;
    const Head before = head_;
    leads_ = false;
    for (int tried = 0; tried < kTries; ++tried) {
      const Result<SharedHead> here = log_->head();
      if (!here) continue;
      if (here->lease.epoch <= epoch) {
        // What comes of it, the next round shows.
        static_cast<void>(log_->take_lease(name_, here->lease.epoch, kLease));
        continue;
      }
      const std::optional<bool> there = holds(before, after);
      if (!there) continue;
      if (here->lease.holder == name_) lead(*here);
      return *there ? Said::yes : Said::no;
    }
    return Said::unknown;
  }
  std::optional<bool> holds(const Head& before, const Head& after) {
    const auto pieces = log_->read_from({before.lsn}, kAll);
    if (!pieces) return std::nullopt;
    return !pieces->empty() && pieces->front().after == after;
  }

  const std::unique_ptr<SharedLog> log_;
  const std::string name_;
  bool leads_ = false;
  Epoch epoch_;
  Head head_;
};

std::string text_of(const SharedPiece& piece) {
  std::string text(piece.bytes.size(), '\0');
  std::ranges::transform(piece.bytes, text.begin(),
                         [](std::byte each) { return static_cast<char>(each); });
  return text;
}

struct Sums {
  std::size_t yes = 0;
  std::size_t no = 0;
};

class UnknownAppends : public ::testing::Test {
 protected:
  // All that is in the final history, each with its place; the chain is checked on the way.
  static std::map<std::string, std::size_t> history(SharedLog& log) {
    std::map<std::string, std::size_t> places;
    const auto pieces = log.read_from({contract_start().lsn}, kAll);
    EXPECT_TRUE(pieces);
    if (!pieces) return places;
    Head at = contract_start();
    for (const SharedPiece& piece : *pieces) {
      EXPECT_EQ(piece.before, at);
      EXPECT_EQ(piece.after.chain, hash_behind(at.chain, text_of(piece)));
      EXPECT_TRUE(places.emplace(text_of(piece), places.size()).second) << text_of(piece);
      at = piece.after;
    }
    return places;
  }

  // Two writers, and an operator who loses primaries.
  static void run(std::uint64_t seed, Sums& sum) {
    testing::ManualClock clock;
    SimSharedLog model(clock,
                       {.cluster = contract_cluster(), .start = contract_start(), .seed = seed});
    model.decide(testing::random_fates(seed, 30));
    std::mt19937_64 random(seed);
    Writer alpha(model, "alpha#1");
    Writer beta(model, "beta#1");
    constexpr int kWrites = 60;
    std::vector<std::pair<std::string, Said>> said;
    said.reserve(kWrites);
    for (int i = 0; i < kWrites; ++i) {
      if (random() % 15 == 0) model.fail_over();
      if (random() % 5 == 0) clock.advance(kLease);
      const std::string content = "change " + std::to_string(i);
      Writer& writer = random() % 4 == 0 ? beta : alpha;
      said.emplace_back(content, writer.write(content));
    }
    model.decide({});
    model.deliver_delayed();
    const std::unique_ptr<SharedLog> log = model.connect();
    const std::map<std::string, std::size_t> places = history(*log);
    std::size_t next = 0;  // each began after the one before was answered
    for (const auto& [content, answer] : said) {
      SCOPED_TRACE(content + ", seed " + std::to_string(seed));
      const auto place = places.find(content);
      const bool there = place != places.end();
      switch (answer) {
        case Said::yes:
          ++sum.yes;
          ASSERT_TRUE(there);
          EXPECT_GE(place->second, next);
          next = place->second + 1;
          break;
        case Said::no:
          ++sum.no;
          EXPECT_FALSE(there);
          break;
        case Said::unknown:
          break;  // either
      }
    }
  }
};

TEST_F(UnknownAppends, AreDecidedOnceWhateverTheNetworkDoes) {
  Sums sum;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) run(seed, sum);
  EXPECT_GT(sum.yes, 1000);
  EXPECT_GT(sum.no, 100);
}

// An append that the caller gave up after 2 s and that arrives after 5.
class LateAppend : public ::testing::Test {
 protected:
  void SetUp() override {
    const Leased taken = log_->take_lease("alpha#1", Epoch{}, kLease);
    ASSERT_EQ(taken.outcome, Outcome::done);
    epoch_ = taken.found.lease.epoch;
    model_.decide([](std::uint64_t, const std::string& call) {
      return call == "append_if" ? CallFate::delayed : CallFate::arrives;
    });
    const OwnedAppend late(contract_start(), some_head(42), epoch_, {"late"});
    ASSERT_EQ(log_->append_if(late.append()).outcome, Outcome::unknown);
    ASSERT_EQ(model_.delayed(), 1);
  }
  Head head() {
    const Result<SharedHead> head = log_->head();
    EXPECT_TRUE(head);
    return head ? head->head : Head{};
  }

  testing::ManualClock clock_;
  SimSharedLog model_{clock_,
                      {.cluster = contract_cluster(),
                       .start = contract_start(),
                       .delay_min = seconds(5),
                       .delay_max = seconds(5)}};
  const std::unique_ptr<SharedLog> log_ = model_.connect();
  Epoch epoch_;
};

// So who reads the head alone, and calls that a refusal, acknowledges a refusal that is none.
TEST_F(LateAppend, HappensAfterTheHeadWasReadWithoutIt) {
  EXPECT_EQ(head(), contract_start());
  model_.deliver_delayed();
  EXPECT_EQ(head(), some_head(42));
}

TEST_F(LateAppend, NeverHappensBehindTheBarrier) {
  const Leased barrier = log_->take_lease("alpha#1", epoch_, kLease);
  ASSERT_EQ(barrier.outcome, Outcome::done);
  EXPECT_EQ(barrier.found.head, contract_start());
  EXPECT_EQ(model_.delayed(), 1);
  model_.deliver_delayed();
  EXPECT_EQ(head(), contract_start());
}

}  // namespace
}  // namespace netml::wal::test
