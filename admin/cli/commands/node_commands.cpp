// The node itself: its first topology, and the state of what is stored.
#include <fmt/format.h>

#include "admin/base/key_texts.hpp"
#include "admin/cli/client/output.hpp"
#include "admin/cli/client/progress.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/grammar/grammar.hpp"

namespace netml::admin::cli {

namespace {

struct FirstTopology {
  std::string name;
  std::string owner;
};

CommandOutcome init(const FirstTopology& options, Client& client) {
  client.open_to(Access::use);
  const std::string body = json_object({{"name", options.name}, {"owner", options.owner}});
  return client.show(client.ask(request("POST", api("node/init"), body)),
                     [](const JsonValue& answer) {
                       return printable_line("topology " + answer.text("topology")) +
                              printable_line("owner " + answer.text("owner"));
                     });
}

CommandOutcome take_checkpoint(Client& client) {
  Watch watch(client, {"writing", "writing"}, std::nullopt);
  auto asked = client.ask(request("POST", api("node/checkpoint")));
  watch.finish();
  NETML_TRY(const JsonValue taken, std::move(asked));
  return client.say(fmt::format("checkpoint at LSN {}: {}, {}", taken.number("lsn"),
                                taken.text("file"), human_size(taken.number("bytes"))));
}

// Only the key goes to standard output, so that a script can hand it on.
CommandOutcome create_key(Client& client) {
  NETML_TRY(const JsonValue key, client.ask(request("POST", api("node/key"))));
  if (client.json()) return {};
  NETML_TRY_VOID(client.say(key.text("public_key")));
  client.tell(
      "Every checkpoint from now on is signed. Give the key above to whoever is to check: netml "
      "verify --key, or verify_backup.py --key. The secret half, signing.key, is not in backups");
  return {};
}

// ---- verify ----

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

Table verify_table(const JsonValue& result) {
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
  return table;
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

struct KnownState {
  std::optional<std::string> head;  // "LSN:hash"
  std::optional<std::string> key;   // public, in hexadecimal
};

CommandOutcome verify(const KnownState& options, Client& client) {
  client.open_to(Access::examine);
  Target target = api("node/verify");
  Watch watch(client, {"verifying", "verifying"}, std::nullopt);
  auto answer =
      client.ask(question("POST", target.query("head", options.head).query("key", options.key)),
                 watch.progress());
  watch.finish();
  NETML_TRY(const JsonValue result, std::move(answer));
  if (!client.json()) NETML_TRY_VOID(client.print(verify_table(result)));
  for (const JsonValue& finding : result.at("findings").items()) client.tell(finding.text());
  for (const JsonValue& finding : result.at("cache").items())
    client.tell("warning: " + finding.text() + "; it is made again when somebody asks for it");
  for (const char* const list : {"sign_ins", "receipts", "warnings"})
    for (const JsonValue& finding : result.at(list).items())
      client.tell("warning: " + finding.text());
  for (const JsonValue& remains : result.at("remains").items())
    client.tell(remains.text() + ": what a crash leaves; nothing reads it");
  if (!result.flag("ok")) return tl::make_unexpected(not_verified(result, client.global()));
  return {};
}

std::string check_public_key(const std::string& text) {
  const bool key =
      text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
  return key ? "" : "a public key has 64 hexadecimal digits";
}

}  // namespace

void define_init(Grammar& grammar) {
  const auto [app, options] =
      grammar.add(grammar.app(),
                  {"init", "Create a root topology and its owner in an empty store",
                   "netml init --name \"Example Network\" --owner \"Example Institute\""},
                  init);
  app->add_option("--name", options->name, "Name of the topology")->required();
  app->add_option("--owner", options->owner, "Name of its owner")->required();
}

void define_upkeep(Grammar& grammar) {
  grammar.add(grammar.app(), {"checkpoint", "Take a checkpoint now", "netml checkpoint"},
              take_checkpoint);
  const auto [app, options] =
      grammar.add(grammar.app(),
                  {"verify", "Check everything stored: checksums, chain and replay",
                   "netml verify --data /var/lib/netml"},
                  verify);
  app->add_option("--head", options->head,
                  "LSN:HASH noted earlier: the journal must pass through it")
      ->check(check_head);
  app->add_option("--key", options->key,
                  "Public key that netml key create printed: checkpoints must be signed by it")
      ->check(check_public_key);
  CLI::App& key = grammar.add_group("key", "Make the key that signs checkpoints");
  grammar.add(key,
              {"create",
               "Make a key, sign every checkpoint from now on with it, and print "
               "its public half",
               "netml key create"},
              create_key);
}

}  // namespace netml::admin::cli
