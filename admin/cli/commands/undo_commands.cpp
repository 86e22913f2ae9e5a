#include <fmt/format.h>

#include "admin/cli/client/output.hpp"
#include "admin/cli/client/progress.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/grammar/grammar.hpp"
#include "engine/base/json_string.hpp"

namespace netml::admin::cli {

namespace {

std::string conflict_value(const JsonValue& value) {
  if (value.is_null()) return "(nothing)";
  const std::vector<JsonValue> items = value.items();
  if (items.empty()) return value.text();
  std::string text;
  for (const JsonValue& item : items) text += (text.empty() ? "" : ", ") + item.text();
  return text;
}

std::string conflict_line(const JsonValue& conflict) {
  std::string text = fmt::format("{}: {} {}", conflict.flag("forced") ? "forced" : "left alone",
                                 conflict.text("kind"), conflict.text("id"));
  if (!conflict.at("field").is_null()) text += ", " + conflict.text("field");
  text += ": " + conflict.text("reason");
  if (!conflict.at("wanted").is_null() || !conflict.at("now").is_null())
    text += fmt::format("; it was {}, and is {}", conflict_value(conflict.at("wanted")),
                        conflict_value(conflict.at("now")));
  return printable_line(text);
}

std::string conflict_lines(const JsonValue& answer) {
  std::string text;
  const std::vector<JsonValue> conflicts = answer.at("conflicts").items();
  for (const JsonValue& conflict : conflicts) text += conflict_line(conflict);
  if (const std::uint64_t all = answer.number("conflict_count"); all > conflicts.size())
    text += fmt::format("and {} more\n", all - conflicts.size());
  return text;
}

struct UndoOptions {
  std::string what;  // LSN or import:ID
  std::optional<std::string> actor;
  bool dry_run = false;
  bool force = false;
};

// The conflicts, and what can be done about them.
CommandOutcome print_conflicts(const JsonValue& answer, const UndoOptions& options,
                               const Client& client) {
  NETML_TRY_VOID(client.print(conflict_lines(answer)));
  if (!options.force && answer.number("conflict_count") > 0)
    client.tell("some of what was left alone may be undone with --force");
  return {};
}

std::string summary(const JsonValue& answer, bool dry_run) {
  std::string changes = fmt::format("{} created, {} updated, {} deleted", answer.number("created"),
                                    answer.number("updated"), answer.number("deleted"));
  if (const std::uint64_t entries = answer.number("entries"); entries > 0)
    changes += fmt::format(", {} settings, tokens, accounts or rules", entries);
  const std::uint64_t left = answer.number("conflict_count") - answer.number("forced_count");
  if (left > 0) changes += fmt::format("; {} left alone", left);
  if (dry_run) return "dry run, nothing was changed: " + changes;
  const std::uint64_t undone = answer.number("undone");
  if (answer.number("lsn") == 0)
    return fmt::format("there is nothing to undo of LSN {}: all is as before it", undone);
  return fmt::format("undid LSN {} at LSN {}: {}", undone, answer.number("lsn"), changes);
}

CommandOutcome undo(const UndoOptions& options, Client& client) {
  Target target = api("activity/undo");
  if (options.dry_run) target.query("preview", "true");
  target.query("actor", options.actor);
  const std::string body = fmt::format(R"({{"of":{},"force":{}}})", json_string(options.what),
                                       options.force ? "true" : "false");
  Watch watch(client, {"undoing", "undoing"}, std::nullopt);
  auto answer =
      client.ask(options.dry_run ? question("POST", target, body) : request("POST", target, body));
  watch.finish();
  if (client.json()) {
    if (!answer) return tl::make_unexpected(std::move(answer.error()));
    const JsonValue blocked = answer->at("blocked");
    return blocked.is_null() ? CommandOutcome() : fail(ExitCode::failed, blocked.text());
  }
  if (!answer) {
    if (const auto refusal = JsonValue::parse(answer.error().answer))
      NETML_TRY_VOID(print_conflicts(*refusal, options, client));
    return tl::make_unexpected(std::move(answer.error()));
  }
  NETML_TRY_VOID(print_conflicts(*answer, options, client));
  if (const JsonValue blocked = answer->at("blocked"); !blocked.is_null())
    return fail(ExitCode::failed, blocked.text());
  client.tell(summary(*answer, options.dry_run));
  return {};
}

}  // namespace

void define_undo(Grammar& grammar) {
  const auto [app, options] = grammar.add(
      grammar.app(), {"undo", "Undo one transaction by a new one", "netml undo import:7 --dry-run"},
      undo);
  app->add_option("WHAT", options->what, "An LSN, as netml log shows it, or import:ID")->required();
  app->add_flag("--dry-run", options->dry_run, "Say what would change, change nothing");
  app->add_flag("--force", options->force, "Undo also what was overwritten since");
  app->add_option("--actor", options->actor, "Who undoes it, for the audit");
}

}  // namespace netml::admin::cli
