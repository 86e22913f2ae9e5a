// Goal: listeners at the same place are given one reading, in bytes that are held once; who is
// behind reads for itself, and nobody misses anything or holds memory for others. Method: feeds
// that are asked for their pieces in turns.
#include "admin/history/shared_feed.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <vector>

#include "admin/history/change_feed.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::admin {
namespace {

using ::testing::HasSubstr;

// A listener, and what it was given behind the first event.
class Listener {
 public:
  Listener(Node& node, SharedFeeds* feeds, std::optional<std::string> after = {},
           FeedForm form = FeedForm::json_lines)
      : source_(open_change_feed(node, {.after = std::move(after), .form = form, .shared = feeds})
                    .value()) {
    EXPECT_THAT(std::string(source_->next().value()), HasSubstr("stream"));
  }

  // Where the next piece lies; null: there is none for now, and nobody has rung since it looked.
  const char* take() {
    std::string_view piece = source_->next().value();
    while (piece.empty() && has_rung()) piece = source_->next().value();
    text_ += piece;
    return piece.empty() ? nullptr : piece.data();
  }
  void take_all() {
    while (take() != nullptr) continue;
  }
  const std::string& text() const { return text_; }

 private:
  bool has_rung() const {
    const auto pause = dynamic_cast<net::WaitingSource&>(*source_).pause();
    return pause && pause->bell != nullptr && pause->bell->rung() != pause->rung;
  }

  std::unique_ptr<net::BodySource> source_;
  std::string text_;
};

class SharedFeedTest : public ::testing::Test {
 protected:
  SharedFeedTest() { change("first", 0); }

  // So many nodes get a long note of that letter, and one that name.
  void change(const std::string& name, int noted, char letter = 'a') {
    using namespace netml::test;
    TopologyText map = topology("R", "r", institution("r"), node("a").named(name));
    for (int i = 0; i < noted; ++i)
      map.add(node(fmt::format("n{}", i)).with("note", std::string(500, letter)));
    ASSERT_TRUE(testing::import_job(*node_, map)->commit().has_value());
  }
  // What somebody is given who reads for itself afterwards.
  std::string alone(const std::string& after, FeedForm form = FeedForm::json_lines) {
    Listener listener(*node_, nullptr, after, form);
    listener.take_all();
    return listener.text();
  }
  std::string head() { return node_->version().head; }

  testing::OpenNode node_;
  // Room for some pieces, each made when it is asked for.
  SharedFeeds feeds_{*node_, {.bytes_max = 4 * FeedReading::kPieceBytes, .ahead = 1}};
};

TEST_F(SharedFeedTest, GivesAllTheSameBytes) {
  for (const FeedForm form : {FeedForm::json_lines, FeedForm::server_sent_events}) {
    const std::string begin = head();
    Listener one(*node_, &feeds_, {}, form);
    Listener other(*node_, &feeds_, {}, form);
    one.take_all();
    other.take_all();
    change("of both", 300, form == FeedForm::json_lines ? 'b' : 'c');
    int pieces = 0;
    while (const char* piece = one.take()) {
      EXPECT_EQ(other.take(), piece);
      ++pieces;
    }
    EXPECT_GT(pieces, 2);
    EXPECT_EQ(other.take(), nullptr);
    EXPECT_TRUE(one.text() == alone(begin, form));
    EXPECT_TRUE(other.text() == one.text());
  }
}

TEST_F(SharedFeedTest, TakesInWhoeverHasCaughtUp) {
  const std::string begin = head();
  Listener early(*node_, &feeds_);
  early.take_all();
  change("second", 200, 'b');
  Listener late(*node_, &feeds_, begin);
  early.take_all();
  late.take_all();
  change("third", 10, 'c');
  const char* const piece = early.take();
  ASSERT_NE(piece, nullptr);
  EXPECT_EQ(late.take(), piece);
  late.take_all();
  EXPECT_TRUE(late.text() == alone(begin));
}

TEST_F(SharedFeedTest, LetsTheSlowFallOutInTheMiddleOfATransaction) {
  const std::string begin = head();
  Listener slow(*node_, &feeds_);
  Listener quick(*node_, &feeds_);
  slow.take_all();
  quick.take_all();
  change("second", 600, 'b');
  ASSERT_NE(slow.take(), nullptr);
  while (quick.take() != nullptr) EXPECT_LE(feeds_.lines.kept_bytes(), 4 * (64U << 10));
  ASSERT_GT(quick.text().size(), 8U * (64U << 10));
  EXPECT_EQ(feeds_.lines.kept_bytes(), 0U) << "nobody stands there any more";
  const char* const own = slow.take();
  ASSERT_NE(own, nullptr);
  slow.take_all();
  EXPECT_TRUE(slow.text() == quick.text());
  EXPECT_TRUE(slow.text() == alone(begin));
  change("third", 0);
  const char* const shared = slow.take();
  ASSERT_NE(shared, nullptr);
  EXPECT_EQ(quick.take(), shared) << "it is back among the others";
}

TEST_F(SharedFeedTest, KeepsNothingOfWhatAllHaveOrNobodyWants) {
  std::optional<Listener> one(std::in_place, *node_, &feeds_);
  std::optional<Listener> other(std::in_place, *node_, &feeds_);
  one->take_all();
  other->take_all();
  change("second", 100, 'b');
  one->take_all();
  EXPECT_GT(feeds_.lines.kept_bytes(), 0U);
  other->take_all();
  EXPECT_EQ(feeds_.lines.kept_bytes(), 0U);
  change("third", 100, 'c');
  one->take();
  EXPECT_GT(feeds_.lines.kept_bytes(), 0U);
  one.reset();
  other.reset();
  EXPECT_EQ(feeds_.lines.kept_bytes(), 0U);
}

// Those who come meanwhile share without it, though it never comes again.
TEST_F(SharedFeedTest, WaitsForNobodyWhoHasStopped) {
  const std::string begin = head();
  Listener stopped(*node_, &feeds_);
  stopped.take_all();
  std::vector<std::unique_ptr<Listener>> others;
  for (int i = 0; i < 20; ++i) {
    change(fmt::format("name {}", i), 100, static_cast<char>('b' + i % 20));
    others.push_back(std::make_unique<Listener>(*node_, &feeds_));
    for (const auto& other : others) other->take_all();
    EXPECT_LE(feeds_.lines.kept_bytes(), 5 * (64U << 10));
  }
  change("last", 0);
  const char* const piece = others.front()->take();
  ASSERT_NE(piece, nullptr);
  for (std::size_t i = 1; i < others.size(); ++i) EXPECT_EQ(others[i]->take(), piece);
  stopped.take_all();
  EXPECT_TRUE(stopped.text() == alone(begin));
}

TEST_F(SharedFeedTest, RingsWhenOneHasReadForAll) {
  Listener listener(*node_, &feeds_);
  listener.take_all();
  const std::uint64_t before = feeds_.lines.bell().rung();
  listener.take_all();
  EXPECT_EQ(feeds_.lines.bell().rung(), before) << "there is nothing new";
  change("second", 0);
  EXPECT_NE(listener.take(), nullptr);
  EXPECT_GT(feeds_.lines.bell().rung(), before);
}

}  // namespace
}  // namespace netml::admin
