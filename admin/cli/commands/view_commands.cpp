// Views: what recipients see of the map (docs/views.md).
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

Outcome<Target> view_named(Client& client, const std::string& name) {
  NETML_TRY(const std::string number, client.number_of(api("views"), "view", name, "view list"));
  return api("views").segment(number);
}

std::string who_sees(const JsonValue& view) {
  std::string names = view.flag("public_map") ? "everybody" : "";
  for (const JsonValue& token : view.at("tokens").items())
    names += (names.empty() ? "" : ", ") + token.text();
  return names;
}

Table view_table(const JsonValue& views) {
  Table table;
  table.row({"NAME", "STEPS", "SEEN BY"});
  for (const JsonValue& view : views.items())
    table.row({view.text("name"), fmt::to_string(view.at("view").at("steps").items().size()),
               who_sees(view)});
  return table;
}

CommandOutcome list_views(Client& client) {
  return client.show(client.ask_all(api("views"), {}), view_table);
}

// The view itself, as it stands in a file.
CommandOutcome show_view(const std::string& name, Client& client) {
  NETML_TRY(const Target view, view_named(client, name));
  return client.show(client.ask(question("GET", view)),
                     [](const JsonValue& stored) { return stored.at("view").text() + '\n'; });
}

// It is checked here, since it becomes part of a larger text.
Outcome<std::string> view_file(const std::string& path) {
  NETML_TRY(const std::string content, whole_file(path));
  if (JsonValue::parse(content)) return content;
  return fail(ExitCode::failed, fmt::format("{} is no JSON", path));
}

std::string view_text(const std::string& name, const std::string& view) {
  return fmt::format(R"({{"name":{},"view":{}}})", json_string(name), view);
}

struct NewView {
  std::string name;
  std::string file;
};

CommandOutcome create_view(const NewView& options, Client& client) {
  NETML_TRY(const std::string view, view_file(options.file));
  NETML_TRY(const JsonValue stored,
            client.ask(request("POST", api("views"), view_text(options.name, view))));
  return client.say("stored view " + stored.text("name"));
}

struct EditedView {
  std::string name;
  std::optional<std::string> new_name;
  std::optional<std::string> file;
};

CommandOutcome edit_view(const EditedView& options, Client& client) {
  NETML_TRY(const Target target, view_named(client, options.name));
  NETML_TRY(const JsonValue stored, client.ask(question("GET", target)));
  std::string view = stored.at("view").text();
  if (options.file) {
    NETML_TRY(view, view_file(*options.file));
  }
  const std::string body = view_text(options.new_name.value_or(options.name), view);
  NETML_TRY(const JsonValue changed, client.ask(request("PUT", target, body)));
  return client.say("changed view " + changed.text("name"));
}

CommandOutcome delete_view(const std::string& name, Client& client) {
  NETML_TRY(const Target view, view_named(client, name));
  NETML_TRY_VOID(client.call(request("DELETE", view)));
  return client.say("deleted view " + name);
}

// ---- preview ----

Table preview_table(const JsonValue& preview) {
  Table table;
  table.row({"KIND", "ALL", "SEEN"});
  for (const char* const kind : {"topologies", "institutions", "nodes", "links"})
    table.row({kind, preview.at("all").text(kind), preview.at("seen").text(kind)});
  for (const JsonValue& unknown : preview.at("unknown").items())
    table.row({"nothing has the identifier " + unknown.text(), "", ""});
  return table;
}

// Of the view that is stored by the name; where none is, of the one in the file.
Outcome<JsonValue> previewed(const std::string& named, Client& client) {
  if (named != kStandardStream) {
    const Target list = Target(api("views").query("name", named));
    NETML_TRY(const JsonValue found, client.ask(question("GET", list)));
    for (const JsonValue& view : found.at("items").items())
      if (view.text("name") == named)
        return client.ask(
            question("GET", api("views").segment(view.text("number")).segment("preview")));
    const Result<InputFile> input = InputFile::open(named);
    if (!input)
      return fail(ExitCode::failed,
                  fmt::format("no view is stored by that name, and {}", input.error().text()));
  }
  NETML_TRY(const std::string view, view_file(named));
  return client.ask(
      request("POST", api("views").segment("preview"), fmt::format(R"({{"view":{}}})", view)));
}

CommandOutcome preview_view(const std::string& named, Client& client) {
  return client.show(previewed(named, client), preview_table);
}

void define_edit(Grammar& grammar, CLI::App& group) {
  const Defined<EditedView> edit =
      grammar.add(group,
                  {"edit", "Change a view; whoever sees the map through it sees the change at once",
                   "netml view edit Public --file public.json"},
                  edit_view);
  edit.app->add_option("NAME", edit.options->name, "Name of the view")->required();
  edit.app->add_option("--name", edit.options->new_name, "Another name");
  edit.app->add_option("--file", edit.options->file, "View as JSON; - for standard input");
}

}  // namespace

void define_views(Grammar& grammar) {
  CLI::App& group = grammar.add_group("view", "What recipients see of the map");
  grammar.add(group,
              {"list", "List the views, and who sees the map through them", "netml view list"},
              list_views);
  const Argument named{"NAME", "Name of the view"};
  grammar.add(group, {"show", "Show a view as JSON", "netml view show Public"}, named, show_view);
  const Defined<NewView> create = grammar.add(
      group, {"create", "Store a view", "netml view create Public public.json"}, create_view);
  create.app->add_option("NAME", create.options->name, "Name of the view")->required();
  create.app->add_option("FILE", create.options->file, "View as JSON; - for standard input")
      ->required();
  define_edit(grammar, group);
  grammar.add(
      group,
      {"delete", "Delete a view that nobody sees the map through", "netml view delete Public"},
      named, delete_view);
  grammar.add(
      group, {"preview", "Show how much of the map a view shows", "netml view preview public.json"},
      {"VIEW", "Name of a stored view, or a file with one as JSON; - for standard input"},
      preview_view);
}

}  // namespace netml::admin::cli
