#include "admin/cluster/refusals.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "engine/base/json_string.hpp"

namespace netml::admin {

namespace {

// Those of the site, which describes its errors (docs/api.md).
bool has_error_codes(const net::Request& request) {
  return request.path.starts_with("/api/v1/");
}

net::Response with_time(net::Response response, const ClusterRefusal& refusal) {
  if (refusal.status == 503 && refusal.code != kOutcomeUnknown)
    response.headers.set("Retry-After", "1");
  return response;
}

}  // namespace

net::Response refuse(const net::Request& request, const ClusterRefusal& refusal) {
  if (!has_error_codes(request)) {
    if (refusal.code == kOutcomeUnknown)
      return net::refusal(Error{Errc::outcome_unknown, std::string(refusal.message)});
    net::Response response = net::refusal(refusal.status, refusal.message);
    return with_time(std::move(response), refusal);
  }
  return with_time(
      net::json_response(refusal.status,
                         fmt::format(R"({{"error":{{"code":{},"message":{}}}}})",
                                     json_string(refusal.code), json_string(refusal.message))),
      refusal);
}

}  // namespace netml::admin
