// Whether the map has the independent routes that a policy demands (docs/redundancy.md).
#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "admin/cli/client/files.hpp"
#include "admin/cli/client/output.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/grammar/grammar.hpp"
#include "engine/base/wording.hpp"

namespace netml::admin::cli {

namespace {

struct RedundancyOptions {
  std::string policy;
  std::optional<std::string> at;
};

Outcome<JsonValue> ask(const RedundancyOptions& options, bool all, Client& client) {
  NETML_TRY(const InputFile input, InputFile::open(options.policy));
  Target target = api("redundancy");
  target.query("at", options.at);
  if (all) target.query("all", "true");
  ControlRequest wanted = question("POST", target);
  wanted.body_file = input.path();
  return client.ask(wanted);
}

std::string count_of(const JsonValue& item) {
  if (item.flag("exact")) return item.text("at_least");
  return fmt::format("{} to {}", item.text("at_least"), item.text("at_most"));
}

void add_all(std::vector<std::string>& texts, const JsonValue& references, std::string_view kind) {
  for (const JsonValue& each : references.items())
    texts.push_back(fmt::format("{} {}", kind, name_and_id(each)));
}

std::string joined(const std::vector<JsonValue>& names) {
  std::string text;
  for (const JsonValue& name : names) text += (text.empty() ? "" : ", ") + name.text();
  return text;
}

std::string kilometres(const JsonValue& metres) {
  return fmt::format("{:.1f} km", static_cast<double>(metres.number()) / 1'000);
}

std::string cut_text(const JsonValue& cut) {
  std::vector<std::string> texts;
  for (const JsonValue& group : cut.at("groups").items())
    texts.push_back("shared-risk group " + group.text());
  add_all(texts, cut.at("links"), "link");
  add_all(texts, cut.at("nodes"), "node");
  return texts.empty() ? "" : fmt::format("cut by {}", fmt::join(texts, ", "));
}

// Why there are no more routes, or what they have in common.
std::string reason(const JsonValue& item) {
  const std::string basis = item.text("basis");
  if (basis == "at-target") return "is among those that routes lead to";
  if (basis == "no-nodes") return "owns no node";
  if (item.text("state") == "met") {
    const JsonValue common = item.at("common_metres");
    return common.number() == 0 ? "" : kilometres(common) + " in common";
  }
  const std::string common = joined(item.at("common_groups").items());
  if (basis == "work-exhausted") return "not known: the work of the check ran out";
  if (basis == "group-bounds")
    return "not known: the search was stopped; groups in common: " + common;
  if (basis == "common-bounds")
    return "not known: a common path is counted without nodes and groups";
  if (basis == "group-search") return "all ways were tried; groups in common: " + common;
  std::string text = cut_text(item.at("cut"));
  if (const JsonValue next = item.at("next_common_metres"); !next.is_null())
    text += fmt::format("; one more would have {} in common", kilometres(next));
  return text.empty() ? "no route" : text;
}

Table item_table(const JsonValue& answer) {
  Table table;
  table.row({"STATE", "ROUTES", "ELEMENT", "NOTE"});
  for (const JsonValue& item : answer.at("items").items())
    table.row({item.text("state"), count_of(item), name_and_id(item.at("element")), reason(item)});
  return table;
}

std::string summary(const JsonValue& answer) {
  const JsonValue policy = answer.at("policy");
  return fmt::format("{}{} checked for {} to {}: {} met, {} below, {} undecided",
                     policy.text("name").empty() ? "" : policy.text("name") + ": ",
                     counted(answer.number("checked"), policy.at("who").text("kind")),
                     counted(policy.number("routes"), "route"),
                     counted(answer.number("targets"), "node"), answer.number("met"),
                     answer.number("below"), answer.number("undecided"));
}

CommandOutcome print_answer(const JsonValue& answer, const Client& client) {
  if (client.json()) return {};
  if (!answer.at("items").items().empty()) NETML_TRY_VOID(client.print(item_table(answer)));
  if (const std::uint64_t omitted = answer.number("omitted"); omitted > 0)
    client.tell(fmt::format("{} more are not listed", omitted));
  for (const JsonValue& id : answer.at("not_found").items())
    client.tell(printable(fmt::format("nothing on the map has the id {}", id.text())));
  client.tell(printable(summary(answer)));
  return {};
}

// For scripts: what is not met, or not known to be, is a failure. So is a policy about nothing, as
// one with a mistyped tag is.
CommandOutcome check(const RedundancyOptions& options, Client& client) {
  NETML_TRY(const JsonValue answer, ask(options, false, client));
  NETML_TRY_VOID(print_answer(answer, client));
  if (answer.number("below") > 0) return fail(ExitCode::failed, "the policy is not met");
  if (answer.number("undecided") > 0)
    return fail(ExitCode::failed, "it is not known whether the policy is met");
  if (answer.number("checked") == 0)
    return fail(ExitCode::failed, "nothing on the map is what the policy is about");
  if (!answer.at("not_found").items().empty())
    return fail(ExitCode::failed, "the policy names what is not on the map");
  return {};
}

CommandOutcome report(const RedundancyOptions& options, Client& client) {
  NETML_TRY(const JsonValue answer, ask(options, true, client));
  return print_answer(answer, client);
}

void add_options(const Defined<RedundancyOptions>& command) {
  command.app
      ->add_option("--policy", command.options->policy, "Policy as JSON; - for standard input")
      ->type_name("FILE")
      ->required();
  command.app->add_option("--at", command.options->at, when_help());
}

}  // namespace

void define_redundancy(Grammar& grammar) {
  CLI::App& group =
      grammar.add_group("redundancy", "Check that independent routes lead to where they must");
  add_options(grammar.add(group,
                          {"check", "List what has fewer independent routes than a policy demands",
                           "netml redundancy check --policy campus.json"},
                          check));
  add_options(
      grammar.add(group,
                  {"report", "Count the independent routes of all elements that a policy is about",
                   "netml redundancy report --policy campus.json --at 2026-01-01"},
                  report));
}

}  // namespace netml::admin::cli
