// The endpoints that functional tests use (docs/requirements/http-api.md, sections 11 to 14;
// decision 23): empty and fill the node, create and change single records and rules over HTTP. They
// are served in test mode only; otherwise each answers 403, whatever is sent (A21).
//
// What they change goes through the same planning and the same journal as all else.
// Thread: any.
#pragma once

#include <atomic>

#include "admin/api/services.hpp"
#include "engine/base/time.hpp"
#include "net/endpoints/ports.hpp"
#include "net/http/limits.hpp"
#include "net/server/router.hpp"

namespace netml::admin {

// The services once the node is open; until then requests are told to come back (O5).
class PendingServices {
 public:
  void open(Services& services) { services_.store(&services, std::memory_order_release); }
  Services* get() const { return services_.load(std::memory_order_acquire); }

 private:
  std::atomic<Services*> services_{nullptr};
};

// `services` must outlive the router. `start` is when the server started.
void register_functional_api(net::Router& router, const PendingServices& services,
                             const net::Limits& limits, WallTime start);

// The same paths, refused.
void refuse_functional_api(net::Router& router);

}  // namespace netml::admin
