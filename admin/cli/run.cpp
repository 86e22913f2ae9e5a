#include "admin/cli/run.hpp"

#include <fmt/format.h>

#include <utility>

#include "admin/base/key_texts.hpp"
#include "admin/base/limit_texts.hpp"
#include "admin/cli/client/client.hpp"
#include "admin/cli/client/exit_code.hpp"
#include "admin/cli/client/json.hpp"
#include "admin/cli/client/output.hpp"
#include "admin/cli/commands/account_commands.hpp"
#include "admin/cli/commands/admin_commands.hpp"
#include "admin/cli/commands/api_command.hpp"
#include "admin/cli/commands/audit_commands.hpp"
#include "admin/cli/commands/backup_commands.hpp"
#include "admin/cli/commands/data_commands.hpp"
#include "admin/cli/commands/plan_commands.hpp"
#include "admin/cli/commands/repair_commands.hpp"
#include "admin/cli/commands/rules_commands.hpp"
#include "admin/cli/commands/source_commands.hpp"
#include "admin/cli/commands/undo_commands.hpp"
#include "admin/cli/version.hpp"

namespace netml::admin::cli {

namespace {

// Only what fills a directory may make one where a name was mistyped; verification must find the
// directory as it is, and the past can be asked for in whatever state the data are.
struct AccessOf {
  Access operator()(const VerifyOptions&) const { return Access::examine; }
  Access operator()(const LogOptions&) const { return Access::examine; }
  Access operator()(const ShowOptions&) const { return Access::examine; }
  Access operator()(const DiffOptions&) const { return Access::examine; }
  Access operator()(const HistoryOptions&) const { return Access::examine; }
  Access operator()(const ReplayOptions&) const { return Access::examine; }
  Access operator()(const ExportOptions& options) const {
    return options.at ? Access::examine : Access::find;
  }
  Access operator()(const DowngradeCheckOptions&) const { return Access::examine; }
  Access operator()(const InitOptions&) const { return Access::use; }
  // What it would change of a map that is not there is no answer. A plan is kept, as an import is.
  Access operator()(const ImportOptions& options) const {
    return options.dry_run ? Access::find : Access::use;
  }
  template <class Options>
  Access operator()(const Options&) const {
    return Access::find;
  }
};

// Runs a parsed command.
class Runner {
 public:
  Runner(const Environment& environment, const GlobalOptions& global, Access access)
      : environment_(environment), global_(global), client_(environment, global, access) {}

  CommandOutcome operator()(const ServeOptions& options) {
    const Status served = environment_.serve(global_, options);
    if (served) return {};
    if (served.error().code != Errc::conflict) return tl::make_unexpected(served.error());
    return tl::make_unexpected(already_owned(served.error()));
  }
  CommandOutcome operator()(const ImportOptions& options) { return import_file(options, client_); }
  CommandOutcome operator()(const ExportOptions& options) { return export_file(options, client_); }
  CommandOutcome operator()(const ValidateOptions& options) {
    return validate_file(options, client_);
  }
  CommandOutcome operator()(const GenerateOptions& options) {
    return generate_file(options, client_);
  }
  CommandOutcome operator()(const ShowHelp& help) { return client_.print(help.text); }
  CommandOutcome operator()(const ShowVersion&) {
    const int format = environment_.disk_format_version;
    client_.set_result(version_json(format));
    return client_.json() ? CommandOutcome() : client_.print(version_text(format));
  }
  template <class Options>
  CommandOutcome operator()(const Options& options) {
    return run_command(options, client_);
  }
  const Client& client() const { return client_; }

 private:
  // L1: a second server is an ordinary mistake if the first one answers.
  Failure already_owned(const Error& error) const {
    const auto owner = environment_.connect(global_);
    const bool answers = owner.has_value() && *owner != nullptr;
    return {answers ? ExitCode::failed : ExitCode::in_use, error.message};
  }

  const Environment& environment_;
  const GlobalOptions& global_;
  Client client_;
};

// docs/requirements/durability-and-security.md, section 1.5: nothing is repaired by itself.
std::string choices(const Failure& failure, const GlobalOptions& global) {
  const std::string data = printable(global.data_directory);
  if (speaks_of_damaged_key(failure.message))
    return fmt::format(
        "What can be done:\n{};\n  list all that is damaged: netml verify --data {}\n",
        damaged_key_advice(data), data);
  return fmt::format(
      "What can be done:\n"
      "  restore a backup, and keep the damaged directory: netml restore FILE --into "
      "NEW-DIRECTORY;\n"
      "  cut it, when there is no backup and the message names an LSN: netml repair --truncate-at "
      "LAST-GOOD-LSN --data {0};\n"
      "  serve the state before the damage: netml serve --read-only --data {0};\n"
      "  list all that is damaged: netml verify --data {0}\n",
      data);
}

void report(const Failure& failure, const GlobalOptions& global, const Environment& environment) {
  if (!failure.message.empty())
    environment.err(fmt::format("netml: {}\n", printable(failure.message)));
  if (failure.advice)
    environment.err(printable_lines(*failure.advice));
  else if (failure.code == ExitCode::damaged)
    environment.err(choices(failure, global));
}

// A file's errors stand in the answer.
void advise_on_limits(const Failure& failure, const Client& client,
                      const Environment& environment) {
  if (!speaks_of_limit(failure.message) && !speaks_of_limit(failure.answer)) return;
  if (client.asked_server())
    environment.err("The limit is that of the running server: give --limit where it is started.\n");
  environment.err("netml status --help lists all limits.\n");
}

// A list that ends at damage looks like that of a shorter history.
bool lists_all(const Command& command) {
  return std::holds_alternative<LogOptions>(command) ||
         std::holds_alternative<HistoryOptions>(command);
}

// One document, whatever the command did; none when what it gave stands on standard output already.
Status print_document(const CommandOutcome& outcome, const std::optional<std::string>& result,
                      const Environment& environment) {
  if (outcome) return result ? environment.out(outcome_document(*result, 0, "")) : Status();
  const Failure& failure = outcome.error();
  return environment.out(
      outcome_document(failure.answer.empty() ? result.value_or("") : failure.answer,
                       static_cast<int>(failure.code), failure.message));
}

}  // namespace

int run(int argc, const char* const* argv, const Environment& environment) {
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  const auto line = parse_command_line(arguments, environment.variable);
  if (!line) {
    const auto& [message, json] = line.error();
    environment.err(fmt::format("netml: {}\n", printable_lines(message)));
    // Standard error has reported it already.
    if (json)
      static_cast<void>(
          print_document(fail(ExitCode::usage, message), std::nullopt, environment).has_value());
    return static_cast<int>(ExitCode::usage);
  }
  Runner runner(environment, line->global, std::visit(AccessOf(), line->command));
  CommandOutcome outcome =
      std::visit([&](const auto& options) { return runner(options); }, line->command);
  if (outcome && lists_all(line->command) && !runner.client().damage().empty())
    outcome = fail(ExitCode::damaged, runner.client().damage());
  if (line->global.json) {
    Status printed = print_document(outcome, runner.client().result(), environment);
    if (outcome && !printed) outcome = tl::make_unexpected(Failure(std::move(printed).error()));
  }
  if (outcome) return static_cast<int>(ExitCode::done);
  report(outcome.error(), line->global, environment);
  advise_on_limits(outcome.error(), runner.client(), environment);
  return static_cast<int>(outcome.error().code);
}

}  // namespace netml::admin::cli
