#include "admin/cli/commands/plan_commands.hpp"

#include <fmt/format.h>

#include <utility>

#include "admin/cli/client/documents.hpp"
#include "admin/cli/client/output.hpp"
#include "admin/cli/commands/audit_text.hpp"
#include "admin/cli/commands/data_commands.hpp"
#include "admin/cli/commands/rules_commands.hpp"

namespace netml::admin::cli {

namespace {

// "#3" and "3" are the same plan.
std::string plan_number(const std::string& text) {
  return text.starts_with('#') ? text.substr(1) : text;
}

Target plan_target(const std::string& number) {
  Target target = api("plans");
  target.segment(plan_number(number));
  return target;
}

std::string changes_of(const JsonValue& plan) {
  return fmt::format("+{} ~{} -{}", plan.number("created"), plan.number("updated"),
                     plan.number("deleted"));
}

std::string plan_table(const JsonValue& plans) {
  Table table;
  table.row({"PLAN", "FILE", "MADE", "ON LSN", "CHANGES", "HELD BECAUSE"});
  for (const JsonValue& plan : plans.items())
    table.row({plan.text("id"), plan.text("name"), plan.text("planned_at"), plan.text("lsn"),
               changes_of(plan), plan.text("held_because")});
  return table.text();
}

std::string plan_heading(const JsonValue& plan) {
  Table table;
  table.row({"plan", plan.text("id")});
  table.row({"file", plan.text("name")});
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
  return fmt::format("{}{}{}\n{}\n\n{}", stale, move_lines(plan), table.text(), log,
                     rule_log_lines(plan));
}

std::string moved_lines(const JsonValue& refusal) {
  std::string text;
  const std::vector<JsonValue> moved = refusal.at("moved").items();
  for (const JsonValue& element : moved)
    text += printable(fmt::format("moved: {} {}", element.text("kind"), element.text("id"))) + '\n';
  if (const std::uint64_t all = refusal.number("moved_count"); all > moved.size())
    text += fmt::format("and {} more\n", all - moved.size());
  return text;
}

std::string planned_effect(const char* when, const JsonValue& element, const JsonValue& effect) {
  if (effect.is_null())
    return printable(fmt::format("{:<9}nothing for {} {}", when, element.text("kind"),
                                 element.text("id"))) +
           '\n';
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

}  // namespace

CommandOutcome run_command(const ApplyOptions& options, Client& client) {
  Target target(plan_target(options.number).text() + "/apply");
  target.query("actor", options.actor);
  const auto answer = client.ask(request("POST", target));
  if (answer) return client.json() ? CommandOutcome() : print_import(*answer, client);
  if (!client.json())
    if (const auto refusal = JsonValue::parse(answer.error().answer))
      NETML_TRY_VOID(client.print(moved_lines(*refusal)));
  return tl::make_unexpected(answer.error());
}

CommandOutcome run_command(const PlanList&, Client& client) {
  NETML_TRY(const JsonValue answer, client.ask_all(api("plans").query("sort", "id"), {}));
  if (client.json()) return {};
  return client.print(plan_table(answer));
}

CommandOutcome run_command(const PlanShow& options, Client& client) {
  const auto text = [](const std::optional<std::uint64_t>& number) {
    return number ? std::optional(fmt::to_string(*number)) : std::nullopt;
  };
  Target target = api("node/plans").segment(plan_number(options.number));
  target.query("offset", text(options.offset)).query("limit", text(options.limit));
  bool first = true;
  const auto describe = [&first](const JsonValue& document) {
    return std::exchange(first, false) ? plan_heading(document) : effect_text(document);
  };
  NETML_TRY_VOID(ask_documents(client, target, document_printer(client, describe)));
  return {};
}

CommandOutcome run_command(const PlanAgain& options, Client& client) {
  Target target(plan_target(options.number).text() + "/again");
  target.query("actor", options.actor);
  NETML_TRY(const JsonValue answer,
            client.ask(question_if(options.dry_run, options.dry_run ? "GET" : "POST", target)));
  if (client.json()) return {};
  NETML_TRY_VOID(client.print(difference_lines(answer)));
  return print_import(answer, client);
}

CommandOutcome run_command(const PlanDelete& options, Client& client) {
  NETML_TRY_VOID(client.ask(request("DELETE", plan_target(options.number))));
  if (client.json()) return {};
  return client.print("deleted plan " + plan_number(options.number) + '\n');
}

}  // namespace netml::admin::cli
