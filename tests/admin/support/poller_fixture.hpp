// A node that polls, and a peer on loopback that answers as asked.
#pragma once

#include <gmock/gmock.h>

#include <atomic>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "admin/node/kept_file.hpp"
#include "admin/polling/polling.hpp"
#include "admin/server/system_clock.hpp"
#include "engine/import/plan_polls.hpp"
#include "net/server/http_server.hpp"
#include "net/server/router.hpp"
#include "tests/admin/support/named_sources.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::admin::testing {

inline const std::string kMap =
    netml::test::topology("P", "p", netml::test::institution("p"), netml::test::node("a"));

class NoEvents : public net::ServerEvents {
 public:
  void answered(const net::AccessRecord&) override {}
  void event(const net::EventRecord&) override {}
};

inline net::Response answer(int status, std::string body) {
  net::Response response;
  response.status = status;
  response.body = std::move(body);
  return response;
}

// An answer that waits until somebody lets it go.
class Gate {
 public:
  void pass() {
    asked_ = true;
    asked_.notify_all();
    open_.wait();
  }
  void wait_until_asked() { asked_.wait(false); }
  void open() { opened_.set_value(); }

 private:
  std::atomic<bool> asked_{false};
  std::promise<void> opened_;
  std::shared_future<void> open_ = opened_.get_future().share();
};

// Answers each export path as asked, 404 elsewhere.
class FakePeer {
 public:
  using Answers = std::function<net::Response(const net::Request&)>;

  explicit FakePeer(const std::optional<net::TlsFiles>& tls = std::nullopt)
      : server_(net::ServerOptions{}, clock_, random_, events_) {
    for (const char* path :
         {"/netml_export/", "/{map}/netml_export/", "/status/", "/trap/", "/api/{part}/{records}/"})
      router_.add(net::Method::get, path, [this](const net::Request& request) -> net::Answer {
        const Answers answers = noted(request);  // which may keep the peer waiting
        return answers ? answers(request) : answer(404, "");
      });
    const auto bound = server_.listen_tcp({"127.0.0.1", 0}, router_, tls);
    NETML_ASSERT(bound.has_value());
    port = bound->port;
    server_.start();
  }
  void on(const std::string& path, Answers answers) {
    const std::lock_guard lock(mutex_);
    answers_[path] = std::move(answers);
  }
  void say(int status, const std::string& body) {
    on("/netml_export/", [=](const net::Request&) { return answer(status, body); });
  }
  // The same, once the gate is open.
  std::shared_ptr<Gate> hold(int status, const std::string& body) {
    auto gate = std::make_shared<Gate>();
    on("/netml_export/", [=](const net::Request&) {
      gate->pass();
      return answer(status, body);
    });
    return gate;
  }
  std::vector<std::string> paths() {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> paths;
    for (const net::Request& request : requests_) paths.push_back(request.path);
    return paths;
  }
  std::string header(std::size_t request, std::string_view name) {
    const std::lock_guard lock(mutex_);
    return std::string(requests_.at(request).headers.get(name));
  }
  void forget() {
    const std::lock_guard lock(mutex_);
    requests_.clear();
  }
  std::uint16_t port = 0;

 private:
  Answers noted(const net::Request& request) {
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
    const auto found = answers_.find(request.path);
    return found == answers_.end() ? Answers() : found->second;
  }

  SystemClock clock_;
  netml::testing::SeededRandom random_;
  NoEvents events_;
  net::Router router_;
  std::mutex mutex_;
  std::map<std::string, Answers> answers_;  // guarded by mutex_
  std::vector<net::Request> requests_;      // guarded by mutex_
  net::HttpServer server_;
};

class PollerFixture : public ::testing::Test {
 protected:
  PollerFixture()
      : sources_(*node_), poller_(*node_, sources_, intake_), polling_(*node_, sources_, poller_) {
    use({});
    add("peer");
  }
  void use(PollRules rules) {
    rules.outgoing.internal_allowed = true;
    rules.retry_after = std::chrono::milliseconds(0);
    poller_.set_rules(std::move(rules));
  }
  void add(const std::string& name, bool active = true) {
    SourceFields fields;
    fields.name = name;
    fields.protocol = engine::Protocol::http;
    fields.plain_http = true;
    fields.hostname = "127.0.0.1";
    fields.port = peer_.port;
    fields.active = active;
    ASSERT_TRUE(sources_.create(kCaller, fields).has_value());
  }
  void change(const SourceFields& fields) {
    ASSERT_TRUE(sources_.update(kCaller, "peer", fields).has_value());
  }
  std::vector<PollReport> poll_named(const std::vector<std::string>& names, PollOrder order = {}) {
    order.caller = kCaller;
    const auto numbers = polling_.numbers_of(names);
    NETML_ASSERT(numbers.has_value());
    const auto started = polling_.collect(order, *numbers);
    NETML_ASSERT(started.has_value());
    return started->reports.get();
  }
  PollReport poll(PollOrder order = {}) {
    std::vector<PollReport> reports = poll_named({"peer"}, std::move(order));
    NETML_ASSERT(reports.size() == 1);
    return std::move(reports.front());
  }
  // As DELETE polls/{n} does.
  void remove_batch(std::uint64_t number) {
    Change change{.caller = kCaller, .cause = engine::Cause::poll, .rules = RulesAfter::skip};
    change.plan = [number](const engine::State& now, WallTime) {
      return plan_poll_batch_delete(now, number);
    };
    ASSERT_TRUE(node_->commit(std::move(change)).has_value());
  }
  engine::StatePtr state() { return node_->version().state; }
  void expect_failure(const std::string& reason, const std::string& text) {
    const engine::Digest before = state()->graph.digest();
    const PollReport report = poll();
    EXPECT_EQ(report.end, PollEnd::failed);
    EXPECT_EQ(report.reason, reason) << report.message;
    EXPECT_THAT(report.message, ::testing::HasSubstr(text));
    EXPECT_LE(report.message.size(), 255U);
    EXPECT_TRUE(state()->graph.digest() == before) << "nothing was changed";
    const auto record = state()->catalog.poll_records.find(report.poll_record);
    ASSERT_NE(record, nullptr);
    EXPECT_EQ(record->status, engine::PollStatus::aborted);
    EXPECT_EQ(record->reason, reason);
    EXPECT_EQ(record->message, report.message);
    EXPECT_TRUE(state()->catalog.poll_batches.find(record->batch)->finished);
    const auto import = state()->catalog.imports.find(report.record);
    EXPECT_EQ(import != nullptr, reason == "import" || reason == "held");
    if (import != nullptr) {
      EXPECT_EQ(import->status, engine::ImportStatus::aborted);
    }
  }

  OpenNode node_;
  FakePeer peer_;
  NamedSources sources_;
  Intake intake_{*node_};
  Poller poller_;
  Polling polling_;
};

}  // namespace netml::admin::testing
