// What there is, shown to people, or with --json to what makes manual pages and completions of it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "admin/base/build_info.hpp"
#include "admin/cli/client/output.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/commands/help_topics.hpp"
#include "admin/cli/grammar/command_table.hpp"
#include "admin/cli/grammar/grammar.hpp"
#include "engine/base/json_string.hpp"
#include "engine/base/nearest_word.hpp"

namespace netml::admin::cli {

namespace {

// `text_of(item)` of each, as a JSON list.
template <class Items, class TextOf>
std::string json_list(const Items& items, TextOf text_of) {
  std::string text = "[";
  for (const auto& item : items) text += (text.size() > 1 ? "," : "") + text_of(item);
  return text + ']';
}

std::string texts_json(const std::vector<std::string>& texts) {
  return json_list(texts, [](const std::string& text) { return json_string(text); });
}

std::string option_json(const OptionEntry& option) {
  return fmt::format(
      R"({{"names":{},"help":{},"value":{},"choices":{},"default":{},"required":{},"repeated":{}}})",
      texts_json(option.names), json_string(option.help),
      option.value.empty() ? "null" : json_string(option.value), texts_json(option.choices),
      option.default_text.empty() ? "null" : json_string(option.default_text), option.required,
      option.repeated);
}

std::string command_json(const CommandEntry& command) {
  return fmt::format(
      R"({{"words":{},"summary":{},"group":{},"arguments":{},"options":{},"example":{},"notes":{}}})",
      texts_json(command.words), json_string(command.summary), command.group,
      json_list(command.arguments, option_json), json_list(command.options, option_json),
      json_string(command.example), json_string(command.notes));
}

std::string topic_json(const HelpTopic& topic) {
  return fmt::format(R"({{"name":{},"title":{},"text":{}}})", json_string(topic.name),
                     json_string(topic.title), json_string(topic.text));
}

std::string exit_codes_json() {
  return json_list(exit_code_meanings(), [](const ExitCodeMeaning& entry) {
    return fmt::format(R"({{"code":{},"meaning":{}}})", static_cast<int>(entry.code),
                       json_string(entry.meaning));
  });
}

struct HelpOptions {
  std::vector<std::string> words;  // of a command, or a topic; none: the program
};

// Commands stand under the words behind "netml", topics under their names.
tl::unexpected<Failure> unknown_subject(const std::string& wanted,
                                        const std::vector<CommandEntry>& table,
                                        const std::vector<HelpTopic>& topics) {
  std::vector<std::string> known;
  known.reserve(table.size() + topics.size());
  for (const CommandEntry& command : table)
    if (!command.words.empty()) known.push_back(fmt::format("{}", fmt::join(command.words, " ")));
  for (const HelpTopic& topic : topics) known.emplace_back(topic.name);
  return fail(ExitCode::usage,
              fmt::format("there is no command or topic {}{}; netml help lists them", wanted,
                          did_you_mean(wanted, words_of(known))));
}

CommandOutcome show_all(const std::vector<CommandEntry>& table,
                        const std::vector<HelpTopic>& topics, Client& client) {
  client.set_result(
      fmt::format(R"({{"program":"netml","version":{},"commands":{},"topics":{},"exit_codes":{}}})",
                  json_string(build_info().version), json_list(table, command_json),
                  json_list(topics, topic_json), exit_codes_json()));
  return client.json() ? CommandOutcome() : client.print(table.front().help);
}

CommandOutcome show_help(const HelpOptions& options, Client& client) {
  Grammar grammar(define_commands);
  const std::vector<CommandEntry> table = command_table(grammar);
  const std::vector<HelpTopic> topics = help_topics();
  if (options.words.empty()) return show_all(table, topics, client);

  if (const auto command = std::ranges::find(table, options.words, &CommandEntry::words);
      command != table.end()) {
    client.set_result(command_json(*command));
    return client.json() ? CommandOutcome() : client.print(command->help);
  }
  const std::string wanted = fmt::format("{}", fmt::join(options.words, " "));
  const auto topic = std::ranges::find(topics, wanted, &HelpTopic::name);
  if (topic == topics.end()) return unknown_subject(wanted, table, topics);
  client.set_result(topic_json(*topic));
  return client.json() ? CommandOutcome()
                       : client.print(fmt::format("{}\n\n{}", topic->title, topic->text));
}

}  // namespace

void define_help(Grammar& grammar) {
  const auto [app, options] = grammar.add(
      grammar.app(),
      {"help", "Explain a command, or a topic that concerns many", "netml help times"}, show_help);
  app->add_option("TOPIC", options->words, "Words of a command, as source add, or a topic");
  std::string topics = "netml help TOPIC explains what holds for many commands:";
  for (const HelpTopic& topic : help_topics())
    topics += fmt::format("\n  {:<26}{}", topic.name, topic.title);
  CLI::App& program = grammar.app();
  program.footer(program.get_footer() + "\n\n" + topics);
}

}  // namespace netml::admin::cli
