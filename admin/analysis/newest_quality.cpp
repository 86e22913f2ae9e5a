#include "admin/analysis/newest_quality.hpp"

#include <utility>

#include "admin/analysis/quality_answer.hpp"

namespace netml::admin::web {

NewestQuality::NewestQuality(MemoryBudget& memory)
    : memory_(memory),
      bytes_(memory.account(MemoryUse::caches, 0)),
      registration_(memory.add_cache([this] { take_out(); })) {}

// What is known is out of reach of whoever empties caches meanwhile, such as the reservation here.
// Where looking at the map fails, it is not stored again.
Status NewestQuality::ask(const engine::Graph& graph, const engine::Countries& countries,
                          Instant today, const std::function<void(const engine::Tallies&)>& use) {
  const std::lock_guard asking(asking_);
  Monitor monitor = take_out();
  if (monitor == nullptr) monitor = std::make_unique<engine::QualityMonitor>(countries);
  const auto reserved = memory_.reserve(MemoryUse::answers,
                                        kQualityMemoryOfRecord * monitor->count_differences(graph));
  if (reserved) {
    monitor->take(graph, today);
    use(monitor->tallies());
  }
  store(std::move(monitor));
  if (!reserved) return tl::make_unexpected(reserved.error());
  return {};
}

NewestQuality::Monitor NewestQuality::take_out() {
  const std::lock_guard lock(mutex_);
  bytes_.set(0);
  return std::move(monitor_);
}

void NewestQuality::store(Monitor monitor) {
  const std::size_t bytes = monitor->memory_bytes();
  if (!memory_.has_spare(bytes)) return;
  const std::lock_guard lock(mutex_);
  monitor_ = std::move(monitor);
  bytes_.set(bytes);
}

}  // namespace netml::admin::web
