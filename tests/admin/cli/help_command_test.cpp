// Goal: help explains every command and every topic, and the table that manual pages and
// completions are made of is that of the program. Method: what `netml help` prints, as text and
// with --json.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "admin/cli/client/exit_code.hpp"
#include "admin/cli/client/json.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/commands/help_topics.hpp"
#include "admin/cli/grammar/command_table.hpp"
#include "admin/cli/grammar/grammar.hpp"
#include "codecs/formats/file_format.hpp"
#include "tests/admin/support/cli_fakes.hpp"
#include "tests/support/file_content.hpp"

namespace netml::admin::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<CommandEntry> table_of_the_program() {
  Grammar grammar(define_commands);
  return command_table(grammar);
}

const CommandEntry& entry_of(const std::vector<CommandEntry>& table, const std::string& text) {
  static const CommandEntry none;
  for (const CommandEntry& entry : table)
    if (command_text(entry) == text) return entry;
  ADD_FAILURE() << "there is no " << text;
  return none;
}

const OptionEntry& option_of(const CommandEntry& entry, const std::string& name) {
  static const OptionEntry none;
  for (const OptionEntry& option : entry.options)
    if (option.names.back() == name) return option;
  ADD_FAILURE() << "there is no " << name;
  return none;
}

TEST(CommandTable, HasEachCommandWithItsExample) {
  const std::vector<CommandEntry> table = table_of_the_program();
  ASSERT_GT(table.size(), 60U);
  EXPECT_TRUE(table.front().words.empty());
  for (const CommandEntry& entry : table) {
    EXPECT_FALSE(entry.summary.empty()) << command_text(entry);
    EXPECT_THAT(entry.help, HasSubstr("Usage: " + command_text(entry) + ' '));
    if (entry.words.empty() || entry.group) continue;
    EXPECT_TRUE(entry.example.starts_with(command_text(entry)) ||
                entry.example.find("| " + command_text(entry)) != std::string::npos)
        << entry.example;
    EXPECT_THAT(entry.help, HasSubstr("Example:\n  " + entry.example));
  }
}

TEST(CommandTable, TellsWhatOptionsTake) {
  const std::vector<CommandEntry> table = table_of_the_program();
  const CommandEntry& exported = entry_of(table, "netml export");
  EXPECT_TRUE(exported.arguments.empty());
  const OptionEntry& output = option_of(exported, "--output");
  EXPECT_EQ(output.names, (std::vector<std::string>{"-o", "--output"}));
  EXPECT_EQ(output.value, "FILE");
  EXPECT_EQ(option_of(exported, "--format").choices, codecs::written_formats());
  EXPECT_EQ(option_of(exported, "--published").value, "");
  const CommandEntry& serve = entry_of(table, "netml serve");
  EXPECT_TRUE(option_of(serve, "--listen").repeated);
  EXPECT_EQ(option_of(serve, "--shutdown-timeout").default_text, "10");
  const CommandEntry& import = entry_of(table, "netml import");
  ASSERT_EQ(import.arguments.size(), 1U);
  EXPECT_EQ(import.arguments[0].names, std::vector<std::string>{"FILE"});
  EXPECT_TRUE(import.arguments[0].required);
  EXPECT_FALSE(import.arguments[0].repeated);
  EXPECT_THAT(import.notes, HasSubstr("limits"));
  EXPECT_EQ(option_of(import, "--actor").value, "TEXT");
  EXPECT_TRUE(entry_of(table, "netml source").group);
  EXPECT_TRUE(entry_of(table, "netml source collect").arguments[0].repeated);
}

TEST(CommandTable, LeavesFormerNamesOut) {
  for (const CommandEntry& entry : table_of_the_program())
    for (const OptionEntry& option : entry.options)
      EXPECT_THAT(option.names, Not(::testing::Contains("--whole"))) << command_text(entry);
}

TEST(Help, IsThatOfTheCommandThatIsNamed) {
  test::CommandLineRunner cli;
  for (const CommandEntry& entry : table_of_the_program()) {
    std::vector<std::string> words{"help"};
    words.insert(words.end(), entry.words.begin(), entry.words.end());
    EXPECT_EQ(cli.run(words), 0) << cli.err;
    const std::string shown = cli.out;
    words.erase(words.begin());
    words.emplace_back("--help");
    EXPECT_EQ(cli.run(words), 0);
    EXPECT_EQ(shown, cli.out);
  }
}

TEST(Help, ExplainsTopicsAndListsThem) {
  test::CommandLineRunner cli;
  EXPECT_EQ(cli.run({"help"}), 0);
  const std::string all = cli.out;
  for (const HelpTopic& topic : help_topics()) {
    EXPECT_THAT(all, HasSubstr(fmt::format("\n  {:<26}{}\n", topic.name, topic.title)));
    EXPECT_EQ(cli.run({"help", std::string(topic.name)}), 0);
    EXPECT_EQ(cli.out, fmt::format("{}\n\n{}", topic.title, topic.text));
    EXPECT_TRUE(cli.out.ends_with('\n'));
  }
}

TEST(Help, SaysWhatWasMeantByAnUnknownWord) {
  test::CommandLineRunner cli;
  EXPECT_EQ(cli.run({"help", "exitcodes"}), 2);
  EXPECT_EQ(cli.err,
            "netml: there is no command or topic exitcodes (did you mean exit-codes?); netml help "
            "lists them\n");
  EXPECT_EQ(cli.run({"help", "source", "ad"}), 2);
  EXPECT_THAT(cli.err, HasSubstr("(did you mean source add?)"));
}

TEST(Help, IsATableWithJson) {
  test::CommandLineRunner cli;
  EXPECT_EQ(cli.run({"help", "--json"}), 0);
  const auto all = JsonValue::parse(cli.out);
  ASSERT_TRUE(all.has_value()) << cli.out;
  EXPECT_EQ(all->text("ok"), "true");
  EXPECT_EQ(all->at("commands").items().size(), table_of_the_program().size());
  EXPECT_EQ(all->at("topics").items().size(), help_topics().size());
  EXPECT_EQ(all->at("exit_codes").items().size(), 6U);
  EXPECT_EQ(cli.run({"help", "export", "--json"}), 0);
  EXPECT_THAT(cli.out,
              AllOf(HasSubstr(R"("names":["-o","--output"])"), HasSubstr(R"("value":"FILE")")));
}

TEST(ExitCodes, StandOnThePage) {
  std::string table;
  for (const ExitCodeMeaning& entry : exit_code_meanings())
    table += fmt::format("| {} | {} |\n", static_cast<int>(entry.code), entry.meaning);
  const std::string page = netml::test::file_content(NETML_SOURCE_DIR "/docs/command-line.md");
  EXPECT_NE(page.find("| exit code | means |\n|---|---|\n" + table + "\n"), std::string::npos)
      << "the table should be:\n"
      << table;
}

}  // namespace
}  // namespace netml::admin::cli
