// The lease of one run of a member, as this member may count on it: from before it asked, on its
// own steady clock, so always shorter than the engine counts. No promise rests on that; it makes a
// leader that was stopped for a while polite before its first append is refused.
// Thread: any (locks); each call to a log blocks on that log only.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>

#include "engine/base/time.hpp"
#include "wal/shared/shared_log.hpp"

namespace netml::wal {

class LeaseKeeper {
 public:
  // `holder`: as Lease::holder. `clock` must outlive it.
  LeaseKeeper(const Clock& clock, std::string holder, std::chrono::nanoseconds length)
      : clock_(clock), holder_(std::move(holder)), length_(length) {}

  const std::string& holder() const { return holder_; }

  // As those of SharedLog. Done: it is held. A renewal that is refused gives it up, unless it was
  // taken again meanwhile: then the outcome is `unknown`.
  Leased take(SharedLog& log, Epoch seen);
  Leased renew(SharedLog& log);
  Leased release(SharedLog& log);
  void give_up();

  // Where the shared log stood when the lease was taken last.
  Head taken_at() const;
  // Of the lease while it has not run out.
  std::optional<Epoch> held() const;
  std::chrono::nanoseconds left() const;
  // A third of it has gone.
  bool renewal_due() const;

 private:
  std::optional<Epoch> epoch() const;

  const Clock& clock_;
  const std::string holder_;
  const std::chrono::nanoseconds length_;
  mutable std::mutex mutex_;
  std::optional<Epoch> epoch_;
  Head taken_at_;
  std::chrono::nanoseconds until_{};
};

}  // namespace netml::wal
