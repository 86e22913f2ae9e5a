// Commands that ask the journal (docs/audit.md).
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "admin/cli/client/documents.hpp"
#include "admin/cli/client/output.hpp"
#include "admin/cli/client/progress.hpp"
#include "admin/cli/commands/audit_text.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/grammar/grammar.hpp"

namespace netml::admin::cli {

namespace {

constexpr std::uint64_t kFollowFirst = 10;  // shown before what is followed
constexpr std::chrono::milliseconds kFollowPause{500};
constexpr std::string_view kChangeEvent = "event: change\n";

// WHEN is text until the node looks at it: what it can be depends on what is stored.
struct LogOptions {
  std::optional<std::string> since;
  std::optional<std::string> until;
  std::optional<std::string> actor;
  std::optional<std::string> cause;
  std::optional<std::string> element;
  std::optional<std::string> topology;
  std::optional<std::uint64_t> limit;
  bool follow = false;
};

Target log_target(const LogOptions& options) {
  Target target = api("node/log");
  target.query("until", options.until)
      .query("by", options.actor)
      .query("cause", options.cause)
      .query("element", options.element)
      .query("topology", options.topology);
  return target;
}

// The LSN of "LSN:hash".
std::string lsn_of(const std::string& head) {
  return head.substr(0, head.find(':'));
}

// A log that was followed ends when the server does, as a rule.
tl::unexpected<Failure> ended(Failure failure) {
  if (failure.code == ExitCode::failed && !failure.message.empty())
    failure.message = fmt::format(
        "the log cannot be followed any longer, is the server running? {}", failure.message);
  return tl::unexpected<Failure>(std::move(failure));
}

// First the newest few, in the order in which they came; then each as it comes: the server tells
// when. Where it does not, as when too many listen, it is asked now and then.
CommandOutcome follow(const LogOptions& options, Client& client) {
  std::string newest_first;
  const auto gather = [&](const std::string& line, const JsonValue& document) -> Status {
    newest_first.insert(0, client.json() ? line + '\n' : log_line(document));
    return {};
  };
  Target target = log_target(options);
  target.query("since", options.since)
      .query("limit", fmt::to_string(options.limit.value_or(kFollowFirst)))
      .flag("follow", true);
  NETML_TRY(std::string head, ask_documents(client, target, gather));
  NETML_TRY_VOID(client.print((client.json() ? "" : log_heading()) + newest_first));
  const auto show_new = [&]() -> CommandOutcome {
    Target next = log_target(options);
    next.query("after", lsn_of(head)).query("order", "oldest").flag("follow", true);
    Outcome<std::string> answer = ask_documents(client, next, document_printer(client, log_line));
    if (!answer) return ended(std::move(answer.error()));
    head = *std::move(answer);
    return {};
  };
  CommandOutcome shown;
  std::string received;  // since the last change, or the end of it
  const auto take_event = [&](std::string_view piece) -> Status {
    received += piece;
    const bool changed = received.find(kChangeEvent) != std::string::npos;
    received.erase(0, changed ? received.size()
                              : received.size() - std::min(received.size(), kChangeEvent.size()));
    if (!changed) return {};
    shown = show_new();
    if (!shown) return fail(Errc::conflict, "the log cannot be followed");
    return {};
  };
  while (true) {
    // However it ended: whether the server is there shows when it is asked next.
    static_cast<void>(client.call(request("GET", api("node/events")), take_event).has_value());
    if (!shown) return shown;
    client.environment().pause(kFollowPause);
    NETML_TRY_VOID(show_new());
  }
}

// The past can be asked for in whatever state the data are. A list that ends at damage looks like
// that of a shorter history.
CommandOutcome without_damage(const Client& client) {
  return client.damage().empty() ? CommandOutcome() : fail(ExitCode::damaged, client.damage());
}

CommandOutcome show_log(const LogOptions& options, Client& client) {
  client.open_to(Access::examine);
  if (options.follow) return follow(options, client);
  Target target = log_target(options);
  target.query("since", options.since);
  if (options.limit) target.query("limit", fmt::to_string(*options.limit));
  bool first = true;
  const auto describe = [&first](const JsonValue& document) {
    return (std::exchange(first, false) ? log_heading() : "") + log_line(document);
  };
  NETML_TRY_VOID(ask_documents(client, target, document_printer(client, describe)));
  if (first && !client.json()) client.tell("no transaction is like that");
  return without_damage(client);
}

CommandOutcome show_transaction(const std::string& when, Client& client) {
  client.open_to(Access::examine);
  const auto head = [width = client.environment().out_columns()](const JsonValue& document) {
    return transaction_text(document, width) + '\n';
  };
  return print_documents(client, api("node/log/show").query("at", when), head, effect_text);
}

struct TwoStates {
  std::string from;
  std::string to;
  std::optional<std::string> topology;
};

CommandOutcome show_difference(const TwoStates& options, Client& client) {
  client.open_to(Access::examine);
  Target target = api("node/log/diff");
  target.query("from", options.from).query("to", options.to).query("topology", options.topology);
  return print_documents(client, target, diff_heading, effect_text);
}

CommandOutcome show_history(const std::string& element, Client& client) {
  client.open_to(Access::examine);
  const Target target = api("node/log/history").query("element", element);
  NETML_TRY_VOID(ask_documents(client, target, document_printer(client, history_text)));
  return without_damage(client);
}

struct ReplayOptions {
  std::string until;
  std::string into;
};

CommandOutcome replay(const ReplayOptions& options, Client& client) {
  client.open_to(Access::examine);
  // A server has another working directory.
  const std::string into = std::filesystem::absolute(options.into).lexically_normal().string();
  const std::string body = json_object({{"until", options.until}, {"into", into}});
  Watch watch(client, {"replaying", "replaying"}, std::nullopt);
  auto asked = client.ask(request("POST", api("node/replay"), body), watch.progress());
  watch.finish();
  NETML_TRY(const JsonValue answer, std::move(asked));
  return client.say(fmt::format("{} holds the state at LSN {}; head {}", into, answer.number("lsn"),
                                answer.text("head")));
}

}  // namespace

void define_audit(Grammar& grammar) {
  const auto log = grammar.add(
      grammar.app(),
      {"log", "List transactions, the newest first", "netml log --actor ann --limit 20"}, show_log);
  log.app->add_option("--since", log.options->since, when_help());
  log.app->add_option("--until", log.options->until, "The same");
  log.app->add_option("--actor", log.options->actor, "Token, account or user who did it");
  log.app->add_option("--cause", log.options->cause, "import, edit, rule, publish, ...");
  log.app->add_option("--element", log.options->element, "Those that changed it: id, or #NUMBER");
  log.app->add_option("--topology", log.options->topology,
                      "Those that changed it or its members: id, or #NUMBER");
  log.app->add_option("--limit", log.options->limit, "At most so many");
  log.app->add_flag("--follow", log.options->follow,
                    "The newest in their order, then each as it comes; needs a running server");
  grammar.add(grammar.app(), {"show", "Show one transaction in full", "netml show 1234"},
              {"LSN", when_help()}, show_transaction);
  const auto diff =
      grammar.add(grammar.app(),
                  {"diff", "Show what changed between two points in time",
                   "netml diff 2024-03-01T00:00:00Z latest --topology urn:example:network"},
                  show_difference);
  diff.app->add_option("A", diff.options->from, when_help())->required();
  diff.app->add_option("B", diff.options->to, "The same")->required();
  diff.app->add_option("--topology", diff.options->topology,
                       "Only the topology with this id and its members");
  grammar.add(grammar.app(),
              {"history", "Show every change of one element", "netml history urn:example:node:1"},
              {"ID", "Its id, or #NUMBER"}, show_history);
  const auto copy =
      grammar.add(grammar.app(),
                  {"replay", "Make a data directory as this one was at a point in time",
                   "netml replay --until import:7 --into /tmp/as-it-was"},
                  replay);
  copy.app->add_option("--until", copy.options->until, when_help())->required();
  copy.app->add_option("--into", copy.options->into, "Directory to make")
      ->type_name("DIR")
      ->required();
}

}  // namespace netml::admin::cli
