#include "admin/cli/commands/quality_fix_command.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "admin/cli/client/output.hpp"
#include "admin/cli/client/progress.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/commands/members.hpp"
#include "engine/base/wording.hpp"

namespace netml::admin::cli {

namespace {

struct FixOptions {
  std::string check;
  std::optional<std::string> topology;  // its identifier, or #NUMBER
  std::optional<std::string> actor;
  bool dry_run = false;
};

std::string body_of(const FixOptions& options) {
  Members body;
  body.set("check", options.check);
  body.set_if_given("topology", options.topology);
  return body.object();
}

void add_lines(Table& table, const JsonValue& lines, const char* state) {
  for (const JsonValue& line : lines.items())
    table.row({state, name_and_id(line.at("record")), line.text("text")});
}

std::string fixes_summary(const JsonValue& answer, bool dry_run) {
  const std::string text =
      fmt::format("{} mended, {} left: {} created, {} updated, {} deleted",
                  counted(answer.number("fixed"), "finding"), answer.number("left"),
                  answer.number("created"), answer.number("updated"), answer.number("deleted"));
  return dry_run ? "dry run, nothing was changed: " + text : text;
}

CommandOutcome fix(const FixOptions& options, Client& client) {
  Target target = api("quality/fix");
  if (options.dry_run) target.query("preview", "true");
  target.query("actor", options.actor);
  const std::string body = body_of(options);
  Watch watch(client, {"looking at the map", "looking at the map"}, std::nullopt);
  auto asked =
      client.ask(options.dry_run ? question("POST", target, body) : request("POST", target, body));
  watch.finish();
  NETML_TRY(const JsonValue answer, std::move(asked));
  if (client.json()) return {};
  Table table;
  table.row({"STATE", "RECORD", "WHAT"});
  add_lines(table, answer.at("fixes"), "mended");
  add_lines(table, answer.at("unfixed"), "left");
  NETML_TRY_VOID(client.print(table));
  client.tell(fixes_summary(answer, options.dry_run));
  return {};
}

}  // namespace

void define_quality_fix(Grammar& grammar, CLI::App& group) {
  const auto [app, options] = grammar.add(group,
                                          {"fix", "Mend what a check finds, where the map says how",
                                           "netml quality fix --check owner-missing --dry-run"},
                                          fix);
  app->add_option("--check", options->check, "Whose findings are mended")
      ->type_name("NAME")
      ->required();
  app->add_option("--topology", options->topology,
                  "Of this topology, its id or #NUMBER, and those below it")
      ->type_name("ID");
  app->add_flag("--dry-run", options->dry_run, "Say what would change, change nothing");
  app->add_option("--actor", options->actor, "Who mends it, for the audit");
}

}  // namespace netml::admin::cli
