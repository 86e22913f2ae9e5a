// All that clients find on the listeners of the server: first what stands in until the node is
// open, which tells requests to come back (O5), then the routes of the open node.
//
// Thread: any (immutable while served).
#pragma once

#include <memory>

#include "engine/base/time.hpp"
#include "net/http/limits.hpp"
#include "net/server/router.hpp"

namespace netml::admin {

class Importer;
struct Services;
namespace web {
struct Site;
}

struct RouteOptions {
  net::Limits limits = {};
  bool test_mode = false;    // with the endpoints of functional tests (A21)
  bool development = false;  // exports need no token
  WallTime start = {};       // of the server
};

// What needs no node is answered as always.
net::Router starting_routes(const RouteOptions& options);

class PublicRoutes {
 public:
  // All of them must outlive the last request.
  PublicRoutes(Services& services, Importer& importer, web::Site& site,
               const RouteOptions& options);
  ~PublicRoutes();

  const net::Router& router() const;

 private:
  struct Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace netml::admin
