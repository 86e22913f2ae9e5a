// All that clients find on the listeners of the server, and what stands behind it once the node is
// open. Until then every route that needs the node tells requests to come back (O5).
//
// Owner: the server; it outlives every listener that it is given to.
// Thread: construction, open() and close() by one; requests by any.
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

class PublicRoutes {
 public:
  struct Options {
    net::Limits limits = {};
    bool test_mode = false;    // with the endpoints of functional tests (A21)
    bool development = false;  // exports need no token
    WallTime start = {};       // of the server
  };

  explicit PublicRoutes(const Options& options);
  ~PublicRoutes();

  const net::Router& router() const;
  // All of them must outlive the last request.
  void open(Services& services, Importer& importer, web::Site& site);
  // Exports and imports tell requests to come back again.
  void close();

 private:
  struct Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace netml::admin
