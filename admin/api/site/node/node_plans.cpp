#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/api/site/node/node_verbs.hpp"
#include "admin/imports/import_json.hpp"
#include "admin/imports/import_plans.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using net::Method;
using net::Response;

namespace {

Result<Response> list(const Call& call) {
  const engine::StatePtr state = call.state();
  return table_answer(state->catalog.plans,
                      [&](std::uint64_t number, const engine::KeptPlan& plan) {
                        return kept_plan_json(number, plan, *state);
                      });
}

Result<Response> show_plan(const Call& call) {
  NETML_TRY(const std::uint64_t number, call.number());
  NETML_TRY(const auto first, call.query_number("offset"));
  NETML_TRY(const auto count_max, call.query_number("limit"));
  const Page page{first.value_or(0), count_max.value_or(Page{}.count_max)};
  NETML_TRY(auto stream, call.services.plans.show(number, page,
                                                  page.first == 0 ? PlanNow::tell : PlanNow::skip));
  Response response;
  response.headers.set("Content-Type", "application/x-ndjson");
  response.body = net::StreamBody{std::move(stream), std::nullopt};
  return response;
}

Result<Response> apply(const Call& call) {
  NETML_TRY(const std::uint64_t number, call.number());
  const auto outcome = call.services.plans.apply(call.caller(), number);
  if (outcome) return json_answer(201, import_result_json(*outcome, false));
  const PlanRefusal& refusal = outcome.error();
  json::object answer = error_json(refusal.error, {});
  json::array moved;
  for (const engine::ElementName& element : refusal.moved)
    moved.push_back(json::object{{"kind", kind_name(element.kind)}, {"id", element.identifier}});
  answer["moved"] = std::move(moved);
  answer["moved_count"] = refusal.moved_count;
  return json_answer(net::http_status(refusal.error.code), {{"error", std::move(answer)}});
}

Result<Response> again(const Call& call) {
  NETML_TRY(const std::uint64_t number, call.number());
  const bool look = given(call, "dry_run") == "1";
  NETML_TRY(
      const PlannedAgain planned,
      call.services.plans.again(call.caller(), number, look ? PlanAgain::look : PlanAgain::keep));
  return json_answer(200, planned_again_json(planned));
}

Result<Response> remove(const Call& call) {
  NETML_TRY(const std::uint64_t number, call.number());
  NETML_TRY_VOID(call.services.plans.remove(call.caller(), number));
  return no_content();
}

}  // namespace

void add_node_plans(Routes& routes) {
  routes.add(Method::get, "node/plans", kNodeVerb, list);
  routes.add(Method::get, "node/plans/{n}", kNodeVerb, show_plan);
  routes.add(Method::post, "node/plans/{n}/apply", kNodeVerb, apply);
  routes.add(Method::post, "node/plans/{n}/again", kNodeVerb, again);
  routes.add(Method::del, "node/plans/{n}", kNodeVerb, remove);
}

}  // namespace netml::admin::web
