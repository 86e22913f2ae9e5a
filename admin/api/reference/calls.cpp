#include "admin/api/reference/calls.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "admin/access/basic_credentials.hpp"
#include "admin/access/bearer_token.hpp"
#include "admin/answers/json_answers.hpp"
#include "admin/api/reference/forms.hpp"
#include "admin/base/numbers.hpp"
#include "admin/settings/settings.hpp"

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

Result<std::uint64_t> Call::number(std::size_t index) const {
  const auto number = parse_integer<std::uint64_t>(request.parameters.at(index));
  if (!number) return no_such_item();
  return *number;
}

Result<json::value> Call::json() const {
  return parse_json(body);
}

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

void Routes::refuse_head(std::string_view pattern) {
  router_.refuse_head(pattern);
}

Response refused(const Error& error) {
  if (error.code != Errc::invalid_input && error.code != Errc::conflict) return net::refusal(error);
  if (error.field.empty()) return net::refusal(400, error.message);
  return json_answer(400, json::object{{error.field, json::array{error.message}}});
}

json::object collection_urls(const Request& request, std::string_view root,
                             const std::vector<std::string>& names) {
  json::object urls;
  for (const std::string& name : names)
    urls[name] = fmt::format("{}://{}{}{}/", request.secure ? "https" : "http",
                             request.headers.get("Host"), root, name);
  return urls;
}

tl::unexpected<Error> no_such_item() {
  return fail(Errc::not_found, "there is no such item");
}

Response in_use(std::string_view detail) {
  return net::refusal(409, detail);
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
