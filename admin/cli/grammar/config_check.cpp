#include "admin/cli/grammar/config_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "admin/cli/grammar/grammar.hpp"
#include "admin/cli/grammar/wrong_words.hpp"

namespace netml::admin::cli {

namespace {

// The words of the first command that has the option: none for those of the program, then `serve`,
// for which most files are.
std::vector<std::string> words_to(Grammar& grammar, const std::string& name) {
  const std::string flag = "--" + name;
  CLI::App* const serve = grammar.app().get_subcommand("serve");
  for (CLI::App* app : {&grammar.app(), serve})
    if (app->get_option_no_throw(flag) != nullptr)
      return app == serve ? std::vector<std::string>{"serve"} : std::vector<std::string>();
  for (CLI::App* app : grammar.all_apps()) {
    if (app->get_option_no_throw(flag) == nullptr) continue;
    std::vector<std::string> words;
    for (const CLI::App* at = app; at != &grammar.app(); at = at->get_parent())
      words.insert(words.begin(), at->get_name());
    return words;
  }
  return {};
}

// What the option says to such values alone: what else the command needs may stand elsewhere.
std::string refusal_of(const std::string& name, std::span<const std::string> values,
                       std::vector<std::string> words, DefineCommands define) {
  for (const std::string& value : values) words.push_back(fmt::format("--{}={}", name, value));
  Grammar grammar(define);
  try {
    grammar.parse(std::move(words));
  } catch (const CLI::RequiredError&) {
  } catch (const CLI::RequiresError&) {
  } catch (const CLI::ExcludesError&) {
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  return {};
}

// Of each value that it refuses by itself, at its place; else of all together, as of two where one
// may be.
std::vector<ConfigProblem> refusals_of(const ConfigEntry& entry,
                                       const std::vector<std::string>& words,
                                       DefineCommands define) {
  std::string of_all = refusal_of(entry.name, entry.values, words, define);
  if (of_all.empty()) return {};
  std::vector<ConfigProblem> refusals;
  for (std::size_t i = 0; i < entry.values.size(); ++i) {
    std::string refusal = refusal_of(entry.name, {&entry.values[i], 1}, words, define);
    if (refusal.empty()) continue;
    refusals.push_back({entry.places[i], std::move(refusal)});
  }
  if (refusals.empty()) refusals.push_back({entry.value, std::move(of_all)});
  return refusals;
}

// What is wrong with the name stands at the name, what is wrong with a value at the value.
std::vector<ConfigProblem> problems_of(const ConfigEntry& entry, Grammar& grammar,
                                       DefineCommands define) {
  if (std::string problem = problem_with_name_in_file(grammar, entry.name); !problem.empty())
    return {{entry.place, std::move(problem)}};
  return refusals_of(entry, words_to(grammar, entry.name), define);
}

bool stands_in(const ConfigContent& content, std::string_view name) {
  return std::ranges::find(content.entries, name, &ConfigEntry::name) != content.entries.end();
}

// A certificate needs its key, and the other way round; the other may come from the environment,
// but a file that has only one is most likely wrong.
void check_pairs(const ConfigContent& content, std::vector<ConfigProblem>& problems) {
  for (const auto& [one, other] :
       {std::pair{"tls-cert", "tls-key"}, std::pair{"tls-key", "tls-cert"}}) {
    const auto found = std::ranges::find(content.entries, one, &ConfigEntry::name);
    if (found != content.entries.end() && !stands_in(content, other))
      problems.push_back({found->place, fmt::format("{} needs {}", one, other)});
  }
}

}  // namespace

std::vector<ConfigProblem> check_config(std::string_view text, DefineCommands define) {
  ConfigContent content = examine_config(text);
  std::vector<ConfigProblem> problems = std::move(content.problems);
  Grammar grammar(define);
  for (const ConfigEntry& entry : content.entries)
    std::ranges::move(problems_of(entry, grammar, define), std::back_inserter(problems));
  check_pairs(content, problems);
  std::ranges::stable_sort(problems, {}, &ConfigProblem::place);
  return problems;
}

}  // namespace netml::admin::cli
