#include "admin/cli/grammar/wrong_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "admin/cli/grammar/grammar.hpp"
#include "engine/base/nearest_word.hpp"

namespace netml::admin::cli {

namespace {

// In the order in which they were typed.
std::vector<std::string> unknown_words(Grammar& grammar) {
  std::vector<std::string> words;
  for (const CLI::App* app : grammar.parsed_apps()) {
    std::ranges::copy_if(app->remaining(), std::back_inserter(words),
                         [](const std::string& word) { return word != "--"; });
  }
  return words;
}

bool is_option(const std::string& word) {
  return word.size() > 1 && word.front() == '-';
}

std::string unknown_option(Grammar& grammar, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  std::vector<std::string> known;
  for (const CLI::App* app : grammar.parsed_apps())
    for (const CLI::Option* option : app->get_options())
      if (!option->get_group().empty() && !option->get_lnames().empty())
        known.push_back("--" + option->get_lnames().front());
  return fmt::format("{} has no option {}{}", understood_command(grammar), name,
                     did_you_mean(name, words_of(known)));
}

std::vector<std::string> commands_of(const CLI::App& group) {
  std::vector<std::string> known;
  for (const CLI::App* app : group.get_subcommands([](const CLI::App*) { return true; }))
    known.push_back(app->get_name());
  return known;
}

std::string unknown_command(Grammar& grammar, const CLI::App& group, const std::string& word) {
  const std::vector<std::string> known = commands_of(group);
  return fmt::format("{} has no command {}{}", understood_command(grammar), word,
                     did_you_mean(word, words_of(known)));
}

}  // namespace

std::string understood_command(Grammar& grammar) {
  std::string name;
  for (const CLI::App* app : grammar.parsed_apps())
    name += (name.empty() ? "" : " ") + app->get_name();
  return name;
}

std::string problem_with_name_in_file(Grammar& grammar, const std::string& name) {
  if (only_as_a_flag(name)) return fmt::format("{} can be given as a flag only", name);
  std::vector<std::string> known = grammar.all_option_names();
  if (std::ranges::find(known, name) != known.end()) return {};
  std::erase_if(known, only_as_a_flag);
  return fmt::format("there is no option {}{}", name, did_you_mean(name, words_of(known)));
}

std::string problem_with_words(Grammar& grammar, const std::string& error) {
  const std::vector<std::string> words = unknown_words(grammar);
  const CLI::App& last = *grammar.parsed_apps().back();
  if (words.empty()) {
    const bool undecided = &last != &grammar.app() && !commands_of(last).empty();
    if (!undecided) return error;
    return fmt::format("{} needs a command: {}", understood_command(grammar),
                       fmt::join(commands_of(last), ", "));
  }
  // A word behind an option that nobody knows may be its value.
  if (const auto option = std::ranges::find_if(words, is_option); option != words.end())
    return unknown_option(grammar, *option);
  if (!commands_of(last).empty()) return unknown_command(grammar, last, words.front());
  return fmt::format("{} does not expect the argument {}", understood_command(grammar),
                     words.front());
}

}  // namespace netml::admin::cli
