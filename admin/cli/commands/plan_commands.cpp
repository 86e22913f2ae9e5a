// Imports that were planned first (docs/import-plans.md).
#include <fmt/format.h>

#include "admin/cli/client/documents.hpp"
#include "admin/cli/client/output.hpp"
#include "admin/cli/client/progress.hpp"
#include "admin/cli/commands/audit_text.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/commands/data_commands.hpp"
#include "admin/cli/commands/rules_commands.hpp"
#include "admin/cli/grammar/grammar.hpp"

namespace netml::admin::cli {

namespace {

Target plan_target(const std::string& number) {
  return api("plans").segment(list_number(number));
}

std::string changes_of(const JsonValue& plan) {
  return fmt::format("+{} ~{} -{}", plan.number("created"), plan.number("updated"),
                     plan.number("deleted"));
}

Table plan_table(const JsonValue& plans) {
  Table table;
  table.row({"PLAN", "FILE", "MADE", "ON LSN", "CHANGES", "HELD BECAUSE"});
  for (const JsonValue& plan : plans.items())
    table.row({plan.text("id"), plan.text("name"), plan.text("planned_at"), plan.text("lsn"),
               changes_of(plan), plan.text("held_because")});
  return table;
}

std::string format_of_plan(const JsonValue& plan) {
  const std::string parameters = plan.text("format_parameters");
  return plan.text("format") + (parameters.empty() ? "" : "; " + parameters);
}

std::string plan_heading(const JsonValue& plan, std::optional<std::size_t> width) {
  Table table;
  table.row({"plan", plan.text("id")});
  table.row({"file", plan.text("name")});
  table.row({"format", format_of_plan(plan)});
  table.row({"file_hash", plan.text("file_hash")});
  if (!plan.text("topology_name").empty()) table.row({"topology_name", plan.text("topology_name")});
  table.row({"below", plan.at("parent").is_null() ? "(top level)" : plan.text("parent")});
  if (!plan.text("token").empty()) table.row({"token", plan.text("token")});
  table.row({"made", plan.text("planned_at")});
  table.row({"on LSN", plan.text("lsn")});
  table.row({"changes", changes_of(plan)});
  if (!plan.text("held_because").empty()) {
    table.row({"held because", plan.text("held_because")});
    table.row({"import record", plan.text("import_record")});
  }
  std::string log = printable_lines(plan.text("log"));
  log.erase(log.find_last_not_of('\n') + 1);
  const std::string stale =
      plan.text("stale").empty() ? "" : printable(plan.text("stale")) + "\n\n";
  return fmt::format("{}{}{}\n{}\n\n{}", stale, move_lines(plan), table.text(width), log,
                     rule_log_lines(plan));
}

std::string moved_lines(const JsonValue& refusal) {
  std::string text;
  const std::vector<JsonValue> moved = refusal.at("moved").items();
  for (const JsonValue& element : moved)
    text += printable_line(fmt::format("moved: {} {}", element.text("kind"), element.text("id")));
  if (const std::uint64_t all = refusal.number("moved_count"); all > moved.size())
    text += fmt::format("and {} more\n", all - moved.size());
  return text;
}

std::string planned_effect(const char* when, const JsonValue& element, const JsonValue& effect) {
  if (effect.is_null())
    return printable_line(
        fmt::format("{:<9}nothing for {} {}", when, element.text("kind"), element.text("id")));
  return fmt::format("{:<9}{}", when, effect_text(effect));
}

std::string difference_lines(const JsonValue& answer) {
  std::string text;
  const std::vector<JsonValue> differences = answer.at("differences").items();
  for (const JsonValue& element : differences)
    text += planned_effect("planned:", element, element.at("planned")) +
            planned_effect("now:", element, element.at("now"));
  const std::uint64_t all = answer.number("difference_count");
  if (all > differences.size()) text += fmt::format("and {} more\n", all - differences.size());
  if (all == 0) text += "nothing would be done otherwise than planned\n";
  return text;
}

struct AppliedPlan {
  std::string number;
  std::optional<std::string> actor;
};

CommandOutcome apply_plan(const AppliedPlan& options, Client& client) {
  Target target(plan_target(options.number).text() + "/apply");
  target.query("actor", options.actor);
  Watch watch(client, {"applying", "applying"}, std::nullopt);
  const auto answer = client.ask(request("POST", target));
  watch.finish();
  if (answer) return client.json() ? CommandOutcome() : print_import(*answer, client);
  if (!client.json())
    if (const auto refusal = JsonValue::parse(answer.error().answer))
      NETML_TRY_VOID(client.print(moved_lines(*refusal)));
  return tl::make_unexpected(answer.error());
}

struct ShownPlan {
  std::string number;
  std::optional<std::uint64_t> offset;
  std::optional<std::uint64_t> limit;
};

CommandOutcome show_plan(const ShownPlan& options, Client& client) {
  const auto text = [](const std::optional<std::uint64_t>& number) {
    return number ? std::optional(fmt::to_string(*number)) : std::nullopt;
  };
  Target target = api("node/plans").segment(list_number(options.number));
  target.query("offset", text(options.offset)).query("limit", text(options.limit));
  const auto heading = [width = client.environment().out_columns()](const JsonValue& plan) {
    return plan_heading(plan, width);
  };
  return print_documents(client, target, heading, effect_text);
}

struct RenewedPlan {
  std::string number;
  bool dry_run = false;
  std::optional<std::string> actor;
};

CommandOutcome plan_again(const RenewedPlan& options, Client& client) {
  Target target(plan_target(options.number).text() + "/again");
  target.query("actor", options.actor);
  NETML_TRY(const JsonValue answer,
            client.ask(question_if(options.dry_run, options.dry_run ? "GET" : "POST", target)));
  if (client.json()) return {};
  NETML_TRY_VOID(client.print(difference_lines(answer)));
  return print_import(answer, client);
}

CommandOutcome delete_plan(const std::string& number, Client& client) {
  NETML_TRY_VOID(client.ask(request("DELETE", plan_target(number))));
  return client.say("deleted plan " + list_number(number));
}

}  // namespace

void define_plans(Grammar& grammar) {
  constexpr const char* kNumber = "Its number in the list";
  const auto apply = grammar.add(
      grammar.app(), {"apply", "Do exactly what a stored plan says", "netml apply 3"}, apply_plan);
  apply.app->add_option("PLAN", apply.options->number, kNumber)->required()->check(check_number);
  apply.app->add_option("--actor", apply.options->actor, "Who applies it, for the audit");

  CLI::App& group = grammar.add_group("plan", "List, show, renew or delete plans of imports");
  grammar.add(group, {"list", "List all", "netml plan list"}, [](Client& client) {
    return client.show(client.ask_all(api("plans").query("sort", "id"), {}), plan_table);
  });
  const auto show =
      grammar.add(group, {"show", "Show what one would change", "netml plan show 3"}, show_plan);
  show.app->add_option("PLAN", show.options->number, kNumber)->required()->check(check_number);
  show.app->add_option("--offset", show.options->offset, "Leave out so many elements");
  show.app->add_option("--limit", show.options->limit, "At most so many elements");
  const auto again =
      grammar.add(group,
                  {"again", "Plan one again on what is there now, and show what differs",
                   "netml plan again 3 --dry-run"},
                  plan_again);
  again.app->add_option("PLAN", again.options->number, kNumber)->required()->check(check_number);
  again.app->add_flag("--dry-run", again.options->dry_run, "Show what differs, keep the old plan");
  again.app->add_option("--actor", again.options->actor, "Who plans it again, for the audit");
  grammar.add(group, {"delete", "Delete one", "netml plan delete 3"},
              {"PLAN", kNumber, check_number}, delete_plan);
}

}  // namespace netml::admin::cli
