// How good the map is, and what is wrong with it (docs/quality.md).
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "admin/cli/client/output.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/grammar/grammar.hpp"
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

// "place-missing 12, owner-missing 3"
std::string worst_of(const JsonValue& tally) {
  std::vector<JsonValue> findings = tally.at("findings").items();
  std::ranges::stable_sort(findings, std::greater<>{}, lost_of);
  std::vector<std::string> texts;
  for (const JsonValue& each : findings) {
    if (texts.size() == kNamedChecks) {
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
               fix.is_null() ? std::string()
                             : fmt::format("{}, {}", fix.text("latitude"), fix.text("longitude"))});
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
                  {"findings", "List what is wrong, with the place that was meant where that fits",
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
}

}  // namespace netml::admin::cli
