// The administration site and the map over HTTP: the pages, the API that they use (docs/api.md),
// and what maps embedded elsewhere ask for.
//
// Thread: any.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "net/limits.hpp"
#include "net/router.hpp"

namespace netml::admin {

namespace web {
struct Site;
}

// The site once the node is open; until then requests are told to come back (O5).
class PendingSite {
 public:
  void open(web::Site& site) { site_.store(&site, std::memory_order_release); }
  web::Site* get() const { return site_.load(std::memory_order_acquire); }

 private:
  std::atomic<web::Site*> site_{nullptr};
};

// What a caller must be.
enum class Needs : std::uint8_t { nothing, viewer, editor, admin };

// A route of the API as it was registered, for tests of who may do what.
struct WebRoute {
  net::Method method = net::Method::get;
  std::string pattern;
  Needs needs = Needs::nothing;
  bool confirmed = false;  // the password must have been given again (A13)
};

// `pending` must outlive the router.
std::vector<WebRoute> register_web_api(net::Router& router, const PendingSite& pending,
                                       const net::Limits& limits);

// The pages built from admin/web, as they were when the program was built.
void register_web_pages(net::Router& router, const PendingSite& pending);

// Signing out by a link.
void register_sign_out_page(net::Router& router, const PendingSite& pending);

}  // namespace netml::admin
