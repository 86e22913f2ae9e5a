// The map switched on and off, and pages elsewhere that may show it (docs/requirements/http-api.md,
// section 14).
#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/api/reference/calls.hpp"
#include "admin/settings/settings.hpp"
#include "engine/edit/plan_entries.hpp"

namespace netml::admin::functional {

namespace json = boost::json;
using net::Method;
using net::Response;

namespace {

Result<Response> set_map_enabled(const Call& call, std::uint64_t number) {
  return set_setting(call, kMapEnabled, number == 0 ? "False" : "True");
}

Result<engine::AllowedOrigin> read_origin(const json::object& fields) {
  engine::AllowedOrigin origin;
  NETML_TRY(origin.name, required_text(fields, "name"));
  NETML_TRY(origin.origin, required_text(fields, "origin"));
  const json::value* active = fields.if_contains("active");
  if (active == nullptr) return fail(Errc::invalid_input, "active", "is missing");
  origin.active = *active != "" && *active != false && !active->is_null();
  if (origin.name.empty() || origin.origin.empty())
    return fail(Errc::invalid_input, "a name and an origin are needed");
  return origin;
}

// Refusals are plain texts here. What the origin looks like is not judged, as tests bring their
// own; one that no browser sends never matches.
Result<Response> allow_origin(const Call& call) {
  NETML_TRY(const json::object fields, call.fields());
  const Result<engine::AllowedOrigin> origin = read_origin(fields);
  if (!origin) return text_answer(400, origin.error().text());
  const auto made = call.commit(engine::Cause::setting, [&](const engine::State& state, WallTime) {
    return plan_entry_create(state, *origin);
  });
  if (!made && made.error().code == Errc::conflict) return text_answer(400, made.error().text());
  NETML_TRY_VOID(made);
  return text_answer(201, "");
}

Result<Response> forget_origin(const Call& call) {
  const std::string& name = call.request.parameters.front();
  const auto gone = call.commit(engine::Cause::setting, [&](const engine::State& state, WallTime) {
    return engine::plan_entry_delete<engine::AllowedOrigin>(
        state, state.catalog.origins.find_with<&engine::AllowedOrigin::name>(name));
  });
  if (!gone && gone.error().code == Errc::not_found)
    return text_answer(400, "there is no origin of that name");
  NETML_TRY_VOID(gone);
  return no_content();
}

}  // namespace

void add_visualization(Routes& routes) {
  const std::string enabled = "/visualization/test/enabled_setting/";
  const std::string origin = "/visualization/test/allow_origin/";
  routes.add(Method::get, enabled, Access::test, show_setting(kMapEnabled));
  routes.add(Method::put, enabled + "{value}/", Access::test, set_map_enabled);
  routes.add(Method::post, origin, Access::test, allow_origin);
  routes.add(Method::del, origin + "{name}/", Access::test, forget_origin);
}

}  // namespace netml::admin::functional
