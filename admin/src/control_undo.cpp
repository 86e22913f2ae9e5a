#include <fmt/format.h>

#include <boost/json.hpp>

#include "admin/src/control_requests.hpp"
#include "admin/src/json.hpp"

namespace netml::admin {

namespace json = boost::json;
using net::Method;
using net::Request;
using net::Response;

namespace {

// Records have been named by their identifiers.
json::value value_json(const engine::FieldValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return json::value(*text);
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value))
    return json::value_from(*texts);
  return nullptr;
}

json::object conflict_json(const engine::UndoConflict& conflict) {
  json::object object{{"kind", conflict.kind},
                      {"id", conflict.identifier},
                      {"reason", conflict.reason},
                      {"forced", conflict.forced}};
  if (conflict.field.empty()) return object;
  object["field"] = conflict.field;
  object["wanted"] = value_json(conflict.wanted);
  object["now"] = value_json(conflict.now);
  return object;
}

json::object undo_json(const UndoResult& result, bool dry_run) {
  json::array conflicts;
  for (const engine::UndoConflict& conflict : result.conflicts)
    conflicts.push_back(conflict_json(conflict));
  return {{"undone", result.undone.value},       {"lsn", result.lsn.value},
          {"created", result.changes.created},   {"updated", result.changes.updated},
          {"deleted", result.changes.deleted},   {"entries", result.entries},
          {"conflicts", std::move(conflicts)},   {"conflict_count", result.conflict_count},
          {"forced_count", result.forced_count}, {"dry_run", dry_run}};
}

Result<Response> undo(Services& services, const Request& request) {
  const auto what = net::query_parameter(request.query, "of");
  if (!what) return fail(Errc::invalid_input, "of is missing");
  const auto set = [&](std::string_view name) {
    return net::query_parameter(request.query, name) == "1";
  };
  const bool dry_run = set("dry_run");
  const auto force =
      set("force") ? engine::UndoForce::overwrite : engine::UndoForce::leave_conflicts;
  NETML_TRY(const UndoResult result, dry_run
                                         ? services.undo.dry_run(*what, force)
                                         : services.undo.undo(caller_of(request), *what, force));
  json::object answer = undo_json(result, dry_run);
  if (!result.blocked()) return json_answer(result.lsn == Lsn{} ? 200 : 201, answer);
  answer["detail"] =
      fmt::format("nothing of LSN {} can be taken back: what is left of it was changed since",
                  result.undone.value);
  answer["code"] = "conflict";
  return json_answer(409, answer);
}

}  // namespace

void register_undo_api(net::Router& router, Services& services) {
  router.add(Method::post, "/control/undo/",
             without_body([&services](const Request& request) { return undo(services, request); }));
}

}  // namespace netml::admin
