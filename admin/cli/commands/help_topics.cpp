#include "admin/cli/commands/help_topics.hpp"

#include <fmt/format.h>

#include "admin/base/limits.hpp"
#include "admin/base/when_text.hpp"
#include "admin/cli/client/exit_code.hpp"

namespace netml::admin::cli {

namespace {

std::string exit_codes() {
  std::string text = "A command ends with one of these codes.\n\n";
  for (const ExitCodeMeaning& entry : exit_code_meanings())
    text += fmt::format("  {}  {}\n", static_cast<int>(entry.code), entry.meaning);
  return text +
         "\nA command that is interrupted ends by that signal (the shell shows 130 for Ctrl-C).\n";
}

constexpr std::string_view kOptions =
    "An option is taken from the first of these that has it:\n"
    "\n"
    "  1  its flag: --data /var/lib/netml\n"
    "  2  the variable NETML_OPTION, with underscores for dashes: NETML_DATA=/var/lib/netml\n"
    "  3  the TOML file of --config, a line option = value for each: data = \"/var/lib/netml\"\n"
    "  4  its default\n"
    "\n"
    "An empty variable counts as absent. Values of a list are separated by commas in a variable,\n"
    "and stand in [brackets] in the file. What may destroy data is taken from a flag alone.\n";

constexpr std::string_view kJson =
    "With --json a command prints one document on standard output, however it ends: ok, error\n"
    "(null, or the message) and exit_code, then the members of its result; a list is in items.\n"
    "log, show, diff, history and plan show print a document for each line instead, and such a\n"
    "document at the end when they fail. A map or rulesets on standard output stand alone.\n"
    "docs/command-line.md says which members each command has.\n";

constexpr std::string_view kFiles =
    "- in place of a file is standard input or standard output; the format is seen by the "
    "content.\n"
    "Not for --config, --tls-cert and --tls-key: a server reads these files again at SIGHUP.\n"
    "A file that is written appears whole or not at all: until it is complete it has no name, or\n"
    "is NAME.PROCESS-N.tmp beside its place where the file system has no files without names.\n"
    "Results go to standard output, all that is said about them to standard error.\n"
    "\n"
    "Work that takes more than a second shows its progress where standard error is a terminal;\n"
    "-q leaves it out.\n";

constexpr std::string_view kDataDirectory =
    "--data names it. One process owns it at a time. Where a server runs on it, commands ask that\n"
    "server through control.sock in it; else they open it themselves. serve, init, import "
    "(without\n"
    "--dry-run), restore and replay make one where there is none.\n";

constexpr std::string_view kSecrets =
    "Passwords are typed at the terminal; they and tokens are also read from standard input, by\n"
    "--password-stdin and --token-stdin, or from the first line of a file that --password-file or\n"
    "--token-file names, or the variable NETML_PASSWORD_FILE or NETML_TOKEN_FILE; never from\n"
    "arguments or variables themselves, which other processes can see. token create prints a new\n"
    "token once. Backups hold neither node.key nor signing.key: keep copies of them apart.\n";

}  // namespace

std::vector<HelpTopic> help_topics() {
  return {
      {"options", "Where values of options come from", std::string(kOptions)},
      {"exit-codes", "How commands end", exit_codes()},
      {"json", "Results for programs", std::string(kJson)},
      {"files", "Files, standard input and output, progress", std::string(kFiles)},
      {"times", "Points in time", fmt::format("A point in time is given as\n\n  {}\n", kWhenForms)},
      {"data-directory", "The data directory", std::string(kDataDirectory)},
      {"secrets", "Passwords, tokens and keys", std::string(kSecrets)},
      {"limits", "Limits on what clients and files may demand",
       "Set with --limit NAME=NUMBER where the server is started. Names, defaults and units:\n\n" +
           limit_list()},
  };
}

}  // namespace netml::admin::cli
