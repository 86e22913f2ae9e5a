// The cluster that the node is a member of (docs/api.md, section "Publications and activity").
#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "admin/cluster/cluster_json.hpp"

namespace netml::admin::web {

namespace {

Result<net::Response> show_cluster(const Call& call) {
  const ClusterMember* const member = call.services.cluster;
  boost::json::value cluster;  // null of a node alone
  if (member != nullptr) cluster = cluster_json(*member, ClusterDetail::for_operators);
  return json_answer(200, {{"cluster", std::move(cluster)}});
}

}  // namespace

void add_cluster(Routes& routes) {
  routes.add(net::Method::get, "cluster", {Needs::viewer}, show_cluster);
}

}  // namespace netml::admin::web
