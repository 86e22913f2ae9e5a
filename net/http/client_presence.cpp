#include "net/http/client_presence.hpp"

#include <poll.h>

namespace netml::net {

bool ClientPresence::has_left() const {
  if (socket_ < 0) return false;
  pollfd asked{.fd = socket_, .events = POLLRDHUP, .revents = 0};
  return ::poll(&asked, 1, 0) > 0;
}

}  // namespace netml::net
