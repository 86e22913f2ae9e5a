// How long readers wait while the server is busy with something else.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <optional>
#include <thread>

#include "admin/server/system_clock.hpp"
#include "bench/scenario/commands.hpp"
#include "bench/support/floors.hpp"
#include "net/client/http_client.hpp"
#include "tests/support/http_clients.hpp"

namespace netml::bench {

namespace {

const admin::SystemClock kClock;

// One kind of request, sent again and again over a connection that is kept.
class Reader {
 public:
  using Connect = std::function<Result<net::HttpClient>()>;

  Reader(Connect connect, std::string target)
      : connect_(std::move(connect)), target_(std::move(target)) {}

  void ask() {
    if (!client_ || !client_->reusable()) {
      auto connected = connect_();
      if (!connected) std::abort();
      client_.emplace(std::move(*connected));
    }
    net::ClientRequest request;
    request.target = target_;
    const double begin = now();
    const auto answer = client_->send(request);
    const double seconds = now() - begin;
    if (!answer || answer->status != 200) std::abort();
    waits_.push_back(seconds);
  }

  std::string json() {
    std::ranges::sort(waits_);
    const auto at = [this](double share) {
      return waits_[static_cast<std::size_t>(share * static_cast<double>(waits_.size() - 1))];
    };
    return fmt::format(
        "{{\"requests\": {}, \"median\": {:.6f}, \"p99\": {:.6f}, \"longest\": {:.6f}}}",
        waits_.size(), at(0.5), at(0.99), at(1));
  }

 private:
  const Connect connect_;
  const std::string target_;
  std::optional<net::HttpClient> client_;
  std::vector<double> waits_;
};

}  // namespace

void measure_readers(std::uint16_t port, const std::string& socket, const std::string& topology) {
  Reader status([port] { return net::client_over_tcp({"127.0.0.1", port}, kClock); }, "/status/");
  Reader small_export([&socket] { return net::client_over_unix(socket, kClock); },
                      "/api/v1/node/export?topology=" + topology);
  std::atomic<bool> stop = false;
  std::thread thread([&] {
    constexpr auto kPause = std::chrono::milliseconds(1);
    do {
      status.ask();
      small_export.ask();
      std::this_thread::sleep_for(kPause);  // a reader, not a load
    } while (!stop);
  });
  while (std::getchar() != EOF) {
  }
  stop = true;
  thread.join();
  fmt::print("{{\"status\": {}, \"export\": {}}}\n", status.json(), small_export.json());
}

}  // namespace netml::bench
