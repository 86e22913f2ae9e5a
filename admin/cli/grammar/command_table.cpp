#include "admin/cli/grammar/command_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "admin/cli/grammar/grammar.hpp"

namespace netml::admin::cli {

namespace {

constexpr std::string_view kExample = "Example:\n  ";

// The library tells them in the name of the type alone: "TEXT:{own,listed,any}".
std::vector<std::string> choices_in(const std::string& type) {
  std::vector<std::string> choices;
  const std::size_t begin = type.find(":{");
  const std::size_t end = type.find('}');
  if (begin == type.npos || end == type.npos || end < begin) return choices;
  std::string_view rest = std::string_view(type).substr(begin + 2, end - begin - 2);
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    choices.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return choices;
}

OptionEntry option_entry(const CLI::Option& option) {
  OptionEntry entry;
  for (const std::string& name : option.get_snames()) entry.names.push_back('-' + name);
  for (const std::string& name : option.get_lnames()) entry.names.push_back("--" + name);
  if (entry.names.empty()) entry.names.push_back(option.get_name(true));
  const std::string type = option.get_type_name();
  if (option.get_type_size() != 0) entry.value = type.substr(0, type.find(':'));
  entry.help = option.get_description();
  entry.choices = choices_in(type);
  entry.default_text = option.get_default_str();
  entry.required = option.get_required();
  entry.repeated = !entry.value.empty() && option.get_items_expected_max() > 1;
  return entry;
}

CommandEntry command_entry(const CLI::App& app, std::vector<std::string> words) {
  CommandEntry entry;
  for (const CLI::Option* option : app.get_options()) {
    const bool help = option == app.get_help_ptr() && !words.empty();
    if (help || option->get_group().empty()) continue;
    auto& entries = option->get_positional() ? entry.arguments : entry.options;
    entries.push_back(option_entry(*option));
  }
  entry.summary = app.get_description();
  entry.group = !app.get_subcommands([](const CLI::App*) { return true; }).empty();
  entry.notes = app.get_footer();
  if (entry.notes.starts_with(kExample)) {
    const std::size_t end = std::min(entry.notes.find('\n', kExample.size()), entry.notes.size());
    entry.example = entry.notes.substr(kExample.size(), end - kExample.size());
    entry.notes.erase(0, std::min(entry.notes.find_first_not_of('\n', end), entry.notes.size()));
  }
  std::string before = "netml";
  for (std::size_t i = 0; i + 1 < words.size(); ++i) before += ' ' + words[i];
  entry.help = words.empty() ? app.help() : app.help(before);
  entry.words = std::move(words);
  return entry;
}

}  // namespace

std::string command_text(const CommandEntry& command) {
  return command.words.empty() ? "netml" : fmt::format("netml {}", fmt::join(command.words, " "));
}

std::vector<CommandEntry> command_table(Grammar& grammar) {
  const auto below = [](CLI::App& app) {
    return app.get_subcommands([](CLI::App*) { return true; });
  };
  std::vector<CommandEntry> table{command_entry(grammar.app(), {})};
  for (CLI::App* app : below(grammar.app())) {
    table.push_back(command_entry(*app, {app->get_name()}));
    // Groups hold no groups.
    for (CLI::App* inner : below(*app))
      table.push_back(command_entry(*inner, {app->get_name(), inner->get_name()}));
  }
  return table;
}

}  // namespace netml::admin::cli
