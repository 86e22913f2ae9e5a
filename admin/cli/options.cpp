#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "admin/cli/command_line.hpp"
#include "admin/cli/config_file.hpp"
#include "admin/cli/grammar.hpp"
#include "engine/time.hpp"
#include "net/address.hpp"

namespace netml::admin::cli {

namespace {

std::string check_date(const std::string& text) {
  return parse_instant(text) ? "" : "a date looks like 2024-03-01T12:00:00Z, not " + text;
}

std::string check_listen(const std::string& text) {
  const auto address = net::TcpAddress::parse(text);
  return address ? "" : address.error().message;
}

std::string check_limit(const std::string& text) {
  Limits scratch;
  const Status set = set_limit(scratch, text);
  return set ? "" : set.error().message;
}

std::string check_number(const std::string& text) {
  const std::string_view digits = std::string_view(text).substr(text.starts_with('#') ? 1 : 0);
  const bool number = !digits.empty() && digits.find_first_not_of("0123456789") == digits.npos;
  return number ? "" : text + " is not a number of the list";
}

std::string check_head(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string_view lsn = std::string_view(text).substr(0, colon);
  const std::string_view hash = colon == text.npos ? "" : std::string_view(text).substr(colon + 1);
  const bool head = !lsn.empty() && lsn.find_first_not_of("0123456789") == lsn.npos &&
                    hash.size() == 64 && hash.find_first_not_of("0123456789abcdef") == hash.npos;
  return head ? "" : "a head is LSN:HASH as netml verify prints it, not " + text;
}

constexpr const char* kWhen =
    "A point in time: an LSN, a time like 2024-03-01T12:00:00Z, import:NUMBER, the name of a "
    "published item, or latest";

std::string check_public_key(const std::string& text) {
  const bool key =
      text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
  return key ? "" : "a public key has 64 hexadecimal digits";
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

Grammar::Grammar() {
  app_.require_subcommand(0, 1);
  app_.fallthrough();  // global options may also stand after the command
  app_.add_option("--data", global_.data_directory, "Data directory")->capture_default_str();
  app_.add_flag("--sandbox", global_.sandbox, "Connect to no other node");
  app_.add_flag("--json", global_.json, "Answer with one JSON document");
  app_.add_option("--limit", limits_,
                  "NAME=NUMBER, may be repeated: a limit as netml status names it. Where a server "
                  "runs, its own count")
      ->delimiter(',')
      ->check(check_limit);
  app_.add_option("--config", config_file_, "TOML file with values for options");
  app_.add_flag("--version", version_, "Show version, build and libraries");
  app_.footer(
      "Each option is also read from the environment variable NETML_<OPTION> (dashes become\n"
      "underscores) and from the file of --config. A flag wins over the environment, the\n"
      "environment over the file.\n\n"
      "netml COMMAND --help explains a command with an example.");
  define_serve();
  define_data_commands();
  define_generate();
  define_published();
  define_tokens();
  define_accounts();
  define_sources();
  define_polls();
  define_rules();
  define_settings();
  define_audit();
  define_undo();
  define_plans();
  define_node_commands();
  define_backup();
  define_repair();
}

CLI::App& Grammar::define_group(const char* name, const char* summary) {
  CLI::App* app = app_.add_subcommand(name, summary);
  app->require_subcommand(1);
  app->footer(fmt::format("netml {} COMMAND --help explains a command with an example.", name));
  return *app;
}

void Grammar::define_serve() {
  const auto [app, options] =
      define<ServeOptions>(app_, {"serve", "Serve the data directory over HTTP",
                                  "netml serve --data /var/lib/netml --listen 127.0.0.1:8080"});
  // A comma separates values in a variable, so it does everywhere.
  app->add_option("--listen", options->listen, "HOST:PORT, may be repeated; port 0 picks one")
      ->delimiter(',')
      ->check(check_listen)
      ->capture_default_str();
  auto* certificate =
      app->add_option("--tls-cert", options->tls_certificate, "Certificate chain (PEM)");
  auto* key = app->add_option("--tls-key", options->tls_key, "Private key (PEM)");
  certificate->needs(key);
  key->needs(certificate);
  app->add_option("--allowed-hosts", options->allowed_hosts,
                  "Host names that clients may use, * for all")
      ->delimiter(',');
  app->add_option("--poll-allow", options->poll_allow, "Private networks that may be polled (CIDR)")
      ->delimiter(',');
  app->add_option("--trusted-proxy", options->trusted_proxies,
                  "Proxies whose forwarded addresses count (CIDR)")
      ->delimiter(',');
  app->add_option("--sso-proxy", options->sso_proxies,
                  "Proxies whose identity headers sign people in (CIDR)")
      ->delimiter(',');
  app->add_option("--admin-eppns", options->admin_eppns,
                  "Who is an administrator when signed in that way")
      ->delimiter(',');
  app->add_flag("--test-mode", options->test_mode, "Enable the functional-test endpoints");
  app->add_flag("--development", options->development, "Development mode: polling needs no token");
  app->add_flag("--read-only", options->read_only, "Serve exports only, also of damaged data");
  app->add_option("--shutdown-timeout", options->shutdown_timeout_s,
                  "Seconds that requests in flight have at the end")
      ->capture_default_str();
}

void Grammar::define_data_commands() {
  const auto init = define<InitOptions>(
      app_, {"init", "Create a root topology and its owner in an empty store",
             "netml init --name \"Example Network\" --owner \"Example Institute\""});
  init.app->add_option("--name", init.options->name, "Name of the topology")->required();
  init.app->add_option("--owner", init.options->owner, "Name of its owner")->required();

  const auto import =
      define<ImportOptions>(app_, {"import", "Import a map and print the import log",
                                   "netml import map.xml --parent urn:example:network --dry-run"});
  import.app->add_option("FILE", import.options->file, "NetML, GRENML or .xlsx file")->required();
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

  const auto exported = define<ExportOptions>(
      app_, {"export", "Write the map as a NetML file", "netml export -o map.xml"});
  exported.app->add_option("-o,--output", exported.options->output,
                           "File to write (replaced when complete); else standard output");
  exported.app->add_option("--topology", exported.options->topology,
                           "Only this topology: its id, or #NUMBER");
  auto* published = exported.app->add_flag("--published", exported.options->published,
                                           "What was published last, not the live state");
  exported.app->add_option("--at", exported.options->at, kWhen)->excludes(published);
  exported.app
      ->add_option("--format", exported.options->format,
                   "netml (default), or xlsx: a spreadsheet of one topology")
      ->check(CLI::IsMember({"netml", "xlsx"}));

  const auto validate = define<ValidateOptions>(
      app_, {"validate", "Check a file and list all its errors", "netml validate map.xml"});
  validate.app->add_option("FILE", validate.options->file, "NetML, GRENML or .xlsx file")
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
                  "Per cent of the elements that a parent topology lists as well")
      ->capture_default_str();
  app->add_option("-o,--output", options->output, "File to write; else standard output");
}

void Grammar::define_published() {
  const auto publish = define<PublishOptions>(
      app_, {"publish", "Publish the live state as it is now",
             "netml publish \"Spring 2024\" --description \"Before the move\""});
  publish.app->add_option("NAME", publish.options->name, "Name of the published item")->required();
  publish.app->add_option("--description", publish.options->description, "Description");

  CLI::App& group = define_group("published", "List, show or delete what was published");
  define<PublishedList>(group, {"list", "List all, oldest first", "netml published list"});
  const auto show = define<PublishedShow>(group, {"show", "Show one", "netml published show 3"});
  show.app->add_option("NUMBER", show.options->number, "Its number in the list")
      ->required()
      ->check(check_number);
  const auto remove =
      define<PublishedDelete>(group, {"delete", "Delete one", "netml published delete 3"});
  remove.app->add_option("NUMBER", remove.options->number, "Its number in the list")
      ->required()
      ->check(check_number);
}

void Grammar::define_tokens() {
  CLI::App& group = define_group("token", "Create, list or delete bearer tokens");
  const auto create =
      define<TokenCreate>(group, {"create", "Create a token and print its value",
                                  "netml token create collector.example.org --kind polling"});
  create.app->add_option("NAME", create.options->client_name, "Who will hold it")->required();
  create.app
      ->add_option("--kind", create.options->kind,
                   "What it opens: polling or import (also by the names of the exchange format)")
      ->required()
      ->check(CLI::IsMember(
          {"polling", "import", "netml_export", "netml_import", "grenml_export", "grenml_import"}));
  define<TokenList>(group, {"list", "List tokens without their values", "netml token list"});
  const auto remove = define<TokenDelete>(
      group, {"delete", "Delete a token", "netml token delete collector.example.org"});
  remove.app->add_option("NAME", remove.options->client_name, "Who holds it")->required();
}

void Grammar::define_accounts() {
  const auto add_stdin = [](CLI::App& app, bool& flag) {
    app.add_flag("--password-stdin", flag, "Take the password from the first line of the input");
  };
  CLI::App& group = define_group("user", "Create, list or delete accounts");
  const auto create = define<UserCreate>(
      group, {"create", "Create an account", "netml user create ann --role admin"});
  create.app->add_option("NAME", create.options->name, "Name to sign in with")->required();
  create.app->add_option("--role", create.options->role, "What it may do: admin, editor or viewer")
      ->check(CLI::IsMember({"admin", "editor", "viewer"}))
      ->capture_default_str();
  create.app->add_option("--email", create.options->email, "Where to reach them");
  add_stdin(*create.app, create.options->password_stdin);
  define<UserList>(group, {"list", "List accounts", "netml user list"});
  const auto change =
      define<UserPassword>(group, {"passwd", "Change a password", "netml user passwd ann"});
  change.app->add_option("NAME", change.options->name, "Whose")->required();
  add_stdin(*change.app, change.options->password_stdin);
  const auto remove =
      define<UserDelete>(group, {"delete", "Delete an account", "netml user delete ann"});
  remove.app->add_option("NAME", remove.options->name, "Whose")->required();
}

void Grammar::define_rules() {
  CLI::App& group = define_group("rules", "Exchange, try out and apply collation rules");
  const auto import =
      define<RulesImportFile>(group, {"import", "Store rulesets from a JSON file and run the rules",
                                      "netml rules import rulesets.json"});
  import.app->add_option("FILE", import.options->file, "Rulesets as JSON")->required();
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
  const auto test = define<RulesTest>(
      group, {"test", "Show what the rulesets of a file would match and change; change nothing",
              "netml rules test rulesets.json"});
  test.app->add_option("FILE", test.options->file, "Rulesets as JSON")->required();
  define<RulesRestoreDefaults>(
      group, {"restore-defaults", "Replace the two rulesets of ID collisions by those shipped",
              "netml rules restore-defaults"});
}

void Grammar::define_settings() {
  CLI::App& group = define_group("setting", "List and change settings of the node");
  define<SettingList>(group, {"list", "List all with their values", "netml setting list"});
  const auto get = define<SettingGet>(
      group, {"get", "Print a value", "netml setting get TOPOLOGY_DELETION_PROPAGATION"});
  get.app->add_option("NAME", get.options->name, "Name of the setting")->required();
  const auto set = define<SettingSet>(
      group, {"set", "Change a value", "netml setting set TOPOLOGY_DELETION_PROPAGATION Off"});
  set.app->add_option("NAME", set.options->name, "Name of the setting")->required();
  set.app->add_option("VALUE", set.options->value, "New value")->required();
  const auto reset = define<SettingReset>(
      group,
      {"reset", "Return to the default", "netml setting reset TOPOLOGY_DELETION_PROPAGATION"});
  reset.app->add_option("NAME", reset.options->name, "Name of the setting")->required();
}

void Grammar::define_audit() {
  const auto log = define<LogOptions>(
      app_, {"log", "List transactions, the newest first", "netml log --actor ann --limit 20"});
  log.app->add_option("--since", log.options->since, kWhen);
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
  show.app->add_option("LSN", show.options->when, kWhen)->required();
  const auto diff = define<DiffOptions>(
      app_, {"diff", "Show what changed between two points in time",
             "netml diff 2024-03-01T00:00:00Z latest --topology urn:example:network"});
  diff.app->add_option("A", diff.options->from, kWhen)->required();
  diff.app->add_option("B", diff.options->to, "The same")->required();
  diff.app->add_option("--topology", diff.options->topology,
                       "Only the topology with this id and its members");
  const auto history = define<HistoryOptions>(
      app_, {"history", "Show every change of one element", "netml history urn:example:node:1"});
  history.app->add_option("ID", history.options->element, "Its id, or #NUMBER")->required();
  const auto replay = define<ReplayOptions>(
      app_, {"replay", "Make a data directory as this one was at a point in time",
             "netml replay --until import:7 --into /tmp/as-it-was"});
  replay.app->add_option("--until", replay.options->until, kWhen)->required();
  replay.app->add_option("--into", replay.options->into, "Directory to make")->required();
}

void Grammar::define_undo() {
  const auto [app, options] = define<UndoOptions>(
      app_, {"undo", "Take back one transaction by a new one", "netml undo import:7 --dry-run"});
  app->add_option("WHAT", options->what, "An LSN, as netml log shows it, or import:ID")->required();
  app->add_flag("--dry-run", options->dry_run, "Say what would change, change nothing");
  app->add_flag("--force", options->force, "Take back also what was overwritten since");
  app->add_option("--actor", options->actor, "Who takes it back, for the audit");
}

void Grammar::define_plans() {
  constexpr const char* kNumber = "Its number in the list";
  const auto apply =
      define<ApplyOptions>(app_, {"apply", "Do exactly what a kept plan says", "netml apply 3"});
  apply.app->add_option("PLAN", apply.options->number, kNumber)->required()->check(check_number);
  apply.app->add_option("--actor", apply.options->actor, "Who applies it, for the audit");

  CLI::App& group = define_group("plan", "List, show or delete plans of imports");
  define<PlanList>(group, {"list", "List all", "netml plan list"});
  const auto show =
      define<PlanShow>(group, {"show", "Show what one would change", "netml plan show 3"});
  show.app->add_option("PLAN", show.options->number, kNumber)->required()->check(check_number);
  show.app->add_option("--offset", show.options->offset, "Leave out so many elements");
  show.app->add_option("--limit", show.options->limit, "At most so many elements");
  const auto remove = define<PlanDelete>(group, {"delete", "Delete one", "netml plan delete 3"});
  remove.app->add_option("PLAN", remove.options->number, kNumber)->required()->check(check_number);
}

void Grammar::define_node_commands() {
  define<StatusOptions>(app_, {"status", "Show what the node holds and does", "netml status"});
  define<CheckpointOptions>(app_, {"checkpoint", "Take a checkpoint now", "netml checkpoint"});
  const auto verify =
      define<VerifyOptions>(app_, {"verify", "Check everything stored: checksums, chain and replay",
                                   "netml verify --data /var/lib/netml"});
  verify.app
      ->add_option("--head", verify.options->head,
                   "LSN:HASH noted earlier: the journal must pass through it")
      ->check(check_head);
  verify.app
      ->add_option("--key", verify.options->key,
                   "Public key that netml key create printed: checkpoints must be signed by it")
      ->check(check_public_key);
  CLI::App& key = define_group("key", "Make the key that signs checkpoints");
  define<KeyCreate>(key, {"create",
                          "Make a key, sign every checkpoint from now on with it, and print "
                          "its public half",
                          "netml key create"});
}

void Grammar::define_repair() {
  const auto [app, options] = define<RepairOptions>(
      app_,
      {"repair",
       "Cut a damaged journal after an LSN, when there is no backup. Without the second option "
       "it says what would be lost and changes nothing",
       "netml repair --truncate-at 1233 --i-accept-losing 3-transactions"});
  app->add_option("--truncate-at", options->truncate_at, "The last LSN that stays")->required();
  app->add_option_function<std::string>(
         "--i-accept-losing",
         [options = options](const std::string& text) {
           options->accepted = transaction_count(text);
         },
         "N-transactions, with the number that the command names without this option")
      ->check(check_transaction_count);
}

void Grammar::define_backup() {
  const auto archive = define<ArchiveOptions>(
      app_, {"archive", "Move old segments of the journal to another directory, packed",
             "netml archive /mnt/archive/netml"});
  archive.app
      ->add_option("DIR", archive.options->directory,
                   "Directory outside of the data directory, for this node alone; log, verify, "
                   "replay and backup read the segments there")
      ->required();
  define<DowngradeCheckOptions>(
      app_, {"downgrade-check", "Say whether the previous version could open the data directory",
             "netml downgrade-check"});
  const auto backup = define<BackupOptions>(
      app_, {"backup", "Write all data into one file, also while a server runs; print its head",
             "netml backup /mnt/backup/netml-2024-03-01.tar"});
  backup.app->add_option("FILE", backup.options->file, "File to write (replaced when complete)")
      ->required();
  const auto restore = define<RestoreOptions>(
      app_, {"restore", "Make a data directory from a backup and verify all of it",
             "netml restore /mnt/backup/netml-2024-03-01.tar --into /var/lib/netml-restored"});
  restore.app->add_option("FILE", restore.options->file, "What netml backup wrote")->required();
  restore.app->add_option("--into", restore.options->into, "Directory to make, or an empty one")
      ->required();
  restore.app->add_option("--key", restore.options->key,
                          "Copy of the node.key of the node that was backed up");
  restore.app
      ->add_option("--head", restore.options->head,
                   "LSN:HASH noted earlier: the backup's journal must pass through it")
      ->check(check_head);
}

std::vector<CLI::App*> Grammar::parsed_apps() {
  std::vector<CLI::App*> apps{&app_};
  while (!apps.back()->get_subcommands().empty())
    apps.push_back(apps.back()->get_subcommands().front());
  return apps;
}

std::vector<std::string> Grammar::all_option_names() const {
  std::vector<std::string> names;
  std::vector<const CLI::App*> pending{&app_};
  while (!pending.empty()) {
    const CLI::App* app = pending.back();
    pending.pop_back();
    for (const CLI::Option* option : app->get_options())
      names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
    const auto below = app->get_subcommands([](const CLI::App*) { return true; });
    pending.insert(pending.end(), below.begin(), below.end());
  }
  return names;
}

std::optional<CommandLine> Grammar::take() {
  for (const std::string& assignment : limits_)
    NETML_ASSERT(set_limit(global_.limits, assignment).has_value());  // checked when parsed
  if (version_) return CommandLine{global_, ShowVersion{}};
  if (!command_) return std::nullopt;
  return CommandLine{global_, *std::move(command_)};
}

namespace {

// ---- values that are no flags ----

bool is_about_the_program(const std::string& name) {
  return name == "help" || name == "version" || name == "config";
}

// What is meant for one call must be said in it: nobody loses data because of a setting.
bool only_as_a_flag(const std::string& name) {
  return is_about_the_program(name) || name == "i-accept-losing";
}

// Names that reference deployments use, too (decision 17).
std::string inherited_variable(const std::string& option) {
  if (option == "test-mode") return "TEST_MODE";
  if (option == "sandbox") return "SANDBOX";
  if (option == "development") return "DEVELOPMENT";
  if (option == "allowed-hosts") return "DJANGO_ALLOWED_HOSTS";
  if (option == "admin-eppns") return "ADMIN_EPPNS";
  return {};
}

std::optional<std::string> variable_of(const std::string& option, const Variables& variables) {
  std::string name = "NETML_";
  for (const char c : option)
    name += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  std::optional<std::string> value = variables(name);
  const std::string inherited = inherited_variable(option);
  if ((!value || value->empty()) && !inherited.empty()) {
    value = variables(inherited);
    if (value && (option == "allowed-hosts" || option == "admin-eppns"))
      std::replace(value->begin(), value->end(), ' ', ',');
  }
  if (value && value->empty()) value.reset();
  return value;
}

// Whether a command has an option of its own under a global name: --limit of the log.
bool hides_a_global_option(CLI::App& global, const CLI::App* app, const std::string& name) {
  return app != &global && global.get_option_no_throw("--" + name) != nullptr;
}

// Flags for the options of the command that the arguments leave open. Those of the program stand
// before the command, or it would take them for its own.
struct AddedFlags {
  std::vector<std::string> global;
  std::vector<std::string> command;
};
AddedFlags flags_from_elsewhere(Grammar& grammar, const Variables& variables,
                                const ConfigValues& config) {
  AddedFlags added;
  for (CLI::App* app : grammar.parsed_apps()) {
    auto& flags = app == &grammar.app() ? added.global : added.command;
    for (const CLI::Option* option : app->get_options()) {
      if (option->get_lnames().empty() || option->count() > 0) continue;
      const std::string& name = option->get_lnames().front();
      if (only_as_a_flag(name) || hides_a_global_option(grammar.app(), app, name)) continue;
      if (const auto value = variable_of(name, variables)) {
        flags.push_back(fmt::format("--{}={}", name, *value));
      } else if (const auto entry = config.find(name); entry != config.end()) {
        for (const std::string& item : entry->second)
          flags.push_back(fmt::format("--{}={}", name, item));
      }
    }
  }
  return added;
}

tl::expected<ConfigValues, std::string> config_of(const Grammar& grammar,
                                                  const Variables& variables) {
  std::string path = grammar.config_file();
  if (path.empty()) path = variable_of("config", variables).value_or("");
  if (path.empty()) return ConfigValues();
  auto config = read_config(path);
  if (!config) return config;
  const std::vector<std::string> known = grammar.all_option_names();
  for (const auto& [name, values] : *config) {
    if (is_about_the_program(name) || std::find(known.begin(), known.end(), name) == known.end())
      return tl::make_unexpected(fmt::format("{}: there is no option {}", path, name));
    if (only_as_a_flag(name))
      return tl::make_unexpected(fmt::format("{}: {} can be given as a flag only", path, name));
  }
  return config;
}

std::string command_name(Grammar& grammar) {
  std::string name;
  for (const CLI::App* app : grammar.parsed_apps())
    name += (name.empty() ? "" : " ") + app->get_name();
  return name;
}

tl::unexpected<std::string> usage_error(Grammar& grammar, const std::string& problem) {
  const std::string name = command_name(grammar);
  return tl::make_unexpected(fmt::format("{}\nRun '{} --help' for help.", problem, name));
}

}  // namespace

tl::expected<CommandLine, std::string> parse_command_line(const std::vector<std::string>& arguments,
                                                          const Variables& variables) {
  // The library ranks its config file above the environment. So the arguments are parsed twice:
  // first only to see which command and flags they name, then with flags added for the rest.
  Grammar first;
  try {
    first.parse(arguments);
  } catch (const CLI::CallForHelp&) {
    return CommandLine{{}, ShowHelp{first.app().help()}};
  } catch (const CLI::ParseError&) {
    // What is missing may come from elsewhere; what is wrong is found again below.
  }
  const auto config = config_of(first, variables);
  if (!config) return tl::make_unexpected(config.error());

  std::vector<std::string> complete = arguments;
  const AddedFlags added = flags_from_elsewhere(first, variables, *config);
  complete.insert(std::find(complete.begin(), complete.end(), "--"), added.command.begin(),
                  added.command.end());
  complete.insert(complete.begin(), added.global.begin(), added.global.end());

  Grammar grammar;
  try {
    grammar.parse(complete);
  } catch (const CLI::ParseError& error) {
    return usage_error(grammar, error.what());
  }
  if (auto line = grammar.take()) return *std::move(line);
  return usage_error(grammar, "a command is needed");
}

}  // namespace netml::admin::cli
