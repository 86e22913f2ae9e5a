#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/api/site/node/node_verbs.hpp"
#include "admin/history/undo_json.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using net::Method;
using net::Response;

namespace {

Result<Response> undo(const Call& call) {
  const auto what = given(call, "of");
  if (!what) return fail(Errc::invalid_input, "of is missing");
  const auto set = [&](std::string_view name) { return given(call, name) == "1"; };
  const bool dry_run = set("dry_run");
  const auto force =
      set("force") ? engine::UndoForce::overwrite : engine::UndoForce::leave_conflicts;
  UndoResult result;
  if (dry_run) {
    NETML_TRY(UndoPreview preview, call.services.undo.preview(*what, force));
    result = std::move(preview.result);
  } else {
    NETML_TRY(result, call.services.undo.undo(call.caller(), *what, force));
  }
  json::object answer = undo_json(result);
  answer["dry_run"] = dry_run;
  if (!result.blocked()) return json_answer(result.lsn == Lsn{} ? 200 : 201, answer);
  answer["message"] = result.why_blocked();
  answer["code"] = "nothing-undone";
  return json_answer(409, {{"error", std::move(answer)}});
}

}  // namespace

void add_node_undo(Routes& routes) {
  routes.add(Method::post, "node/undo", kNodeVerb, undo);
}

}  // namespace netml::admin::web
