// Answers that are expensive to make, and are the same for equal data.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "admin/api/site/calls/calls.hpp"

namespace netml::admin::web {

// A text that is cached, as a body: all clients are sent the same bytes, so none takes memory for a
// copy.
net::Body shared_body(std::shared_ptr<const std::string> text);

// What `make` gives, errors too, or was given for the same key lately. Making it takes about
// `bytes` of memory. Errc::unavailable while too many are being made, or the memory is taken.
Result<net::Response> cached_answer(const Call& call, Cache<std::string, std::string>& answers,
                                    const std::string& key, std::uint64_t bytes,
                                    const std::function<Result<boost::json::object>()>& make);

}  // namespace netml::admin::web
