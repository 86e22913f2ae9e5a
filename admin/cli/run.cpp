#include "admin/cli/run.hpp"

#include <fmt/format.h>

#include <utility>

#include "admin/base/key_texts.hpp"
#include "admin/base/limits.hpp"
#include "admin/cli/client/client.hpp"
#include "admin/cli/client/exit_code.hpp"
#include "admin/cli/client/json.hpp"
#include "admin/cli/client/output.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/version.hpp"

namespace netml::admin::cli {

namespace {

CommandOutcome show_version(Client& client) {
  const DiskFormats formats{client.environment().oldest_disk_format,
                            client.environment().disk_format_version};
  client.set_result(version_json(formats));
  return client.json() ? CommandOutcome() : client.print(version_text(formats));
}

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

// One document, whatever the command did; none when what it gave stands on standard output already.
Status print_document(const CommandOutcome& outcome, const std::optional<std::string>& result,
                      const Environment& environment) {
  if (outcome) return result ? environment.out(outcome_document(*result, 0, "")) : Status();
  const Failure& failure = outcome.error();
  return environment.out(
      outcome_document(failure.answer.empty() ? result.value_or("") : failure.answer,
                       static_cast<int>(failure.code), failure.message));
}

// `serve` is parsed as at the start, and its command only asked for its options.
Status reread(const std::vector<std::string>& arguments, const Environment& environment,
              GlobalOptions& global, ServeOptions& serve) {
  const auto line = parse_command_line(arguments, environment.variable, define_commands);
  if (!line) {
    const std::string& message = line.error().message;
    return netml::fail(Errc::invalid_input, message.substr(0, message.find('\n')));
  }
  Environment asking = environment;
  asking.serve = [&](const GlobalOptions& now, const ServeOptions& options) -> Status {
    global = now;
    serve = options;
    return {};
  };
  Client client(asking, line->global);
  const CommandOutcome asked = line->command(client);
  if (!asked) return netml::fail(Errc::internal, asked.error().message);
  return {};
}

// A server can read its options again.
Environment with_reread(const Environment& environment, const std::vector<std::string>& arguments) {
  Environment with = environment;
  with.serve = [&](const GlobalOptions& global, const ServeOptions& options) {
    ServeOptions repeatable = options;
    repeatable.reread = [&](GlobalOptions& now, ServeOptions& serve) {
      return reread(arguments, environment, now, serve);
    };
    return environment.serve(global, repeatable);
  };
  return with;
}

}  // namespace

int run(int argc, const char* const* argv, const Environment& given) {
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  const Environment environment = with_reread(given, arguments);
  const auto line = parse_command_line(arguments, environment.variable, define_commands);
  if (!line) {
    const auto& [message, json] = line.error();
    environment.err(fmt::format("netml: {}\n", printable_lines(message)));
    // Standard error has reported it already.
    if (json)
      static_cast<void>(
          print_document(fail(ExitCode::usage, message), std::nullopt, environment).has_value());
    return static_cast<int>(ExitCode::usage);
  }
  Client client(environment, line->global);
  CommandOutcome outcome = line->command ? line->command(client) : show_version(client);
  if (line->global.json) {
    Status printed = print_document(outcome, client.result(), environment);
    if (outcome && !printed) outcome = tl::make_unexpected(Failure(std::move(printed).error()));
  }
  if (outcome) return static_cast<int>(ExitCode::done);
  report(outcome.error(), line->global, environment);
  advise_on_limits(outcome.error(), client, environment);
  return static_cast<int>(outcome.error().code);
}

}  // namespace netml::admin::cli
