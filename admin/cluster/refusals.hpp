// What a member of a cluster answers instead of a handler, in the form that the path's own errors
// have: those of the site (docs/api.md), or {"detail": "...", "code": "..."}.
//
// Thread: any (pure functions).
#pragma once

#include <string_view>

#include "net/http/http.hpp"

namespace netml::admin {

struct ClusterRefusal {
  int status = 503;
  std::string_view code;  // one word for programs: "history-forked"
  std::string_view message;
};
// With Retry-After where the status is 503, unless nobody knows what became of the request.
net::Response refuse(const net::Request& request, const ClusterRefusal& refusal);

inline constexpr std::string_view kOutcomeUnknown = "outcome-unknown";

}  // namespace netml::admin
