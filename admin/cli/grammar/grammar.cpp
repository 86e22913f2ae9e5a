// What holds for all commands.
#include "admin/cli/grammar/grammar.hpp"

#include <algorithm>

#include "net/http/address.hpp"

namespace netml::admin::cli {

namespace {

bool is_whole(std::string_view digits) {
  return !digits.empty() && digits.find_first_not_of("0123456789") == digits.npos;
}

std::string check_limit(const std::string& text) {
  Limits scratch;
  const Status set = set_limit(scratch, text);
  return set ? "" : set.error().message;
}

}  // namespace

Grammar::Grammar() {
  app_.require_subcommand(0, 1);
  app_.fallthrough();  // global options may also stand after the command
  app_.add_option("--data", global_.data_directory, "Data directory")->capture_default_str();
  app_.add_flag("--sandbox", global_.sandbox, "Connect to no other node");
  app_.add_flag("--json", global_.json, "Answer with one JSON document");
  app_.add_option("--limit", limits_,
                  "NAME=NUMBER, may be repeated: a limit as netml status names it. Where a server "
                  "runs, its own count")
      ->delimiter(',')
      ->check(check_limit);
  app_.add_option("--memory-max", global_.memory_max,
                  "Memory that the process may use, as 384M or 2G; else three quarters of what its "
                  "container, its limits or the machine allow")
      ->transform(CLI::AsSizeValue(false));
  app_.add_option("--config", config_file_, "TOML file with values for options");
  app_.add_flag("--version", version_, "Show version, build and libraries");
  app_.footer(
      "Each option is also read from the environment variable NETML_<OPTION> (dashes become\n"
      "underscores) and from the file of --config. A flag wins over the environment, the\n"
      "environment over the file.\n\n"
      "netml COMMAND --help explains a command with an example.");
  define_serve();
  define_data_commands();
  define_generate();
  define_published();
  define_tokens();
  define_accounts();
  define_sources();
  define_polls();
  define_rules();
  define_settings();
  define_audit();
  define_undo();
  define_plans();
  define_node_commands();
  define_api();
  define_backup();
  define_repair();
  check_counts();
}

// The library takes -1 for the largest number there is.
void Grammar::check_counts() {
  std::vector<CLI::App*> pending{&app_};
  while (!pending.empty()) {
    CLI::App* app = pending.back();
    pending.pop_back();
    for (CLI::Option* option : app->get_options())
      if (option->get_type_name() == "UINT") option->check(check_count);
    const auto below = app->get_subcommands([](CLI::App*) { return true; });
    pending.insert(pending.end(), below.begin(), below.end());
  }
}

std::string check_number(const std::string& text) {
  const bool number = is_whole(std::string_view(text).substr(text.starts_with('#') ? 1 : 0));
  return number ? "" : text + " is not a number of the list";
}

std::string check_count(const std::string& text) {
  return is_whole(text) ? "" : text + " is not a whole number from 0";
}

std::string check_network(const std::string& text) {
  const auto network = net::IpNetwork::parse(text);
  return network ? "" : network.error().message;
}

CLI::App& Grammar::define_group(const char* name, const char* summary) {
  CLI::App* app = app_.add_subcommand(name, summary);
  app->require_subcommand(1);
  app->footer(fmt::format("netml {} COMMAND --help explains a command with an example.", name));
  return *app;
}

std::vector<CLI::App*> Grammar::parsed_apps() {
  std::vector<CLI::App*> apps{&app_};
  while (!apps.back()->get_subcommands().empty())
    apps.push_back(apps.back()->get_subcommands().front());
  return apps;
}

std::vector<std::string> Grammar::all_option_names() const {
  std::vector<std::string> names;
  std::vector<const CLI::App*> pending{&app_};
  while (!pending.empty()) {
    const CLI::App* app = pending.back();
    pending.pop_back();
    for (const CLI::Option* option : app->get_options())
      names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
    const auto below = app->get_subcommands([](const CLI::App*) { return true; });
    pending.insert(pending.end(), below.begin(), below.end());
  }
  return names;
}

std::optional<CommandLine> Grammar::take() {
  for (const std::string& assignment : limits_)
    NETML_ASSERT(set_limit(global_.limits, assignment).has_value());  // checked when parsed
  if (version_) return CommandLine{global_, ShowVersion{}};
  if (!command_) return std::nullopt;
  return CommandLine{global_, *std::move(command_)};
}

}  // namespace netml::admin::cli
