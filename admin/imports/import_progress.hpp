// How far the import in hand is, for people who watch.
//
// Thread: any.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

namespace netml::admin {

enum class ImportStep : std::uint8_t {
  reading,   // counts bytes of the file
  planning,  // counts elements: what they change is worked out
  storing,   // counts changes: they are written and become visible
};

class ImportProgress {
 public:
  struct Now {
    std::uint64_t import = 0;  // number of its record
    ImportStep step = ImportStep::reading;
    std::uint64_t done = 0;
    std::uint64_t total = 0;
    bool operator==(const Now&) const = default;
  };

  void set(const Now& now) {
    const std::lock_guard lock(mutex_);
    now_ = now;
  }
  void clear() {
    const std::lock_guard lock(mutex_);
    now_.reset();
  }
  // Nothing while no import is in hand.
  std::optional<Now> now() const {
    const std::lock_guard lock(mutex_);
    return now_;
  }

 private:
  mutable std::mutex mutex_;
  std::optional<Now> now_;  // guarded by mutex_
};

}  // namespace netml::admin
