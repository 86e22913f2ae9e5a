// What happened, undoing it, and plans of what will.
#include "admin/cli/grammar/grammar.hpp"

namespace netml::admin::cli {

void Grammar::define_audit() {
  const auto log = define<LogOptions>(
      app_, {"log", "List transactions, the newest first", "netml log --actor ann --limit 20"});
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
  const auto show =
      define<ShowOptions>(app_, {"show", "Show one transaction in full", "netml show 1234"});
  show.app->add_option("LSN", show.options->when, when_help())->required();
  const auto diff = define<DiffOptions>(
      app_, {"diff", "Show what changed between two points in time",
             "netml diff 2024-03-01T00:00:00Z latest --topology urn:example:network"});
  diff.app->add_option("A", diff.options->from, when_help())->required();
  diff.app->add_option("B", diff.options->to, "The same")->required();
  diff.app->add_option("--topology", diff.options->topology,
                       "Only the topology with this id and its members");
  const auto history = define<HistoryOptions>(
      app_, {"history", "Show every change of one element", "netml history urn:example:node:1"});
  history.app->add_option("ID", history.options->element, "Its id, or #NUMBER")->required();
  const auto replay = define<ReplayOptions>(
      app_, {"replay", "Make a data directory as this one was at a point in time",
             "netml replay --until import:7 --into /tmp/as-it-was"});
  replay.app->add_option("--until", replay.options->until, when_help())->required();
  replay.app->add_option("--into", replay.options->into, "Directory to make")->required();
}

void Grammar::define_undo() {
  const auto [app, options] = define<UndoOptions>(
      app_, {"undo", "Undo one transaction by a new one", "netml undo import:7 --dry-run"});
  app->add_option("WHAT", options->what, "An LSN, as netml log shows it, or import:ID")->required();
  app->add_flag("--dry-run", options->dry_run, "Say what would change, change nothing");
  app->add_flag("--force", options->force, "Undo also what was overwritten since");
  app->add_option("--actor", options->actor, "Who undoes it, for the audit");
}

void Grammar::define_plans() {
  constexpr const char* kNumber = "Its number in the list";
  const auto apply =
      define<ApplyOptions>(app_, {"apply", "Do exactly what a stored plan says", "netml apply 3"});
  apply.app->add_option("PLAN", apply.options->number, kNumber)->required()->check(check_number);
  apply.app->add_option("--actor", apply.options->actor, "Who applies it, for the audit");

  CLI::App& group = define_group("plan", "List, show, renew or delete plans of imports");
  define<PlanList>(group, {"list", "List all", "netml plan list"});
  const auto show =
      define<PlanShow>(group, {"show", "Show what one would change", "netml plan show 3"});
  show.app->add_option("PLAN", show.options->number, kNumber)->required()->check(check_number);
  show.app->add_option("--offset", show.options->offset, "Leave out so many elements");
  show.app->add_option("--limit", show.options->limit, "At most so many elements");
  const auto again = define<PlanAgain>(
      group, {"again", "Plan one again on what is there now, and show what differs",
              "netml plan again 3 --dry-run"});
  again.app->add_option("PLAN", again.options->number, kNumber)->required()->check(check_number);
  again.app->add_flag("--dry-run", again.options->dry_run, "Show what differs, keep the old plan");
  again.app->add_option("--actor", again.options->actor, "Who plans it again, for the audit");
  const auto remove = define<PlanDelete>(group, {"delete", "Delete one", "netml plan delete 3"});
  remove.app->add_option("PLAN", remove.options->number, kNumber)->required()->check(check_number);
}

}  // namespace netml::admin::cli
