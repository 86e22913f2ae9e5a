// Goal: listeners wait without threads, hold nobody up, and are gone when the server stops. Method:
// a body that sends a number whenever it has become another, over real sockets.
#include "net/http/body_sources.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <list>

#include "tests/net/support/fakes.hpp"
#include "tests/support/threads_here.hpp"

namespace netml::net {
namespace {

struct Number {
  Bell bell;
  std::atomic<int> now{0};
  std::atomic<bool> ended{false};

  void set(int value) {
    now = value;
    bell.ring();
  }
};

// "=5;" with so much before it.
class Numbers : public WaitingSource {
 public:
  Numbers(Number& number, std::size_t padding, std::chrono::milliseconds at_most,
          std::atomic<int>& sent)
      : number_(number), padding_(padding, '.'), at_most_(at_most), sent_(sent) {}

  Result<std::string_view> next() override {
    rung_ = number_.bell.rung();
    const int now = number_.now;
    const bool news = now != known_ || at_most_ == std::chrono::milliseconds(1);
    if (number_.ended || !news) return std::string_view();
    known_ = now;
    ++sent_;
    text_ = fmt::format("{}={};", padding_, now);
    return std::string_view(text_);
  }
  std::optional<Pause> pause() override {
    if (number_.ended) return std::nullopt;
    return Pause{&number_.bell, rung_, at_most_};
  }

 private:
  Number& number_;
  const std::string padding_;
  const std::chrono::milliseconds at_most_;
  std::atomic<int>& sent_;
  int known_ = -1;
  std::uint64_t rung_ = 0;
  std::string text_;
};

// Takes its time, until somebody opens the gate, and tells with which niceness.
class Unhurried : public WaitingSource {
 public:
  explicit Unhurried(Gate& gate) : gate_(gate) {}

  Result<std::string_view> next() override {
    gate_.wait();
    if (!text_.empty()) return std::string_view();
    text_ = fmt::format("niceness {};", niceness());
    return std::string_view(text_);
  }
  std::optional<Pause> pause() override { return std::nullopt; }
  bool gives_way() const override { return true; }

  static int niceness() { return ::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid())); }

 private:
  Gate& gate_;
  std::string text_;
};

class WaitingBodies : public ::testing::Test {
 protected:
  WaitingBodies() {
    add("/numbers/", 0, std::chrono::hours(1), sent_);
    add("/long/", 1 << 20, std::chrono::hours(1), sent_slowly_);
    add("/often/", 0, std::chrono::milliseconds(1), sent_);
    server_.router.add(Method::get, "/unhurried/", [this](const Request&) -> Answer {
      Response response;
      response.body = StreamBody{std::make_unique<Unhurried>(gate_), {}};
      return response;
    });
    server_.start();
  }
  void add(const char* path, std::size_t padding, std::chrono::milliseconds at_most,
           std::atomic<int>& sent) {
    server_.router.add(
        Method::get, path, [this, padding, at_most, &sent](const Request&) -> Answer {
          Response response;
          response.body =
              StreamBody{std::make_unique<Numbers>(number_, padding, at_most, sent), {}};
          return response;
        });
  }
  RawClient& listen(const char* path) {
    RawClient& client = clients_.emplace_back(server_.port);
    client.send(fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n", path));
    return client;
  }

  Number number_;
  std::atomic<int> sent_{0};
  std::atomic<int> sent_slowly_{0};
  Gate gate_;
  TestServer server_;
  std::list<RawClient> clients_;
};

TEST_F(WaitingBodies, TakeNoThreadEach) {
  const std::ptrdiff_t before = netml::test::threads_here();
  for (int i = 0; i < 100; ++i) listen("/numbers/");
  for (RawClient& client : clients_) ASSERT_TRUE(client.receive_until("=0;"));
  EXPECT_EQ(netml::test::threads_here(), before);
  for (int value : {1, 2}) {
    number_.set(value);
    for (RawClient& client : clients_)
      ASSERT_TRUE(client.receive_until(fmt::format("={};", value)));
  }
  EXPECT_EQ(sent_, 300);
}

TEST_F(WaitingBodies, HoldNobodyUpAndSendTheNewestToWhoIsSlow) {
  RawClient& slow = listen("/long/");
  RawClient& quick = listen("/numbers/");
  constexpr int kLast = 100;  // far more than sockets take
  for (int value = 1; value <= kLast; ++value) {
    number_.set(value);
    ASSERT_TRUE(quick.receive_until(fmt::format("={};", value)));
  }
  EXPECT_LT(sent_slowly_, kLast / 2) << "nothing is made for who does not read";
  ASSERT_TRUE(slow.receive_until(fmt::format("={};", kLast)));
  EXPECT_LT(sent_slowly_, kLast / 2);
}

TEST_F(WaitingBodies, TakeNoWorkerFromOthersWhereTheyGiveWay) {
  const int own = Unhurried::niceness();
  for (unsigned i = 0; i < 2 * server_.options.worker_threads; ++i) listen("/unhurried/");
  RawClient& other = listen("/numbers/");
  EXPECT_TRUE(other.receive_until("=0;"));
  gate_.open();
  clients_.pop_back();
  for (RawClient& client : clients_) {
    const auto answer = client.receive();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->body.find("niceness "), 0U);
    EXPECT_GT(std::stoi(answer->body.substr(9)), own) << "less of the processor";
  }
}

TEST_F(WaitingBodies, AreAskedAgainWhenTheirTimeIsOver) {
  RawClient& client = listen("/often/");
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(client.receive_until("=0;"));
}

TEST_F(WaitingBodies, EndWholeWhenTheSourceSaysSo) {
  RawClient& client = listen("/numbers/");
  number_.set(1);
  number_.ended = true;
  number_.bell.ring();
  const auto answer = client.receive();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
}

TEST_F(WaitingBodies, AreCutWhenTheServerStops) {
  for (int i = 0; i < 10; ++i) listen("/numbers/");
  for (RawClient& client : clients_) ASSERT_TRUE(client.receive_until("=0;"));
  server_.server->stop(std::chrono::minutes(10));  // who waits is not waited for
  for (RawClient& client : clients_) client.receive_rest();
  EXPECT_EQ(server_.server->open_connections(), 0U);
}

TEST_F(WaitingBodies, EndWhenTheirClientHasGone) {
  listen("/often/");
  ASSERT_TRUE(clients_.front().receive_until("=0;"));
  clients_.front().abort();
  server_.events.wait_for_accesses(1);
}

}  // namespace
}  // namespace netml::net
