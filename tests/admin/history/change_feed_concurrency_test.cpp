// Goal: whoever listens is given exactly what somebody reads for itself afterwards from the same
// place, however many listen, wherever they begin, however slow they are, and though they go away
// and come back. Method: threads that listen while imports of random maps are made; each waits for
// the bell alone, so that one that is not rung does not come to its end.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "admin/history/change_feed.hpp"
#include "admin/history/shared_feed.hpp"
#include "tests/admin/support/body_text.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::admin {
namespace {

constexpr int kListeners = 12;
constexpr int kImports = 25;
constexpr int kNodes = 250;

using Random = std::mt19937;

int drawn(Random& random, int below) {
  return std::uniform_int_distribution<int>(0, below - 1)(random);
}

std::string random_map(Random& random) {
  using namespace netml::test;
  TopologyText map = topology("R", "r", institution("r"), node("always"));
  const int kept = drawn(random, 10);  // of ten: a small change, or a large one
  for (int i = 0; i < kNodes; ++i) {
    if (drawn(random, 20) == 0) continue;
    const char letter = drawn(random, 10) < kept ? 'a' : static_cast<char>('a' + drawn(random, 26));
    map.add(node(fmt::format("n{}", i)).with("note", std::string(400, letter)));
  }
  return map;
}

void wait_for(Bell& bell, std::uint64_t rung) {
  std::mutex mutex;
  std::condition_variable woken;
  bool rang = false;
  const Bell::Waiting waiting = bell.wait(rung, [&] {
    const std::lock_guard lock(mutex);
    rang = true;
    woken.notify_one();
  });
  std::unique_lock lock(mutex);
  woken.wait(lock, [&] { return rang; });
}

// The heads that there were, and the last one once there will be no more.
class Heads {
 public:
  void add(std::string head) {
    const std::lock_guard lock(mutex_);
    all_.push_back(std::move(head));
  }
  void end() {
    const std::lock_guard lock(mutex_);
    last_ = all_.back();
  }
  std::string any(Random& random) const {
    const std::lock_guard lock(mutex_);
    return all_.at(static_cast<std::size_t>(drawn(random, static_cast<int>(all_.size()))));
  }
  // Whether somebody who was given that, from a place on, has all.
  bool ends_with(std::string_view given, std::string_view after) const {
    const std::lock_guard lock(mutex_);
    if (last_.empty()) return false;
    const std::size_t head = given.rfind("\"head\":\"");
    if (head == std::string_view::npos) return after == last_;
    return given.substr(head).find(last_) != std::string_view::npos;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> all_;
  std::string last_;
};

struct Listening {
  std::string after;
  std::string given = {};  // behind the first event
  int returns = 0;
};

// Goes away, and is back behind the last transaction of which it was given the end.
void return_to(std::string& given, std::string& place) {
  const std::size_t last = given.rfind("{\"type\":\"transaction\"");
  if (last == std::string::npos) {
    given.clear();
    return;
  }
  const std::size_t end = given.find('\n', last);
  if (end == std::string::npos) return;
  constexpr std::string_view kHead = "\"head\":\"";
  const std::size_t head = given.find(kHead, last) + kHead.size();
  place = given.substr(head, given.find('"', head) - head);
  given.resize(end + 1);
}

void listen(Node& node, SharedFeeds& feeds, FeedForm form, const Heads& heads, Random random,
            Listening& listening) {
  std::string place = listening.after = heads.any(random);
  const auto has_all = [&] { return heads.ends_with(listening.given, listening.after); };
  const bool may_leave = form == FeedForm::json_lines;
  const int haste = 1 + drawn(random, 40);
  while (!has_all()) {
    const auto source =
        open_change_feed(node, {.after = place, .form = form, .shared = &feeds}).value();
    auto& waiting = dynamic_cast<net::WaitingSource&>(*source);
    ASSERT_FALSE(source->next().value().empty());
    while (!has_all()) {
      if (may_leave && drawn(random, 60) == 0) break;
      const std::string_view piece = source->next().value();
      if (piece.find("still_here") < 20 || piece.starts_with(": still")) continue;
      listening.given += piece;
      if (drawn(random, haste) == 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(drawn(random, 30)));
      if (!piece.empty() || has_all()) continue;
      const auto pause = waiting.pause();
      ASSERT_TRUE(pause);
      wait_for(*pause->bell, pause->rung);
    }
    if (has_all()) return;
    return_to(listening.given, place);
    ++listening.returns;
  }
}

std::string alone(Node& node, const std::string& after, FeedForm form) {
  const auto source = open_change_feed(node, {.after = after, .form = form}).value();
  EXPECT_FALSE(source->next().value().empty());
  return testing::body_text(*source);
}

// With room for two pieces hardly anybody keeps up; with more, nearly all do.
class ChangeFeeds : public ::testing::TestWithParam<std::size_t> {};

TEST_P(ChangeFeeds, TellEachListenerAllOfItOnce) {
  testing::OpenNode node;
  Random random(7);
  Heads heads;
  const auto import = [&] {
    ASSERT_TRUE(testing::import_job(*node, random_map(random))->commit().has_value());
    heads.add(node->version().head);
  };
  for (int i = 0; i < 3; ++i) import();
  SharedFeeds feeds(*node, {.bytes_max = GetParam(), .ahead = GetParam() / 4});
  const auto form_of = [](std::size_t listener) {
    return listener % 3 == 0 ? FeedForm::server_sent_events : FeedForm::json_lines;
  };
  std::vector<Listening> all(kListeners);
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < all.size(); ++i)
    threads.emplace_back([&, i, own = Random(static_cast<unsigned>(i))] {
      listen(*node, feeds, form_of(i), heads, own, all[i]);
    });
  for (int i = 0; i < kImports; ++i) {
    import();
    feeds.ring();
  }
  heads.end();
  feeds.ring();
  threads.clear();
  for (std::size_t i = 0; i < all.size(); ++i)
    EXPECT_TRUE(all[i].given == alone(*node, all[i].after, form_of(i)))
        << "listener " << i << " was given something else, behind " << all[i].after;
  EXPECT_EQ(feeds.lines.kept_bytes() + feeds.events.kept_bytes(), 0U);
}

INSTANTIATE_TEST_SUITE_P(OfRoom, ChangeFeeds, ::testing::Values(128U << 10, 16U << 20));

}  // namespace
}  // namespace netml::admin
