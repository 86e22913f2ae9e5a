#include "admin/server/life_signs.hpp"

#include <fmt/format.h>

#include "engine/base/guarded.hpp"
#include "net/client/http_client.hpp"

namespace netml::admin {

// Twice within the time that the manager waits, so that one may come late.
LifeSigns::LifeSigns(const ServiceManager& manager, EventLog& events, Proof proof)
    : manager_(manager), events_(events), proof_(std::move(proof)) {
  if (const auto watchdog = manager.watchdog())
    thread_ = std::thread([this, pause = *watchdog / 2] { run(pause); });
}

void LifeSigns::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  stopped_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void LifeSigns::run(std::chrono::microseconds pause) {
  while (true) {
    prove_once();
    std::unique_lock lock(mutex_);
    if (stopped_.wait_for(lock, pause, [this] { return stopping_; })) return;
  }
}

void LifeSigns::prove_once() {
  const Status proved = guarded([this] { return proof_(); });
  if (!proved) {
    events_.warning("watchdog", proved.error().message + "; the service manager gets no sign");
    return;
  }
  if (const Status sent = guarded([this] { return manager_.alive(); }); !sent)
    events_.warning("watchdog", sent.error().message);
}

Status prove_alive(const std::string& control_socket, const Clock& clock,
                   std::chrono::milliseconds within) {
  NETML_TRY(auto channel, net::connect_unix(control_socket));
  net::ClientLimits limits;
  limits.silence_max = within;
  limits.total_max = within;
  net::HttpClient client(std::move(channel), "localhost", clock, limits);
  NETML_TRY(const net::ClientResponse answer,
            client.send({.target = std::string(kSignOfLife), .headers = {}, .body = {}}));
  if (answer.status != 200)
    return fail(Errc::unavailable,
                fmt::format("{} answers {}: {}", control_socket, answer.status, answer.body));
  return {};
}

void add_sign_of_life(net::Router& control_routes) {
  control_routes.add(net::Method::get, kSignOfLife, [](const net::Request&) -> net::Answer {
    return net::json_response(200, "{}");
  });
}

}  // namespace netml::admin
