#include "admin/cli/commands/rules_commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "admin/cli/client/files.hpp"
#include "admin/cli/client/input_errors.hpp"
#include "admin/cli/client/output.hpp"
#include "admin/cli/client/progress.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/grammar/grammar.hpp"
#include "engine/base/json_string.hpp"
#include "engine/base/wording.hpp"

namespace netml::admin::cli {

namespace {

constexpr std::array kRulesetNames{FormerName{"number", "id"}, FormerName{"healthy", "ready"},
                                   FormerName{"problem", "detail"}};
// Logs of rules have a `problem`, too.
constexpr std::array kRestoredNames{FormerName{"number", "id"}, FormerName{"healthy", "ready"}};
constexpr std::array kPreviewNames{FormerName{"logs", "rules"}};

Target previewed(Target target, bool dry_run) {
  if (dry_run) target.query("preview", "true");
  return target;
}

struct ChosenRules {
  std::optional<std::string> ruleset;  // at most one of these; none = all that are enabled
  std::optional<std::string> rule;
  bool dry_run = false;
};

// Where what was named by its name is applied.
Outcome<std::string> chosen_rules(const ChosenRules& options, Client& client) {
  if (options.ruleset) {
    NETML_TRY(const std::string number,
              client.number_of(api("rulesets"), "ruleset", *options.ruleset, "rules list"));
    return fmt::format("rulesets/{}/apply", number);
  }
  if (!options.rule) return std::string("rulesets/apply");
  NETML_TRY(const ControlResponse response, client.call(question("GET", api("rulesets"))));
  NETML_TRY(const JsonValue answer, JsonValue::parse(response.body));
  for (const JsonValue& ruleset : answer.at("items").items())
    for (const JsonValue& rule : ruleset.at("rules").items())
      if (rule.text("name") == *options.rule)
        return fmt::format("rules/{}/apply", rule.text("number"));
  return fail(ExitCode::failed,
              fmt::format("there is no rule \"{}\"; `netml rules list` shows them", *options.rule));
}

Outcome<JsonValue> send_file(ControlRequest wanted, const std::string& file, FormerNames names,
                             Client& client) {
  NETML_TRY(const InputFile input, InputFile::open(file));
  wanted.body_file = input.path();
  Outcome<JsonValue> answer = client.ask(wanted, names);
  if (!answer) NETML_TRY_VOID(tell_errors_of(answer.error(), input, client));
  return answer;
}

}  // namespace

CommandOutcome tell_errors_of(const Failure& failure, const InputFile& file, Client& client) {
  if (failure.code != ExitCode::invalid_file) return {};
  NETML_TRY(const JsonValue refusal, JsonValue::parse(failure.answer));
  client.environment().err(error_lines(file.shown(), parse_errors(refusal)));
  return {};
}

namespace {

// ---- what rules did ----

std::size_t total(const JsonValue& by_kind) {
  std::size_t sum = 0;
  for (const auto& [kind, numbers] : by_kind.members()) sum += numbers.items().size();
  return sum;
}

std::string log_lines(const JsonValue& log) {
  const std::string name = log.at("rule").text("name");
  if (!log.at("problem").is_null())
    return printable_line(fmt::format("{}: skipped, {}", name, log.text("problem")));
  const JsonValue matched = log.at("matched_elements");
  std::string text =
      printable_line(fmt::format("{}: {} {}(s) matched, {} changed, {} more changed with them",
                                 name, matched.number("quantity"), matched.text("type"),
                                 total(log.at("affected")), total(log.at("cascaded"))));
  for (const JsonValue& action : log.at("actions").items())
    text += printable_line(
        fmt::format("    {}: {}: {}{}", action.text("element"), action.text("action"),
                    action.flag("succeeded") ? "" : "aborted: ", action.text("message")));
  const std::uint64_t shown = log.at("actions").items().size();
  if (const std::uint64_t all = log.number("action_count"); all > shown)
    text += printable_line(fmt::format("    and {} more", all - shown));
  for (const JsonValue& warning : log.at("warnings").items())
    text += printable_line("    WARNING: " + warning.text());
  return text;
}

}  // namespace

std::string rule_log_lines(const JsonValue& answer) {
  std::string text;
  for (const JsonValue& log : answer.at("rules").items()) text += log_lines(log);
  return text;
}

namespace {

// Those that were skipped did not run.
std::string what_ran(const JsonValue& answer) {
  const auto count = std::ranges::count_if(
      answer.at("rules").items(), [](const JsonValue& log) { return log.at("problem").is_null(); });
  return fmt::format("{} ran: {} created, {} updated, {} deleted",
                     counted(static_cast<std::uint64_t>(count), "rule"), answer.number("created"),
                     answer.number("updated"), answer.number("deleted"));
}

void tell_what_ran(const JsonValue& answer, bool dry_run, const Client& client) {
  client.tell(dry_run ? "nothing was changed; it would be: " + what_ran(answer)
                      : fmt::format("at LSN {}: {}", answer.number("lsn"), what_ran(answer)));
}

}  // namespace

std::string file_lines(const JsonValue& answer, std::string_view created) {
  std::string text;
  for (const JsonValue& name : answer.at("created_rulesets").items())
    text += printable_line(fmt::format("{} {}", created, name.text()));
  for (const JsonValue& refused : answer.at("invalid_rulesets").items())
    text += printable_line(
        fmt::format("invalid  {}: {}", refused.text("name"), refused.text("reason")));
  for (const JsonValue& rule : answer.at("unhealthy_rules").items())
    text += printable_line(fmt::format("unhealthy  {}, {}: {}", rule.text("ruleset"),
                                       rule.text("rule"), rule.text("problem")));
  return text;
}

CommandOutcome refuse_invalid(const JsonValue& answer) {
  const std::size_t count = answer.at("invalid_rulesets").items().size();
  if (count == 0) return {};
  return fail(ExitCode::invalid_file,
              fmt::format("{} ruleset(s) of the file are invalid and were left out", count));
}

namespace {

// ---- the list ----

std::string status_of(const JsonValue& rule) {
  if (!rule.flag("ready")) return rule.text("detail");
  std::string text = "ready";
  for (const JsonValue& warning : rule.at("warnings").items()) text += "; " + warning.text();
  return text;
}

Table rule_table(const JsonValue& rulesets) {
  Table table;
  table.row({"PRIORITY", "ENABLED", "RULESET / RULE", "STATUS"});
  const auto add = [&](const JsonValue& item, std::string_view indent, std::string status) {
    table.row({item.text("priority"), item.flag("enabled") ? "yes" : "no",
               fmt::format("{}{}", indent, item.text("name")), std::move(status)});
  };
  for (const JsonValue& ruleset : rulesets.items()) {
    add(ruleset, "", "");
    for (const JsonValue& rule : ruleset.at("rules").items()) add(rule, "  ", status_of(rule));
  }
  return table;
}

struct RulesFile {
  std::string path;
  bool dry_run = false;
};

CommandOutcome import_rules(const RulesFile& options, Client& client) {
  const Target target = previewed(api("rulesets/import"), options.dry_run);
  NETML_TRY(const JsonValue answer, send_file(question_if(options.dry_run, "POST", target),
                                              options.path, kPreviewNames, client));
  if (!client.json()) {
    const std::string_view done = options.dry_run ? "would store" : "stored";
    NETML_TRY_VOID(client.print(file_lines(answer, done) + rule_log_lines(answer)));
    tell_what_ran(answer, options.dry_run, client);
  }
  return refuse_invalid(answer);
}

CommandOutcome test_rules(const std::string& file, Client& client) {
  NETML_TRY(const JsonValue answer,
            send_file(question("POST", api("rulesets/try")), file, {}, client));
  if (!client.json()) {
    NETML_TRY_VOID(client.print(file_lines(answer, "tested") + rule_log_lines(answer)));
    client.tell("test, nothing was changed: " + what_ran(answer));
  }
  return refuse_invalid(answer);
}

struct RulesExport {
  std::optional<std::string> output;  // absent or "-": standard output
};

CommandOutcome export_rules(const RulesExport& options, Client& client) {
  const ControlRequest wanted = request("GET", api("rulesets/export"));
  if (options.output.value_or(std::string(kStandardStream)) == kStandardStream) {
    NETML_TRY_VOID(client.call(wanted, client.environment().out));
    return {};
  }
  NETML_TRY(OutputFile file, OutputFile::create(*options.output));
  const BodySink sink = [&](std::string_view piece) { return file.write(piece); };
  NETML_TRY_VOID(client.call(wanted, sink));
  NETML_TRY_VOID(file.commit());
  client.set_result(
      fmt::format(R"({{"file":{},"bytes":{}}})", json_string(file.path()), file.bytes()));
  return {};
}

CommandOutcome apply_rules(const ChosenRules& options, Client& client) {
  NETML_TRY(const std::string chosen, chosen_rules(options, client));
  const Target target = previewed(api(chosen), options.dry_run);
  Watch watch(client, {"applying", "applying"}, std::nullopt);
  auto asked = client.ask(question_if(options.dry_run, "POST", target));
  watch.finish();
  NETML_TRY(const JsonValue answer, std::move(asked));
  if (client.json()) return {};
  NETML_TRY_VOID(client.print(rule_log_lines(answer)));
  tell_what_ran(answer, options.dry_run, client);
  return {};
}

CommandOutcome restore_default_rules(Client& client) {
  NETML_TRY(const JsonValue answer,
            client.ask(request("POST", api("rulesets/restore-defaults")), kRestoredNames));
  if (client.json()) return {};
  std::string text;
  for (const JsonValue& ruleset : answer.at("rulesets").items())
    text += printable_line("restored " + ruleset.text("name"));
  NETML_TRY_VOID(client.print(text + rule_log_lines(answer)));
  tell_what_ran(answer, false, client);
  return {};
}

}  // namespace

void define_rules(Grammar& grammar) {
  CLI::App& group = grammar.add_group("rules", "Exchange, try out and apply collation rules");
  const auto import = grammar.add(group,
                                  {"import", "Store rulesets from a JSON file and run the rules",
                                   "netml rules import rulesets.json"},
                                  import_rules);
  import.app->add_option("FILE", import.options->path, "Rulesets as JSON; - for standard input")
      ->required();
  import.app->add_flag("--dry-run", import.options->dry_run,
                       "Say what the rules would do then, change nothing");
  const auto exported = grammar.add(
      group, {"export", "Write all rulesets as JSON", "netml rules export -o rulesets.json"},
      export_rules);
  exported.app
      ->add_option("-o,--output", exported.options->output,
                   "File to write (replaced when complete); else standard output")
      ->type_name("FILE");
  grammar.add(
      group,
      {"list", "List rules in the order in which they run, with what is wrong", "netml rules list"},
      [](Client& client) {
        return client.show(client.ask_all(api("rulesets"), kRulesetNames), rule_table);
      });
  const auto apply = grammar.add(group,
                                 {"apply", "Run all enabled rules, or those named",
                                  "netml rules apply --ruleset \"Preferred copies\""},
                                 apply_rules);
  auto* ruleset = apply.app->add_option("--ruleset", apply.options->ruleset,
                                        "Only the enabled rules of this ruleset");
  apply.app->add_option("--rule", apply.options->rule, "Only this rule, enabled or not")
      ->excludes(ruleset);
  apply.app->add_flag("--dry-run", apply.options->dry_run,
                      "Say what they would do, change nothing");
  grammar.add(group,
              {"test", "Show what the rulesets of a file would match and change; change nothing",
               "netml rules test rulesets.json"},
              {"FILE", "Rulesets as JSON; - for standard input"}, test_rules);
  grammar.add(group,
              {"restore-defaults", "Replace the two rulesets of ID collisions by those shipped",
               "netml rules restore-defaults"},
              restore_default_rules);
  define_rules_rehearsal(grammar, group);
}

}  // namespace netml::admin::cli
