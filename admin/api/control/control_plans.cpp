#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/api/control/control_requests.hpp"
#include "admin/imports/import_json.hpp"
#include "admin/imports/import_plans.hpp"

namespace netml::admin {

namespace json = boost::json;
using net::Method;
using net::Request;
using net::Response;

namespace {

Result<Response> list(const Services& services) {
  const engine::StatePtr state = services.node.version().state;
  return table_answer(state->catalog.plans,
                      [&](std::uint64_t number, const engine::KeptPlan& plan) {
                        return kept_plan_json(number, plan, *state);
                      });
}

Result<Response> show_plan(Services& services, const Request& request) {
  NETML_TRY(const std::uint64_t number, path_number(request));
  NETML_TRY(const auto first, query_number(request, "offset"));
  NETML_TRY(const auto count_max, query_number(request, "limit"));
  const Page page{first.value_or(0), count_max.value_or(Page{}.count_max)};
  NETML_TRY(auto stream,
            services.plans.show(number, page, page.first == 0 ? PlanNow::tell : PlanNow::skip));
  Response response;
  response.headers.set("Content-Type", "application/x-ndjson");
  response.body = net::StreamBody{std::move(stream), std::nullopt};
  return response;
}

Result<Response> apply(Services& services, const Request& request) {
  NETML_TRY(const std::uint64_t number, path_number(request));
  const auto outcome = services.plans.apply(caller_of(request), number);
  if (outcome) return json_answer(201, import_result_json(*outcome, false));
  const PlanRefusal& refusal = outcome.error();
  json::object answer = error_json(refusal.error, {});
  json::array moved;
  for (const engine::ElementName& element : refusal.moved)
    moved.push_back(json::object{{"kind", kind_name(element.kind)}, {"id", element.identifier}});
  answer["moved"] = std::move(moved);
  answer["moved_count"] = refusal.moved_count;
  return json_answer(net::http_status(refusal.error.code), answer);
}

Result<Response> again(Services& services, const Request& request) {
  NETML_TRY(const std::uint64_t number, path_number(request));
  const bool look = net::query_parameter(request.query, "dry_run") == "1";
  NETML_TRY(
      const PlannedAgain planned,
      services.plans.again(caller_of(request), number, look ? PlanAgain::look : PlanAgain::keep));
  return json_answer(200, planned_again_json(planned));
}

}  // namespace

void register_plan_api(net::Router& router, Services& services) {
  router.add(Method::get, "/control/plans/",
             without_body([&services](const Request&) { return list(services); }));
  router.add(Method::get, "/control/plans/{n}/", without_body([&services](const Request& request) {
               return show_plan(services, request);
             }));
  router.add(
      Method::post, "/control/plans/{n}/apply/",
      without_body([&services](const Request& request) { return apply(services, request); }));
  router.add(
      Method::post, "/control/plans/{n}/again/",
      without_body([&services](const Request& request) { return again(services, request); }));
  router.add(Method::del, "/control/plans/{n}/",
             without_body([&services](const Request& request) -> Result<Response> {
               NETML_TRY(const std::uint64_t number, path_number(request));
               NETML_TRY_VOID(services.plans.remove(caller_of(request), number));
               return no_content();
             }));
}

}  // namespace netml::admin
