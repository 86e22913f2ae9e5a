// `netml watch`: each change of the map as it comes (docs/following.md).
#include <fmt/format.h>

#include "admin/cli/client/documents.hpp"
#include "admin/cli/client/output.hpp"
#include "admin/cli/commands/audit_text.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/grammar/grammar.hpp"

namespace netml::admin::cli {

namespace {

struct WatchOptions {
  std::optional<std::string> after;
  bool once = false;
};

std::string watched_text(const JsonValue& event) {
  const std::string type = event.text("type");
  const std::string when =
      fmt::format("LSN {}  {}  {}  ", event.text("lsn"), event.text("time"), event.text("cause"));
  if (type == "change") return printable(when) + effect_text(event);
  if (type == "transaction") return printable_line(when + counts_text(event));
  return {};
}

// Where it ended, a script can go on.
CommandOutcome watch(const WatchOptions& options, Client& client) {
  client.open_to(Access::examine);
  Target target = api("changes");
  target.query("after", options.after);
  if (options.once) target.query("once", "true");
  std::string place;  // once the stream has begun
  const TakeDocument print = document_printer(client, watched_text);
  const auto take = [&](const std::string& line, const JsonValue& event) -> Status {
    const std::string type = event.text("type");
    if (type == "reset")
      client.tell(fmt::format("{} is no place in this journal: what follows is from now on",
                              options.after.value_or("")));
    if (type == "stream" || type == "reset") place = event.text("after");
    if (type == "transaction") place = event.text("head");
    return print(line, event);
  };
  const auto ended = ask_documents(client, target, take);
  if (!place.empty() && (!ended || !options.once))
    client.tell(fmt::format("the stream ended; go on with --after {}", place));
  NETML_TRY_VOID(ended);
  return {};
}

}  // namespace

void define_watch(Grammar& grammar) {
  const auto command = grammar.add(
      grammar.app(),
      {"watch", "Print each change of the map as it comes", "netml watch --after 1234"}, watch);
  command.app->add_option("--after", command.options->after,
                          "A place in the journal, LSN or LSN:HASH: first all that came since");
  command.app->add_flag("--once", command.options->once, "Those up to now, and no more");
}

}  // namespace netml::admin::cli
