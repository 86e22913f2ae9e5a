#include <fmt/format.h>

#include "admin/base/limits.hpp"
#include "admin/cli/client/output.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/grammar/grammar.hpp"

namespace netml::admin::cli {

namespace {

std::string or_none(const JsonValue& value, const std::string& text) {
  return value.is_null() ? "none" : text;
}

std::string state_text(const JsonValue& status) {
  const std::string reason = status.text("reason");
  return status.text("state") + (reason.empty() ? "" : ": " + reason);
}

std::string join(const std::vector<JsonValue>& items) {
  std::string text;
  for (const JsonValue& item : items) text += (text.empty() ? "" : " ") + item.text();
  return text;
}

void add_contents(Table& table, const JsonValue& status) {
  const JsonValue main = status.at("main_topology");
  table.row(
      {"main topology", or_none(main, fmt::format("{} ({})", main.text("name"), main.text("id")))});
  const JsonValue counts = status.at("counts");
  for (const char* kind : {"topologies", "institutions", "nodes", "links"})
    table.row({kind, counts.text(kind)});
}

void add_export(Table& table, const JsonValue& status) {
  const JsonValue exported = status.at("export");
  if (exported.is_null() || exported.flag("ok")) return;
  table.row({"export", printable(exported.text("detail"))});
  table.row({"to mend it", printable(exported.text("remedy"))});
}

// Of the file that the map was taken from when the node started.
std::string proof_text(const JsonValue& proof) {
  std::string state = proof.text("state");
  if (state != "proving") return state;
  return fmt::format("being proved: {} of {}", human_size(proof.number("bytes_checked")),
                     human_size(proof.number("bytes")));
}

void add_history(Table& table, const JsonValue& status) {
  const JsonValue import = status.at("last_import");
  table.row({"last import", or_none(import, fmt::format("{} {}, {}, {}", import.text("record"),
                                                        import.text("name"), import.text("status"),
                                                        import.text("time")))});
  if (const JsonValue poll = status.at("last_poll"); !poll.is_null())
    table.row({"last poll",
               fmt::format("{}, {} of {} sources failed, {}", poll.text("id"), poll.text("failed"),
                           poll.text("sources"), poll.text("started"))});
  if (const std::string next = status.text("next_poll"); !next.empty())
    table.row({"next poll", next});
  const JsonValue checkpoint = status.at("last_checkpoint");
  table.row({"last checkpoint",
             or_none(checkpoint,
                     fmt::format("LSN {}, {}", checkpoint.text("lsn"), checkpoint.text("time")))});
  if (const JsonValue proof = status.at("start_proof"); !proof.is_null())
    table.row({"map of the start", proof_text(proof)});
  const JsonValue published = status.at("latest_published");
  table.row({"latest published",
             or_none(published,
                     fmt::format("{} {}, LSN {}, {}", published.text("id"), published.text("name"),
                                 published.text("lsn"), published.text("file_date")))});
}

// What the process may use and what it has set aside; nothing from a server that does not tell.
void add_memory(Table& table, const JsonValue& memory) {
  if (memory.is_null()) return;
  const bool limited = !memory.at("limit_bytes").is_null();
  table.row({"memory budget", limited
                                  ? fmt::format("{} ({})", human_size(memory.number("limit_bytes")),
                                                memory.text("limit_origin"))
                                  : memory.text("limit_origin")});
  std::string uses;
  for (const auto& [name, bytes] : memory.at("uses").members())
    uses += fmt::format("{}{} {}", uses.empty() ? "" : ", ", name, human_size(bytes.number()));
  table.row(
      {"memory in use", fmt::format("{} ({})", human_size(memory.number("used_bytes")), uses)});
}

std::string section(const std::string& title, const JsonValue& object) {
  Table table;
  for (const auto& [name, value] : object.members()) table.row({"  " + name, value.text()});
  const std::string rows = table.text();
  return rows.empty() ? "" : fmt::format("\n{}\n{}", title, rows);
}

std::string status_text(const JsonValue& status, std::optional<std::size_t> width) {
  Table table;
  table.row({"state", state_text(status)});
  table.row({"version", fmt::format("{} ({})", status.text("version"), status.text("revision"))});
  table.row({"data directory", status.text("data_directory")});
  const auto listeners = status.at("listeners").items();
  if (!listeners.empty()) table.row({"listening on", join(listeners)});
  table.row({"LSN", status.text("lsn")});
  table.row({"head", status.text("head")});
  add_export(table, status);
  add_contents(table, status);
  add_history(table, status);
  table.row({"journal", human_size(status.number("journal_bytes"))});
  if (const JsonValue disk = status.at("disk"); !disk.is_null())
    table.row({"disk", fmt::format("{} free of {}", human_size(disk.number("free_bytes")),
                                   human_size(disk.number("total_bytes")))});
  if (const std::string expire = status.text("certificates_expire"); !expire.empty())
    table.row({"certificate", "expires " + expire});
  table.row({"map in memory", human_size(status.number("memory_bytes"))});
  add_memory(table, status.at("memory"));
  return table.text(width) + section("limits", status.at("limits")) +
         section("settings", status.at("settings"));
}

}  // namespace

void define_status(Grammar& grammar) {
  constexpr CommandTexts kTexts{"status", "Show what the node holds and does", "netml status"};
  grammar.add(grammar.app(), kTexts, [](Client& client) {
    const auto text = [width = client.environment().out_columns()](const JsonValue& status) {
      return status_text(status, width);
    };
    return client.show(client.ask(request("GET", api("node/status"))), text);
  });
  CLI::App* app = grammar.app().get_subcommand(kTexts.name);
  app->footer(fmt::format(
      "{}\n\nLimits on what clients and files may demand, set with --limit NAME=NUMBER, and their "
      "defaults:\n{}",
      app->get_footer(), limit_list()));
}

}  // namespace netml::admin::cli
