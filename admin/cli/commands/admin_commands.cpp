// What is published, tokens and settings.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>

#include "admin/cli/client/output.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/grammar/grammar.hpp"
#include "engine/base/json_string.hpp"

namespace netml::admin::cli {

namespace {

// ---- what is published ----

constexpr std::array kItemNames{FormerName{"number", "id"},
                                FormerName{"time", "file_date", FormerName::Value::time},
                                FormerName{"state", "status"}};

Table published_table(const JsonValue& items) {
  Table table;
  table.row({"NUMBER", "NAME", "STATUS", "DATE", "LSN", ""});
  for (const JsonValue& item : items.items())
    table.row({item.text("id"), item.text("name"), item.text("status"), item.text("file_date"),
               item.text("lsn"), item.flag("latest") ? "being served" : item.text("failure")});
  return table;
}

Table published_item(const JsonValue& item) {
  Table table;
  table.row({"number", item.text("id")});
  table.row({"name", item.text("name")});
  table.row({"description", item.text("description")});
  table.row({"version", item.text("version")});
  table.row({"date", item.text("file_date")});
  table.row({"status", item.text("status")});
  if (!item.text("failure").empty()) table.row({"failure", item.text("failure")});
  table.row({"LSN", item.text("lsn")});
  table.row({"being served", item.flag("latest") ? "yes" : "no"});
  return table;
}

// One that failed is kept with its reason, and reported like any other.
Failure refused_publication(Failure failure, Client& client) {
  const auto answer = JsonValue::parse(failure.answer);
  if (!answer || answer->at("publication").is_null()) return failure;
  const auto item = with_former_names(answer->text("publication"), kItemNames);
  const auto shown = item ? JsonValue::parse(*item) : tl::unexpected(item.error());
  if (!shown) return failure;
  failure.answer = *item;
  if (client.json()) return failure;
  const CommandOutcome printed = client.print(published_item(*shown));
  return printed ? failure : printed.error();
}

struct NewPublication {
  std::string name;
  std::string description;
};

CommandOutcome publish(const NewPublication& options, Client& client) {
  const std::string body =
      options.description.empty()
          ? json_object({{"name", options.name}})
          : json_object({{"name", options.name}, {"description", options.description}});
  const auto published = client.ask(request("POST", api("publications"), body), kItemNames);
  if (!published) return tl::make_unexpected(refused_publication(published.error(), client));
  return client.show(published, published_item);
}

CommandOutcome show_published(const std::string& number, Client& client) {
  return client.show(
      client.ask(request("GET", api("publications").segment(list_number(number))), kItemNames),
      published_item);
}

CommandOutcome delete_published(const std::string& text, Client& client) {
  const std::string number = list_number(text);
  NETML_TRY_VOID(client.ask(request("DELETE", api("publications").segment(number))));
  return client.say("deleted published item " + number);
}

// ---- tokens ----

constexpr std::array kTokenNames{FormerName{"number", "id"}, FormerName{"name", "client_name"},
                                 FormerName{"type", "kind"},
                                 FormerName{"created", "created", FormerName::Value::time}};

Table token_table(const JsonValue& tokens) {
  Table table;
  table.row({"NAME", "KIND", "CREATED"});
  for (const JsonValue& token : tokens.items())
    table.row({token.text("client_name"), token.text("kind"), token.text("created")});
  return table;
}

struct NewToken {
  std::string client_name;
  std::string kind;
  std::optional<std::string> view;
};

// Only the value goes to standard output, so that a script can take it from there.
CommandOutcome create_token(const NewToken& options, Client& client) {
  std::string body = json_object({{"name", options.client_name}, {"type", options.kind}});
  if (options.view) {
    NETML_TRY(const std::string number,
              client.number_of(api("views"), "view", *options.view, "view list"));
    body = fmt::format(R"({{"name":{},"type":{},"view":{}}})", json_string(options.client_name),
                       json_string(options.kind), number);
  }
  NETML_TRY(const JsonValue token, client.ask(request("POST", api("tokens"), body), kTokenNames));
  return client.say(token.text("value"));
}

CommandOutcome delete_token(const std::string& client_name, Client& client) {
  NETML_TRY(const std::string number,
            client.number_of(api("tokens"), "token for", client_name, "token list"));
  NETML_TRY_VOID(client.ask(request("DELETE", api("tokens").segment(number))));
  return client.say("deleted token " + client_name);
}

// ---- settings ----

constexpr std::array kSettingNames{FormerName{"key", "name"}, FormerName{"name", "display_name"},
                                   FormerName{"choices", "allowed"}};

Table setting_table(const JsonValue& settings) {
  Table table;
  table.row({"NAME", "VALUE", "DEFAULT", "ALLOWED", "MEANING"});
  for (const JsonValue& setting : settings.items()) {
    std::string allowed;
    for (const JsonValue& value : setting.at("allowed").items())
      allowed += (allowed.empty() ? "" : ", ") + value.text();
    if (!setting.at("maximum").is_null()) allowed = "0 to " + setting.text("maximum");
    table.row({setting.text("name"), setting.text("value"),
               setting.flag("stored") ? setting.text("default") : "(same)", allowed,
               setting.text("description")});
  }
  return table;
}

std::string setting_line(const JsonValue& setting) {
  return printable_line(fmt::format("{} = {}", setting.text("name"), setting.text("value")));
}

CommandOutcome get_setting(const std::string& name, Client& client) {
  NETML_TRY(const JsonValue setting,
            client.ask(request("GET", api("settings").segment(name)), kSettingNames));
  return client.say(setting.text("value"));
}

struct NewValue {
  std::string setting;
  std::string value;
};

CommandOutcome set_setting(const NewValue& options, Client& client) {
  const Target setting = api("settings").segment(options.setting);
  const std::string body = json_object({{"value", options.value}});
  return client.show(client.ask(request("PUT", setting, body), kSettingNames), setting_line);
}

CommandOutcome reset_setting(const std::string& name, Client& client) {
  return client.show(client.ask(request("DELETE", api("settings").segment(name)), kSettingNames),
                     setting_line);
}

}  // namespace

void define_published(Grammar& grammar) {
  const auto create =
      grammar.add(grammar.app(),
                  {"publish", "Publish the live state as it is now",
                   "netml publish \"Spring 2024\" --description \"Before the move\""},
                  publish);
  create.app->add_option("NAME", create.options->name, "Name of the published item")->required();
  create.app->add_option("--description", create.options->description, "Description");

  CLI::App& group = grammar.add_group("published", "List, show or delete what was published");
  grammar.add(
      group, {"list", "List all, oldest first", "netml published list"}, [](Client& client) {
        return client.show(client.ask_all(api("publications").query("sort", "number"), kItemNames),
                           published_table);
      });
  const Argument number{"NUMBER", "Its number in the list", check_number};
  grammar.add(group, {"show", "Show one", "netml published show 3"}, number, show_published);
  grammar.add(group, {"delete", "Delete one", "netml published delete 3"}, number,
              delete_published);
}

void define_tokens(Grammar& grammar) {
  CLI::App& group = grammar.add_group("token", "Create, list or delete bearer tokens");
  const auto create = grammar.add(group,
                                  {"create", "Create a token and print its value",
                                   "netml token create collector.example.org --kind polling"},
                                  create_token);
  create.app->add_option("NAME", create.options->client_name, "Who will hold it")->required();
  create.app
      ->add_option("--kind", create.options->kind,
                   "What it opens: polling or import (also by the names of the exchange format)")
      ->required()
      ->check(CLI::IsMember(
          {"polling", "import", "netml_export", "netml_import", "grenml_export", "grenml_import"}));
  create.app->add_option("--view", create.options->view,
                         "Name of the view that its holder sees the map through; all without it");
  grammar.add(
      group, {"list", "List tokens without their values", "netml token list"}, [](Client& client) {
        return client.show(client.ask_all(api("tokens").query("sort", "number"), kTokenNames),
                           token_table);
      });
  grammar.add(group, {"delete", "Delete a token", "netml token delete collector.example.org"},
              {"NAME", "Who holds it"}, delete_token);
}

void define_settings(Grammar& grammar) {
  CLI::App& group = grammar.add_group("setting", "List and change settings of the node");
  grammar.add(group, {"list", "List all with their values", "netml setting list"},
              [](Client& client) {
                return client.show(client.ask_all(api("settings"), kSettingNames), setting_table);
              });
  const Argument name{"NAME", "Name of the setting"};
  grammar.add(group, {"get", "Print a value", "netml setting get TOPOLOGY_DELETION_PROPAGATION"},
              name, get_setting);
  const auto set = grammar.add(
      group, {"set", "Change a value", "netml setting set TOPOLOGY_DELETION_PROPAGATION Off"},
      set_setting);
  set.app->add_option("NAME", set.options->setting, "Name of the setting")->required();
  set.app->add_option("VALUE", set.options->value, "New value")->required();
  grammar.add(
      group,
      {"reset", "Return to the default", "netml setting reset TOPOLOGY_DELETION_PROPAGATION"}, name,
      reset_setting);
}

}  // namespace netml::admin::cli
