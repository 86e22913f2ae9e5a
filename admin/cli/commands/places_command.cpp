// netml places propose: places for nodes without one, as a plan (docs/formats/places.md).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "admin/cli/client/files.hpp"
#include "admin/cli/client/input_errors.hpp"
#include "admin/cli/client/output.hpp"
#include "admin/cli/client/progress.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/grammar/grammar.hpp"
#include "engine/base/wording.hpp"

namespace netml::admin::cli {

namespace {

namespace fs = std::filesystem;

// From the folder of the program, as it is installed.
constexpr const char* kInstalled = "../share/netml/places.tsv.gz";

struct ProposeOptions {
  std::string topology;
  std::optional<std::string> country;
  std::optional<std::string> gazetteer;
  std::optional<std::string> actor;
};

Result<std::string> gazetteer_path(const ProposeOptions& options) {
  if (options.gazetteer) return *options.gazetteer;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path installed = (program / kInstalled).lexically_normal();
  if (fs::exists(installed, error)) return installed.string();
  return netml::fail(
      Errc::not_found,
      fmt::format("there is no gazetteer at {}: the package brings it, cmake/make_places.sh makes "
                  "it, and --gazetteer FILE names another",
                  installed.string()));
}

// "DE 4, NO 1"
std::string cities_text(const JsonValue& cities) {
  std::vector<std::string> texts;
  for (const JsonValue& of_country : cities.items())
    texts.push_back(fmt::format("{} {}", of_country.text("country"), of_country.text("cities")));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string found_text(const JsonValue& node) {
  const std::string region = node.text("region");
  return fmt::format("{}: {}, {}{} at {} {}, by its {}", name_and_id(node), node.text("city"),
                     node.text("country"), region.empty() ? "" : ", " + region,
                     node.text("latitude"), node.text("longitude"), node.text("by"));
}

std::string several_text(const JsonValue& node) {
  return fmt::format("{}: {}, by its {}", name_and_id(node), cities_text(node.at("countries")),
                     node.text("by"));
}

std::string none_text(const JsonValue& node) {
  if (const std::string said = node.text("unreadable_country"); !said.empty())
    return fmt::format("{}: no country is called {}", name_and_id(node), said);
  if (const std::string elsewhere = cities_text(node.at("elsewhere")); !elsewhere.empty())
    return fmt::format("{}: not in {}; {}", name_and_id(node), node.text("country"), elsewhere);
  return name_and_id(node);
}

std::string list_text(const JsonValue& answer, const std::string& list, std::string_view heading,
                      std::string (*line)(const JsonValue&)) {
  const std::uint64_t all = answer.number(list + "_count");
  if (all == 0) return {};
  std::string text = fmt::format("{}: {}\n", heading, all);
  const std::vector<JsonValue> items = answer.at(list).items();
  for (const JsonValue& item : items) text += "  " + printable_line(line(item));
  if (all > items.size()) text += fmt::format("  and {} more\n", all - items.size());
  return text;
}

CommandOutcome print_proposal(const JsonValue& answer, const Client& client) {
  NETML_TRY_VOID(client.print(list_text(answer, "found", "one city", found_text) +
                              list_text(answer, "several", "several cities", several_text) +
                              list_text(answer, "none", "no city", none_text)));
  client.tell(
      printable(fmt::format("{} without coordinates, looked up in {}",
                            counted(answer.number("nodes"), "node"), answer.text("gazetteer"))));
  const std::uint64_t plan = answer.number("plan");
  if (plan == 0)
    client.tell("no plan was made, nothing was changed");
  else
    client.tell(fmt::format(
        "plan {0}, nothing was changed: {1} created, {2} updated, {3} deleted; "
        "`netml plan show {0}` tells what it would do, `netml apply {0}` does "
        "it",
        plan, answer.number("created"), answer.number("updated"), answer.number("deleted")));
  return {};
}

CommandOutcome refused_gazetteer(const InputFile& file, Failure failure, const Client& client) {
  if (failure.code != ExitCode::invalid_file) return tl::make_unexpected(std::move(failure));
  NETML_TRY(const JsonValue answer, JsonValue::parse(failure.answer));
  return invalid_file(file.shown(), parse_errors(answer), client, std::move(failure.answer));
}

CommandOutcome propose_places(const ProposeOptions& options, Client& client) {
  NETML_TRY(const std::string path, gazetteer_path(options));
  NETML_TRY(const InputFile file, InputFile::open(path));
  Target target = api("node/places");
  target.query("topology", options.topology)
      .query("country", options.country)
      .query("actor", options.actor);
  const ControlRequest wanted{.method = "POST",
                              .target = target.text(),
                              .body = {},
                              .body_file = file.path(),
                              .server_may_open = true};
  Watch watch(client, {"sending", "looking up"}, file.bytes());
  auto answer = client.ask(wanted, watch.progress());
  watch.finish();
  if (!answer) return refused_gazetteer(file, std::move(answer).error(), client);
  return client.json() ? CommandOutcome() : print_proposal(*answer, client);
}

}  // namespace

void define_places(Grammar& grammar) {
  CLI::App& group = grammar.add_group("places", "Look up places of nodes that have none");
  const auto [app, options] =
      grammar.add(group,
                  {"propose", "Plan coordinates for nodes that are named after a city",
                   "netml places propose --topology urn:example:network --country NO"},
                  propose_places);
  app->add_option("--topology", options->topology,
                  "Whose nodes, with all topologies below it: its id, or #NUMBER")
      ->required();
  app->add_option("--country", options->country,
                  "Of nodes that do not say theirs: its two letters, NO");
  app->add_option("--gazetteer", options->gazetteer,
                  "Cities to look in; else the file that is installed with the program")
      ->type_name("FILE");
  app->add_option("--actor", options->actor, "Who proposes them, for the audit");
}

}  // namespace netml::admin::cli
