// What has to do with peers: sources and polls.
#include "admin/cli/grammar/grammar.hpp"

namespace netml::admin::cli {

namespace {

void add_poll_allow(CLI::App& app, std::vector<std::string>& networks) {
  app.add_option("--poll-allow", networks, "Internal networks that may be polled this time (CIDR)")
      ->delimiter(',')
      ->check(check_network);
}

CLI::Option* add_poll(CLI::App& app, PollOptions& options) {
  add_poll_allow(app, options.allow);
  app.add_flag("--force", options.force, "Fetch and import also what did not change");
  add_former_name(app, "--whole", options.force);
  return app.add_option("NAME", options.names, "Names of sources, active or not");
}

void add_fields(CLI::App& app, SourceFieldOptions& fields) {
  app.add_option("--protocol", fields.protocol, "https, which is the default, or http")
      ->check(CLI::IsMember({"https", "http"}));
  app.add_option("--port", fields.port, "Its port; 443 by default")->check(CLI::Range(1, 65535));
  app.add_option("--path", fields.path,
                 "What stands before netml_export/, with a slash at its end");
  app.add_flag("--token-stdin", fields.token_stdin,
               "Take the token that opens the peer from the first line of the input");
  app.add_flag("--plain-http", fields.plain_http,
               "With http: token and map may travel where others can read them");
  app.add_option("--ca-file", fields.ca_file,
                 "Certificates to trust instead of the system's (PEM)");
  app.add_option("--deletions-max", fields.deletions_max,
                 "Hold a map that would delete more elements; 0 = never");
  app.add_option("--deletion-percent-max", fields.deletion_percent_max,
                 "The same in percent of what the peer supplied; 0 = never");
  app.add_option("--authority", fields.authority,
                 "What its maps may change: its own topologies, those listed too, or any of others")
      ->check(CLI::IsMember({"own", "listed", "any"}));
  app.add_option("--listed-topology", fields.listed_topologies,
                 "With --authority listed: identifier of a topology of others; may be repeated");
  app.add_flag("--unverified", fields.unverified, "Check no certificate; in development mode only");
}

}  // namespace

void Grammar::define_sources() {
  const auto add_name = [](CLI::App& app, std::string& name) {
    app.add_option("NAME", name, "Name of the source")->required();
  };
  CLI::App& group = define_group("source", "Add, list, change or delete peers that are polled");
  const auto add = define<SourceAdd>(
      group,
      {"add", "Add a peer", "netml source add garr --host map.garr.it --token-stdin < token"});
  add_name(*add.app, add.options->name);
  add.app->add_option("--host", add.options->fields.host, "Name or address of the peer")
      ->required();
  add_fields(*add.app, add.options->fields);
  add.app->add_flag("--inactive", add.options->inactive, "Poll it only when asked to by name");
  const auto set = define<SourceSet>(
      group,
      {"set", "Change a peer", "netml source set garr --path published_network_data/current/"});
  add_name(*set.app, set.options->name);
  set.app->add_option("--rename", set.options->new_name, "Its new name");
  set.app->add_option("--host", set.options->fields.host, "Name or address of the peer");
  add_fields(*set.app, set.options->fields);
  set.app->add_flag("--no-token", set.options->no_token, "Send no token any more");
  set.app->add_flag("--system-ca", set.options->system_ca, "Trust the system's certificates again");
  set.app->add_flag("--verified", set.options->verified, "Check its certificates again");
  set.app->add_flag("--no-own-limits", set.options->no_own_limits,
                    "Hold its maps as the settings say");
  add_former_name(*set.app, "--no-own-brake", set.options->no_own_limits);
  define<SourceList>(group, {"list", "List peers", "netml source list"});
  const auto show = define<SourceShow>(group, {"show", "Show one peer", "netml source show garr"});
  add_name(*show.app, show.options->name);
  const auto enable = define<SourceEnable>(
      group, {"enable", "Poll it with the others", "netml source enable garr"});
  add_name(*enable.app, enable.options->name);
  const auto disable = define<SourceDisable>(
      group, {"disable", "Poll it only when asked to by name", "netml source disable garr"});
  add_name(*disable.app, disable.options->name);
  const auto remove = define<SourceDelete>(
      group, {"delete", "Delete a peer; what came from it stays", "netml source delete garr"});
  add_name(*remove.app, remove.options->name);
  const auto test = define<SourceTest>(
      group, {"test", "Find out whether all peers, or those named, can be polled",
              "netml source test garr"});
  test.app->add_option("NAME", test.options->names, "Names of sources");
  add_poll_allow(*test.app, test.options->allow);
  const auto collect = define<SourceCollect>(
      group,
      {"collect", "Collect the maps of the peers that are named", "netml source collect garr"});
  add_poll(*collect.app, collect.options->poll)->required();
  const auto log = define<SourceLog>(
      group, {"log", "List the polls, or show one of them", "netml source log 12"});
  log.app->add_option("POLL", log.options->poll, "Number of a poll");
  log.app->add_option("--limit", log.options->limit, "How many, the newest first")
      ->capture_default_str();
}

void Grammar::define_polls() {
  const auto poll = define<PollOptions>(
      app_, {"poll", "Collect the maps of all active peers, or of those named", "netml poll garr"});
  add_poll(*poll.app, *poll.options);
}

}  // namespace netml::admin::cli
