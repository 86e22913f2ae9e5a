// The control API: what the command line and the server say to each other (docs/control-api.md).
// It is registered on the control socket only, and called in-process when no server runs.
//
// Thread: any.
#pragma once

#include "admin/api/services.hpp"
#include "net/server/router.hpp"

namespace netml::admin {

void register_control_api(net::Router& router, Services& services);

}  // namespace netml::admin
