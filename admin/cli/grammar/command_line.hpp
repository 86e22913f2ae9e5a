// What a command line asks for, parsed and checked (docs/requirements/command-line.md).
//
// Every option is taken from the first of these that names it: its flag, the environment variable
// NETML_<OPTION>, the file of --config, its default. An empty variable counts as absent.
//
// Failure: WrongUsage, with a message for the user. Thread: any (pure functions).
#pragma once

#include <functional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "admin/cli/client/client.hpp"

namespace netml::admin::cli {

class Grammar;

// Adds all commands to a grammar.
using DefineCommands = void (*)(Grammar&);

// A command with its options.
using Command = std::function<CommandOutcome(Client&)>;

struct CommandLine {
  GlobalOptions global;
  Command command;  // none: --version
};

// Why a command line cannot be followed.
struct WrongUsage {
  std::string message;  // may have several lines
  bool json = false;    // it asks for JSON all the same
};

// `arguments` without the name of the program.
tl::expected<CommandLine, WrongUsage> parse_command_line(const std::vector<std::string>& arguments,
                                                         const Variables& variables,
                                                         DefineCommands define);

}  // namespace netml::admin::cli
