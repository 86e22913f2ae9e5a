// Redundancy policies that the node stores: they are checked by imports, and by
// `netml redundancy check` (docs/redundancy.md).
#include <fmt/format.h>

#include <optional>
#include <string>

#include "admin/cli/client/files.hpp"
#include "admin/cli/client/output.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/grammar/grammar.hpp"
#include "engine/base/json_string.hpp"

namespace netml::admin::cli {

namespace {

Outcome<Target> policy_named(Client& client, const std::string& name) {
  NETML_TRY(const std::string number,
            client.number_of(api("policies"), "policy", name, "policy list"));
  return api("policies").segment(number);
}

Table policy_table(const JsonValue& policies) {
  Table table;
  table.row({"NAME", "ENABLED", "ON IMPORT", "ROUTES"});
  for (const JsonValue& policy : policies.items())
    table.row({policy.text("name"), policy.flag("enabled") ? "yes" : "no", policy.text("on_import"),
               policy.at("policy").text("routes")});
  return table;
}

CommandOutcome list_policies(Client& client) {
  return client.show(client.ask_all(api("policies"), {}), policy_table);
}

// As it stands in a file that `policy add` takes.
std::string file_text(const JsonValue& stored) {
  const std::string policy = stored.at("policy").text();  // an object
  return fmt::format("{{\"name\":{},{}\n", json_string(stored.text("name")), policy.substr(1));
}

CommandOutcome show_policy(const std::string& name, Client& client) {
  NETML_TRY(const Target policy, policy_named(client, name));
  return client.show(client.ask(question("GET", policy)), file_text);
}

struct NewPolicy {
  std::string file;
  std::string name;
  std::string on_import = "report";
  bool disabled = false;
};

// It is checked here, since it becomes part of a larger text.
Outcome<std::string> policy_file(const std::string& path) {
  NETML_TRY(const std::string content, whole_file(path));
  if (JsonValue::parse(content)) return content;
  return fail(ExitCode::failed, fmt::format("{} is no JSON", path));
}

std::string entry_text(const std::string& name, const std::string& policy,
                       const std::string& on_import, bool enabled) {
  return fmt::format(R"({{"name":{},"policy":{},"on_import":{},"enabled":{}}})", json_string(name),
                     policy, json_string(on_import), enabled);
}

CommandOutcome add_policy(const NewPolicy& options, Client& client) {
  NETML_TRY(const std::string policy, policy_file(options.file));
  const std::string body = entry_text(options.name, policy, options.on_import, !options.disabled);
  NETML_TRY(const JsonValue stored, client.ask(request("POST", api("policies"), body)));
  return client.say(fmt::format("stored policy {}{}", stored.text("name"),
                                stored.flag("enabled") ? "" : ", which is not enabled"));
}

struct ChangedPolicy {
  std::string name;
  std::optional<std::string> new_name;
  std::optional<std::string> file;
  std::optional<std::string> on_import;
  std::optional<std::string> enabled;  // "yes" or "no"
};

CommandOutcome set_policy(const ChangedPolicy& options, Client& client) {
  NETML_TRY(const Target target, policy_named(client, options.name));
  NETML_TRY(const JsonValue stored, client.ask(question("GET", target)));
  std::string policy = stored.at("policy").text();
  if (options.file) {
    NETML_TRY(policy, policy_file(*options.file));
  }
  const bool enabled = options.enabled ? *options.enabled == "yes" : stored.flag("enabled");
  const std::string body =
      entry_text(options.new_name.value_or(options.name), policy,
                 options.on_import.value_or(stored.text("on_import")), enabled);
  NETML_TRY(const JsonValue changed, client.ask(request("PUT", target, body)));
  return client.say("changed policy " + changed.text("name"));
}

CommandOutcome delete_policy(const std::string& name, Client& client) {
  NETML_TRY(const Target policy, policy_named(client, name));
  NETML_TRY_VOID(client.call(request("DELETE", policy)));
  return client.say("deleted policy " + name);
}

void define_add(Grammar& grammar, CLI::App& group) {
  const Defined<NewPolicy> add =
      grammar.add(group, {"add", "Store a policy", "netml policy add campus.json --on-import hold"},
                  add_policy);
  add.app->add_option("FILE", add.options->file, "Policy as JSON; - for standard input")
      ->required();
  add.app->add_option("--name", add.options->name, "Default: the name that the policy has");
  add.app
      ->add_option("--on-import", add.options->on_import,
                   "What an import does after which more elements would be below it")
      ->check(CLI::IsMember({"report", "hold"}))
      ->capture_default_str();
  add.app->add_flag("--disabled", add.options->disabled, "Store it without checking it");
}

void define_set(Grammar& grammar, CLI::App& group) {
  const Defined<ChangedPolicy> set = grammar.add(
      group, {"set", "Change a policy", "netml policy set 'Campuses to the core' --on-import hold"},
      set_policy);
  set.app->add_option("NAME", set.options->name, "Name of the policy")->required();
  set.app->add_option("--name", set.options->new_name, "Another name");
  set.app->add_option("--policy", set.options->file, "Policy as JSON; - for standard input")
      ->type_name("FILE");
  set.app
      ->add_option("--on-import", set.options->on_import,
                   "What an import does after which more elements would be below it")
      ->check(CLI::IsMember({"report", "hold"}));
  set.app->add_option("--enabled", set.options->enabled, "Whether it is checked")
      ->check(CLI::IsMember({"yes", "no"}));
}

}  // namespace

void define_policies(Grammar& grammar) {
  CLI::App& group =
      grammar.add_group("policy", "Redundancy policies that are stored and checked on imports");
  grammar.add(group, {"list", "List the policies", "netml policy list"}, list_policies);
  grammar.add(group, {"show", "Show a policy as JSON", "netml policy show 'Campuses to the core'"},
              {"NAME", "Name of the policy"}, show_policy);
  define_add(grammar, group);
  define_set(grammar, group);
  grammar.add(group, {"delete", "Delete a policy", "netml policy delete 'Campuses to the core'"},
              {"NAME", "Name of the policy"}, delete_policy);
}

}  // namespace netml::admin::cli
