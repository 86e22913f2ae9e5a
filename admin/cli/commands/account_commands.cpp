#include "admin/cli/commands/account_commands.hpp"

#include <fmt/format.h>

#include <array>

#include "admin/cli/client/output.hpp"

namespace netml::admin::cli {

namespace {

constexpr std::array kAccountNames{FormerName{"number", "id"}, FormerName{"active", "enabled"},
                                   FormerName{"created", "created", FormerName::Value::time}};

Outcome<Target> account_of(Client& client, const std::string& name) {
  NETML_TRY(const std::string number, client.number_of(api("accounts"), "account", name));
  return api("accounts").segment(number);
}

Outcome<std::string> read_password(bool from_stdin, const Environment& environment) {
  if (from_stdin) {
    NETML_TRY(std::string line, environment.in_line());
    return line;
  }
  NETML_TRY(std::string password, environment.ask_secret("Password: "));
  NETML_TRY(const std::string again, environment.ask_secret("Password (again): "));
  if (password != again) return fail(ExitCode::failed, "the two passwords differ");
  return password;
}

std::string account_table(const JsonValue& accounts) {
  Table table;
  table.row({"NAME", "ROLE", "ENABLED", "EMAIL", "CREATED"});
  for (const JsonValue& account : accounts.items())
    table.row({account.text("name"), account.text("role"), account.flag("enabled") ? "yes" : "no",
               account.text("email"), account.text("created")});
  return table.text();
}

}  // namespace

CommandOutcome run_command(const UserCreate& options, Client& client) {
  NETML_TRY(const std::string password,
            read_password(options.password_stdin, client.environment()));
  ControlRequest request;
  request.method = "POST";
  request.target = api("accounts").text();
  request.body = json_object({{"name", options.name},
                              {"email", options.email},
                              {"role", options.role},
                              {"password", password}});
  NETML_TRY(const JsonValue account, client.ask(request, kAccountNames));
  return client.say(
      fmt::format("created account {} ({})", account.text("name"), account.text("role")));
}

CommandOutcome run_command(const UserList&, Client& client) {
  NETML_TRY(const JsonValue accounts,
            client.ask_all(api("accounts").query("sort", "number"), kAccountNames));
  return client.json() ? CommandOutcome() : client.print(account_table(accounts));
}

CommandOutcome run_command(const UserPassword& options, Client& client) {
  NETML_TRY(const std::string password,
            read_password(options.password_stdin, client.environment()));
  if (password.empty()) return fail(ExitCode::usage, "the password is empty");
  NETML_TRY(const Target account, account_of(client, options.name));
  NETML_TRY_VOID(client.call(request("PUT", account, json_object({{"password", password}}))));
  client.set_result("{}");
  return client.say("changed the password of " + options.name);
}

CommandOutcome run_command(const UserDelete& options, Client& client) {
  NETML_TRY(const Target account, account_of(client, options.name));
  NETML_TRY_VOID(client.ask(request("DELETE", account)));
  return client.say("deleted account " + options.name);
}

}  // namespace netml::admin::cli
