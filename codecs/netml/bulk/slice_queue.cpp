#include "codecs/netml/bulk/slice_queue.hpp"

#include <system_error>
#include <utility>

#include "engine/base/result.hpp"

namespace netml::codecs {

namespace {

// Enough that neither side waits while the other is at a long slice.
constexpr std::size_t kSlicesPerHelper = 8;

Slice& checked(Slice& slice) {
  if (slice.thrown) std::rethrow_exception(std::exchange(slice.thrown, nullptr));
  return slice;
}

}  // namespace

SliceQueue::SliceQueue(const ReadLimits& limits, const BulkPrologue& prologue, unsigned threads)
    : helpers_max_(threads > 1 ? threads - 1 : 0),
      slices_(helpers_max_ == 0 ? 1 : kSlicesPerHelper * helpers_max_) {
  for (Slice& slice : slices_) slice.parser = std::make_unique<SliceParser>(limits, prologue);
}

SliceQueue::~SliceQueue() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void SliceQueue::push() {
  NETML_ASSERT(has_room());
  {
    const std::lock_guard lock(mutex_);
    tail().parsed = false;
    ++filled_;
  }
  changed_.notify_all();
  if (filled_ > 1) start_helpers();  // most files are one slice and need none
}

void SliceQueue::start_helpers() {
  try {
    while (helpers_.size() < helpers_max_) helpers_.emplace_back([this] { help(); });
  } catch (const std::system_error&) {
    // Ignored: without a thread to be had, the owner parses everything.
  }
}

void SliceQueue::help() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || claimed_ < filled_; });
    if (stopping_) return;
    parse_next(lock);
  }
}

void SliceQueue::parse_next(std::unique_lock<std::mutex>& lock) {
  const std::uint64_t number = claimed_++;
  Slice& slice = slot(number);
  lock.unlock();
  try {
    slice.understood = slice.parser->parse(slice.text, number == 0);
  } catch (...) {
    slice.thrown = std::current_exception();
  }
  lock.lock();
  slice.parsed = true;
  changed_.notify_all();
}

void SliceQueue::pop() {
  slot(taken_++).text.clear();
}

Slice* SliceQueue::ready_front() {
  if (empty()) return nullptr;
  const std::lock_guard lock(mutex_);
  return slot(taken_).parsed ? &checked(slot(taken_)) : nullptr;
}

Slice& SliceQueue::wait_front() {
  NETML_ASSERT(!empty());
  Slice& front = slot(taken_);
  std::unique_lock lock(mutex_);
  while (!front.parsed) {
    if (claimed_ < filled_)
      parse_next(lock);
    else
      changed_.wait(lock, [&front] { return front.parsed; });
  }
  return checked(front);
}

}  // namespace netml::codecs
