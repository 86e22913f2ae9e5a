// The site as its routes find it, and what they ask of callers.
//
// Thread: any.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "net/server/router.hpp"

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

}  // namespace netml::admin
