// Bodies of answers that are more than a text: those that wait, and files.
// Thread: one at a time, as for any BodySource.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include "engine/base/bell.hpp"
#include "net/http/http.hpp"

namespace netml::net {

// A body that comes as things happen, over hours perhaps. While there is nothing to send its
// connection waits among the sockets, without a thread, and counts as idle: a stopping server cuts
// it. A client that takes its time is asked for the next piece only when it has the last one, so
// nothing gathers for it.
class WaitingSource : public BodySource {
 public:
  struct Pause {
    Bell* bell;          // lives as long as the source
    std::uint64_t rung;  // how often it had when the source looked
    std::chrono::milliseconds at_most;
  };
  // After an empty piece: what to wait for before next() is called again. Nothing: it was the end.
  virtual std::optional<Pause> pause() = 0;
  // Whether others go before it: its pieces are made by threads that many such share, and that get
  // little of a busy processor.
  virtual bool gives_way() const { return false; }
};

// A range of a file, which may be made ahead (StreamBody). Large reads from the page cache:
// sendfile() was measured to be a fifth faster on loopback, which does not pay for a second way to
// send a body.
std::unique_ptr<BodySource> file_source(FileBody body);

}  // namespace netml::net
