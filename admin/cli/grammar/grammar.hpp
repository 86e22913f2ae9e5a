// The commands with their options, as the command line library knows them. Seen by the sources that
// define them, and by no other.
//
// Thread: one at a time.
#pragma once

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "admin/base/when_text.hpp"
#include "admin/cli/grammar/command_line.hpp"

namespace netml::admin::cli {

inline std::string when_help() {
  return fmt::format("A point in time: {}", kWhenForms);
}

// For a number of a list, "3" or "#3": what is wrong with the text, or nothing.
std::string check_number(const std::string& text);

// For a number that counts something: the same. The library takes -1 for the largest there is.
std::string check_count(const std::string& text);
// For a network, "10.0.0.0/8" or an address.
std::string check_network(const std::string& text);

template <class Options>
struct Defined {
  CLI::App* app;
  Options* options;  // owned by the app's callback
};

struct CommandTexts {
  const char* name;
  const char* summary;
  const char* example;
};

// All commands with their options, bound to one CommandLine. Used for one parse.
class Grammar {
 public:
  Grammar();
  Grammar(const Grammar&) = delete;
  Grammar& operator=(const Grammar&) = delete;

  void parse(std::vector<std::string> arguments) {
    std::reverse(arguments.begin(), arguments.end());  // as the library wants them
    app_.parse(std::move(arguments));
  }
  CLI::App& app() { return app_; }
  // The app itself, the command parsed, its sub-command.
  std::vector<CLI::App*> parsed_apps();
  std::vector<std::string> all_option_names() const;
  bool version_wanted() const { return version_; }
  const std::string& config_file() const { return config_file_; }
  // Nothing when no command was named.
  std::optional<CommandLine> take();

 private:
  template <class Options>
  Defined<Options> define(CLI::App& parent, const CommandTexts& texts);
  CLI::App& define_group(const char* name, const char* summary);
  void define_serve();
  void define_data_commands();
  void define_generate();
  void define_published();
  void define_tokens();
  void define_accounts();
  void define_sources();
  void define_polls();
  void define_rules();
  void define_settings();
  void define_audit();
  void define_undo();
  void define_plans();
  void define_node_commands();
  void define_api();
  void define_backup();
  void define_repair();
  void check_counts();

  CLI::App app_{"netml: a network-map node", "netml"};
  GlobalOptions global_;
  std::optional<Command> command_;
  std::string config_file_;
  std::vector<std::string> limits_;
  bool version_ = false;
};

// The name that a flag had in version 0.1: it means the same for one release, and no help lists it.
inline void add_former_name(CLI::App& app, const char* former, bool& flag) {
  app.add_flag(former, flag)->group("");
}

template <class Options>
Defined<Options> Grammar::define(CLI::App& parent, const CommandTexts& texts) {
  CLI::App* app = parent.add_subcommand(texts.name, texts.summary);
  app->footer(fmt::format("Example:\n  {}", texts.example));
  auto options = std::make_shared<Options>();
  app->callback([this, options] { command_.emplace(std::in_place_type<Options>, *options); });
  return {app, options.get()};
}

}  // namespace netml::admin::cli
