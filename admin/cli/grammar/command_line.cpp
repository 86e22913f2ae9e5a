#include "admin/cli/grammar/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "admin/cli/grammar/config_file.hpp"
#include "admin/cli/grammar/grammar.hpp"

namespace netml::admin::cli {

namespace {

// ---- values that are no flags ----

bool is_about_the_program(const std::string& name) {
  return name == "help" || name == "version" || name == "config";
}

// What is meant for one call must be said in it: nobody loses data because of a setting.
bool only_as_a_flag(const std::string& name) {
  return is_about_the_program(name) || name == "i-accept-losing" ||
         name == "without-missing-uploads" || name == "body" || name == "all";
}

// Names that reference deployments use, too (decision 17).
std::string inherited_variable(const std::string& option) {
  if (option == "test-mode") return "TEST_MODE";
  if (option == "sandbox") return "SANDBOX";
  if (option == "development") return "DEVELOPMENT";
  if (option == "allowed-hosts") return "DJANGO_ALLOWED_HOSTS";
  if (option == "admin-eppns") return "ADMIN_EPPNS";
  return {};
}

std::optional<std::string> variable_of(const std::string& option, const Variables& variables) {
  std::string name = "NETML_";
  for (const char c : option)
    name += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  std::optional<std::string> value = variables(name);
  const std::string inherited = inherited_variable(option);
  if ((!value || value->empty()) && !inherited.empty()) {
    value = variables(inherited);
    if (value && (option == "allowed-hosts" || option == "admin-eppns"))
      std::replace(value->begin(), value->end(), ' ', ',');
  }
  if (value && value->empty()) value.reset();
  return value;
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
      if (const auto value = variable_of(name, variables)) {
        flags.push_back(fmt::format("--{}={}", name, *value));
      } else if (const auto entry = config.find(name); entry != config.end()) {
        for (const std::string& item : entry->second)
          flags.push_back(fmt::format("--{}={}", name, item));
      }
    }
  }
  return added;
}

tl::expected<ConfigValues, std::string> config_of(Grammar& grammar, const Variables& variables) {
  std::string path = grammar.config_file();
  if (path.empty()) path = variable_of("config", variables).value_or("");
  if (path.empty()) return ConfigValues();
  auto config = read_config(path);
  if (!config) return config;
  const std::vector<std::string> known = grammar.all_option_names();
  for (const auto& [name, values] : *config) {
    if (is_about_the_program(name) || std::find(known.begin(), known.end(), name) == known.end())
      return tl::make_unexpected(fmt::format("{}: there is no option {}", path, name));
    if (only_as_a_flag(name))
      return tl::make_unexpected(fmt::format("{}: {} can be given as a flag only", path, name));
  }
  return config;
}

std::string command_name(Grammar& grammar) {
  std::string name;
  for (const CLI::App* app : grammar.parsed_apps())
    name += (name.empty() ? "" : " ") + app->get_name();
  return name;
}

std::string usage_error(Grammar& grammar, const std::string& problem) {
  return fmt::format("{}\nRun '{} --help' for help.", problem, command_name(grammar));
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
  const auto config = config_of(first, variables);
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
    return refuse(usage_error(grammar, error.what()));
  }
  if (auto line = grammar.take()) return *std::move(line);
  return refuse(usage_error(grammar, "a command is needed"));
}

}  // namespace netml::admin::cli
