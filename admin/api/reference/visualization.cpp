// The map switched on and off, and pages elsewhere that may show it (docs/requirements/http-api.md,
// section 14).
#include <boost/json.hpp>

#include "admin/api/records/field_values.hpp"
#include "admin/api/reference/calls.hpp"
#include "admin/settings/settings.hpp"
#include "engine/edit/plan_entries.hpp"

namespace netml::admin::functional {

namespace json = boost::json;
using net::Method;
using net::Response;

namespace {

Result<Response> set_map_enabled(const Call& call) {
  NETML_TRY(const std::uint64_t number, call.number());
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
  Response response;
  response.status = 204;
  return response;
}

}  // namespace

void add_visualization(Routes& routes) {
  const auto add = [&routes](Method method, std::string_view pattern, Handle handle) {
    routes.add(method, pattern, Access::test, std::move(handle));
  };
  add(Method::get, "/visualization/test/enabled_setting/", show_setting(kMapEnabled));
  add(Method::put, "/visualization/test/enabled_setting/{value}/", set_map_enabled);
  add(Method::post, "/visualization/test/allow_origin/", allow_origin);
  add(Method::del, "/visualization/test/allow_origin/{name}/", forget_origin);
}

}  // namespace netml::admin::functional
