#include "admin/cli/audit_commands.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "admin/cli/audit_text.hpp"
#include "admin/cli/output.hpp"

namespace netml::admin::cli {

namespace {

constexpr std::uint64_t kFollowFirst = 10;  // shown before what is followed
constexpr std::chrono::milliseconds kFollowPause{500};

// Takes a stream of documents, one a line, and gives each to `take` as soon as it is there.
class Documents {
 public:
  using Take = std::function<Status(const std::string& line, const JsonValue& document)>;
  explicit Documents(Take take) : take_(std::move(take)) {}

  Status operator()(std::string_view piece) {
    rest_ += piece;
    std::size_t begin = 0;
    for (std::size_t end; (end = rest_.find('\n', begin)) != std::string::npos; begin = end + 1)
      NETML_TRY_VOID(line(rest_.substr(begin, end - begin)));
    rest_.erase(0, begin);
    return {};
  }
  // What the last line said; the stream must have ended with a whole one.
  CommandOutcome outcome() const {
    if (failure_) return tl::make_unexpected(*failure_);
    if (rest_.empty()) return {};
    return fail(ExitCode::failed, "the answer was cut off");
  }

 private:
  Status line(const std::string& text) {
    NETML_TRY(const JsonValue document, JsonValue::parse(text));
    const JsonValue error = document.at("error");
    if (error.is_null()) return take_(text, document);
    const bool damaged = error.text("code") == "corruption";
    failure_ = Failure(damaged ? exit_code(Errc::corruption) : ExitCode::failed,
                       error.text("detail"), json_object({{"detail", error.text("detail")}}));
    return {};
  }

  Take take_;
  std::string rest_;
  std::optional<Failure> failure_;
};

// Asks for a stream and gives each document to `take`; the head it was made at.
Outcome<std::string> ask(Client& client, const Target& target, Documents::Take take) {
  Documents documents(std::move(take));
  const ControlRequest request{
      .method = "GET", .target = target.text(), .body = {}, .body_file = {}};
  NETML_TRY(const ControlResponse response,
            client.call(request, [&](std::string_view piece) { return documents(piece); }));
  NETML_TRY_VOID(documents.outcome());
  return response.head;
}

// Prints each document as it is, or as `describe` says.
template <class Describe>
Documents::Take printer(const Client& client, Describe describe) {
  return [&client, describe](const std::string& line, const JsonValue& document) mutable {
    return client.environment().out(client.json() ? line + '\n' : describe(document));
  };
}

Target log_target(const LogOptions& options) {
  Target target("/control/audit/log/");
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

// First the newest few, in the order in which they came; then each as it comes.
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
  NETML_TRY(std::string head, ask(client, target, gather));
  NETML_TRY_VOID(client.print((client.json() ? "" : log_heading()) + newest_first));
  while (true) {
    client.environment().pause(kFollowPause);
    Target next = log_target(options);
    next.query("after", lsn_of(head)).query("order", "oldest").flag("follow", true);
    Outcome<std::string> answer = ask(client, next, printer(client, log_line));
    if (!answer) return ended(std::move(answer.error()));
    head = *std::move(answer);
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
  NETML_TRY_VOID(ask(client, target, printer(client, describe)));
  if (first && !client.json()) client.tell("no transaction is like that");
  return {};
}

CommandOutcome run_command(const ShowOptions& options, Client& client) {
  Target target("/control/audit/show/");
  target.query("at", options.when);
  bool first = true;
  const auto describe = [&first](const JsonValue& document) {
    return std::exchange(first, false) ? transaction_text(document) + '\n' : effect_text(document);
  };
  NETML_TRY_VOID(ask(client, target, printer(client, describe)));
  return {};
}

CommandOutcome run_command(const DiffOptions& options, Client& client) {
  Target target("/control/audit/diff/");
  target.query("from", options.from).query("to", options.to).query("topology", options.topology);
  bool first = true;
  const auto describe = [&first](const JsonValue& document) {
    return std::exchange(first, false) ? diff_heading(document) : effect_text(document);
  };
  NETML_TRY_VOID(ask(client, target, printer(client, describe)));
  return {};
}

CommandOutcome run_command(const HistoryOptions& options, Client& client) {
  Target target("/control/audit/history/");
  target.query("element", options.element);
  NETML_TRY_VOID(ask(client, target, printer(client, history_text)));
  return {};
}

CommandOutcome run_command(const ReplayOptions& options, Client& client) {
  // A server has another working directory.
  const std::string into = std::filesystem::absolute(options.into).lexically_normal().string();
  NETML_TRY(const JsonValue answer,
            client.ask({.method = "POST",
                        .target = "/control/audit/replay/",
                        .body = json_object({{"until", options.until}, {"into", into}}),
                        .body_file = {}}));
  if (client.json()) return {};
  return client.print(printable(fmt::format("{} holds the state at LSN {}; head {}", into,
                                            answer.number("lsn"), answer.text("head"))) +
                      '\n');
}

}  // namespace netml::admin::cli
