// Which requests only the leader of a cluster can answer: those that may change something.
//
// Thread: any (pure functions).
#pragma once

#include "net/http/http.hpp"
#include "net/server/router.hpp"

namespace netml::admin {

// What is not known here to be mere reading counts as a change: the leader can answer all.
bool is_for_leader(const net::Router::Route& route, const net::Request& request);

}  // namespace netml::admin
