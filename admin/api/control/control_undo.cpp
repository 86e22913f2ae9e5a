#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/api/control/control_requests.hpp"
#include "admin/history/undo_json.hpp"

namespace netml::admin {

namespace json = boost::json;
using net::Method;
using net::Request;
using net::Response;

namespace {

Result<Response> undo(Services& services, const Request& request) {
  const auto what = net::query_parameter(request.query, "of");
  if (!what) return fail(Errc::invalid_input, "of is missing");
  const auto set = [&](std::string_view name) {
    return net::query_parameter(request.query, name) == "1";
  };
  const bool dry_run = set("dry_run");
  const auto force =
      set("force") ? engine::UndoForce::overwrite : engine::UndoForce::leave_conflicts;
  UndoResult result;
  if (dry_run) {
    NETML_TRY(UndoPreview preview, services.undo.preview(*what, force));
    result = std::move(preview.result);
  } else {
    NETML_TRY(result, services.undo.undo(caller_of(request), *what, force));
  }
  json::object answer = undo_json(result);
  answer["dry_run"] = dry_run;
  if (!result.blocked()) return json_answer(result.lsn == Lsn{} ? 200 : 201, answer);
  answer["detail"] = result.why_blocked();
  answer["code"] = "conflict";
  return json_answer(409, answer);
}

}  // namespace

void register_undo_api(net::Router& router, Services& services) {
  router.add(Method::post, "/control/undo/",
             without_body([&services](const Request& request) { return undo(services, request); }));
}

}  // namespace netml::admin
