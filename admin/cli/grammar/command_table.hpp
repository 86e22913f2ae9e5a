// What commands, arguments and options there are, as plain texts: help, manual pages and completion
// are made of it, and messages about mistyped words.
//
// Thread: any (pure functions).
#pragma once

#include <string>
#include <vector>

namespace netml::admin::cli {

class Grammar;

// An option, or an argument that has its place.
struct OptionEntry {
  std::vector<std::string> names;  // "-o", "--output"; of an argument its one name, "FILE"
  std::string help;
  std::string value;                 // what stands for it in help: "FILE"; empty: it takes none
  std::vector<std::string> choices;  // none: any text
  std::string default_text;          // empty: none
  bool required = false;
  bool repeated = false;  // may be given more than once
};

struct CommandEntry {
  std::vector<std::string> words;  // as typed behind "netml"; none: the program itself
  std::string summary;
  bool group = false;  // has commands of its own, and needs one
  std::vector<OptionEntry> arguments;
  std::vector<OptionEntry> options;  // without those of the program
  std::string example;
  std::string notes;
  std::string help;  // what --help prints
};

// "netml", "netml source add".
std::string command_text(const CommandEntry& command);

// The program, then every command in the order of help, each group before its own. Former names,
// which no help lists, are left out.
std::vector<CommandEntry> command_table(Grammar& grammar);

}  // namespace netml::admin::cli
