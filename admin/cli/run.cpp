#include "admin/cli/run.hpp"

#include <fmt/format.h>

#include <utility>

#include "admin/cli/account_commands.hpp"
#include "admin/cli/admin_commands.hpp"
#include "admin/cli/archive_commands.hpp"
#include "admin/cli/audit_commands.hpp"
#include "admin/cli/backup_commands.hpp"
#include "admin/cli/client.hpp"
#include "admin/cli/data_commands.hpp"
#include "admin/cli/exit_code.hpp"
#include "admin/cli/output.hpp"
#include "admin/cli/plan_commands.hpp"
#include "admin/cli/repair_commands.hpp"
#include "admin/cli/rules_commands.hpp"
#include "admin/cli/source_commands.hpp"
#include "admin/cli/undo_commands.hpp"
#include "admin/cli/version.hpp"

namespace netml::admin::cli {

namespace {

// Commands that ask, or need what is there, should not make a directory where a name was mistyped;
// verification must find the directory as it is, and the past can be asked for in whatever state
// the data are.
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
  Access operator()(const PublishedList&) const { return Access::find; }
  Access operator()(const PublishedShow&) const { return Access::find; }
  Access operator()(const TokenList&) const { return Access::find; }
  Access operator()(const UserList&) const { return Access::find; }
  Access operator()(const SourceList&) const { return Access::find; }
  Access operator()(const SourceShow&) const { return Access::find; }
  Access operator()(const SourceTest&) const { return Access::find; }
  Access operator()(const SourceLog&) const { return Access::find; }
  Access operator()(const RulesExport&) const { return Access::find; }
  Access operator()(const RulesList&) const { return Access::find; }
  Access operator()(const SettingList&) const { return Access::find; }
  Access operator()(const SettingGet&) const { return Access::find; }
  Access operator()(const BackupOptions&) const { return Access::find; }
  Access operator()(const UndoOptions&) const { return Access::find; }
  Access operator()(const ApplyOptions&) const { return Access::find; }
  Access operator()(const PlanList&) const { return Access::find; }
  Access operator()(const PlanShow&) const { return Access::find; }
  Access operator()(const PlanDelete&) const { return Access::find; }
  Access operator()(const ArchiveOptions&) const { return Access::find; }
  Access operator()(const DowngradeCheckOptions&) const { return Access::examine; }
  Access operator()(const StatusOptions&) const { return Access::find; }
  template <class Options>
  Access operator()(const Options&) const {
    return Access::use;
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
    return client_.print(client_.json() ? version_json(format) : version_text(format));
  }
  template <class Options>
  CommandOutcome operator()(const Options& options) {
    return run_command(options, client_);
  }

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

// Section 1.5 of the durability rules: nothing is repaired by itself.
std::string choices(const GlobalOptions& global) {
  return fmt::format(
      "What can be done:\n"
      "  restore a backup, and keep the damaged directory: netml restore FILE --into "
      "NEW-DIRECTORY;\n"
      "  cut it, when there is no backup: netml repair --truncate-at LAST-GOOD-LSN --data {0};\n"
      "  serve the state before the damage: netml serve --read-only --data {0};\n"
      "  list all that is damaged: netml verify --data {0}\n",
      printable(global.data_directory));
}

void report(const Failure& failure, const GlobalOptions& global, const Environment& environment) {
  if (global.json) {
    const std::string answer =
        failure.answer.empty() ? json_object({{"detail", failure.message}}) : failure.answer;
    // If standard output is what failed, the message below says so.
    (void)environment.out(answer + '\n');
  }
  if (!failure.message.empty())
    environment.err(fmt::format("netml: {}\n", printable(failure.message)));
  if (failure.code == ExitCode::damaged) environment.err(choices(global));
}

}  // namespace

int run(int argc, const char* const* argv, const Environment& environment) {
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  const auto line = parse_command_line(arguments, environment.variable);
  if (!line) {
    environment.err(fmt::format("netml: {}\n", printable_lines(line.error())));
    return static_cast<int>(ExitCode::usage);
  }
  const CommandOutcome outcome = std::visit(
      Runner(environment, line->global, std::visit(AccessOf(), line->command)), line->command);
  if (outcome) return static_cast<int>(ExitCode::done);
  report(outcome.error(), line->global, environment);
  return static_cast<int>(outcome.error().code);
}

}  // namespace netml::admin::cli
