// Somebody who hears of changes, on loopback: keeps what was posted, and answers as asked.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "admin/server/system_clock.hpp"
#include "engine/base/result.hpp"
#include "net/server/http_server.hpp"
#include "net/server/router.hpp"
#include "tests/support/ports.hpp"

namespace netml::admin::testing {

class WebhookReceiver {
 public:
  struct Message {
    std::string path;
    std::string id, timestamp, signature;
    std::string body;
  };

  WebhookReceiver() : server_(net::ServerOptions{}, clock_, random_, events_) {
    router_.add(net::Method::post, "/{path}", [this](const net::Request& request) -> net::Answer {
      Message message{request.path,
                      std::string(request.headers.get("webhook-id")),
                      std::string(request.headers.get("webhook-timestamp")),
                      std::string(request.headers.get("webhook-signature")),
                      {}};
      return net::collect_body(1 << 20, [this, message](std::string body) mutable {
        message.body = std::move(body);
        return taken(std::move(message));
      });
    });
    const auto bound = server_.listen_tcp({"127.0.0.1", 0}, router_, std::nullopt);
    NETML_ASSERT(bound.has_value());
    port_ = bound->port;
    server_.start();
  }

  std::string url(const std::string& path = "hook") const {
    return "http://127.0.0.1:" + std::to_string(port_) + "/" + path;
  }
  // From now on; those of other paths are taken.
  void answer(int status, const std::string& location = {}) {
    const std::lock_guard lock(mutex_);
    status_ = status;
    location_ = location;
  }
  std::vector<Message> messages() {
    const std::lock_guard lock(mutex_);
    return messages_;
  }
  void forget() {
    const std::lock_guard lock(mutex_);
    messages_.clear();
  }
  // Called for each that comes from now on, before it is answered.
  void when_one_comes(std::function<void(const std::string& path)> call) {
    const std::lock_guard lock(mutex_);
    when_one_comes_ = std::move(call);
  }
  // Whether so many came, within a minute.
  [[nodiscard]] bool wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    return came_.wait_for(lock, std::chrono::minutes(1), [&] { return messages_.size() >= count; });
  }

 private:
  class NoEvents : public net::ServerEvents {
   public:
    void answered(const net::AccessRecord&) override {}
    void event(const net::EventRecord&) override {}
  };

  net::Response taken(Message message) {
    const std::lock_guard lock(mutex_);
    when_one_comes_(message.path);
    net::Response response;
    response.status = message.path == "/hook" ? status_ : 204;
    if (!location_.empty()) response.headers.set("Location", location_);
    messages_.push_back(std::move(message));
    came_.notify_all();
    return response;
  }

  SystemClock clock_;
  netml::testing::SeededRandom random_;
  NoEvents events_;
  net::Router router_;
  std::mutex mutex_;
  std::condition_variable came_;
  int status_ = 204;  // guarded by mutex_, as are the following
  std::string location_;
  std::function<void(const std::string&)> when_one_comes_ = [](const std::string&) {};
  std::vector<Message> messages_;
  std::uint16_t port_ = 0;
  net::HttpServer server_;
};

}  // namespace netml::admin::testing
