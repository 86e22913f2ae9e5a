#include "admin/cluster/refusals.hpp"

#include <fmt/format.h>

#include <string>
#include <variant>

#include "engine/base/json_string.hpp"

namespace netml::admin {

namespace {

bool is_of_site(const net::Request& request) {
  return request.path.starts_with("/api/v1/");
}

net::Response refusal_with_code(const ClusterRefusal& refusal) {
  net::Response response = net::refusal(refusal.status, refusal.message);
  std::string& body = std::get<std::string>(response.body);
  body.pop_back();  // the closing brace
  body += fmt::format(R"(,"code":{}}})", json_string(refusal.code));
  return response;
}

}  // namespace

// The site has its own form of errors (docs/api.md), all else that of net::refusal().
net::Response refuse(const net::Request& request, const ClusterRefusal& refusal) {
  net::Response response;
  if (is_of_site(request))
    response = net::json_response(
        refusal.status, fmt::format(R"({{"error":{{"code":{},"message":{}}}}})",
                                    json_string(refusal.code), json_string(refusal.message)));
  else
    response = refusal_with_code(refusal);
  if (refusal.status == 503 && refusal.code != kOutcomeUnknown)
    response.headers.set("Retry-After", "1");
  return response;
}

}  // namespace netml::admin
