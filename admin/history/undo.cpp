#include "admin/history/undo.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "engine/transaction/catalog_tables.hpp"
#include "net/http/http.hpp"

namespace netml::admin {

namespace json = boost::json;

namespace {

UndoResult outcome_of(Lsn undone, const engine::UndoPlan& plan) {
  UndoResult result;
  result.undone = undone;
  result.changes = count_changes(plan.transaction);
  engine::for_each_catalog_table(
      [&](const auto& table) { result.entries += (plan.transaction.*table.changes).size(); });
  result.conflicts = plan.conflicts;
  result.conflict_count = plan.conflict_count;
  result.forced_count = plan.forced_count;
  return result;
}

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

std::string UndoResult::why_blocked() const {
  return fmt::format("nothing of LSN {} can be undone: what is left of it was changed since",
                     undone.value);
}

// Times and names say when, but not which transaction.
Result<Lsn> Undo::find(std::string_view what) {
  const bool number = !what.empty() && what.find_first_not_of("0123456789") == what.npos;
  if (!number && !what.starts_with("import:"))
    return fail(Errc::invalid_input, fmt::format("{} is neither an LSN, as netml log shows it, nor "
                                                 "import:ID with the number of an import record",
                                                 net::excerpt(what)));
  NETML_TRY(const Lsn lsn, audit_.resolve(what));
  if (lsn == Lsn{}) return fail(Errc::invalid_input, "LSN 0 is the state before all transactions");
  return lsn;
}

Result<UndoResult> Undo::undo(const Caller& caller, std::string_view what, engine::UndoForce force,
                              decltype(Change::check) check) {
  NETML_TRY(const Lsn undone, find(what));
  NETML_TRY(const AppliedTransaction applied, node_.transaction_at(undone));
  UndoResult result;
  Change change{.caller = caller, .cause = engine::Cause::undo, .rules = RulesAfter::skip};
  change.caller.source = fmt::format("LSN {}", undone.value);
  change.check = std::move(check);
  change.plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    engine::UndoPlan plan = plan_undo(state, applied.transaction, applied.before->graph, force);
    result = outcome_of(undone, plan);
    return std::move(plan.transaction);
  };
  NETML_TRY(const Lsn lsn, node_.commit(std::move(change)));
  const bool changed = result.entries != 0 || result.changes != engine::ChangeCounts();
  if (changed) result.lsn = lsn;
  return result;
}

Result<UndoPreview> Undo::preview(std::string_view what, engine::UndoForce force) {
  NETML_TRY(const Lsn undone, find(what));
  NETML_TRY(AppliedTransaction applied, node_.transaction_at(undone));
  engine::StatePtr state = node_.version().state;
  engine::UndoPlan plan = plan_undo(*state, applied.transaction, applied.before->graph, force);
  UndoResult result = outcome_of(undone, plan);
  return UndoPreview{
      std::move(result),
      {std::move(state), std::move(plan.transaction), {}, std::move(applied.memory)}};
}

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
