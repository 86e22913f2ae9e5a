#include "admin/cli/commands/audit_commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "admin/cli/client/documents.hpp"
#include "admin/cli/client/output.hpp"
#include "admin/cli/commands/audit_text.hpp"

namespace netml::admin::cli {

namespace {

constexpr std::uint64_t kFollowFirst = 10;  // shown before what is followed
constexpr std::chrono::milliseconds kFollowPause{500};
constexpr const char* kEvents = "/api/v1/node/events";
constexpr std::string_view kChangeEvent = "event: change\n";

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
  const ControlRequest events{.method = "GET", .target = kEvents, .body = {}, .body_file = {}};
  while (true) {
    // However it ended: whether the server is there shows when it is asked next.
    static_cast<void>(client.call(events, take_event).has_value());
    if (!shown) return shown;
    client.environment().pause(kFollowPause);
    NETML_TRY_VOID(show_new());
  }
}

}  // namespace

CommandOutcome run_command(const LogOptions& options, Client& client) {
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
  return {};
}

CommandOutcome run_command(const ShowOptions& options, Client& client) {
  Target target = api("node/log/show");
  target.query("at", options.when);
  bool first = true;
  const auto describe = [&first](const JsonValue& document) {
    return std::exchange(first, false) ? transaction_text(document) + '\n' : effect_text(document);
  };
  NETML_TRY_VOID(ask_documents(client, target, document_printer(client, describe)));
  return {};
}

CommandOutcome run_command(const DiffOptions& options, Client& client) {
  Target target = api("node/log/diff");
  target.query("from", options.from).query("to", options.to).query("topology", options.topology);
  bool first = true;
  const auto describe = [&first](const JsonValue& document) {
    return std::exchange(first, false) ? diff_heading(document) : effect_text(document);
  };
  NETML_TRY_VOID(ask_documents(client, target, document_printer(client, describe)));
  return {};
}

CommandOutcome run_command(const HistoryOptions& options, Client& client) {
  Target target = api("node/log/history");
  target.query("element", options.element);
  NETML_TRY_VOID(ask_documents(client, target, document_printer(client, history_text)));
  return {};
}

CommandOutcome run_command(const ReplayOptions& options, Client& client) {
  // A server has another working directory.
  const std::string into = std::filesystem::absolute(options.into).lexically_normal().string();
  NETML_TRY(const JsonValue answer,
            client.ask({.method = "POST",
                        .target = api("node/replay").text(),
                        .body = json_object({{"until", options.until}, {"into", into}}),
                        .body_file = {}}));
  if (client.json()) return {};
  return client.print(printable(fmt::format("{} holds the state at LSN {}; head {}", into,
                                            answer.number("lsn"), answer.text("head"))) +
                      '\n');
}

}  // namespace netml::admin::cli
