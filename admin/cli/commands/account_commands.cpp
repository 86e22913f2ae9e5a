// A password comes from the terminal, from standard input or from a file, never from an argument or
// a variable, which other processes can see.
#include <fmt/format.h>

#include <array>

#include "admin/cli/client/output.hpp"
#include "admin/cli/client/secret_file.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/grammar/grammar.hpp"

namespace netml::admin::cli {

namespace {

constexpr std::array kAccountNames{FormerName{"number", "id"}, FormerName{"active", "enabled"},
                                   FormerName{"created", "created", FormerName::Value::time}};

Outcome<Target> account_of(Client& client, const std::string& name) {
  NETML_TRY(const std::string number,
            client.number_of(api("accounts"), "account", name, "user list"));
  return api("accounts").segment(number);
}

// Else from the terminal.
Outcome<std::string> read_password(const SecretOptions& from, const Environment& environment) {
  NETML_TRY(std::optional<std::string> given, given_secret(from, environment));
  if (given) return *std::move(given);
  NETML_TRY(std::string password, environment.ask_secret("Password: "));
  NETML_TRY(const std::string again, environment.ask_secret("Password (again): "));
  if (password != again) return fail(ExitCode::failed, "the two passwords differ");
  return password;
}

Table account_table(const JsonValue& accounts) {
  Table table;
  table.row({"NAME", "ROLE", "ENABLED", "EMAIL", "CREATED"});
  for (const JsonValue& account : accounts.items())
    table.row({account.text("name"), account.text("role"), account.flag("enabled") ? "yes" : "no",
               account.text("email"), account.text("created")});
  return table;
}

struct NewAccount {
  std::string name;
  std::string role = "viewer";
  std::string email;
  SecretOptions password;
};

CommandOutcome create_account(const NewAccount& options, Client& client) {
  NETML_TRY(const std::string password, read_password(options.password, client.environment()));
  const std::string body = json_object({{"name", options.name},
                                        {"email", options.email},
                                        {"role", options.role},
                                        {"password", password}});
  NETML_TRY(const JsonValue account,
            client.ask(request("POST", api("accounts"), body), kAccountNames));
  return client.say(
      fmt::format("created account {} ({})", account.text("name"), account.text("role")));
}

struct NewPassword {
  std::string name;
  SecretOptions password;
};

CommandOutcome change_password(const NewPassword& options, Client& client) {
  NETML_TRY(const std::string password, read_password(options.password, client.environment()));
  if (password.empty()) return fail(ExitCode::usage, "the password is empty");
  NETML_TRY(const Target account, account_of(client, options.name));
  NETML_TRY_VOID(client.call(request("PUT", account, json_object({{"password", password}}))));
  client.set_result("{}");
  return client.say("changed the password of " + options.name);
}

CommandOutcome delete_account(const std::string& name, Client& client) {
  NETML_TRY(const Target account, account_of(client, name));
  NETML_TRY_VOID(client.ask(request("DELETE", account)));
  return client.say("deleted account " + name);
}

}  // namespace

void define_accounts(Grammar& grammar) {
  const auto add_password = [](CLI::App& app, SecretOptions& from) {
    app.add_flag("--password-stdin", from.stdin_line,
                 "Take the password from the first line of the input");
    app.add_option("--password-file", from.file,
                   "File with the password in its first line, or - for standard input; the "
                   "terminal asks for "
                   "it else")
        ->type_name("FILE");
  };
  CLI::App& group = grammar.add_group("user", "Create, list or delete accounts");
  const auto create = grammar.add(
      group, {"create", "Create an account", "netml user create ann --role admin"}, create_account);
  create.app->add_option("NAME", create.options->name, "Name to sign in with")->required();
  create.app->add_option("--role", create.options->role, "What it may do: admin, editor or viewer")
      ->check(CLI::IsMember({"admin", "editor", "viewer"}))
      ->capture_default_str();
  create.app->add_option("--email", create.options->email, "Where to reach them");
  add_password(*create.app, create.options->password);
  grammar.add(group, {"list", "List accounts", "netml user list"}, [](Client& client) {
    return client.show(client.ask_all(api("accounts").query("sort", "number"), kAccountNames),
                       account_table);
  });
  const auto change =
      grammar.add(group, {"passwd", "Change a password", "netml user passwd ann"}, change_password);
  change.app->add_option("NAME", change.options->name, "Whose")->required();
  add_password(*change.app, change.options->password);
  grammar.add(group, {"delete", "Delete an account", "netml user delete ann"}, {"NAME", "Whose"},
              delete_account);
}

}  // namespace netml::admin::cli
