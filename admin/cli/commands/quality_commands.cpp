// How good the map is, and what is wrong with it (docs/quality.md).
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "admin/cli/client/output.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/commands/quality_fix_command.hpp"
#include "admin/cli/grammar/grammar.hpp"
#include "engine/base/duration_text.hpp"
#include "engine/base/wording.hpp"

namespace netml::admin::cli {

namespace {

// A row names so many checks, those that take most first.
constexpr std::size_t kNamedChecks = 3;

struct QualityOptions {
  std::optional<std::string> at;
};
struct FindingOptions {
  std::optional<std::string> topology;  // its identifier, or #NUMBER
  std::optional<std::string> check;
  std::optional<std::string> at;
};

struct ScoreHistoryOptions {
  std::optional<std::string> from;
  std::optional<std::string> until;
  std::optional<std::string> topology;  // its identifier, or #NUMBER
  std::optional<std::uint64_t> points;
};

double lost_of(const JsonValue& finding) {
  return std::strtod(finding.text("lost").c_str(), nullptr);
}

// "source-overdue, place-missing 12, owner-missing 3"
std::string worst_of(const JsonValue& tally) {
  std::vector<JsonValue> findings = tally.at("findings").items();
  std::ranges::stable_sort(findings, std::greater<>{}, lost_of);
  std::vector<std::string> texts;
  for (const JsonValue& each : tally.at("delivery").at("findings").items())
    texts.push_back(each.text("check"));
  const std::size_t end = texts.size() + kNamedChecks;
  for (const JsonValue& each : findings) {
    if (texts.size() == end) {
      texts.push_back(fmt::format("{} more", findings.size() - kNamedChecks));
      break;
    }
    texts.push_back(fmt::format("{} {}", each.text("check"), each.number("count")));
  }
  return fmt::to_string(fmt::join(texts, ", "));
}

void add_score(Table& table, const JsonValue& tally, const std::string& what) {
  const JsonValue records = tally.at("records");
  table.row(
      {tally.text("score"), what, records.text("nodes"), records.text("links"), worst_of(tally)});
}

// "9.1%, usually 0.4%"; "-" without an import.
std::string compared_text(const JsonValue& compared) {
  if (compared.is_null()) return "-";
  const std::string newest = compared.text("newest_percent") + "%";
  const JsonValue usual = compared.at("usual_percent");
  if (usual.is_null()) return newest;
  return fmt::format("{}, usually {}", newest, compared.text("usual_percent") + "%");
}

std::string age_text(const JsonValue& delivery) {
  if (delivery.at("age").is_null()) return "never";
  const auto text = [&](const char* field) {
    return duration_text(std::chrono::seconds(static_cast<std::int64_t>(delivery.number(field))));
  };
  if (delivery.at("allowed").is_null()) return text("age");
  return fmt::format("{} ago, {} allowed", text("age"), text("allowed"));
}

// "4 of 50: time_out 3, tls 1"
std::string failures_text(const JsonValue& delivery) {
  std::uint64_t failed = 0;
  std::vector<std::string> reasons;
  for (const JsonValue& each : delivery.at("failures").items()) {
    failed += each.number("count");
    reasons.push_back(fmt::format("{} {}", each.text("reason"), each.number("count")));
  }
  return fmt::format("{} of {}{}{}", failed, delivery.number("polls"), failed == 0 ? "" : ": ",
                     fmt::join(reasons, ", "));
}

// How sources deliver, and what is held against that.
CommandOutcome print_deliveries(const std::vector<JsonValue>& sources, const Client& client) {
  if (sources.empty()) return {};
  Table table;
  table.row({"SOURCE", "SUCCESS", "CHANGED", "BY RULES", "FAILED POLLS"});
  Table held_against;
  held_against.row({"SOURCE", "FINDING", "LOST", "WHAT"});
  bool found = false;
  for (const JsonValue& source : sources) {
    const std::string name = source.at("source").text("name");
    const JsonValue delivery = source.at("delivery");
    table.row({name, age_text(delivery), compared_text(delivery.at("changes")),
               compared_text(delivery.at("rule_hits")), failures_text(delivery)});
    for (const JsonValue& each : delivery.at("findings").items()) {
      found = true;
      held_against.row({name, each.text("check"), each.text("lost"), each.text("text")});
    }
  }
  NETML_TRY_VOID(client.print("\n"));
  NETML_TRY_VOID(client.print(table));
  if (!found) return {};
  NETML_TRY_VOID(client.print("\n"));
  return client.print(held_against);
}

CommandOutcome report_quality(const QualityOptions& options, Client& client) {
  Target target = api("quality");
  target.query("at", options.at);
  NETML_TRY(const JsonValue answer, client.ask(question("GET", target)));
  if (client.json()) return {};
  Table table;
  table.row({"SCORE", "WHAT", "NODES", "LINKS", "FINDINGS"});
  add_score(table, answer, "the whole map");
  for (const JsonValue& source : answer.at("sources").items())
    add_score(table, source, fmt::format("source {}", source.at("source").text("name")));
  for (const JsonValue& topology : answer.at("topologies").items())
    add_score(table, topology, topology.at("topology").text("name"));
  NETML_TRY_VOID(client.print(table));
  NETML_TRY_VOID(print_deliveries(answer.at("sources").items(), client));
  if (!answer.flag("countries"))
    client.tell(
        "this program was built without outlines of countries: places are not held against them");
  return {};
}

CommandOutcome list_findings(const FindingOptions& options, Client& client) {
  Target target = api("quality/findings");
  target.query("topology", options.topology);
  target.query("check", options.check);
  target.query("at", options.at);
  NETML_TRY(const JsonValue answer, client.ask(question("GET", target)));
  if (client.json()) return {};
  Table table;
  table.row({"CHECK", "RECORD", "WHAT", "FIX"});
  for (const JsonValue& item : answer.at("items").items()) {
    const JsonValue fix = item.at("fix");
    table.row({item.text("check"), name_and_id(item.at("record")), item.text("text"),
               fix.is_null() ? std::string() : fix.text("text")});
  }
  NETML_TRY_VOID(client.print(table));
  const std::uint64_t omitted = answer.number("omitted");
  client.tell(fmt::format("{}{}", counted(answer.at("items").items().size(), "finding"),
                          omitted == 0 ? "" : fmt::format("; {} more are not listed", omitted)));
  return {};
}

CommandOutcome show_scores(const ScoreHistoryOptions& options, Client& client) {
  Target target = api("quality/history");
  target.query("from", options.from).query("until", options.until);
  target.query("topology", options.topology);
  if (options.points) target.query("points", fmt::to_string(*options.points));
  NETML_TRY(const JsonValue answer, client.ask(question("GET", target)));
  if (client.json()) return {};
  Table table;
  table.row({"TIME", "LSN", "SCORE", "NODES", "LINKS"});
  for (const JsonValue& item : answer.at("items").items()) {
    const JsonValue records = item.at("records");
    table.row({item.text("time"), item.text("lsn"), item.text("score"), records.text("nodes"),
               records.text("links")});
  }
  return client.print(table);
}

}  // namespace

void define_quality(Grammar& grammar) {
  CLI::App& group = grammar.add_group("quality", "Tell how good the map is, and what is wrong");
  const auto reported =
      grammar.add(group,
                  {"report", "Show the score of the map, of each source and of each topology",
                   "netml quality report --at 2026-01-01"},
                  report_quality);
  reported.app->add_option("--at", reported.options->at, when_help());
  const auto listed =
      grammar.add(group,
                  {"findings", "List what is wrong, and what would mend it",
                   "netml quality findings --topology urn:example:network --check place-swapped"},
                  list_findings);
  listed.app
      ->add_option("--topology", listed.options->topology,
                   "Of this topology, its id or #NUMBER, and those below it")
      ->type_name("ID");
  listed.app->add_option("--check", listed.options->check, "Of this check alone")
      ->type_name("NAME");
  listed.app->add_option("--at", listed.options->at, when_help());
  const auto past = grammar.add(
      group,
      {"history", "Show how the score went", "netml quality history --from 2026-01-01 --points 12"},
      show_scores);
  past.app->add_option("--from", past.options->from, when_help());
  past.app->add_option("--until", past.options->until, when_help());
  past.app
      ->add_option("--topology", past.options->topology,
                   "Of this topology, its id or #NUMBER, and those below it")
      ->type_name("ID");
  past.app->add_option("--points", past.options->points, "So many points in time, 40 by default");
  define_quality_fix(grammar, group);
}

}  // namespace netml::admin::cli
