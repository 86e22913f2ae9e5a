// What the program is configured with, and help with the file. No node is asked.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "admin/cli/client/files.hpp"
#include "admin/cli/client/output.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/commands/serve_options.hpp"
#include "admin/cli/grammar/config_check.hpp"
#include "engine/base/json_string.hpp"
#include "engine/base/wording.hpp"

namespace netml::admin::cli {

namespace {

const char* origin_name(Origin origin) {
  switch (origin) {
    case Origin::standard:
      return "default";
    case Origin::file:
      return "file";
    case Origin::environment:
      return "environment";
    case Origin::command_line:
      return "command line";
  }
  return "";
}

Table given_table(const std::vector<GivenOption>& given) {
  Table table;
  table.row({"OPTION", "VALUE", "FROM"});
  for (const GivenOption& option : given)
    table.row({option.name,
               option.values.empty() ? "-" : fmt::format("{}", fmt::join(option.values, ",")),
               option.where.empty()
                   ? origin_name(option.origin)
                   : fmt::format("{} {}", origin_name(option.origin), option.where)});
  return table;
}

std::string given_json(const std::vector<GivenOption>& given) {
  std::string list;
  for (const GivenOption& option : given) {
    std::string values;
    for (const std::string& value : option.values)
      values += (values.empty() ? "" : ",") + json_string(value);
    list += fmt::format(R"({}{{"name":{},"values":[{}],"from":"{}","where":{}}})",
                        list.empty() ? "" : ",", json_string(option.name), values,
                        origin_name(option.origin),
                        option.where.empty() ? "null" : json_string(option.where));
  }
  return '[' + list + ']';
}

// The options were parsed to be checked; what they are stands in `given`.
CommandOutcome show(const ServeOptions&, Client& client) {
  const std::vector<GivenOption>& given = client.global().given;
  client.set_result(given_json(given));
  return client.json() ? CommandOutcome() : client.print(given_table(given));
}

std::string problems_json(const std::vector<ConfigProblem>& problems) {
  std::string list;
  for (const ConfigProblem& problem : problems)
    list += fmt::format(R"({}{{"line":{},"column":{},"message":{}}})", list.empty() ? "" : ",",
                        problem.place.line, problem.place.column, json_string(problem.text));
  return '[' + list + ']';
}

CommandOutcome check(const std::string& path, Client& client) {
  NETML_TRY(const InputFile file, InputFile::open(path));
  const auto text = read_config_text(file.path());
  if (!text) return fail(ExitCode::failed, text.error());
  const std::vector<ConfigProblem> problems = check_config(*text, define_commands);
  client.set_result(problems_json(problems));
  if (problems.empty()) return client.say(fmt::format("{}: nothing is wrong", file.shown()));
  for (const ConfigProblem& problem : problems) client.tell(config_message(file.shown(), problem));
  return fail(ExitCode::invalid_file,
              fmt::format("{}: {}; netml config example shows what may stand in it", file.shown(),
                          counted(problems.size(), "error")));
}

CommandOutcome example(Client& client) {
  const std::string text = config_example(define_commands);
  client.set_result(fmt::format(R"({{"text":{}}})", json_string(text)));
  return client.json() ? CommandOutcome() : client.print(text);
}

}  // namespace

void define_config(Grammar& grammar) {
  CLI::App& group = grammar.add_group(
      "config", "Show what the program is configured with, or help with its file");
  const auto shown =
      grammar.add(group,
                  {"show", "Show each option that netml serve would have, and where it comes from",
                   "netml config show --config /etc/netml/netml.toml"},
                  show);
  add_serve_options(*shown.app, *shown.options);
  grammar.add(group,
              {"check", "List all that is wrong with a config file, by line and column",
               "netml config check /etc/netml/netml.toml"},
              {"FILE", "The file, or - for standard input"}, check);
  grammar.add(group,
              {"example", "Print a config file with every option, its meaning and its default",
               "netml config example > netml.toml"},
              example);
}

}  // namespace netml::admin::cli
