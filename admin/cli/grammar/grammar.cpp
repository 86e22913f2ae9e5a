// What holds for all commands.
#include "admin/cli/grammar/grammar.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "net/http/address.hpp"

namespace netml::admin::cli {

namespace {

bool is_whole(std::string_view digits) {
  return !digits.empty() && digits.find_first_not_of("0123456789") == digits.npos;
}

std::string check_count(const std::string& text) {
  return is_whole(text) ? "" : text + " is not a whole number from 0";
}

std::string check_limit(const std::string& text) {
  Limits scratch;
  const Status set = set_limit(scratch, text);
  return set ? "" : set.error().message;
}

// The library has the options that one excludes in the order of their addresses.
class HelpInOrder final : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string text = CLI::Formatter::make_option_opts(option);
    constexpr std::string_view kExcludes = " Excludes:";
    const std::size_t end = text.find(kExcludes);
    if (end == text.npos) return text;
    std::vector<std::string> names =
        CLI::detail::split(text.substr(end + kExcludes.size() + 1), ' ');
    std::ranges::sort(names);
    return text.substr(0, end) + fmt::format("{} {}", kExcludes, fmt::join(names, " "));
  }
};

}  // namespace

Grammar::Grammar(DefineCommands define) {
  app_.formatter(std::make_shared<HelpInOrder>());
  app_.require_subcommand(0, 1);
  app_.fallthrough();  // global options may also stand after the command
  app_.add_option("--data", global_.data_directory, "Data directory")
      ->type_name("DIR")
      ->capture_default_str();
  app_.add_flag("--sandbox", global_.sandbox, "Connect to no other node");
  app_.add_flag("--json", global_.json, "Answer with one JSON document");
  app_.add_flag("-q,--quiet", global_.quiet, "Show no progress");
  app_.add_option("--limit", limits_,
                  "NAME=NUMBER, may be repeated: a limit as netml status names it. Where a server "
                  "runs, its own count")
      ->delimiter(',')
      ->check(check_limit);
  app_.add_option("--memory-max", global_.memory_max,
                  "Memory that the process may use, as 384M or 2G; else three quarters of what its "
                  "container, its limits or the machine allow")
      ->transform(CLI::AsSizeValue(false));
  app_.add_option("--config", config_file_, "TOML file with values for options")->type_name("FILE");
  app_.add_flag("--version", version_, "Show version, build and libraries");
  app_.footer(
      "Each option is also read from the environment variable NETML_<OPTION> (dashes become\n"
      "underscores) and from the file of --config. A flag wins over the environment, the\n"
      "environment over the file.\n\n"
      "netml COMMAND --help explains a command with an example.");
  define(*this);
  add_command(
      app_, {"version", "Show version, build, disk formats and libraries", "netml version --json"})
      ->callback([this] { version_ = true; });
  check_counts();
}

std::vector<CLI::App*> Grammar::all_apps() {
  std::vector<CLI::App*> apps{&app_};
  for (std::size_t next = 0; next < apps.size(); ++next) {
    const auto below = apps[next]->get_subcommands([](CLI::App*) { return true; });
    apps.insert(apps.end(), below.begin(), below.end());
  }
  return apps;
}

// The library takes -1 for the largest number there is.
void Grammar::check_counts() {
  for (CLI::App* app : all_apps())
    for (CLI::Option* option : app->get_options())
      if (option->get_type_name() == "UINT") option->check(check_count);
}

bool only_as_a_flag(const std::string& name) {
  static constexpr std::array<std::string_view, 7> kNames{
      "help", "version", "config", "i-accept-losing", "without-missing-uploads", "body", "all"};
  return std::ranges::find(kNames, name) != kNames.end();
}

bool is_for_files(const CLI::Option& option) {
  return !option.get_lnames().empty() && !option.get_group().empty() &&
         !only_as_a_flag(option.get_lnames().front());
}

// The library shows a list as [one,two].
std::vector<std::string> default_values(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return {"false"};
  std::string text = option.get_default_str();
  if (text.empty()) return {};
  if (option.get_expected_max() == 1) return {text};
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  return CLI::detail::split(text, ',');
}

std::string check_number(const std::string& text) {
  const bool number = is_whole(std::string_view(text).substr(text.starts_with('#') ? 1 : 0));
  return number ? "" : text + " is not a number of the list";
}

std::string list_number(const std::string& text) {
  return text.starts_with('#') ? text.substr(1) : text;
}

std::string check_head(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string_view lsn = std::string_view(text).substr(0, colon);
  const std::string_view hash = colon == text.npos ? "" : std::string_view(text).substr(colon + 1);
  const bool head = !lsn.empty() && lsn.find_first_not_of("0123456789") == lsn.npos &&
                    hash.size() == 64 && hash.find_first_not_of("0123456789abcdef") == hash.npos;
  return head ? "" : "a head is LSN:HASH as netml verify prints it, not " + text;
}

std::string check_network(const std::string& text) {
  const auto network = net::IpNetwork::parse(text);
  return network ? "" : network.error().message;
}

CLI::App& Grammar::add_group(const char* name, const char* summary) {
  CLI::App* app = app_.add_subcommand(name, summary);
  app->require_subcommand(1);
  app->footer(fmt::format("netml {} COMMAND --help explains a command with an example.", name));
  return *app;
}

CLI::App* Grammar::add_command(CLI::App& parent, const CommandTexts& texts) {
  CLI::App* app = parent.add_subcommand(texts.name, texts.summary);
  app->footer(fmt::format("Example:\n  {}", texts.example));
  return app;
}

void Grammar::add(CLI::App& parent, const CommandTexts& texts, CommandOutcome (*run)(Client&)) {
  add_command(parent, texts)->callback([this, run] { command_ = run; });
}

void Grammar::add(CLI::App& parent, const CommandTexts& texts, const Argument& argument,
                  CommandOutcome (*run)(const std::string&, Client&)) {
  const auto [app, text] = add<std::string>(parent, texts, run);
  CLI::Option* option = app->add_option(argument.name, *text, argument.help)->required();
  if (argument.check != nullptr) option->check(argument.check);
}

std::vector<CLI::App*> Grammar::parsed_apps() {
  std::vector<CLI::App*> apps{&app_};
  while (!apps.back()->get_subcommands().empty())
    apps.push_back(apps.back()->get_subcommands().front());
  return apps;
}

std::vector<std::string> Grammar::all_option_names() {
  std::vector<std::string> names;
  for (const CLI::App* app : all_apps())
    for (const CLI::Option* option : app->get_options())
      names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
  return names;
}

std::optional<CommandLine> Grammar::take() {
  for (const std::string& assignment : limits_)
    NETML_ASSERT(set_limit(global_.limits, assignment).has_value());  // checked when parsed
  if (version_) return CommandLine{global_, {}};
  if (!command_) return std::nullopt;
  return CommandLine{global_, std::move(command_)};
}

}  // namespace netml::admin::cli
