// A file range as a BodySource, for streams that cannot send from the page cache.
// Thread: one at a time.
#pragma once

#include <memory>

#include "net/http.hpp"

namespace netml::net {

std::unique_ptr<BodySource> file_source(FileBody body);

}  // namespace netml::net
