// A body whose maker wants to know that it was sent: a source that was asked for its last piece
// does not tell.
// Thread: one at a time, as for any BodySource.
#pragma once

#include "net/http/http.hpp"

namespace netml::net {

class ObservedSource : public BodySource {
 public:
  // All of the answer was handed to the system for the connection; called once, on a worker, before
  // the next request of that connection is read. Not for HEAD, nor where anything failed.
  virtual void sent() noexcept = 0;
};

}  // namespace netml::net
