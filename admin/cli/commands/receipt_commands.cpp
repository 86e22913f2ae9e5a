// Receipts: what recipients were sent (docs/receipts.md).
#include <fmt/format.h>

#include <optional>
#include <span>
#include <string>

#include "admin/cli/client/files.hpp"
#include "admin/cli/client/output.hpp"
#include "admin/cli/client/progress.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/grammar/grammar.hpp"
#include "engine/base/json_string.hpp"
#include "engine/base/sha256.hpp"

namespace netml::admin::cli {

namespace {

Target receipt_numbered(const std::string& number) {
  return api("receipts").segment(list_number(number));
}

// ---- what there is ----

std::string recipient_of(const JsonValue& receipt) {
  const std::string client = receipt.text("client");
  return client.empty() ? "public" : client;
}

std::string what_was_sent(const JsonValue& receipt) {
  std::string what = receipt.text("kind");
  if (const std::string from = receipt.text("from"); !from.empty())
    what += " from LSN " + from.substr(0, from.find(':'));
  if (const std::string published = receipt.text("published"); !published.empty())
    what += ", publication " + published;
  return what;
}

std::string lsn_in_head(const JsonValue& receipt) {
  const std::string head = receipt.text("head");
  return head.substr(0, head.find(':'));
}

Table receipt_table(const JsonValue& receipts) {
  Table table;
  table.row({"NUMBER", "TIME", "RECIPIENT", "WHAT", "LSN", "VIEW", "SIZE"});
  for (const JsonValue& receipt : receipts.items()) {
    if (receipt.flag("damaged"))
      table.row({receipt.text("number"), "", "", "damaged", "", "", ""});
    else
      table.row({receipt.text("number"), receipt.text("time"), recipient_of(receipt),
                 what_was_sent(receipt), lsn_in_head(receipt), receipt.text("view"),
                 human_size(receipt.number("bytes"))});
  }
  return table;
}

struct ListedReceipts {
  std::optional<std::string> token;
  std::uint64_t limit = 20;
};

CommandOutcome list_receipts(const ListedReceipts& options, Client& client) {
  const Target list = Target(api("receipts").query("client", options.token));
  return client.show(client.ask_all(list, {}, options.limit), receipt_table);
}

Table receipt_rows(const JsonValue& receipt) {
  Table table;
  table.row({"time", receipt.text("time")});
  table.row({"recipient", recipient_of(receipt)});
  table.row({"token", receipt.text("token")});
  table.row({"what", what_was_sent(receipt)});
  table.row({"head", receipt.text("head")});
  table.row({"view", receipt.text("view")});
  table.row({"SHA-256 of the view", receipt.text("view_sha256")});
  table.row({"bytes", receipt.text("bytes")});
  table.row({"SHA-256", receipt.text("sha256")});
  table.row({"version", receipt.text("version")});
  return table;
}

CommandOutcome show_receipt(const std::string& number, Client& client) {
  return client.show(client.ask(question("GET", receipt_numbered(number))), receipt_rows);
}

// ---- the bytes ----

struct RemadeDelivery {
  std::string number;
  std::string output;
};

// The node has compared them already; what arrived is compared once more, before it has a name.
CommandOutcome make_delivery(const RemadeDelivery& options, Client& client) {
  client.open_to(Access::examine);
  const Target target = receipt_numbered(options.number);
  const auto asked = client.call(question("GET", target));
  if (!asked) return tl::make_unexpected(asked.error());
  NETML_TRY(const JsonValue receipt, JsonValue::parse(asked->body));
  NETML_TRY(OutputFile file, OutputFile::create(options.output));
  Watch watch(client, {"written", "preparing"}, receipt.number("bytes"));
  Sha256Hasher hasher;
  const BodySink into_file = watch.into(file);
  const auto sink = [&](std::string_view piece) -> Status {
    hasher.add(std::as_bytes(std::span(piece)));
    return into_file(piece);
  };
  const auto response = client.call(question("GET", Target(target).segment("bytes")), sink);
  watch.finish();
  if (!response) return tl::make_unexpected(response.error());
  const std::string sha256 = to_hex(hasher.finish());
  if (sha256 != receipt.text("sha256"))
    return fail(ExitCode::failed, "what arrived is not what the receipt is of");
  NETML_TRY_VOID(file.commit());
  client.set_result(fmt::format(R"({{"file":{},"bytes":{},"head":{},"sha256":{}}})",
                                json_string(file.path()), file.bytes(),
                                json_string(receipt.text("head")), json_string(sha256)));
  return client.say(fmt::format("made {} as it was sent to {} at {}: {} bytes, SHA-256 {}",
                                file.path(), recipient_of(receipt), receipt.text("time"),
                                file.bytes(), sha256));
}

}  // namespace

void define_receipts(Grammar& grammar) {
  CLI::App& group = grammar.add_group("receipt", "What recipients were sent of the map");
  const auto list = grammar.add(group,
                                {"list", "List the receipts of deliveries, the newest first",
                                 "netml receipt list --token peer.example"},
                                list_receipts);
  list.app->add_option("--token", list.options->token, "Client name of the token, of these alone");
  list.app->add_option("--limit", list.options->limit, "How many, the newest first")
      ->capture_default_str();
  const Argument number{"NUMBER", "Number of the receipt", check_number};
  grammar.add(group, {"show", "Show a receipt", "netml receipt show 7"}, number, show_receipt);
  const auto make = grammar.add(group,
                                {"make", "Make the bytes of a delivery again, from the journal",
                                 "netml receipt make 7 -o sent.xml"},
                                make_delivery);
  make.app->add_option(number.name, make.options->number, number.help)
      ->required()
      ->check(number.check);
  make.app->add_option("-o,--output", make.options->output, "File to write")->required();
}

}  // namespace netml::admin::cli
