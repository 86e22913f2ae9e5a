// Asks beside a call how far its work is, from a thread of its own, until it is destroyed.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "admin/base/pause.hpp"
#include "admin/cli/client/control.hpp"
#include "engine/base/work_now.hpp"

namespace netml::admin::cli {

class WorkFollower {
 public:
  using Ask = std::function<std::optional<WorkNow>()>;  // nothing: it is not known

  // `progress` outlives it.
  WorkFollower(Ask ask, Progress& progress)
      : thread_([ask = std::move(ask), &progress](const std::stop_token& stop) {
          constexpr std::chrono::milliseconds kAskedAgain{500};
          while (pause(kAskedAgain, stop))
            if (const std::optional<WorkNow> now = ask()) progress.work(*now);
        }) {}

 private:
  std::jthread thread_;
};

}  // namespace netml::admin::cli
