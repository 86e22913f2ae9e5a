// A token comes from standard input or from a file, never from an argument or a variable, which
// other processes can see.
#include <fmt/format.h>

#include <array>

#include "admin/cli/client/files.hpp"
#include "admin/cli/client/output.hpp"
#include "admin/cli/client/progress.hpp"
#include "admin/cli/client/secret_file.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/commands/members.hpp"
#include "admin/cli/grammar/grammar.hpp"

namespace netml::admin::cli {

namespace {

// What `source add` and `source set` have in common.
struct SourceFieldOptions {
  std::optional<std::string> protocol;  // "https" or "http"
  std::optional<std::string> host;
  std::optional<unsigned> port;
  std::optional<std::string> path;
  SecretOptions token;
  bool plain_http = false;
  bool unverified = false;
  std::optional<std::string> ca_file;
  std::optional<std::uint32_t> deletions_max;
  std::optional<std::uint32_t> deletion_percent_max;
  std::optional<std::string> authority;  // "own", "listed" or "any"
  std::vector<std::string> listed_topologies;
  std::optional<std::string> kind;   // "netml" or "netbox"
  std::vector<std::string> filters;  // "region=europe"
  std::optional<std::string> mapping;
};

CommandOutcome set_fields(const SourceFieldOptions& options, Client& client, Members& members) {
  members.set_if_given("protocol", options.protocol);
  members.set_if_given("hostname", options.host);
  members.set_if_given("port", options.port);
  members.set_if_given("path", options.path);
  NETML_TRY(const auto token, given_secret(options.token, client.environment()));
  members.set_if_given("token", token);
  if (options.plain_http) members.set("plain_http", true);
  members.set_if_given("deletions_max", options.deletions_max);
  members.set_if_given("deletion_percent_max", options.deletion_percent_max);
  members.set_if_given("authority", options.authority);
  if (!options.listed_topologies.empty())
    members.set("listed_topologies", options.listed_topologies);
  members.set_if_given("kind", options.kind);
  if (!options.filters.empty()) members.set("filters", options.filters);
  members.set_if_given("mapping", options.mapping);
  if (options.unverified) members.set("unverified", true);
  if (options.ca_file) {
    NETML_TRY(const std::string certificates, whole_file(*options.ca_file));
    members.set("ca_certificates", certificates);
  }
  return {};
}

constexpr auto kTime = FormerName::Value::time;
constexpr auto kMilliseconds = FormerName::Value::milliseconds;
constexpr std::array kSourceNames{
    FormerName{"number", "id"},
    FormerName{"last_success", "succeeded", kTime},
    FormerName{"last_failure", "failed", kTime},
    FormerName{"waits_until", "waits_until", kTime},
    FormerName{"created", "created", kTime},
    FormerName{"listed_topologies", "listed_topologies", FormerName::Value::lines},
    FormerName{"filters", "filters", FormerName::Value::lines}};
constexpr std::array kReportNames{FormerName{"reports", "items"}};
constexpr std::array kPollNames{FormerName{"number", "id"},
                                FormerName{"time", "started", kTime},
                                FormerName{"complete", "finished"},
                                FormerName{"duration", "milliseconds", kMilliseconds},
                                FormerName{"state", "status"},
                                FormerName{"source", "name"},
                                FormerName{"source_number", "source"},
                                FormerName{"poll_start", "polled", kTime},
                                FormerName{"poll_seconds", "poll_milliseconds", kMilliseconds},
                                FormerName{"import_start", "imported", kTime},
                                FormerName{"import_seconds", "import_milliseconds", kMilliseconds},
                                FormerName{"import", "record"}};

Outcome<Target> source_of(Client& client, const std::string& name) {
  NETML_TRY(const std::string number,
            client.number_of(api("sources"), "source", name, "source list"));
  return api("sources").segment(number);
}

Outcome<JsonValue> change_source(Client& client, const std::string& name, const Members& members) {
  NETML_TRY(const Target source, source_of(client, name));
  return client.ask(request("PUT", source, members.object()), kSourceNames);
}

// What somebody who looks at a list should know of it.
std::string remarks(const JsonValue& source) {
  std::string text = source.text("kind") == "netbox" ? "NetBox, " : "";
  text += source.flag("has_token") ? "token" : "no token";
  if (source.text("protocol") == "http") text += ", in clear";
  if (source.flag("unverified")) text += ", certificates unchecked";
  if (source.flag("own_ca")) text += ", own CA";
  if (const std::string authority = source.text("authority");
      !authority.empty() && authority != "own")
    text += fmt::format(", may change {} topologies", authority);
  if (const std::string failures = source.text("failures"); !failures.empty() && failures != "0")
    text += fmt::format(", failed {} times", failures);
  if (source.flag("paused")) text += ", paused";
  return text;
}

std::string report_line(const JsonValue& report) {
  const std::string name = report.text("name");
  if (report.text("result") == "failed") return fmt::format("{}: {}", name, report.text("message"));
  if (report.text("result") == "unchanged") return name + ": unchanged since the last poll";
  const JsonValue import = report.at("import");
  return fmt::format("{}: {} created, {} updated, {} deleted (import record {})", name,
                     import.number("created"), import.number("updated"), import.number("deleted"),
                     report.number("record"));
}

// Whoever chose it should know what that means.
std::string warning_of(const SourceFieldOptions& options) {
  if (options.authority != "any") return {};
  return "; its maps may now overwrite what others deliver, and what is this node's own";
}

struct NewSource {
  std::string name;
  SourceFieldOptions fields;
  bool inactive = false;
};

CommandOutcome add_source(const NewSource& options, Client& client) {
  Members members;
  members.set("name", options.name);
  NETML_TRY_VOID(set_fields(options.fields, client, members));
  if (options.inactive) members.set("active", false);
  NETML_TRY(const JsonValue source,
            client.ask(request("POST", api("sources"), members.object()), kSourceNames));
  return client.say(fmt::format("added source {}, {}{}", source.text("name"), source.text("url"),
                                warning_of(options.fields)));
}

struct ChangedSource {
  std::string name;
  std::optional<std::string> new_name;
  SourceFieldOptions fields;
  bool no_token = false;
  bool verified = false;
  bool system_ca = false;
  bool no_own_limits = false;
  bool no_filters = false;
};

CommandOutcome set_source(const ChangedSource& options, Client& client) {
  const SourceFieldOptions& fields = options.fields;
  Members members;
  members.set_if_given("name", options.new_name);
  NETML_TRY_VOID(set_fields(fields, client, members));
  if (options.no_token) members.set_null("token");
  if (options.verified) members.set("unverified", false);
  if (options.system_ca) members.set("ca_certificates", std::string());
  if (options.no_filters) members.set("filters", std::vector<std::string>());
  if (options.no_own_limits) {
    members.set_null("deletions_max");
    members.set_null("deletion_percent_max");
  }
  NETML_TRY(const JsonValue source, change_source(client, options.name, members));
  const bool moved = fields.host || fields.port || fields.protocol || fields.kind;
  return client.say(fmt::format("changed source {}{}{}", source.text("name"),
                                moved && !source.flag("has_token") ? ", which has no token" : "",
                                warning_of(fields)));
}

Table source_table(const JsonValue& sources) {
  Table table;
  table.row({"NAME", "ACTIVE", "URL", "REMARKS"});
  for (const JsonValue& source : sources.items())
    table.row({source.text("name"), source.flag("active") ? "yes" : "no", source.text("url"),
               remarks(source)});
  return table;
}

Table source_text(const JsonValue& source) {
  Table table;
  table.row({"name", source.text("name")});
  table.row({"active", source.flag("active") ? "yes" : "no"});
  table.row({"polled at", source.text("polling_url")});
  table.row({"status at", source.text("status_url")});
  table.row({"remarks", remarks(source)});
  if (source.text("authority") == "listed")
    for (const JsonValue& topology : source.at("listed_topologies").items())
      table.row({"may change", topology.text()});
  for (const JsonValue& filter : source.at("filters").items())
    table.row({"sites with", filter.text()});
  if (const std::string mapping = source.text("mapping"); !mapping.empty())
    table.row({"mapping", mapping});
  table.row({"created", source.text("created")});
  for (const auto& [label, name] :
       {std::pair{"last success", "succeeded"}, std::pair{"last failure", "failed"},
        std::pair{"not before", "waits_until"}})
    if (const std::string time = source.text(name); !time.empty()) table.row({label, time});
  return table;
}

CommandOutcome show_source(const std::string& name, Client& client) {
  NETML_TRY(const Target source, source_of(client, name));
  return client.show(client.ask(request("GET", source), kSourceNames), source_text);
}

CommandOutcome set_active(const std::string& name, bool active, Client& client) {
  Members members;
  members.set("active", active);
  NETML_TRY_VOID(change_source(client, name, members));
  return client.say(fmt::format("{} source {}", active ? "enabled" : "disabled", name));
}

CommandOutcome delete_source(const std::string& name, Client& client) {
  NETML_TRY(const Target source, source_of(client, name));
  NETML_TRY_VOID(client.ask(request("DELETE", source)));
  return client.say("deleted source " + name);
}

// ---- polls ----

// Which sources to ask, and which internal networks may be reached for that (CIDR).
struct AskedSources {
  std::vector<std::string> names;  // none: all
  std::vector<std::string> allow;

