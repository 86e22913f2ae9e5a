// A text that is cached, as a body: all clients are sent the same bytes, so none takes memory for a
// copy.
#pragma once

#include <memory>
#include <string_view>

#include "net/http/http.hpp"

namespace netml::admin {

// `text` is valid as long as `owner` is there.
net::Body shared_body(std::shared_ptr<const void> owner, std::string_view text);

}  // namespace netml::admin
