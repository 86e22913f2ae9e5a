// One timer per connection. Arming and disarming only write a point in time; the timer itself is
// touched only when it would otherwise fire too late, which on a busy connection is rare.
//
// Thread: its connection's strand.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>

#include "engine/base/time.hpp"

namespace netml::net {

class Watchdog {
 public:
  // `on_expiry` is called on the strand while `owner` lives.
  Watchdog(const boost::asio::any_io_executor& strand, const Clock& clock,
           std::function<void()> on_expiry)
      : clock_(clock), on_expiry_(std::move(on_expiry)), timer_(strand) {}

  void own(std::weak_ptr<void> owner) { owner_ = std::move(owner); }

  void arm(std::chrono::nanoseconds within) {
    expired_ = false;
    deadline_ = clock_.steady() + within;
    if (!pending_ || fires_at_ > deadline_) schedule();
  }
  void disarm() { deadline_ = kNever; }
  bool expired() const { return expired_; }
  // Lets go of the timer, so that nothing waits for it any more.
  void end() {
    disarm();
    timer_.cancel();
  }

 private:
  static constexpr std::chrono::nanoseconds kNever = std::chrono::nanoseconds::max();

  void schedule() {
    pending_ = true;
    fires_at_ = deadline_;
    timer_.expires_after(deadline_ - clock_.steady());
    timer_.async_wait([this, owner = owner_](const boost::system::error_code& error) {
      const std::shared_ptr<void> alive = owner.lock();
      if (alive && !error) fire();
    });
  }
  void fire() {
    pending_ = false;
    if (deadline_ == kNever) return;
    if (clock_.steady() < deadline_) {
      schedule();
    } else {
      expired_ = true;
      deadline_ = kNever;
      on_expiry_();
    }
  }

  const Clock& clock_;
  std::function<void()> on_expiry_;
  std::weak_ptr<void> owner_;
  boost::asio::steady_timer timer_;
  std::chrono::nanoseconds deadline_ = kNever;
  std::chrono::nanoseconds fires_at_{0};
  bool pending_ = false;
  bool expired_ = false;
};

}  // namespace netml::net
