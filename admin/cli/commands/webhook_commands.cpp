// Webhooks: addresses that hear of each change of the map (docs/following.md).
#include <fmt/format.h>

#include <optional>
#include <string>

#include "admin/cli/client/files.hpp"
#include "admin/cli/client/output.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/commands/members.hpp"
#include "admin/cli/grammar/grammar.hpp"

namespace netml::admin::cli {

namespace {

Outcome<Target> webhook_named(Client& client, const std::string& name) {
  NETML_TRY(const std::string number,
            client.number_of(api("webhooks"), "webhook", name, "webhook list"));
  return api("webhooks").segment(number);
}

// ---- what there is ----

Table webhook_table(const JsonValue& webhooks) {
  Table table;
  table.row({"NAME", "STATE", "URL", "DELIVERED", "FAILURES", "FAILING SINCE"});
  for (const JsonValue& webhook : webhooks.items()) {
    const std::string place = webhook.text("place");
    table.row({webhook.text("name"), webhook.text("state"), webhook.text("url"),
               place.empty() ? "nothing yet" : "LSN " + place.substr(0, place.find(':')),
               webhook.text("failures"), webhook.text("failing_since")});
  }
  return table;
}

CommandOutcome list_webhooks(Client& client) {
  return client.show(client.ask_all(api("webhooks"), {}), webhook_table);
}

std::string result_of(const JsonValue& attempt) {
  const std::string status = attempt.text("status");
  if (attempt.flag("taken")) return "taken, " + status;
  return attempt.text("problem") + (status.empty() ? "" : ", " + status);
}

Table attempt_table(const JsonValue& answer) {
  Table table;
  table.row({"TIME", "TYPE", "LSN", "RESULT", "ID"});
  for (const JsonValue& attempt : answer.at("items").items())
    table.row({attempt.text("time"), attempt.text("type"), attempt.text("lsn"), result_of(attempt),
               attempt.text("message")});
  return table;
}

CommandOutcome show_attempts(const std::string& name, Client& client) {
  NETML_TRY(const Target webhook, webhook_named(client, name));
  return client.show(client.ask(question("GET", Target(webhook).segment("deliveries"))),
                     attempt_table);
}

// ---- changes ----

// The secret alone is on standard output, as that of a token.
CommandOutcome say_secret(Client& client, std::string_view done, const JsonValue& webhook) {
  client.tell(fmt::format("{} webhook {}; this is its secret, which is not shown again", done,
                          webhook.text("name")));
  return client.say(webhook.text("secret"));
}

struct WebhookOptions {
  std::string name;
  std::optional<std::string> url;
  bool plain_http = false;
  std::optional<std::string> ca_file;
};

CommandOutcome set_webhook(const WebhookOptions& options, Members& members) {
  members.set_if_given("url", options.url);
  if (options.plain_http) members.set("plain_http", true);
  if (options.ca_file) {
    NETML_TRY(const std::string certificates, whole_file(*options.ca_file));
    members.set("ca_certificates", certificates);
  }
  return {};
}

struct NewWebhook : WebhookOptions {
  bool inactive = false;
};

CommandOutcome add_webhook(const NewWebhook& options, Client& client) {
  Members members;
  members.set("name", options.name);
  NETML_TRY_VOID(set_webhook(options, members));
  if (options.inactive) members.set("active", false);
  NETML_TRY(const JsonValue made, client.ask(request("POST", api("webhooks"), members.object())));
  return say_secret(client, "added", made);
}

struct EditedWebhook : WebhookOptions {
  std::optional<std::string> new_name;
  bool system_ca = false;
  bool active = false;
  bool inactive = false;
};

CommandOutcome edit_webhook(const EditedWebhook& options, Client& client) {
  Members members;
  members.set_if_given("name", options.new_name);
  NETML_TRY_VOID(set_webhook(options, members));
  if (options.system_ca) members.set("ca_certificates", std::string());
  if (options.active || options.inactive) members.set("active", options.active);
  NETML_TRY(const Target webhook, webhook_named(client, options.name));
  NETML_TRY(const JsonValue changed, client.ask(request("PUT", webhook, members.object())));
  return client.say("changed webhook " + changed.text("name"));
}

CommandOutcome delete_webhook(const std::string& name, Client& client) {
  NETML_TRY(const Target webhook, webhook_named(client, name));
  NETML_TRY_VOID(client.call(request("DELETE", webhook)));
  return client.say("deleted webhook " + name);
}

CommandOutcome renew_webhook(const std::string& name, Client& client) {
  NETML_TRY(const Target webhook, webhook_named(client, name));
  NETML_TRY(const JsonValue renewed,
            client.ask(request("POST", Target(webhook).segment("secret"), "{}")));
  return say_secret(client, "renewed", renewed);
}

CommandOutcome resume_webhook(const std::string& name, Client& client) {
  NETML_TRY(const Target webhook, webhook_named(client, name));
  NETML_TRY_VOID(client.ask(request("POST", Target(webhook).segment("resume"), "{}")));
  return client.say("resumed webhook " + name);
}

CommandOutcome test_webhook(const std::string& name, Client& client) {
  NETML_TRY(const Target webhook, webhook_named(client, name));
  NETML_TRY(const JsonValue attempt,
            client.ask(request("POST", Target(webhook).segment("test"), "{}")));
  if (!attempt.flag("taken"))
    return fail(ExitCode::failed, fmt::format("{}: {}", name, result_of(attempt)));
  return client.say(fmt::format("{}: {}", name, result_of(attempt)));
}

// ---- the command line ----

void add_webhook_options(CLI::App& app, WebhookOptions& options) {
  app.add_flag("--plain-http", options.plain_http,
               "With http: changes of the map may travel where others can read them");
  app.add_option("--ca-file", options.ca_file,
                 "Certificates to trust instead of the system's (PEM); - for standard input")
      ->type_name("FILE");
}

void define_changes_of_webhooks(Grammar& grammar, CLI::App& group, const Argument& named) {
  const auto add = grammar.add(group,
                               {"add", "Add an address, and print the secret of its messages",
                                "netml webhook add desk https://desk.example/netml"},
                               add_webhook);
  add.app->add_option(named.name, add.options->name, named.help)->required();
  add.app->add_option("URL", add.options->url, "Where messages are posted")->required();
  add_webhook_options(*add.app, *add.options);
  add.app->add_flag("--inactive", add.options->inactive, "Tell it nothing yet");
  const auto edit = grammar.add(
      group, {"edit", "Change an address", "netml webhook edit desk --inactive"}, edit_webhook);
  edit.app->add_option(named.name, edit.options->name, named.help)->required();
  edit.app->add_option("--name", edit.options->new_name, "Another name");
  edit.app->add_option("--url", edit.options->url, "Where messages are posted");
  add_webhook_options(*edit.app, *edit.options);
  edit.app->add_flag("--system-ca", edit.options->system_ca,
                     "Trust the system's certificates again");
  auto* active = edit.app->add_flag("--active", edit.options->active, "Tell it of changes again");
  edit.app
      ->add_flag("--inactive", edit.options->inactive, "Tell it nothing until it is active again")
      ->excludes(active);
}

}  // namespace

void define_webhooks(Grammar& grammar) {
  CLI::App& group = grammar.add_group("webhook", "Addresses that each change is posted to");
  const Argument named{"NAME", "Name of the webhook"};
  grammar.add(group, {"list", "List the webhooks, and how far each has come", "netml webhook list"},
              list_webhooks);
  define_changes_of_webhooks(grammar, group, named);
  grammar.add(group, {"delete", "Tell an address nothing any more", "netml webhook delete desk"},
              named, delete_webhook);
  grammar.add(group, {"secret", "Make a new secret, and print it", "netml webhook secret desk"},
              named, renew_webhook);
  grammar.add(group, {"resume", "Go on at once after failures", "netml webhook resume desk"}, named,
              resume_webhook);
  grammar.add(group, {"test", "Post a message that tells nothing", "netml webhook test desk"},
              named, test_webhook);
  grammar.add(group,
              {"log", "List the messages that were posted of late", "netml webhook log desk"},
              named, show_attempts);
}

}  // namespace netml::admin::cli
