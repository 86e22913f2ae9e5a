// `polling/trigger` (docs/requirements/http-api.md, section 10; decision 13): on the control socket
// only, and in test mode where functional tests call it.
//
// Thread: any.
#pragma once

#include <string>

#include "admin/api/services.hpp"
#include "net/http/http.hpp"

namespace netml::admin {

// Polls all active sources; answers when that has begun.
Result<net::Response> trigger_polling(Services& services, const net::Request& request,
                                      const Caller& caller);

// 201 with the place of the batch's record.
net::Response poll_started(std::uint64_t batch);

}  // namespace netml::admin
