#include "admin/cli/commands/admin_commands.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "admin/base/key_texts.hpp"
#include "admin/cli/client/output.hpp"

namespace netml::admin::cli {

namespace {

// Asks, and prints what `describe` makes of the answer unless --json has printed it as it is.
template <class Describe>
CommandOutcome ask_and_print(Client& client, const ControlRequest& wanted, Describe describe) {
  NETML_TRY(const JsonValue answer, client.ask(wanted));
  if (client.json()) return {};
  return client.print(describe(answer));
}

// The same of what --json calls otherwise than the API, and of lists.
template <class Describe>
CommandOutcome ask_and_print(Client& client, const ControlRequest& wanted, FormerNames names,
                             Describe describe) {
  NETML_TRY(const JsonValue answer, client.ask(wanted, names));
  return client.json() ? CommandOutcome() : client.print(describe(answer));
}
template <class Describe>
CommandOutcome print_all(Client& client, const Target& list, FormerNames names, Describe describe) {
  NETML_TRY(const JsonValue answer, client.ask_all(list, names));
  return client.json() ? CommandOutcome() : client.print(describe(answer));
}

constexpr std::array kItemNames{FormerName{"number", "id"},
                                FormerName{"time", "file_date", FormerName::Value::time},
                                FormerName{"state", "status"}};
constexpr std::array kTokenNames{FormerName{"number", "id"}, FormerName{"name", "client_name"},
                                 FormerName{"type", "kind"},
                                 FormerName{"created", "created", FormerName::Value::time}};
constexpr std::array kSettingNames{FormerName{"key", "name"}, FormerName{"name", "display_name"},
                                   FormerName{"choices", "allowed"}};

// "#3" and "3" are the same item.
std::string item_number(const std::string& text) {
  return text.starts_with('#') ? text.substr(1) : text;
}

std::string line(const std::string& text) {
  return printable(text) + '\n';
}

std::string published_table(const JsonValue& items) {
  Table table;
  table.row({"NUMBER", "NAME", "STATUS", "DATE", "LSN", ""});
  for (const JsonValue& item : items.items())
    table.row({item.text("id"), item.text("name"), item.text("status"), item.text("file_date"),
               item.text("lsn"), item.flag("latest") ? "being served" : item.text("failure")});
  return table.text();
}

std::string published_item(const JsonValue& item) {
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
  return table.text();
}

std::string token_table(const JsonValue& tokens) {
  Table table;
  table.row({"NAME", "KIND", "CREATED"});
  for (const JsonValue& token : tokens.items())
    table.row({token.text("client_name"), token.text("kind"), token.text("created")});
  return table.text();
}

std::string setting_table(const JsonValue& settings) {
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
  return table.text();
}

std::string setting_line(const JsonValue& setting) {
  return line(fmt::format("{} = {}", setting.text("name"), setting.text("value")));
}

enum class Verified : std::uint8_t {
  well,
  newer_version,
  damaged_journal,
  another_history,
  damaged_files,
};

Verified verified(const JsonValue& result) {
  if (result.flag("ok")) return Verified::well;
  if (result.flag("newer_version")) return Verified::newer_version;
  if (result.flag("journal_damaged")) return Verified::damaged_journal;
  if (result.flag("another_history")) return Verified::another_history;
  return Verified::damaged_files;
}

const char* result_text(Verified what) {
  switch (what) {
    case Verified::well:
      return "all is well";
    case Verified::newer_version:
      return "of a newer version";
    case Verified::another_history:
      return "another history";
    case Verified::damaged_journal:
    case Verified::damaged_files:
      break;
  }
  return "damaged";
}

std::string verify_table(const JsonValue& result) {
  Table table;
  table.row({"result", result_text(verified(result))});
  table.row({"LSN", result.text("lsn")});
  table.row({"head", result.text("head")});
  table.row({"segments", result.text("segments")});
  table.row({"transactions", result.text("transactions")});
  table.row({"checkpoints", result.text("checkpoints")});
  table.row(
      {"stored files", kept_files_text(result.number("uploads"), result.number("uploads_gone"))});
  add_left_out_row(table, result.number("uploads_left_out"));
  if (result.number("signatures") > 0)
    table.row({"signed", fmt::format("up to LSN {}, {} signatures", result.number("signed_lsn"),
                                     result.number("signatures"))});
  table.row({"read", human_size(result.number("bytes"))});
  return table.text();
}

std::string advice_on_files(const JsonValue& result, const GlobalOptions& global) {
  bool keys = false;
  bool others = false;
  for (const JsonValue& finding : result.at("findings").items())
    (speaks_of_damaged_key(finding.text()) ? keys : others) = true;
  std::string advice = "What can be done: the journal is whole, so there is nothing to cut";
  if (keys)
    advice += ".\n" + damaged_key_advice(global.data_directory) + (others ? ";\n" : "\n");
  else
    advice += ", and the node goes on.\n";
  if (others)
    advice += fmt::format(
        "  bring {} back from a backup, and keep the damaged directory: netml restore FILE --into "
        "NEW-DIRECTORY;\n"
        "  where only files of imports are missing, make a backup that says so: netml backup FILE "
        "--without-missing-uploads --data {}\n",
        keys ? "other files" : "them", global.data_directory);
  return advice;
}

// What can be done depends on what is wrong: cutting helps a damaged journal alone.
Failure not_verified(const JsonValue& result, const GlobalOptions& global) {
  constexpr ExitCode kDamaged = ExitCode::damaged;
  const Verified what = verified(result);
  if (what == Verified::newer_version)
    return Error{Errc::newer_version, "a newer version of the program wrote here"};
  if (what == Verified::damaged_journal)
    return {kDamaged, "the data directory is damaged; nothing was changed"};
  if (what == Verified::another_history) {
    Failure failure(kDamaged,
                    "this is not the history that --head or --key stands for; nothing was changed");
    failure.advice = fmt::format(
        "What can be done:\n"
        "  see that they were noted of this data directory, {0}: nothing stored is damaged;\n"
        "  if they were, somebody replaced the history: keep the directory, and restore a backup "
        "that passes: netml restore FILE --into NEW-DIRECTORY --head LSN:HASH\n",
        global.data_directory);
    return failure;
  }
  Failure failure(kDamaged, "stored files are damaged or missing; nothing was changed");
  failure.advice = advice_on_files(result, global);
  return failure;
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

}  // namespace

CommandOutcome run_command(const InitOptions& options, Client& client) {
  const std::string body = json_object({{"name", options.name}, {"owner", options.owner}});
  return ask_and_print(
      client, request("POST", api("node/init"), body), [](const JsonValue& answer) {
        return line("topology " + answer.text("topology")) + line("owner " + answer.text("owner"));
      });
}

CommandOutcome run_command(const PublishOptions& options, Client& client) {
  const std::string body =
      options.description.empty()
          ? json_object({{"name", options.name}})
          : json_object({{"name", options.name}, {"description", options.description}});
  const auto published = client.ask(request("POST", api("publications"), body), kItemNames);
  if (published) return client.json() ? CommandOutcome() : client.print(published_item(*published));
  return tl::make_unexpected(refused_publication(published.error(), client));
}

CommandOutcome run_command(const PublishedList&, Client& client) {
  return print_all(client, api("publications").query("sort", "number"), kItemNames,
                   published_table);
}

CommandOutcome run_command(const PublishedShow& options, Client& client) {
  return ask_and_print(client,
                       request("GET", api("publications").segment(item_number(options.number))),
                       kItemNames, published_item);
}

CommandOutcome run_command(const PublishedDelete& options, Client& client) {
  const std::string number = item_number(options.number);
  return ask_and_print(client, request("DELETE", api("publications").segment(number)),
                       [&](const JsonValue&) { return line("deleted published item " + number); });
}

// Only the value goes to standard output, so that a script can take it from there.
CommandOutcome run_command(const TokenCreate& options, Client& client) {
  const std::string body = json_object({{"name", options.client_name}, {"type", options.kind}});
  return ask_and_print(client, request("POST", api("tokens"), body), kTokenNames,
                       [](const JsonValue& token) { return line(token.text("value")); });
}

CommandOutcome run_command(const TokenList&, Client& client) {
  return print_all(client, api("tokens").query("sort", "number"), kTokenNames, token_table);
}

CommandOutcome run_command(const TokenDelete& options, Client& client) {
  NETML_TRY(const std::string number,
            client.number_of(api("tokens"), "token for", options.client_name));
  return ask_and_print(
      client, request("DELETE", api("tokens").segment(number)),
      [&](const JsonValue&) { return line("deleted token " + options.client_name); });
}

CommandOutcome run_command(const SettingList&, Client& client) {
  return print_all(client, api("settings"), kSettingNames, setting_table);
}

CommandOutcome run_command(const SettingGet& options, Client& client) {
  return ask_and_print(client, request("GET", api("settings").segment(options.name)), kSettingNames,
                       [](const JsonValue& setting) { return line(setting.text("value")); });
}

CommandOutcome run_command(const SettingSet& options, Client& client) {
  return ask_and_print(client,
                       request("PUT", api("settings").segment(options.name),
                               json_object({{"value", options.value}})),
                       kSettingNames, setting_line);
}

CommandOutcome run_command(const SettingReset& options, Client& client) {
  return ask_and_print(client, request("DELETE", api("settings").segment(options.name)),
                       kSettingNames, setting_line);
}

CommandOutcome run_command(const CheckpointOptions&, Client& client) {
  return ask_and_print(
      client, request("POST", api("node/checkpoint")), [](const JsonValue& answer) {
        return line(fmt::format("checkpoint at LSN {}: {}, {}", answer.number("lsn"),
                                answer.text("file"), human_size(answer.number("bytes"))));
      });
}

// Only the key goes to standard output, so that a script can hand it on.
CommandOutcome run_command(const KeyCreate&, Client& client) {
  NETML_TRY(const JsonValue key, client.ask(request("POST", api("node/key"))));
  if (client.json()) return {};
  NETML_TRY_VOID(client.print(line(key.text("public_key"))));
  client.tell(
      "Every checkpoint from now on is signed. Give the key above to whoever is to check: netml "
      "verify --key, or verify_backup.py --key. The secret half, signing.key, is not in backups");
  return {};
}

CommandOutcome run_command(const VerifyOptions& options, Client& client) {
  Target target = api("node/verify");
  NETML_TRY(
      const JsonValue result,
      client.ask(question("POST", target.query("head", options.head).query("key", options.key))));
  if (!client.json()) NETML_TRY_VOID(client.print(verify_table(result)));
  for (const JsonValue& finding : result.at("findings").items()) client.tell(finding.text());
  for (const JsonValue& finding : result.at("cache").items())
    client.tell("warning: " + finding.text() + "; it is made again when somebody asks for it");
  for (const JsonValue& finding : result.at("sign_ins").items())
    client.tell("warning: " + finding.text());
  for (const JsonValue& finding : result.at("warnings").items())
    client.tell("warning: " + finding.text());
  for (const JsonValue& remains : result.at("remains").items())
    client.tell(remains.text() + ": what a crash leaves; nothing reads it");
  if (!result.flag("ok")) return tl::make_unexpected(not_verified(result, client.global()));
  return {};
}

}  // namespace netml::admin::cli
