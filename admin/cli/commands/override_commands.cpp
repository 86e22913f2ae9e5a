// Overrides: listing them, and deciding what becomes of one (docs/overrides.md).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <string>
#include <vector>

#include "admin/cli/client/output.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/grammar/grammar.hpp"

namespace netml::admin::cli {

namespace {

constexpr const char* kNumber = "Its number in the list";

struct ListOptions {
  bool to_decide = false;
  std::optional<std::string> source;
};

// Of a list all of them; "-" where there is none.
std::string value_text(const JsonValue& value) {
  std::vector<std::string> texts;
  for (const JsonValue& each : value.items()) texts.push_back(each.text());
  if (!texts.empty()) return fmt::to_string(fmt::join(texts, ", "));
  const std::string text = value.text();
  return text.empty() || text == "[]" ? "-" : text;
}

std::string element_text(const JsonValue& each) {
  const bool is_there = !each.at("name").is_null();
  return fmt::format("{} {}", each.text("kind"), is_there ? name_and_id(each) : each.text("id"));
}

Table override_table(const JsonValue& overrides) {
  Table table;
  table.row({"NUMBER", "ELEMENT", "FIELD", "OURS", "THE SOURCE HAS", "STATE", "REASON"});
  for (const JsonValue& each : overrides.items()) {
    const bool to_decide = each.flag("to_decide");
    table.row({each.text("number"), element_text(each), each.text("field"),
               value_text(each.at("value")),
               value_text(each.at(to_decide ? "contested" : "delivered")),
               to_decide ? "to be decided" : "counts", each.text("reason")});
  }
  return table;
}

CommandOutcome list_overrides(const ListOptions& options, Client& client) {
  Target target = api("overrides");
  target.query("source", options.source);
  if (options.to_decide) target.query("to_decide", "true");
  return client.show(client.ask_all(target, {}), override_table);
}

Target override_target(const std::string& number) {
  return api("overrides").segment(list_number(number));
}

CommandOutcome keep_override(const std::string& number, Client& client) {
  NETML_TRY_VOID(client.ask(request("POST", override_target(number).segment("keep"))));
  return client.say(fmt::format("override {} stays", list_number(number)));
}

CommandOutcome end_override(const std::string& number, Client& client) {
  NETML_TRY_VOID(client.ask(request("DELETE", override_target(number))));
  return client.say(
      fmt::format("override {} ended; what the source delivers counts", list_number(number)));
}

}  // namespace

void define_overrides(Grammar& grammar) {
  CLI::App& group =
      grammar.add_group("override", "List corrections that are kept, and decide about them");
  const auto list =
      grammar.add(group, {"list", "List all", "netml override list --to-decide"}, list_overrides);
  list.app->add_flag("--to-decide", list.options->to_decide,
                     "Those whose source delivers something else since");
  list.app->add_option("--source", list.options->source, "Of elements of this polling source")
      ->type_name("NAME");
  grammar.add(group,
              {"keep", "Keep ours, whatever the source delivers now", "netml override keep 3"},
              {"OVERRIDE", kNumber, check_number}, keep_override);
  grammar.add(group,
              {"end", "End one, so that the source's value counts again", "netml override end 3"},
              {"OVERRIDE", kNumber, check_number}, end_override);
}

}  // namespace netml::admin::cli
