// Slices on their way: filled by the owner in the order of the file, parsed by helper threads and
// the owner, and handed back to the owner in order. There are never more than a few, so memory is
// bounded; with nothing to fill, the owner parses.
//
// Ownership: of the slices and the threads. Thread: one, its owner.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "codecs/netml/bulk/slice_parser.hpp"

namespace netml::codecs {

struct Slice {
  std::string text;
  bool parsed = false;        // guarded by the queue's mutex while the slice is on its way
  bool understood = false;    // valid once parsed
  std::exception_ptr thrown;  // instead, where there was no memory for what it says
  std::unique_ptr<SliceParser> parser;
};

class SliceQueue {
 public:
  // `threads` counts that of the owner. `prologue` outlives the queue.
  SliceQueue(const ReadLimits& limits, const BulkPrologue& prologue, unsigned threads);
  ~SliceQueue();
  SliceQueue(const SliceQueue&) = delete;
  SliceQueue& operator=(const SliceQueue&) = delete;

  // The one to fill next, its text empty at first. There must be room.
  Slice& tail() { return slot(filled_); }
  const Slice& tail() const { return slices_[filled_ % slices_.size()]; }
  bool has_room() const { return filled_ - taken_ < slices_.size(); }
  bool empty() const { return filled_ == taken_; }
  // Sends the tail on its way.
  void push();
  // The oldest slice if it is parsed already; else nothing. What its parser threw, on whichever
  // thread, these two throw again.
  Slice* ready_front();
  // The oldest slice, parsed. Parses or waits as long as it takes; the queue is not empty.
  Slice& wait_front();
  // Done with the oldest slice.
  void pop();

 private:
  Slice& slot(std::uint64_t number) { return slices_[number % slices_.size()]; }
  void start_helpers();
  void help();
  void parse_next(std::unique_lock<std::mutex>& lock);

  const unsigned helpers_max_;
  std::vector<Slice> slices_;
  // Slices by number in the file: taken_ <= claimed_ <= filled_.
  std::uint64_t taken_ = 0;  // owner only
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t filled_ = 0;   // written by the owner, under the mutex
  std::uint64_t claimed_ = 0;  // by a thread that parses it; guarded by the mutex
  bool stopping_ = false;      // guarded by the mutex
  std::vector<std::thread> helpers_;
};

}  // namespace netml::codecs
