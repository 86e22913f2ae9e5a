// What counts: a counter, and a histogram with fixed bounds. Whoever counts pays relaxed atomic
// additions and waits for nobody; who reads while others count may find a sum that is a moment
// ahead of its counts.
//
// Thread: any.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

namespace netml::admin {

class Counter {
 public:
  void add(std::uint64_t count = 1) noexcept { value_.fetch_add(count, std::memory_order_relaxed); }
  std::uint64_t value() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

// One for each value of a label, an enumeration from 0.
template <class Label, std::size_t kLabels>
class Counters {
 public:
  Counter& operator[](Label label) { return counters_.at(static_cast<std::size_t>(label)); }
  const Counter& at(std::size_t label) const { return counters_.at(label); }

 private:
  std::array<Counter, kLabels> counters_;
};

// Look-ups of a cache.
struct CacheCounts {
  Counter hits;
  Counter misses;
};

// The bounds of a histogram in whole units, nanoseconds or bytes, ascending; and how many of these
// are one of the unit that its family tells.
struct Scale {
  static constexpr std::size_t kBoundsMax = 8;
  std::array<std::uint64_t, kBoundsMax> bounds{};
  std::size_t count = 0;
  double unit = 1;
};

class Histogram {
 public:
  explicit Histogram(const Scale& scale) : scale_(scale) {}

  void observe(std::uint64_t value) noexcept {
    std::size_t place = 0;
    while (place < scale_.count && value > scale_.bounds[place]) ++place;
    counts_[place].add();
    sum_.add(value);
  }
  void observe(std::chrono::nanoseconds duration) noexcept {
    observe(static_cast<std::uint64_t>(duration.count() < 0 ? 0 : duration.count()));
  }

  struct Reading {
    std::array<std::uint64_t, Scale::kBoundsMax + 1> up_to{};  // each bound, and all
    std::uint64_t sum = 0;                                     // in whole units
  };
  Reading read() const {
    Reading reading;
    std::uint64_t below = 0;
    for (std::size_t i = 0; i <= scale_.count; ++i) reading.up_to[i] = below += counts_[i].value();
    reading.sum = sum_.value();
    return reading;
  }
  const Scale& scale() const { return scale_; }

 private:
  const Scale& scale_;
  std::array<Counter, Scale::kBoundsMax + 1> counts_;
  Counter sum_;
};

// One that knows its scale, for arrays.
template <const Scale& kScale>
class ScaledHistogram : public Histogram {
 public:
  ScaledHistogram() : Histogram(kScale) {}
};

}  // namespace netml::admin
