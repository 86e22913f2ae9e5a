// `netml rules rehearse`: what rules would have made of the history (docs/rules.md).
#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "admin/cli/client/documents.hpp"
#include "admin/cli/client/files.hpp"
#include "admin/cli/client/output.hpp"
#include "admin/cli/client/progress.hpp"
#include "admin/cli/commands/audit_text.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/commands/rules_commands.hpp"
#include "admin/cli/grammar/grammar.hpp"
#include "engine/base/wording.hpp"

namespace netml::admin::cli {

namespace {

std::uint64_t differing(const JsonValue& of) {
  return of.number("created") + of.number("updated") + of.number("deleted");
}

// The first elements that differ.
std::string example_lines(const JsonValue& of) {
  std::string text;
  for (const JsonValue& example : of.at("examples").items()) text += effect_text(example);
  const std::uint64_t shown = of.at("examples").items().size();
  if (const std::uint64_t all = differing(of); all > shown)
    text += printable_line(fmt::format("and {} more", all - shown));
  return text;
}

std::string difference_lines(const std::string& what, const JsonValue& of) {
  const std::string differs = differing(of) == 0 ? "nothing differs" : counts_text(of);
  return printable_line(fmt::format("{}: {}", what, differs)) + example_lines(of);
}

std::string import_lines(const JsonValue& import) {
  const std::string outcome = import.text("outcome");
  std::string what =
      fmt::format("LSN {}  {}  {}", import.text("lsn"), import.text("time"), import.text("name"));
  if (outcome == "refused")
    what += fmt::format(", refused ({})", import.text("reason"));
  else if (outcome == "carried_over")
    what += fmt::format(", carried over without its file ({})", import.text("reason"));
  return difference_lines(what, import);
}

// Documents as they come, as text. Where somebody watches the progress it is kept until the end, as
// both would be written to the terminal at once.
class RehearsalText {
 public:
  RehearsalText(Client& client, Progress& progress) : client_(client), progress_(progress) {}

  Status take(const std::string& line, const JsonValue& document) {
    report(document);
    if (!document.at("from").is_null()) head_ = document;
    if (!document.at("end").is_null()) end_ = document.at("end");
    if (client_.json()) return client_.environment().out(line + '\n');
    kept_ += text_of(document);
    return progress_.watched() ? Status() : flush();
  }
  Status flush() {
    const std::string text = std::exchange(kept_, {});
    return text.empty() ? Status() : client_.environment().out(text);
  }
  const std::optional<JsonValue>& head() const { return head_; }
  const std::optional<JsonValue>& end() const { return end_; }

 private:
  void report(const JsonValue& document) {
    if (!document.at("from").is_null()) {
      first_ = document.number("from");
      total_ = document.number("to") - first_;
    }
    if (const JsonValue now = document.at("progress"); !now.is_null())
      tell(now.number("done"));
    else if (const JsonValue import = document.at("import"); !import.is_null())
      tell(import.number("lsn") - first_);
  }
  void tell(std::uint64_t done) {
    progress_.work(
        {.part = "history", .unit = WorkUnit::transactions, .done = done, .total = total_});
  }
  static std::string text_of(const JsonValue& document) {
    if (!document.at("from").is_null())
      return file_lines(document, "rehearsed") +
             difference_lines(fmt::format("LSN {}, the rules run at once", document.text("from")),
                              document);
    if (const JsonValue import = document.at("import"); !import.is_null())
      return import_lines(import);
    if (const JsonValue end = document.at("end"); !end.is_null())
      return difference_lines(fmt::format("LSN {}, in the end", end.text("lsn")), end);
    return {};
  }

  Client& client_;
  Progress& progress_;
  std::string kept_;
  std::optional<JsonValue> head_;
  std::optional<JsonValue> end_;
  std::uint64_t first_ = 0;
  std::uint64_t total_ = 0;
};

void tell_end(const JsonValue& end, const Client& client) {
  const JsonValue imports = end.at("imports");
  std::string text = fmt::format(
      "rehearsal, nothing was changed: {} planned again, {} refused, {} carried over without "
      "their files",
      counted(imports.number("planned"), "import"), imports.number("refused"),
      imports.number("carried_over"));
  if (const std::uint64_t left_out = end.number("left_out"); left_out > 0)
    text += fmt::format("; {} could not be carried over", counted(left_out, "value"));
  client.tell(text);
}

struct RehearsalOptions {
  std::string file;
  std::string since;
};

CommandOutcome rehearse(const RehearsalOptions& options, Client& client) {
  client.open_to(Access::examine);
  NETML_TRY(const InputFile input, InputFile::open(options.file));
  Target target = api("rulesets/rehearsal");
  ControlRequest wanted = question("POST", target.query("since", options.since));
  wanted.body_file = input.path();
  Watch watch(client, {"rehearsing", "rehearsing"}, std::nullopt);
  RehearsalText text(client, watch.progress());
  auto asked =
      ask_documents(client, wanted, [&](const std::string& line, const JsonValue& document) {
        return text.take(line, document);
      });
  NETML_TRY_VOID(text.flush());
  watch.finish();
  if (!asked) {
    NETML_TRY_VOID(tell_errors_of(asked.error(), input, client));
    return tl::make_unexpected(std::move(asked).error());
  }
  if (!text.head() || !text.end()) return fail(ExitCode::failed, "the answer was cut off");
  if (!client.json()) tell_end(*text.end(), client);
  return refuse_invalid(*text.head());
}

}  // namespace

void define_rules_rehearsal(Grammar& grammar, CLI::App& group) {
  const auto command =
      grammar.add(group,
                  {"rehearse", "Show what the rulesets of a file would have made of the history",
                   "netml rules rehearse rulesets.json --since 2024-03-01"},
                  rehearse);
  command.app->add_option("FILE", command.options->file, "Rulesets as JSON; - for standard input")
      ->required();
  command.app->add_option("--since", command.options->since, when_help())->required();
}

}  // namespace netml::admin::cli
