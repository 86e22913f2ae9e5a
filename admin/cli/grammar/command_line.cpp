#include "admin/cli/grammar/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "admin/cli/grammar/config_file.hpp"
#include "admin/cli/grammar/grammar.hpp"
#include "admin/cli/grammar/wrong_words.hpp"

namespace netml::admin::cli {

namespace {

// ---- values that are no flags ----

// Names that reference deployments use, too (decision 17).
std::string inherited_variable(const std::string& option) {
  if (option == "test-mode") return "TEST_MODE";
  if (option == "sandbox") return "SANDBOX";
  if (option == "development") return "DEVELOPMENT";
  if (option == "allowed-hosts") return "DJANGO_ALLOWED_HOSTS";
  if (option == "admin-eppns") return "ADMIN_EPPNS";
  return {};
}

struct Variable {
  std::string name;
  std::string value;
};

std::optional<Variable> named_variable_of(const std::string& option, const Variables& variables) {
  std::string name = "NETML_";
  for (const char c : option)
    name += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  std::optional<std::string> value = variables(name);
  const std::string inherited = inherited_variable(option);
  if ((!value || value->empty()) && !inherited.empty()) {
    name = inherited;
    value = variables(inherited);
    if (value && (option == "allowed-hosts" || option == "admin-eppns"))
      std::replace(value->begin(), value->end(), ' ', ',');
  }
  if (!value || value->empty()) return std::nullopt;
  return Variable{std::move(name), *std::move(value)};
}

std::optional<std::string> variable_of(const std::string& option, const Variables& variables) {
  auto found = named_variable_of(option, variables);
  if (!found) return std::nullopt;
  return std::move(found->value);
}

// Whether a command has an option of its own under a global name: --limit of the log.
bool hides_a_global_option(CLI::App& global, const CLI::App* app, const std::string& name) {
  return app != &global && global.get_option_no_throw("--" + name) != nullptr;
}

// Flags for the options of the command that the arguments leave open. Those of the program stand
// before the command, or it would take them for its own.
struct AddedFlags {
  std::vector<std::string> global;
  std::vector<std::string> command;
  std::map<std::string, std::string> variables;  // by the option that they were taken for
  std::set<std::string> of_file;                 // options
};
AddedFlags flags_from_elsewhere(Grammar& grammar, const Variables& variables,
                                const ConfigValues& config) {
  AddedFlags added;
  for (CLI::App* app : grammar.parsed_apps()) {
    auto& flags = app == &grammar.app() ? added.global : added.command;
    for (const CLI::Option* option : app->get_options()) {
      if (option->get_lnames().empty() || option->count() > 0) continue;
      const std::string& name = option->get_lnames().front();
      if (only_as_a_flag(name) || hides_a_global_option(grammar.app(), app, name)) continue;
      if (const auto variable = named_variable_of(name, variables)) {
        flags.push_back(fmt::format("--{}={}", name, variable->value));
        added.variables.emplace(name, variable->name);
      } else if (const auto entry = config.find(name); entry != config.end()) {
        for (const std::string& item : entry->second)
          flags.push_back(fmt::format("--{}={}", name, item));
        added.of_file.insert(name);
      }
    }
  }
  return added;
}

std::string config_path(Grammar& grammar, const Variables& variables) {
  const std::string path = grammar.config_file();
  return path.empty() ? variable_of("config", variables).value_or("") : path;
}

tl::expected<ConfigValues, std::string> config_of(Grammar& grammar, const Variables& variables) {
  const std::string path = config_path(grammar, variables);
  if (path.empty()) return ConfigValues();
  return read_config(
      path, [&](const std::string& name) { return problem_with_name_in_file(grammar, name); });
}

// What each option of the command has, now that it is parsed with those that were added.
std::vector<GivenOption> given_options(Grammar& grammar, const AddedFlags& added,
                                       const std::string& config_file) {
  std::vector<GivenOption> given;
  for (CLI::App* app : grammar.parsed_apps()) {
    for (const CLI::Option* option : app->get_options()) {
      if (!is_for_files(*option)) continue;
      const std::string& name = option->get_lnames().front();
      if (hides_a_global_option(grammar.app(), app, name)) continue;
      GivenOption entry{name, option->results(), Origin::command_line, {}};
      if (const auto variable = added.variables.find(name); variable != added.variables.end()) {
        entry.origin = Origin::environment;
        entry.where = variable->second;
      } else if (added.of_file.contains(name)) {
        entry.origin = Origin::file;
        entry.where = config_file;
      } else if (option->count() == 0) {
        entry.origin = Origin::standard;
        entry.values = default_values(*option);
      }
      given.push_back(std::move(entry));
    }
  }
  return given;
}

// Those that help with a file must not fail because of it.
bool speaks_of_files(Grammar& grammar) {
  const std::string command = understood_command(grammar);
  return command == "netml config check" || command == "netml config example";
}

std::string usage_error(Grammar& grammar, const std::string& problem) {
  return fmt::format("{}\nRun '{} --help' for help.", problem, understood_command(grammar));
}

// Of arguments that cannot be parsed.
bool asks_for_json(const std::vector<std::string>& arguments, const Variables& variables,
                   const ConfigValues& config) {
  constexpr const char* kName = "json";
  if (std::find(arguments.begin(), arguments.end(), "--json") != arguments.end()) return true;
  std::optional<std::string> value = variable_of(kName, variables);
  if (const auto entry = config.find(kName); !value && entry != config.end())
    value = entry->second.empty() ? std::nullopt : std::optional(entry->second.front());
  return value && (*value == "true" || *value == "1" || *value == "on" || *value == "yes");
}

}  // namespace

tl::expected<CommandLine, WrongUsage> parse_command_line(const std::vector<std::string>& arguments,
                                                         const Variables& variables,
                                                         DefineCommands define) {
  // The library ranks its config file above the environment. So the arguments are parsed twice:
  // first only to see which command and flags they name, then with flags added for the rest.
  Grammar first(define);
  try {
    first.parse(arguments);
  } catch (const CLI::CallForHelp&) {
    const auto show = [help = first.app().help()](Client& client) { return client.print(help); };
    return CommandLine{{}, show};
  } catch (const CLI::ParseError&) {
    // Ignored: what is missing may come from elsewhere; what is wrong is found again below.
  }
  const tl::expected<ConfigValues, std::string> config =
      speaks_of_files(first) ? ConfigValues() : config_of(first, variables);
  const auto refuse = [&](std::string message) {
    const bool json = asks_for_json(arguments, variables, config.value_or(ConfigValues()));
    return tl::make_unexpected(WrongUsage{std::move(message), json});
  };
  if (!config) return refuse(config.error());

  std::vector<std::string> complete = arguments;
  const AddedFlags added = flags_from_elsewhere(first, variables, *config);
  complete.insert(std::find(complete.begin(), complete.end(), "--"), added.command.begin(),
                  added.command.end());
  complete.insert(complete.begin(), added.global.begin(), added.global.end());

  Grammar grammar(define);
  try {
    grammar.parse(complete);
  } catch (const CLI::ParseError& error) {
    return refuse(usage_error(grammar, problem_with_words(grammar, error.what())));
  }
  if (auto line = grammar.take()) {
    line->global.given = given_options(grammar, added, config_path(first, variables));
    return *std::move(line);
  }
  return refuse(usage_error(grammar, "a command is needed"));
}

}  // namespace netml::admin::cli
