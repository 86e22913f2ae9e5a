// Bodies of answers that are cached: all clients are sent the same bytes, so none takes memory for
// a copy.
//
// Thread: any.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "net/http/http.hpp"

namespace netml::admin::web {

net::Body shared_body(std::shared_ptr<const std::string> text);
// Of what gzip() made of a text of `text_bytes` bytes; expanded while it is sent.
net::Body expanded_body(std::shared_ptr<const std::string> compressed, std::uint64_t text_bytes);

}  // namespace netml::admin::web
