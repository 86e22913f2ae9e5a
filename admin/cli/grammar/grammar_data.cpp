// Maps in and out, and the rules that they run through.
#include <fmt/format.h>

#include "admin/cli/grammar/grammar.hpp"
#include "codecs/formats/file_format.hpp"
#include "engine/base/time.hpp"

namespace netml::admin::cli {

namespace {

std::string check_date(const std::string& text) {
  const auto date = parse_instant(text);
  if (!date) return "a date looks like 2024-03-01T12:00:00Z, not " + text;
  return date->seconds >= 0 ? "" : "history begins with 1970-01-01T00:00:00Z, after " + text;
}

std::string formats_of_one_topology() {
  std::string text;
  for (const codecs::FileFormat& format : codecs::file_formats())
    if (format.write != nullptr)
      text += fmt::format("{}{}: {} of one topology", text.empty() ? "" : ", ", format.name,
                          format.article);
  return text;
}

}  // namespace

void Grammar::define_data_commands() {
  const auto init = define<InitOptions>(
      app_, {"init", "Create a root topology and its owner in an empty store",
             "netml init --name \"Example Network\" --owner \"Example Institute\""});
  init.app->add_option("--name", init.options->name, "Name of the topology")->required();
  init.app->add_option("--owner", init.options->owner, "Name of its owner")->required();

  const auto import =
      define<ImportOptions>(app_, {"import", "Import a map and print the import log",
                                   "netml import map.xml --parent urn:example:network --dry-run"});
  import.app
      ->add_option("FILE", import.options->file,
                   "NetML, GRENML or .xlsx file; - for standard input")
      ->required();
  auto* parent = import.app->add_option("--parent", import.options->parent,
                                        "Topology to import below: its id, or #NUMBER");
  import.app->add_flag("--root", import.options->root, "Import to the top level")->excludes(parent);
  import.app->add_option("--name", import.options->topology_name,
                         "New name for the root topology of the file");
  auto* dry_run = import.app->add_flag("--dry-run", import.options->dry_run,
                                       "Say what would change, change nothing");
  auto* plan = import.app
                   ->add_flag("--plan", import.options->plan,
                              "The same, and keep it as a plan, to be looked at and applied later")
                   ->excludes(dry_run);
  import.app->add_option("--date", import.options->date, "When the change took effect (RFC 3339)")
      ->check(check_date)
      ->excludes(plan);
  import.app->add_option("--actor", import.options->actor, "Who imports, for the audit");
  import.app->footer(
      import.app->get_footer() +
      "\n\nWhat a file may demand is limited. netml status --help lists the limits, "
      "netml status\ntheir values;\n--limit NAME=NUMBER raises one, where the server is started "
      "if one runs.");

  const auto exported = define<ExportOptions>(
      app_, {"export", "Write the map as a NetML file", "netml export -o map.xml"});
  exported.app->add_option("-o,--output", exported.options->output,
                           "File to write (replaced when complete); else standard output");
  exported.app->add_option("--topology", exported.options->topology,
                           "Only this topology: its id, or #NUMBER");
  auto* published = exported.app->add_flag("--published", exported.options->published,
                                           "What was published last, not the live state");
  exported.app->add_option("--at", exported.options->at, when_help())->excludes(published);
  exported.app
      ->add_option("--format", exported.options->format,
                   "netml (default), or " + formats_of_one_topology())
      ->check(CLI::IsMember(codecs::written_formats()));

  const auto validate = define<ValidateOptions>(
      app_, {"validate", "Check a file and list all its errors", "netml validate map.xml"});
  validate.app
      ->add_option("FILE", validate.options->file,
                   "NetML, GRENML or .xlsx file; - for standard input")
      ->required();
}

void Grammar::define_generate() {
  const auto [app, options] = define<GenerateOptions>(
      app_, {"generate", "Write a large test map, the same for the same options",
             "netml generate --topologies 100 --nodes 500 --links 500 -o big.xml"});
  generator::GeneratorOptions& tree = options->tree;
  app->add_option("--topologies", tree.topologies, "Number of topologies")->required();
  app->add_option("--nodes", tree.nodes, "Nodes of each topology")->required();
  app->add_option("--links", tree.links, "Links of each topology")->required();
  app->add_option("--seed", tree.seed, "Another seed gives another map")->capture_default_str();
  app->add_option("--shared", tree.shared_percent,
                  "Percentage of the elements that a parent topology lists as well")
      ->capture_default_str();
  app->add_option("-o,--output", options->output, "File to write; else standard output");
}

void Grammar::define_rules() {
  CLI::App& group = define_group("rules", "Exchange, try out and apply collation rules");
  const auto import =
      define<RulesImportFile>(group, {"import", "Store rulesets from a JSON file and run the rules",
                                      "netml rules import rulesets.json"});
  import.app->add_option("FILE", import.options->file, "Rulesets as JSON; - for standard input")
      ->required();
  import.app->add_flag("--dry-run", import.options->dry_run,
                       "Say what the rules would do then, change nothing");
  const auto exported = define<RulesExport>(
      group, {"export", "Write all rulesets as JSON", "netml rules export -o rulesets.json"});
  exported.app->add_option("-o,--output", exported.options->output,
                           "File to write (replaced when complete); else standard output");
  define<RulesList>(group, {"list", "List rules in the order in which they run, with what is wrong",
                            "netml rules list"});
  const auto apply =
      define<RulesApply>(group, {"apply", "Run all enabled rules, or those named",
                                 "netml rules apply --ruleset \"Preferred copies\""});
  auto* ruleset = apply.app->add_option("--ruleset", apply.options->ruleset,
                                        "Only the enabled rules of this ruleset");
  apply.app->add_option("--rule", apply.options->rule, "Only this rule, enabled or not")
      ->excludes(ruleset);
  apply.app->add_flag("--dry-run", apply.options->dry_run,
                      "Say what they would do, change nothing");
  const auto test = define<RulesTest>(
      group, {"test", "Show what the rulesets of a file would match and change; change nothing",
              "netml rules test rulesets.json"});
  test.app->add_option("FILE", test.options->file, "Rulesets as JSON; - for standard input")
      ->required();
  define<RulesRestoreDefaults>(
      group, {"restore-defaults", "Replace the two rulesets of ID collisions by those shipped",
              "netml rules restore-defaults"});
}

}  // namespace netml::admin::cli
