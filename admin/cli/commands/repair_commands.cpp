// Works on the data directory itself, which no process may hold.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "admin/cli/client/output.hpp"
#include "admin/cli/client/progress.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/grammar/grammar.hpp"
#include "engine/base/json_string.hpp"
#include "engine/base/wording.hpp"

namespace netml::admin::cli {

namespace {

std::string lost_text(const RepairOutcome& outcome) {
  if (outcome.lost == 0) return "no transaction";
  const std::uint64_t first = outcome.kept + 1;
  return counted(outcome.lost, "transaction") +
         (outcome.lost == 1 ? fmt::format(", LSN {}", first)
                            : fmt::format(", LSN {} to {}", first, outcome.kept + outcome.lost));
}

Table repair_table(const RepairOutcome& outcome) {
  Table table;
  table.row({"damage", outcome.damage});
  table.row({"kept", fmt::format("LSN 1 to {}, head {}", outcome.kept, outcome.kept_head)});
  table.row({"lost", lost_text(outcome)});
  if (outcome.done) {
    table.row({"set aside", outcome.aside});
    table.row({"recorded", fmt::format("LSN {}, cause repair", outcome.record)});
    table.row({"head", outcome.head});
  }
  return table;
}

std::string repair_json(const RepairOutcome& outcome) {
  return fmt::format(
      R"({{"done":{},"damage":{},"kept":{},"kept_head":{},"lost":{},"aside":{},"record":{},"head":{}}})",
      outcome.done, json_string(outcome.damage), outcome.kept, json_string(outcome.kept_head),
      outcome.lost, json_string(outcome.aside), outcome.record, json_string(outcome.head));
}

// The count in full, so that nobody gives it without having read it.
std::string accepting(const GlobalOptions& global, const RepairOutcome& outcome) {
  return fmt::format("netml repair --data {} --truncate-at {} --i-accept-losing {}-transactions",
                     global.data_directory, outcome.kept, outcome.lost);
}

CommandOutcome repair(const RepairOptions& options, Client& client) {
  const Environment& environment = client.environment();
  const GlobalOptions& global = client.global();
  const auto running = environment.connect(global);
  if (running && *running)
    return fail(ExitCode::failed, fmt::format("a server runs on {}: stop it first; nothing was "
                                              "changed",
                                              global.data_directory));
  Watch watch(client, {"repairing", "repairing"}, std::nullopt);
  auto outcome = environment.repair(global, options);
  watch.finish();
  if (!outcome && outcome.error().code == Errc::conflict)
    return fail(ExitCode::in_use, outcome.error().message + "; nothing was changed");
  if (!outcome) return tl::make_unexpected(Failure(std::move(outcome).error()));
  client.set_result(repair_json(*outcome));
  if (!client.json()) NETML_TRY_VOID(client.print(repair_table(*outcome)));
  if (!outcome->done) {
    client.tell("A backup may hold what would be lost: netml restore FILE --into NEW-DIRECTORY");
    client.tell("To cut all the same, with a copy of all that is cut in quarantine/:");
    client.tell("  " + accepting(global, *outcome));
    return fail(ExitCode::failed, "nothing was changed: say how many transactions may be lost");
  }
  client.tell(
      fmt::format("What was lost can be entered again; heads noted above LSN {} hold no "
                  "more. Prove the rest: netml verify --data {}",
                  outcome->kept, global.data_directory));
  return {};
}

// "3-transactions": the number, with the word that says what it counts.
std::optional<std::uint64_t> transaction_count(std::string_view text) {
  const std::size_t dash = text.find('-');
  const std::string_view word = text.substr(std::min(text.size(), dash));
  std::uint64_t count = 0;
  const auto read = std::from_chars(text.data(), text.data() + std::min(text.size(), dash), count);
  const bool whole = read.ec == std::errc() && read.ptr == text.data() + dash;
  if (!whole || (word != "-transactions" && word != "-transaction")) return std::nullopt;
  return count;
}

std::string check_transaction_count(const std::string& text) {
  return transaction_count(text) ? "" : "say it like 3-transactions, not " + text;
}

}  // namespace

void define_repair(Grammar& grammar) {
  const auto [app, options] = grammar.add(
      grammar.app(),
      {"repair",
       "Cut a damaged journal after an LSN, when there is no backup. Without the second option "
       "it says what would be lost and changes nothing",
       "netml repair --truncate-at 1233 --i-accept-losing 3-transactions"},
      repair);
  app->add_option("--truncate-at", options->truncate_at, "The last LSN that stays")->required();
  app->add_option_function<std::string>(
         "--i-accept-losing",
         [options = options](const std::string& text) {
           options->accepted = transaction_count(text);
         },
         "N-transactions, with the number that the command names without this option")
      ->check(check_transaction_count);
}

}  // namespace netml::admin::cli
