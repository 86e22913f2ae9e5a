// Clock and random source for tests: the same in every run.
#pragma once

#include <atomic>
#include <mutex>
#include <random>

#include "engine/base/random.hpp"
#include "engine/base/time.hpp"

namespace netml::testing {

// Starts at 2024-01-01T00:00:00Z and moves only when asked; the wall clock may also be put forward
// or back by itself. Thread: any, as a Clock must be.
class ManualClock final : public Clock {
 public:
  WallTime wall() const override {
    return WallTime{kStart + put_forward_ +
                    std::chrono::duration_cast<std::chrono::microseconds>(steady()).count()};
  }
  std::chrono::nanoseconds steady() const override { return std::chrono::nanoseconds(passed_); }
  void advance(std::chrono::nanoseconds by) { passed_ += by.count(); }
  void put_wall_forward(std::chrono::microseconds by) { put_forward_ += by.count(); }

 private:
  static constexpr std::int64_t kStart = 1704067200LL * 1000000;
  std::atomic<std::int64_t> passed_{0};       // nanoseconds
  std::atomic<std::int64_t> put_forward_{0};  // microseconds
};

// Thread: any, as a Random must be; what each thread gets then depends on their order.
class SeededRandom final : public Random {
 public:
  explicit SeededRandom(std::uint64_t seed = 1) : engine_(seed) {}
  void fill(std::span<std::byte> bytes) override {
    const std::lock_guard lock(mutex_);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(engine_() & 0xff);
  }

 private:
  std::mutex mutex_;
  std::mt19937_64 engine_;
};

}  // namespace netml::testing
