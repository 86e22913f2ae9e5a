// What routes of the API ask of callers.
#pragma once

#include <cstdint>
#include <string>

#include "net/server/router.hpp"

namespace netml::admin {

// What a caller must be.
enum class Needs : std::uint8_t { nothing, viewer, editor, admin };

// A route of the API as it was registered, for tests of who may do what.
struct WebRoute {
  net::Method method = net::Method::get;
  std::string pattern;
  Needs needs = Needs::nothing;
  bool confirmed = false;  // the password must have been given again (A13)
  bool previewed = false;
};

}  // namespace netml::admin
