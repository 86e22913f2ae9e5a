// A progress bar on a terminal, for work that lasts over a second, with its rate, and the time that
// is left where its size is known.
//
// What is drawn follows from the clock and what is reported: bytes that are sent or written, and
// how far the work behind a call is, which goes before them. ProgressTicker only makes time pass
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

#include "admin/cli/client/client.hpp"
#include "admin/cli/client/environment.hpp"
#include "engine/base/time.hpp"
#include "engine/base/work_now.hpp"

namespace netml::admin::cli {

// For work that nobody watches.
class NoProgress : public Progress {
 public:
  void sent(std::uint64_t) override {}
};

struct ProgressTexts {
  std::string moving;   // while bytes go out: "sending"
  std::string working;  // once all have, and of work that tells how far it is: "verifying"
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
  bool watched() const override { return true; }
  void work(const WorkNow& now) override;
  // Draws if the work has lasted a second and the last drawing is a tenth of a second old.
  void refresh();
  // Clears the line. Nothing is drawn after it.
  void finish();

 private:
  void draw_if_due();  // holds the lock
  std::string line(std::chrono::nanoseconds now) const;
  std::string seconds_line(std::chrono::nanoseconds now) const;
  std::string sent_line(std::chrono::nanoseconds now) const;
  std::string work_line(std::chrono::nanoseconds now) const;

  const Clock& clock_;
  const Draw draw_;
  const ProgressTexts texts_;
  const std::optional<std::uint64_t> total_;
  std::mutex mutex_;
  std::chrono::nanoseconds began_;
  std::chrono::nanoseconds drawn_{0};
  std::uint64_t bytes_ = 0;
  std::optional<WorkNow> work_;
  // What was done when that part was first reported, and when: its rate is since then.
  std::uint64_t work_from_ = 0;
  std::chrono::nanoseconds work_since_{0};
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

// A bar for one piece of work when standard error is a terminal and --quiet is not given, otherwise
// nothing. Thread: one at a time.
class Watch {
 public:
  Watch(const Client& client, ProgressTexts texts, std::optional<std::uint64_t> total) {
    const Environment& environment = client.environment();
    if (!environment.err_is_terminal || client.global().quiet) return;
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