  Members members() const {
    Members members;
    if (!names.empty()) members.set("sources", names);
    if (!allow.empty()) members.set("allow", allow);
    return members;
  }
};

CommandOutcome test_sources(const AskedSources& options, Client& client) {
  const std::string body = options.members().object();
  NETML_TRY(const JsonValue answer,
            client.ask(question("POST", api("sources/test"), body), kReportNames));
  const std::vector<JsonValue> reports = answer.at("items").items();
  Table table;
  table.row({"NAME", "RESULT", "DETAIL"});
  std::size_t bad = 0;
  for (const JsonValue& report : reports) {
    const bool good = report.flag("good");
    if (!good) ++bad;
    table.row({report.text("name"), good ? "good" : report.text("reason"), report.text("message")});
  }
  if (!client.json()) NETML_TRY_VOID(client.print(table));
  if (bad == 0) return {};
  return fail(ExitCode::failed,
              fmt::format("{} of {} peers cannot be polled", bad, reports.size()));
}

struct PollOptions {
  AskedSources sources;  // without names: all that are active
  bool force = false;
};

CommandOutcome poll(const PollOptions& options, Client& client) {
  Members members = options.sources.members();
  if (options.force) members.set("force", true);
  members.set("wait", true);
  Watch watch(client, {"polling", "polling"}, std::nullopt);
  auto asked =
      client.ask(request("POST", api("polls"), members.object()), watch.progress(), kReportNames);
  watch.finish();
  NETML_TRY(const JsonValue answer, std::move(asked));
  const std::vector<JsonValue> reports = answer.at("items").items();
  std::string text;
  std::size_t failures = 0;
  for (const JsonValue& report : reports) {
    text += printable_line(report_line(report));
    if (report.text("result") == "failed") ++failures;
  }
  if (text.empty()) text = "no source is active\n";
  if (!client.json()) NETML_TRY_VOID(client.print(text));
  if (failures == 0) return {};
  return fail(ExitCode::failed, fmt::format("{} of {} sources failed", failures, reports.size()));
}

CommandOutcome show_poll(std::uint64_t number, Client& client) {
  const Target target = api("polls").segment(fmt::to_string(number));
  NETML_TRY(const JsonValue poll, client.ask(request("GET", target), kPollNames));
  Table table;
  table.row({"NAME", "STATUS", "FETCHED", "FETCH MS", "IMPORT MS", "RECORD", "MESSAGE"});
  for (const JsonValue& record : poll.at("records").items())
    table.row({record.text("name"), record.text("status"), record.text("polled"),
               record.text("poll_milliseconds"), record.text("import_milliseconds"),
               record.text("record"), record.text("message")});
  return client.json() ? CommandOutcome() : client.print(table);
}

struct PollLog {
  std::optional<std::uint64_t> poll;
  std::uint64_t limit = 20;
};

CommandOutcome show_polls(const PollLog& options, Client& client) {
  if (options.poll) return show_poll(*options.poll, client);
  NETML_TRY(const JsonValue polls, client.ask_all(api("polls"), kPollNames, options.limit));
  Table table;
  table.row({"POLL", "STARTED", "BY", "STATUS", "SOURCES", "FAILED"});
  for (const JsonValue& poll : polls.items())
    table.row({poll.text("id"), poll.text("started"), poll.flag("scheduled") ? "schedule" : "hand",
               poll.flag("finished") ? poll.text("status") : "running", poll.text("sources"),
               poll.text("failed")});
  return client.json() ? CommandOutcome() : client.print(table);
}

// ---- the command line ----

void add_poll_allow(CLI::App& app, std::vector<std::string>& networks) {
  app.add_option("--poll-allow", networks, "Internal networks that may be polled this time (CIDR)")
      ->delimiter(',')
      ->check(check_network);
}

CLI::Option* add_poll(CLI::App& app, PollOptions& options) {
  add_poll_allow(app, options.sources.allow);
  app.add_flag("--force", options.force, "Fetch and import also what did not change");
  add_former_name(app, "--whole", options.force);
  return app.add_option("NAME", options.sources.names, "Names of sources, active or not");
}

void add_field_options(CLI::App& app, SourceFieldOptions& fields) {
  app.add_option("--protocol", fields.protocol, "https, which is the default, or http")
      ->check(CLI::IsMember({"https", "http"}));
  app.add_option("--port", fields.port, "Its port; 443 by default")->check(CLI::Range(1, 65535));
  app.add_option("--path", fields.path,
                 "What stands before netml_export/ or api/, with a slash at its end");
  app.add_flag("--token-stdin", fields.token.stdin_line,
               "Take the token that opens the peer from the first line of the input");
  app.add_option("--token-file", fields.token.file,
                 "File with that token in its first line; - for standard input")
      ->type_name("FILE");
  app.add_flag("--plain-http", fields.plain_http,
               "With http: token and map may travel where others can read them");
  app.add_option("--ca-file", fields.ca_file,
                 "Certificates to trust instead of the system's (PEM); - for standard input")
      ->type_name("FILE");
  app.add_option("--deletions-max", fields.deletions_max,
                 "Hold a map that would delete more elements; 0 = never");
  app.add_option("--deletion-percent-max", fields.deletion_percent_max,
                 "The same in percent of what the peer supplied; 0 = never");
  app.add_option("--authority", fields.authority,
                 "What its maps may change: its own topologies, those listed too, or any of others")
      ->check(CLI::IsMember({"own", "listed", "any"}));
  app.add_option("--listed-topology", fields.listed_topologies,
                 "With --authority listed: identifier of a topology of others; may be repeated");
  app.add_option("--kind", fields.kind, "What it is: netml, which is the default, or netbox")
      ->check(CLI::IsMember({"netml", "netbox"}));
  app.add_option("--filter", fields.filters,
                 "Of a NetBox: sites of this site, region, tenant or tag alone, such as "
                 "region=europe; may be repeated");
  app.add_option("--mapping", fields.mapping, kMappingHelp);
  app.add_flag("--unverified", fields.unverified, "Check no certificate; in development mode only");
}

}  // namespace

void define_sources(Grammar& grammar) {
  const Argument name{"NAME", "Name of the source"};
  CLI::App& group =
      grammar.add_group("source", "Add, list, change or delete peers that are polled");
  const auto add = grammar.add(
      group,
      {"add", "Add a peer", "netml source add garr --host map.garr.it --token-stdin < token"},
      add_source);
  add.app->add_option(name.name, add.options->name, name.help)->required();
  add.app->add_option("--host", add.options->fields.host, "Name or address of the peer")
      ->required();
  add_field_options(*add.app, add.options->fields);
  add.app->add_flag("--inactive", add.options->inactive, "Poll it only when asked to by name");
  const auto set = grammar.add(
      group,
      {"set", "Change a peer", "netml source set garr --path published_network_data/current/"},
      set_source);
  set.app->add_option(name.name, set.options->name, name.help)->required();
  set.app->add_option("--rename", set.options->new_name, "Its new name");
  set.app->add_option("--host", set.options->fields.host, "Name or address of the peer");
  add_field_options(*set.app, set.options->fields);
  set.app->add_flag("--no-token", set.options->no_token, "Send no token any more");
  set.app->add_flag("--system-ca", set.options->system_ca, "Trust the system's certificates again");
  set.app->add_flag("--verified", set.options->verified, "Check its certificates again");
  set.app->add_flag("--no-own-limits", set.options->no_own_limits,
                    "Hold its maps as the settings say");
  add_former_name(*set.app, "--no-own-brake", set.options->no_own_limits);
  set.app->add_flag("--no-filters", set.options->no_filters, "Take all sites of a NetBox again")
      ->excludes(set.app->get_option("--filter"));
  grammar.add(group, {"list", "List peers", "netml source list"}, [](Client& client) {
    return client.show(client.ask_all(api("sources").query("sort", "number"), kSourceNames),
                       source_table);
  });
  grammar.add(group, {"show", "Show one peer", "netml source show garr"}, name, show_source);
  grammar.add(
      group, {"enable", "Poll it with the others", "netml source enable garr"}, name,
      [](const std::string& source, Client& client) { return set_active(source, true, client); });
  grammar.add(
      group, {"disable", "Poll it only when asked to by name", "netml source disable garr"}, name,
      [](const std::string& source, Client& client) { return set_active(source, false, client); });
  grammar.add(group,
              {"delete", "Delete a peer; what came from it stays", "netml source delete garr"},
              name, delete_source);
  const auto test =
      grammar.add(group,
                  {"test", "Find out whether all peers, or those named, can be polled",
                   "netml source test garr"},
                  test_sources);
  test.app->add_option("NAME", test.options->names, "Names of sources");
  add_poll_allow(*test.app, test.options->allow);
  const auto collect = grammar.add(
      group,
      {"collect", "Collect the maps of the peers that are named", "netml source collect garr"},
      poll);
  add_poll(*collect.app, *collect.options)->required();
  const auto log = grammar.add(
      group, {"log", "List the polls, or show one of them", "netml source log 12"}, show_polls);
  log.app->add_option("POLL", log.options->poll, "Number of a poll");
  log.app->add_option("--limit", log.options->limit, "How many, the newest first")
      ->capture_default_str();
  const auto every = grammar.add(
      grammar.app(),
      {"poll", "Collect the maps of all active peers, or of those named", "netml poll garr"}, poll);
  add_poll(*every.app, *every.options);
}

}  // namespace netml::admin::cli
