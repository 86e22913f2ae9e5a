#include "admin/api/health.hpp"

#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/node/node.hpp"

namespace netml::admin {

namespace {

namespace json = boost::json;

json::object reason(const char* code, std::string_view message) {
  return {{"code", code}, {"message", message}};
}

// Empty: there are none.
json::array reasons(const Node* node, HealthDetail detail) {
  if (node == nullptr) return {reason("starting", "the data are being opened")};
  if (node->writable()) return {};
  const bool operators = detail == HealthDetail::for_operators;
  return {reason("read_only", operators ? node->reason() : "changes cannot be written")};
}

net::Response health(int status, const char* state, json::array why) {
  return json_answer(status, json::object{{"status", state}, {"reasons", std::move(why)}});
}

net::Response ready(const Node* node, HealthDetail detail) {
  json::array why = reasons(node, detail);
  if (why.empty()) return health(200, "ready", {});
  net::Response response = health(503, "not ready", std::move(why));
  response.headers.add("Retry-After", "1");
  return response;
}

}  // namespace

void register_health(net::Router& router, const Node* node, HealthDetail detail) {
  router.add(
      net::Method::get, "/health/live",
      [](const net::Request&) -> net::Answer { return health(200, "live", {}); },
      net::Lane::urgent);
  router.add(
      net::Method::get, "/health/ready",
      [node, detail](const net::Request&) -> net::Answer { return ready(node, detail); },
      net::Lane::urgent);
}

}  // namespace netml::admin
