#include "admin/api/health.hpp"

#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/cluster/cluster_json.hpp"
#include "admin/node/node.hpp"

namespace netml::admin {

namespace {

namespace json = boost::json;

json::object reason(const char* code, std::string_view message) {
  return {{"code", code}, {"message", message}};
}

// Whose health it is.
struct Patient {
  const Node* node;
  const ClusterMember* cluster;
  HealthDetail detail;
};

// Empty: there are none.
json::array reasons(const Patient& patient) {
  if (patient.node == nullptr) return {reason("starting", "the data are being opened")};
  json::array all;
  const bool operators = patient.detail == HealthDetail::for_operators;
  if (!patient.node->writable())
    all.push_back(
        reason("read_only", operators ? patient.node->reason() : "changes cannot be written"));
  if (patient.cluster != nullptr)
    if (const auto problem = cluster_problem(*patient.cluster))
      all.push_back(
          reason(problem->code, operators ? problem->message : "the cluster takes no changes now"));
  return all;
}

net::Response health(int status, const char* state, json::array why) {
  return json_answer(status, json::object{{"status", state}, {"reasons", std::move(why)}});
}

net::Response ready(const Patient& patient) {
  json::array why = reasons(patient);
  if (why.empty()) return health(200, "ready", {});
  net::Response response = health(503, "not ready", std::move(why));
  response.headers.add("Retry-After", "1");
  return response;
}

}  // namespace

void register_health(net::Router& router, const Node* node, HealthDetail detail,
                     const ClusterMember* cluster) {
  router.add(
      net::Method::get, "/health/live",
      [](const net::Request&) -> net::Answer { return health(200, "live", {}); },
      net::Lane::urgent);
  router.add(
      net::Method::get, "/health/ready",
      [patient = Patient{node, cluster, detail}](const net::Request&) -> net::Answer {
        return ready(patient);
      },
      net::Lane::urgent);
}

}  // namespace netml::admin
