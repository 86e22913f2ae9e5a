// The commands with their options, as the command line library knows them. Seen by the sources that
// define them, and by no other.
//
// Thread: one at a time.
#pragma once

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "admin/base/when_text.hpp"
#include "admin/cli/grammar/command_line.hpp"

namespace netml::admin::cli {

inline std::string when_help() {
  return fmt::format("A point in time: {}", kWhenForms);
}

// For a number of a list, "3" or "#3": what is wrong with the text, or nothing.
std::string check_number(const std::string& text);
// "3" of either.
std::string list_number(const std::string& text);
// For a head, "LSN:HASH": the same.
std::string check_head(const std::string& text);
// For a network, "10.0.0.0/8" or an address: the same.
std::string check_network(const std::string& text);

// ---- options in files ----

// What is meant for one call must be said in it: nobody loses data because of a setting.
bool only_as_a_flag(const std::string& name);
// Whether it has a name, is listed, and may stand in a file.
bool is_for_files(const CLI::Option& option);
// Of a flag "false"; nothing where there is no default.
std::vector<std::string> default_values(const CLI::Option& option);

struct CommandTexts {
  const char* name;
  const char* summary;
  const char* example;
};

// The one thing that a command is about, which must be given.
struct Argument {
  const char* name;
  std::string help;
  std::string (*check)(const std::string& text) = nullptr;
};

// A command whose options are still to be added; it is given them as they were parsed.
template <class Options>
struct Defined {
  CLI::App* app;
  Options* options;  // owned by the app's callback
};

// All commands with their options, bound to one CommandLine. Used for one parse.
class Grammar {
 public:
  explicit Grammar(DefineCommands define);
  Grammar(const Grammar&) = delete;
  Grammar& operator=(const Grammar&) = delete;

  CLI::App& app() { return app_; }
  CLI::App& add_group(const char* name, const char* summary);
  // Commands of the app or of a group: without options, with one argument, with options.
  void add(CLI::App& parent, const CommandTexts& texts, CommandOutcome (*run)(Client&));
  void add(CLI::App& parent, const CommandTexts& texts, const Argument& argument,
           CommandOutcome (*run)(const std::string&, Client&));
  template <class Options>
  Defined<Options> add(CLI::App& parent, const CommandTexts& texts,
                       CommandOutcome (*run)(const Options&, Client&));

  void parse(std::vector<std::string> arguments) {
    std::reverse(arguments.begin(), arguments.end());  // as the library wants them
    app_.parse(std::move(arguments));
  }
  // The app itself, the command parsed, its sub-command.
  std::vector<CLI::App*> parsed_apps();
  std::vector<CLI::App*> all_apps();
  std::vector<std::string> all_option_names();
  const std::string& config_file() const { return config_file_; }
  // Nothing when no command was named.
  std::optional<CommandLine> take();

 private:
  CLI::App* add_command(CLI::App& parent, const CommandTexts& texts);
  void check_counts();

  CLI::App app_{"netml: a network-map node", "netml"};
  GlobalOptions global_;
  Command command_;
  std::string config_file_;
  std::vector<std::string> limits_;
  bool version_ = false;
};

// The name that a flag had in version 0.1: it means the same for one release, and no help lists it.
inline void add_former_name(CLI::App& app, const char* former, bool& flag) {
  app.add_flag(former, flag)->group("");
}

template <class Options>
Defined<Options> Grammar::add(CLI::App& parent, const CommandTexts& texts,
                              CommandOutcome (*run)(const Options&, Client&)) {
  CLI::App* app = add_command(parent, texts);
  auto options = std::make_shared<Options>();
  app->callback([this, options, run] {
    command_ = [options = *options, run](Client& client) { return run(options, client); };
  });
  return {app, options.get()};
}

}  // namespace netml::admin::cli
