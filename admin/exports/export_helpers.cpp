#include "admin/exports/export_helpers.hpp"

#include <algorithm>

#include "engine/base/guarded.hpp"
#include "engine/base/priority.hpp"

namespace netml::admin {

namespace {

unsigned spare_processors() {
  const unsigned processors = std::thread::hardware_concurrency();  // 0: not known
  return processors < 2 ? 0 : std::min(processors / 2, 2U);
}

}  // namespace

ExportHelpers::ExportHelpers() : ExportHelpers(spare_processors()) {}

ExportHelpers::~ExportHelpers() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  offered_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

ExportHelpers::Entries::iterator ExportHelpers::find(Entries& entries, const Helped& work) {
  return std::ranges::find(entries, &work, &Entry::work);
}

void ExportHelpers::offer(Helped& work) noexcept {
  if (threads_max_ == 0) return;
  static_cast<void>(guarded([&]() -> Status {
    const std::lock_guard lock(mutex_);
    if (const auto helped = find(being_helped_, work); helped != being_helped_.end()) {
      helped->again = true;
      return {};
    }
    if (find(waiting_, work) != waiting_.end()) return {};
    if (threads_.size() < threads_max_ && threads_.size() <= being_helped_.size()) {
      threads_.reserve(threads_max_);
      threads_.emplace_back([this] { run(); });
    }
    waiting_.push_back({.work = &work});
    offered_.notify_one();
    return {};
  }));
}

void ExportHelpers::withdraw(Helped& work) noexcept {
  std::unique_lock lock(mutex_);
  if (const auto waiting = find(waiting_, work); waiting != waiting_.end()) waiting_.erase(waiting);
  const auto helped = find(being_helped_, work);
  if (helped == being_helped_.end()) return;
  helped->withdrawn = true;
  helped_.wait(lock, [&] { return find(being_helped_, work) == being_helped_.end(); });
}

void ExportHelpers::run() {
  // Exports are pulled by the workers of strangers, too, and a thread that one of them starts may
  // not get more processor time than it has.
  give_way();
  std::unique_lock lock(mutex_);
  while (true) {
    offered_.wait(lock, [&] { return stopping_ || !waiting_.empty(); });
    if (stopping_) return;
    const auto entry = waiting_.begin();
    being_helped_.splice(being_helped_.end(), waiting_, entry);
    entry->again = false;
    lock.unlock();
    const bool more = entry->work->help();
    lock.lock();
    if (!entry->withdrawn && (more || entry->again))
      waiting_.splice(waiting_.end(), being_helped_, entry);  // behind all others
    else
      being_helped_.erase(entry);
    helped_.notify_all();
  }
}

}  // namespace netml::admin
