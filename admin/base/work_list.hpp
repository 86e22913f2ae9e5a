// How far what is asked for is, while it is done: under the name that whoever asked gave it, so
// that they can ask beside it (docs/command-line.md, section "Progress").
//
// Thread: any.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/work_now.hpp"

namespace netml::admin {

// The header of a request that gives its work a name; believed on the machine alone.
inline constexpr std::string_view kWorkHeader = "X-NetML-Work";
inline constexpr std::size_t kWorkNameCharactersMax = 64;
// Where it is asked for, on the machine alone.
inline constexpr std::string_view kWorkPath = "/api/v1/node/work";

// As they are called in answers, in the order of WorkUnit.
inline constexpr std::array<std::string_view, 4> kWorkUnitNames{"bytes", "files", "transactions",
                                                                "sources"};
inline std::string_view work_unit_name(WorkUnit unit) {
  return kWorkUnitNames[static_cast<std::size_t>(unit)];
}
inline std::optional<WorkUnit> find_work_unit(std::string_view name) {
  for (std::size_t i = 0; i < kWorkUnitNames.size(); ++i)
    if (kWorkUnitNames[i] == name) return static_cast<WorkUnit>(i);
  return std::nullopt;
}

class WorkList {
  struct Shown {
    std::mutex mutex;
    std::optional<WorkNow> now;  // guarded by mutex
  };

 public:
  // Stays in the list until it is destroyed, which the list outlives.
  class Work {
   public:
    Work(WorkList& list, std::string name, std::shared_ptr<Shown> shown)
        : list_(list), name_(std::move(name)), shown_(std::move(shown)) {}
    ~Work() {
      if (shown_) list_.end(name_);
    }
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;

    // May outlive this: then nobody reads what is reported.
    ReportWork report() const {
      if (!shown_) return {};
      return [shown = shown_](const WorkNow& now) {
        const std::lock_guard lock(shown->mutex);
        shown->now = now;
      };
    }

   private:
    WorkList& list_;
    const std::string name_;
    const std::shared_ptr<Shown> shown_;  // null: nobody asks for it
  };

  // Without a name, or with one that is taken or too long, nobody can ask for it.
  Work begin(std::string_view name) {
    if (name.empty() || name.size() > kWorkNameCharactersMax) return {*this, {}, nullptr};
    auto shown = std::make_shared<Shown>();
    const std::lock_guard lock(mutex_);
    const bool is_new = works_.try_emplace(std::string(name), shown).second;
    if (!is_new) return {*this, {}, nullptr};
    return {*this, std::string(name), std::move(shown)};
  }
  // Nothing when there is no such work, or it has not reported anything yet.
  std::optional<WorkNow> find(std::string_view name) const {
    std::shared_ptr<Shown> shown;
    {
      const std::lock_guard lock(mutex_);
      const auto found = works_.find(name);
      if (found == works_.end()) return std::nullopt;
      shown = found->second;
    }
    const std::lock_guard lock(shown->mutex);
    return shown->now;
  }

 private:
  void end(const std::string& name) {
    const std::lock_guard lock(mutex_);
    works_.erase(name);
  }

  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Shown>, std::less<>> works_;  // guarded by mutex_
};

}  // namespace netml::admin
