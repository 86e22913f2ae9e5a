// Rings when something has changed, and wakes those who wait for that: no thread of theirs stands
// still meanwhile. What has changed they look up themselves, so a bell that rings often while
// somebody is slow wakes them once, and they find the newest.
//
//   const std::uint64_t rung = bell.rung();  // first, then look
//   ...
//   const Bell::Waiting waiting = bell.wait(rung, wake);
//
// Thread: any.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <utility>

namespace netml {

class Bell {
 public:
  // Called once, by whoever rings. It is brief, throws nothing, and leaves the bell alone.
  using Wake = std::function<void()>;

  // Ends the wait: afterwards `wake` is not called, and is not being called.
  class Waiting {
   public:
    Waiting(Bell& bell, std::uint64_t place) : bell_(bell), place_(place) {}
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;
    ~Waiting() {
      const std::lock_guard lock(bell_.mutex_);
      bell_.waiting_.erase(place_);
    }

   private:
    Bell& bell_;
    const std::uint64_t place_;
  };

  // How often it has rung.
  std::uint64_t rung() const {
    const std::lock_guard lock(mutex_);
    return rung_;
  }
  void ring() {
    const std::lock_guard lock(mutex_);
    ++rung_;
    for (const auto& [place, wake] : waiting_) wake();
    waiting_.clear();
  }
  // Until it rings after it had rung so often; at once when it has done so already.
  [[nodiscard]] Waiting wait(std::uint64_t rung, Wake wake) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t place = next_place_++;
    if (rung_ == rung)
      waiting_.emplace(place, std::move(wake));
    else
      wake();
    return {*this, place};
  }

 private:
  mutable std::mutex mutex_;
  std::uint64_t rung_ = 0;  // guarded by mutex_, as are the following
  std::uint64_t next_place_ = 0;
  std::map<std::uint64_t, Wake> waiting_;  // in the order in which they came
};

}  // namespace netml
