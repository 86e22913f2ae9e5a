// gzip (RFC 1952) of answers that are kept.
// Thread: any (pure functions).
#pragma once

#include <string>
#include <string_view>

#include "engine/result.hpp"
#include "net/http.hpp"

namespace netml::admin::web {

// At the fastest level. Errc::unavailable when there is no memory for it.
Result<std::string> gzip(std::string_view text);
// Of what gzip() made.
Result<std::string> gunzip(std::string_view packed);

bool accepts_gzip(const net::Request& request);

}  // namespace netml::admin::web
