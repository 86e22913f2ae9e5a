// Bodies that are read from a file: by the command that works without a server, and by a server
// that learns on the control socket which file is meant (admin/answers/body_file.hpp).
#pragma once

#include <cstdint>
#include <functional>

#include "net/http/http.hpp"

namespace netml::admin {

// Reads the whole file into the sink and gives the answer. `read` is given how much, in total so
// far. Errors of reading are values; a refusal of the sink is an answer.
Result<net::Response> feed_file(net::BodySink& sink, const net::FileBody& body,
                                const std::function<void(std::uint64_t)>& read);

// `handler`, whose body may also be a file that a header names.
net::Answer with_named_body_file(const net::Request& request, const net::Handler& handler);

}  // namespace netml::admin
