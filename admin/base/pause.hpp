// A pause of a thread that may be asked to stop. Thread: any.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace netml::admin {

// False when it was asked to stop, before or meanwhile.
inline bool pause(std::chrono::milliseconds length, const std::stop_token& stop) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any().wait_for(lock, stop, length, [] { return false; });
  return !stop.stop_requested();
}

}  // namespace netml::admin
