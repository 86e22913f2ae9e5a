// Goal: who mistypes a command, an option, a limit or a key is shown what was probably meant, and
// how to go on. Method: command lines against a fake node, messages compared whole.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "admin/settings/settings.hpp"
#include "tests/admin/support/cli_fakes.hpp"

namespace netml::admin::cli {
namespace {

using ::testing::HasSubstr;

struct Mistyped {
  const char* name;
  std::vector<std::string> arguments;
  const char* message;
};

void PrintTo(const Mistyped& shown, std::ostream* out) {
  *out << shown.name;
}
class MistypedWords : public ::testing::TestWithParam<Mistyped> {};

TEST_P(MistypedWords, AreNamedWithWhatWasMeant) {
  test::CommandLineRunner cli;
  EXPECT_EQ(cli.run(GetParam().arguments), 2);
  EXPECT_EQ(cli.out, "");
  EXPECT_EQ(cli.err, std::string("netml: ") + GetParam().message + '\n');
  EXPECT_TRUE(cli.script.requests.empty());
}

INSTANTIATE_TEST_SUITE_P(
    All, MistypedWords,
    ::testing::Values(
        Mistyped{"command",
                 {"imprt", "map.xml"},
                 "netml has no command imprt (did you mean import?)\nRun 'netml --help' for help."},
        Mistyped{"command_of_a_group",
                 {"source", "ad", "garr"},
                 "netml source has no command ad (did you mean add?)\nRun 'netml source --help' "
                 "for help."},
        Mistyped{"no_command_of_a_group",
                 {"plan"},
                 "netml plan needs a command: list, show, again, delete\nRun 'netml plan --help' "
                 "for help."},
        Mistyped{"command_unlike_any",
                 {"frobnicate"},
                 "netml has no command frobnicate\nRun 'netml --help' for help."},
        Mistyped{"option",
                 {"import", "--dryrun", "map.xml"},
                 "netml import has no option --dryrun (did you mean --dry-run?)\nRun 'netml import "
                 "--help' for help."},
        Mistyped{"option_with_a_value",
                 {"import", "--parnt=urn:x", "map.xml"},
                 "netml import has no option --parnt (did you mean --parent?)\nRun 'netml import "
                 "--help' for help."},
        Mistyped{"option_of_the_program",
                 {"token", "list", "--jsn"},
                 "netml token list has no option --jsn (did you mean --json?)\nRun 'netml token "
                 "list --help' for help."},
        Mistyped{"required_option",
                 {"source", "add", "garr", "--hots", "map.garr.it"},
                 "netml source add has no option --hots (did you mean --host?)\nRun 'netml source "
                 "add --help' for help."},
        Mistyped{"former_name_is_not_offered",
                 {"poll", "--whol"},
                 "netml poll has no option --whol\nRun 'netml poll --help' for help."},
        Mistyped{"argument_too_many",
                 {"status", "now"},
                 "netml status does not expect the argument now\nRun 'netml status --help' for "
                 "help."},
        Mistyped{"nothing_mistyped",
                 {"import"},
                 "FILE is required\nRun 'netml import --help' for help."},
        Mistyped{"limit",
                 {"serve", "--limit", "xml_dept_max=5"},
                 "--limit: there is no limit xml_dept_max (did you mean xml_depth_max?); netml "
                 "status --help lists them\nRun 'netml serve --help' for help."}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(MistypedSetting, IsNamedWithWhatWasMeant) {
  const auto found = find_setting("IMPORT_DAY_KEPT");
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().message,
            "there is no setting \"IMPORT_DAY_KEPT\" (did you mean IMPORT_DAYS_KEPT?); `netml "
            "setting list` shows them");
  const auto other = find_setting("COLOUR");
  ASSERT_FALSE(other.has_value());
  EXPECT_THAT(other.error().message, HasSubstr("\"COLOUR\"; `netml"));
}

}  // namespace
}  // namespace netml::admin::cli
