#include "admin/api/reference/calls.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "admin/access/request_credentials.hpp"
#include "admin/answers/json_answers.hpp"
#include "admin/answers/request_values.hpp"
#include "admin/api/reference/forms.hpp"
#include "admin/settings/settings.hpp"
#include "engine/base/texts.hpp"

namespace netml::admin::functional {

namespace json = boost::json;
using net::Answer;
using net::Method;
using net::Request;
using net::Response;

namespace {

// Who asks; nothing when they may not.
std::optional<Caller> admit(Services& services, const Request& request, Access access) {
  Caller caller{engine::ActorKind::system, "functional test", request.client_address, request.id};
  if (access == Access::test) return caller;
  const std::optional<Credentials> given = basic_credentials(request.headers);
  if (!given) return std::nullopt;
  const auto identity = services.accounts.check(given->name, given->password);
  if (!identity || !identity->staff) return std::nullopt;
  caller.kind = engine::ActorKind::account;
  caller.actor = identity->name;
  return caller;
}

bool takes_body(Method method) {
  return method == Method::post || method == Method::put || method == Method::patch;
}

Response answer(const Handle& handle, const Call& call) {
  Result<Response> response = handle(call);
  if (response) return std::move(*response);
  if (net::http_status(response.error().code) >= 500)
    call.services.node.note_failure(call.caller, response.error());
  return refused(response.error());
}

}  // namespace

Result<json::object> Call::fields() const {
  return parse_fields(request.headers.get("Content-Type"), body, limits);
}

Result<Lsn> Call::commit(
    engine::Cause cause,
    std::function<Result<engine::Transaction>(const engine::State&, WallTime)> plan) const {
  Change change{.caller = caller, .cause = cause};
  change.plan = std::move(plan);
  change.rules = RulesAfter::skip;
  return services.node.commit(std::move(change));
}

void Routes::add(Method method, std::string_view pattern, Access access, Handle handle,
                 std::optional<NamedLimit> bytes_max) {
  router_.add(
      method, pattern,
      [&services = services_, limits = limits_, handle = std::move(handle), access, method,
       bytes_max = bytes_max.value_or(net::form_limit(limits_))](const Request& request) -> Answer {
        std::optional<Caller> caller = admit(services, request, access);
        if (!caller) return access_denied();
        if (!takes_body(method))
          return answer(handle, {services, request, {}, limits, *std::move(caller)});
        if (request.has_body() && !is_accepted_type(request.headers.get("Content-Type")))
          return net::refusal(415, "send JSON or a form");
        return net::collect_body(bytes_max, [handle, &services, request, limits,
                                             caller = *std::move(caller)](const std::string& body) {
          return answer(handle, {services, request, body, limits, caller});
        });
      });
}

void Routes::add(Method method, std::string_view pattern, Access access, ItemHandle handle) {
  add(method, pattern, access,
      Handle([handle = std::move(handle)](const Call& call) -> Result<Response> {
        NETML_TRY(const std::uint64_t number, path_number(call.request));
        return handle(call, number);
      }));
}

void Routes::add_collection(const std::string& path, const Collection& collection) {
  const std::string item = path + "{id}/";
  const auto changed = [&](Completeness completeness) -> ItemHandle {
    return [change = collection.change, completeness](const Call& call, std::uint64_t number) {
      return change(call, number, completeness);
    };
  };
  add(Method::get, path, Access::basic, collection.list);
  add(Method::post, path, Access::basic, collection.create);
  add(Method::get, item, Access::basic, collection.show);
  add(Method::put, item, Access::basic, changed(Completeness::whole));
  add(Method::patch, item, Access::basic, changed(Completeness::partial));
  add(Method::del, item, Access::basic, collection.remove);
}

void Routes::refuse_head(std::string_view pattern) {
  router_.refuse_head(pattern);
}

Response refused(const Error& error) {
  if (error.code != Errc::invalid_input && error.code != Errc::conflict) return net::refusal(error);
  if (error.field.empty()) return net::refusal(400, error.message);
  return json_answer(400, json::object{{error.field, json::array{error.message}}});
}

Handle show_collections(std::string_view root, std::vector<std::string> names) {
  return [root, names = std::move(names)](const Call& call) -> Result<Response> {
    json::object urls;
    for (const std::string& name : names)
      urls[name] = fmt::format("{}://{}{}{}/", call.request.secure ? "https" : "http",
                               call.request.headers.get("Host"), root, name);
    return json_answer(200, urls);
  };
}

tl::unexpected<Error> no_such_item() {
  return fail(Errc::not_found, "there is no such item");
}

Response text_answer(int status, std::string_view text) {
  return json_answer(status, json::string(text));
}

Handle show_setting(std::string_view name) {
  return [name](const Call& call) -> Result<Response> {
    return text_answer(200, setting_value(call.state()->catalog, name));
  };
}

Result<Response> set_setting(const Call& call, std::string_view name, const std::string& value) {
  NETML_TRY(const SettingDefinition* definition, find_setting(name));
  NETML_TRY(const std::string accepted, accepted_value(*definition, value));
  NETML_TRY_VOID(call.commit(engine::Cause::setting, [&](const engine::State& state, WallTime) {
    return Result<engine::Transaction>(plan_setting(state, name, accepted));
  }));
  return text_answer(200, accepted);
}

}  // namespace netml::admin::functional
