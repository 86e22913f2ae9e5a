// A file range as a BodySource. Large reads from the page cache: sendfile() was measured to be a
// fifth faster on loopback, which does not pay for a second way to send a body.
// Thread: one at a time.
#pragma once

#include <memory>

#include "net/http/http.hpp"

namespace netml::net {

// May be made ahead (StreamBody).
std::unique_ptr<BodySource> file_source(FileBody body);

}  // namespace netml::net
