#include "admin/server/held_start.hpp"

namespace netml::admin {

HeldStart::HeldStart(net::HttpServer& server, std::chrono::milliseconds patience)
    : server_(server) {
  if (patience > std::chrono::milliseconds(0))
    thread_ = std::thread([this, patience] { run(patience); });
  else
    begin();
}

void HeldStart::run(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  if (ended_.wait_for(lock, patience, [this] { return given_up_; })) return;
  server_.start();
  begun_ = true;
}

void HeldStart::give_up() {
  {
    const std::lock_guard lock(mutex_);
    given_up_ = true;
  }
  ended_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void HeldStart::begin() {
  give_up();
  if (begun_) return;
  server_.start();
  begun_ = true;
}

}  // namespace netml::admin
