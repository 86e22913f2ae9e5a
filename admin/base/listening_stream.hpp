// A body that tells what happens, for as long as somebody listens. It has no thread: between two
// looks its connection waits among the sockets for a bell (net/http/body_sources.hpp).
//
// Thread: one at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/bell.hpp"
#include "engine/base/time.hpp"
#include "net/http/body_sources.hpp"

namespace netml::admin {

class ListeningStream : public net::WaitingSource {
 public:
  // It ends when `goes_on` says no, which is asked before each look; where `bell` is null, also
  // when there is nothing to tell. After 15 seconds of silence it says `still_here`. Clock and bell
  // outlive it.
  ListeningStream(const Clock& clock, Bell* bell, std::function<bool()> goes_on,
                  std::string_view still_here)
      : clock_(clock), bell_(bell), goes_on_(std::move(goes_on)), still_here_(still_here) {}

  Result<std::string_view> next() final;
  std::optional<Pause> pause() final;

 protected:
  // A text that others may be given, too.
  using Piece = std::shared_ptr<const std::string>;

 private:
  // Sets what there is to tell, if there is anything. False: it was the last.
  virtual bool look(Piece& piece) = 0;

  const Clock& clock_;
  Bell* const bell_;
  const std::function<bool()> goes_on_;
  const std::string_view still_here_;
  std::chrono::nanoseconds silent_until_{0};
  std::uint64_t rung_ = 0;
  bool over_ = false;
  Piece piece_;  // that is being sent
};

}  // namespace netml::admin
