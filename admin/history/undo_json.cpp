#include "admin/history/undo_json.hpp"

#include <boost/json.hpp>

namespace netml::admin {

namespace json = boost::json;

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

}  // namespace

json::object undo_json(const UndoResult& result) {
  json::array conflicts;
  for (const engine::UndoConflict& conflict : result.conflicts)
    conflicts.push_back(conflict_json(conflict));
  return {{"undone", result.undone.value},      {"lsn", result.lsn.value},
          {"created", result.changes.created},  {"updated", result.changes.updated},
          {"deleted", result.changes.deleted},  {"entries", result.entries},
          {"conflicts", std::move(conflicts)},  {"conflict_count", result.conflict_count},
          {"forced_count", result.forced_count}};
}

}  // namespace netml::admin
