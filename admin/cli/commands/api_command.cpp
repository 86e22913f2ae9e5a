// Any call of the API, for what has no command of its own.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "admin/cli/client/files.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/grammar/grammar.hpp"

namespace netml::admin::cli {

namespace {

constexpr std::array kMethods{"GET", "POST", "PUT", "PATCH", "DELETE"};
constexpr std::size_t kLastLineMax = 64 << 10;

// Below /api/v1/ unless it begins with a slash. What cannot stand in a target is encoded, so that
// names need not be: nodes?q=Zürich, node/log?element=#3.
Target target_of(const std::string& path) {
  std::string text = path.starts_with('/') ? "" : "/api/v1/";
  for (const char c : path) {
    if (c > ' ' && c < 0x7f && c != '#')
      text += c;
    else
      text += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return Target(std::move(text));
}

// Prints an answer as it comes. With --json, one that is a document is kept for the end; streams of
// documents and files stand alone.
class Answer {
 public:
  explicit Answer(Client& client) : client_(client), kept_(client.json()) {}

  Status take(std::string_view piece) {
    if (piece.empty()) return {};
    if (begin_ == 0) begin_ = piece.front();
    if (kept_) {
      document_ += piece;
      kept_ = is_json() && piece.find('\n') == piece.npos;
      if (kept_) return {};
      piece = document_;
    }
    note_last_line(piece);
    return client_.environment().out(piece);
  }

  CommandOutcome finish() {
    if (kept_) {
      client_.set_result(document_.empty() ? "{}" : std::move(document_));
      return {};
    }
    if (!is_json()) return {};
    if (!last_line_.ends_with('\n')) return client_.print("\n");
    // A stream that cannot go on says so in its last line.
    const Result<JsonValue> last = JsonValue::parse(last_line_);
    if (!last || last->at("error").is_null()) return {};
    const JsonValue error = last->at("error");
    return tl::make_unexpected(answered_failure(error.text("code"), error.text("message")));
  }

 private:
  bool is_json() const { return begin_ == '{' || begin_ == '['; }

  void note_last_line(std::string_view piece) {
    const std::size_t end = piece.substr(0, piece.size() - 1).rfind('\n');
    if (end != piece.npos || last_line_.ends_with('\n')) last_line_.clear();
    last_line_ += piece.substr(end == piece.npos ? 0 : end + 1);
    // Longer than what says that something failed; its end alone matters.
    if (last_line_.size() > kLastLineMax) last_line_.erase(0, last_line_.size() - 1);
  }

  Client& client_;
  bool kept_;
  char begin_ = 0;
  std::string document_;   // while it is kept
  std::string last_line_;  // of what was printed
};

struct ApiCall {
  std::vector<std::string> call;    // METHOD and PATH, or PATH alone
  std::optional<std::string> body;  // "-": standard input
  bool all = false;
};

CommandOutcome call_api(const ApiCall& options, Client& client) {
  std::string method = options.body ? "POST" : "GET";
  if (options.call.size() > 1) method = options.call.front();
  if (std::ranges::find(kMethods, method) == kMethods.end())
    return fail(ExitCode::usage,
                fmt::format("{} is none of the methods {}", method, fmt::join(kMethods, ", ")));
  const Target target = target_of(options.call.back());
  if (options.all) {
    if (method != "GET") return fail(ExitCode::usage, "--all reads a list, with GET");
    return client.show(client.ask_all(target, {}),
                       [](const JsonValue& list) { return list.text() + '\n'; });
  }
  ControlRequest wanted = request(method, target, options.body.value_or(""));
  std::optional<InputFile> input;
  if (options.body == kStandardStream) {
    NETML_TRY(InputFile opened, InputFile::open(*options.body));
    wanted.body.clear();
    wanted.body_file = opened.path();
    input.emplace(std::move(opened));
  }
  Answer answer(client);
  NETML_TRY_VOID(client.call(wanted, [&](std::string_view piece) { return answer.take(piece); }));
  return answer.finish();
}

}  // namespace

// --data is the data directory of every command.
void define_api(Grammar& grammar) {
  const auto [app, options] = grammar.add(
      grammar.app(),
      {"api", "Ask anything of the API, and print its answer",
       R"(netml api POST origins --body '{"name":"Maps","origin":"https://maps.example.org"}')"},
      call_api);
  app->add_option("CALL", options->call,
                  "[METHOD] PATH: GET, or POST with a body, where no method is given; a path "
                  "without /api/v1/, as in docs/api.md")
      ->required()
      ->expected(1, 2);
  CLI::Option* body = app->add_option("--body", options->body,
                                      "What to send, JSON as a rule, or - for standard input");
  app->add_flag("--all", options->all, "All entries of a list as one, not its first page alone")
      ->excludes(body);
}

}  // namespace netml::admin::cli
