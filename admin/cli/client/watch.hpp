// A progress bar for one piece of work, where someone can see it.
#pragma once

#include <optional>
#include <utility>

#include "admin/cli/client/environment.hpp"
#include "admin/cli/client/progress.hpp"

namespace netml::admin::cli {

// A bar when standard error is a terminal, otherwise nothing. Thread: one at a time.
class Watch {
 public:
  Watch(const Environment& environment, ProgressTexts texts, std::optional<std::uint64_t> total) {
    if (!environment.err_is_terminal) return;
    bar_.emplace(*environment.clock, environment.err, std::move(texts), total);
    ticker_.emplace(*bar_);
  }
  Progress& progress() {
    if (bar_) return *bar_;
    return none_;
  }
  void finish() {
    ticker_.reset();
    bar_.reset();
  }

 private:
  NoProgress none_;
  std::optional<ProgressBar> bar_;
  std::optional<ProgressTicker> ticker_;
};

}  // namespace netml::admin::cli
