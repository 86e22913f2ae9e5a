// A progress bar on a terminal, for work that lasts over a second.
//
// What is drawn follows from the clock and the bytes reported; ProgressTicker only makes time pass
// while the work reports nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "admin/cli/client/environment.hpp"
#include "engine/base/time.hpp"

namespace netml::admin::cli {

// For work that nobody watches.
class NoProgress : public Progress {
 public:
  void sent(std::uint64_t) override {}
};

struct ProgressTexts {
  std::string moving;   // while bytes go out: "sending"
  std::string working;  // once all have: "planning and committing"
};

// Thread: any (locks).
class ProgressBar : public Progress {
 public:
  using Draw = std::function<void(std::string_view)>;

  // `total` absent: bytes are counted without an end.
  ProgressBar(const Clock& clock, Draw draw, ProgressTexts texts,
              std::optional<std::uint64_t> total);
  ~ProgressBar() override { finish(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void sent(std::uint64_t bytes) override;
  // Draws if the work has lasted a second and the last drawing is a tenth of a second old.
  void refresh();
  // Clears the line. Nothing is drawn after it.
  void finish();

 private:
  void draw_if_due();  // holds the lock
  std::string line() const;

  const Clock& clock_;
  const Draw draw_;
  const ProgressTexts texts_;
  const std::optional<std::uint64_t> total_;
  std::mutex mutex_;
  std::chrono::nanoseconds began_;
  std::chrono::nanoseconds drawn_{0};
  std::uint64_t bytes_ = 0;
  bool visible_ = false;
  bool finished_ = false;
};

// Refreshes a bar ten times a second from a thread of its own, until it is destroyed.
class ProgressTicker {
 public:
  explicit ProgressTicker(ProgressBar& bar);

 private:
  std::jthread thread_;
};

// A bar for one piece of work when standard error is a terminal, otherwise nothing. Thread: one at
// a time.
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
  // Writes to a file, and shows how much.
  template <class File>
  BodySink into(File& file) {
    return [this, &file](std::string_view piece) -> Status {
      NETML_TRY_VOID(file.write(piece));
      progress().sent(file.bytes());
      return {};
    };
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
