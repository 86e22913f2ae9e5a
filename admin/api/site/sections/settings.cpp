// Settings (docs/api.md, section "Administration"; docs/requirements/administration.md, section 6).
#include <fmt/format.h>

#include <array>
#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/api/site/calls/lists.hpp"
#include "admin/api/site/sections/sections.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using net::Method;
using net::Response;

namespace {

const char* kind_of(const SettingDefinition& definition) {
  if (definition.is_text()) return "text";
  if (definition.is_number()) return "number";
  const auto& [first, second] = definition.allowed;
  const bool is_switch =
      (first == "True" && second == "False") || (first == "On" && second == "Off");
  return is_switch ? "switch" : "choice";
}

json::object setting_item(const Call& call, const SettingDefinition& definition) {
  const engine::StatePtr state = call.state();
  const Mode mode = call.services.node.mode();
  json::object item{{"key", definition.name},
                    {"name", definition.display_name},
                    {"description", definition.description},
                    {"value", setting_value(state->catalog, definition.name, mode)},
                    {"default", default_value(definition, mode)},
                    {"stored", is_stored(state->catalog, definition)},
                    {"kind", kind_of(definition)},
                    {"choices", json::array()}};
  if (definition.is_number()) item["maximum"] = definition.number_max;
  if (!definition.is_number() && !definition.is_text())
    item["choices"] = json::value_from(definition.allowed);
  return item;
}

Result<Response> list_settings(const Call& call) {
  constexpr std::array<std::string_view, 3> kSearched{"key", "name", "description"};
  std::vector<json::object> items;
  for (const SettingDefinition& definition : setting_definitions())
    if (!call.services.polling.sandbox() || !is_polling_setting(definition))
      items.push_back(setting_item(call, definition));
  return list_answer(call, items, kSearched);
}

Result<const SettingDefinition*> wanted(const Call& call) {
  return find_setting(call.request.parameters.at(0));
}

Result<Response> show_setting(const Call& call) {
  NETML_TRY(const auto* definition, wanted(call));
  return json_answer(200, setting_item(call, *definition));
}

// What is not there would show nothing.
Status names_a_view(const engine::Catalog& catalog, const SettingDefinition& definition,
                    const std::string& value) {
  if (definition.name != kPublicMapView || value.empty()) return {};
  if (catalog.views.find_with<&engine::StoredView::name>(value) != 0) return {};
  return wrong_field("value", fmt::format("there is no view \"{}\"", value));
}

Result<Response> change_setting(const Call& call) {
  NETML_TRY(const auto* definition, wanted(call));
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const std::string value, text_of(fields, "value"));
  const Result<std::string> accepted = accepted_value(*definition, value);
  if (!accepted) return fail(Errc::invalid_input, "value", accepted.error().text());
  const auto plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    NETML_TRY_VOID(names_a_view(state.catalog, *definition, *accepted));
    return plan_setting(state, definition->name, *accepted);
  };
  NETML_TRY_VOID(call.commit(engine::Cause::setting, plan));
  return show_setting(call);
}

Result<Response> reset_setting(const Call& call) {
  NETML_TRY(const auto* definition, wanted(call));
  NETML_TRY_VOID(call.commit(engine::Cause::setting, [&](const engine::State& state, WallTime) {
    return plan_setting_default(state, definition->name);
  }));
  return show_setting(call);
}

}  // namespace

void add_settings(Routes& routes) {
  routes.add(Method::get, "settings", {Needs::viewer}, list_settings);
  routes.add(Method::get, "settings/{key}", {Needs::viewer}, show_setting);
  routes.add(Method::put, "settings/{key}", {Needs::admin}, change_setting);
  routes.add(Method::del, "settings/{key}", {Needs::admin}, reset_setting);
}

}  // namespace netml::admin::web
