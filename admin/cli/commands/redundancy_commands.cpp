// Whether the map has the independent routes that a policy demands, and since when
// (docs/redundancy.md).
#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "admin/cli/client/files.hpp"
#include "admin/cli/client/output.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/commands/redundancy_text.hpp"
#include "admin/cli/grammar/grammar.hpp"

namespace netml::admin::cli {

namespace {

struct RedundancyOptions {
  std::optional<std::string> policy;
  std::optional<std::string> at;
};

struct HistoryOptions {
  std::string policy;
  std::optional<std::string> element;
  std::optional<std::string> from;
  std::optional<std::string> until;
};

// What is asked of a policy: `of_stored` below a stored one, `of_given` where it is sent.
struct Question {
  const char* of_stored;
  const char* of_given;
  std::vector<std::pair<const char*, std::optional<std::string>>> parameters;

  Target with_parameters(Target target) const {
    for (const auto& [name, value] : parameters) target.query(name, value);
    return target;
  }
};

Outcome<JsonValue> ask_stored(const std::string& number, const Question& question_of,
                              Client& client) {
  Target target = api("policies").segment(number).segment(question_of.of_stored);
  return client.ask(question("GET", question_of.with_parameters(std::move(target))));
}

// The number of the policy that is stored by the name; none: none is.
Outcome<std::optional<std::string>> stored_number(const std::string& name, Client& client) {
  Target list = api("policies");
  NETML_TRY(const ControlResponse response, client.call(question("GET", list.query("name", name))));
  NETML_TRY(const JsonValue answer, JsonValue::parse(response.body));
  for (const JsonValue& item : answer.at("items").items())
    if (item.text("name") == name) return std::optional(item.text("number"));
  return std::optional<std::string>();
}

// Of the policy that is stored by the name; where none is, of the one in the file.
Outcome<JsonValue> ask(const std::string& policy, const Question& question_of, Client& client) {
  if (policy != kStandardStream) {
    NETML_TRY(const std::optional<std::string> number, stored_number(policy, client));
    if (number) return ask_stored(*number, question_of, client);
  }
  const Result<InputFile> input = InputFile::open(policy);
  if (!input)
    return fail(ExitCode::failed,
                fmt::format("no policy is stored by that name, and {}", input.error().text()));
  ControlRequest wanted = question("POST", question_of.with_parameters(api(question_of.of_given)));
  wanted.body_file = input->path();
  return client.ask(wanted);
}

// Of each policy that is stored and enabled.
Outcome<std::vector<JsonValue>> ask_all_stored(const Question& question_of, Client& client) {
  NETML_TRY(const JsonValue policies, client.ask_all(api("policies"), {}));
  std::vector<JsonValue> answers;
  std::string result;
  for (const JsonValue& policy : policies.items()) {
    if (!policy.flag("enabled")) continue;
    NETML_TRY(const JsonValue answer, ask_stored(policy.text("number"), question_of, client));
    result += (result.empty() ? "" : ",") + answer.text();
    answers.push_back(answer);
  }
  if (answers.empty())
    return fail(ExitCode::failed,
                "no policy is stored and enabled; name a file with --policy, or store it: "
                "netml policy add FILE");
  client.set_result('[' + result + ']');
  return answers;
}

Outcome<std::vector<JsonValue>> answers_to(const RedundancyOptions& options, bool all,
                                           Client& client) {
  const Question check{
      "check",
      "redundancy",
      {{"at", options.at}, {"all", all ? std::optional<std::string>("true") : std::nullopt}}};
  if (!options.policy) return ask_all_stored(check, client);
  NETML_TRY(const JsonValue answer, ask(*options.policy, check, client));
  return std::vector{answer};
}

CommandOutcome print_answer(const JsonValue& answer, const Client& client) {
  if (client.json()) return {};
  if (!answer.at("items").items().empty()) NETML_TRY_VOID(client.print(redundancy_table(answer)));
  if (const std::uint64_t omitted = answer.number("omitted"); omitted > 0)
    client.tell(fmt::format("{} more are not listed", omitted));
  for (const JsonValue& id : answer.at("not_found").items())
    client.tell(printable(fmt::format("nothing on the map has the id {}", id.text())));
  client.tell(printable(redundancy_summary(answer)));
  return {};
}

// For scripts: what is not met, or not known to be, is a failure. So is a policy about nothing, as
// one with a mistyped tag is. None: all is well.
const char* failure_of(const JsonValue& answer) {
  if (answer.number("below") > 0) return "the policy is not met";
  if (answer.number("undecided") > 0) return "it is not known whether the policy is met";
  if (answer.number("checked") == 0) return "nothing on the map is what the policy is about";
  if (!answer.at("not_found").items().empty()) return "the policy names what is not on the map";
  return nullptr;
}

CommandOutcome check(const RedundancyOptions& options, Client& client) {
  NETML_TRY(const std::vector<JsonValue> answers, answers_to(options, false, client));
  std::string failures;
  for (const JsonValue& answer : answers) {
    NETML_TRY_VOID(print_answer(answer, client));
    const char* const failure = failure_of(answer);
    if (failure == nullptr) continue;
    const std::string name = answer.at("policy").text("name");
    failures += failures.empty() ? "" : "; ";
    failures += options.policy ? failure : fmt::format("{}: {}", name, failure);
  }
  if (failures.empty()) return {};
  return fail(ExitCode::failed, printable(failures));
}

CommandOutcome report(const RedundancyOptions& options, Client& client) {
  NETML_TRY(const std::vector<JsonValue> answers, answers_to(options, true, client));
  for (const JsonValue& answer : answers) NETML_TRY_VOID(print_answer(answer, client));
  return {};
}

CommandOutcome history(const HistoryOptions& options, Client& client) {
  const Question since{
      "history",
      "redundancy/history",
      {{"element", options.element}, {"from", options.from}, {"until", options.until}}};
  NETML_TRY(const JsonValue answer, ask(options.policy, since, client));
  if (client.json()) return {};
  if (!answer.at("items").items().empty())
    NETML_TRY_VOID(client.print(redundancy_history_table(answer)));
  if (const std::uint64_t omitted = answer.number("omitted"); omitted > 0)
    client.tell(fmt::format("{} more are not listed", omitted));
  client.tell(redundancy_history_summary(answer));
  return {};
}

constexpr const char* kPolicyHelp =
    "Name of a stored policy, or a file with one as JSON; - for standard input";

void add_options(const Defined<RedundancyOptions>& command) {
  command.app
      ->add_option("--policy", command.options->policy,
                   fmt::format("{}. Default: all that are stored and enabled", kPolicyHelp))
      ->type_name("FILE");
  command.app->add_option("--at", command.options->at, when_help());
}

void add_options(const Defined<HistoryOptions>& command) {
  HistoryOptions& options = *command.options;
  command.app->add_option("--policy", options.policy, kPolicyHelp)->type_name("FILE")->required();
  command.app->add_option("--element", options.element, "Identifier of one element; default: all")
      ->type_name("ID");
  command.app->add_option("--from", options.from, "Default: the beginning. " + when_help());
  command.app->add_option("--until", options.until, "Default: now. " + when_help());
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
  add_options(grammar.add(group,
                          {"history", "Since when elements have how many independent routes",
                           "netml redundancy history --policy campus.json --element urn:west"},
                          history));
}

}  // namespace netml::admin::cli
