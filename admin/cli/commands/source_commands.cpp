#include "admin/cli/commands/source_commands.hpp"

#include <fmt/format.h>

#include <array>

#include "admin/cli/client/files.hpp"
#include "admin/cli/client/output.hpp"
#include "engine/base/json_string.hpp"

namespace netml::admin::cli {

namespace {

// The members of a JSON object, one after another.
class Members {
 public:
  void text(std::string_view name, const std::optional<std::string>& value) {
    if (value) add(name, json_string(*value));
  }
  void flag(std::string_view name, bool value) { add(name, value ? "true" : "false"); }
  void null(std::string_view name) { add(name, "null"); }
  void number(std::string_view name, const std::optional<unsigned>& value) {
    if (value) add(name, fmt::to_string(*value));
  }
  void texts(std::string_view name, const std::vector<std::string>& values) {
    std::string list;
    for (const std::string& value : values) list += (list.empty() ? "" : ",") + json_string(value);
    add(name, '[' + list + ']');
  }
  std::string object() const { return '{' + text_ + '}'; }

 private:
  void add(std::string_view name, std::string_view value) {
    text_ += fmt::format("{}{}:{}", text_.empty() ? "" : ",", json_string(name), value);
  }
  std::string text_;
};

Outcome<std::string> whole_file(const std::string& path) {
  NETML_TRY(const InputFile file, InputFile::open(path));
  std::string content;
  NETML_TRY_VOID(read_file(file.path(), [&](std::string_view piece) {
    content += piece;
    return true;
  }));
  return content;
}

CommandOutcome add_fields(const SourceFieldOptions& options, Client& client, Members& members) {
  members.text("protocol", options.protocol);
  members.text("hostname", options.host);
  members.number("port", options.port);
  members.text("path", options.path);
  if (options.token_stdin) {
    NETML_TRY(const std::string token, client.environment().in_line());
    members.text("token", token);
  }
  if (options.plain_http) members.flag("plain_http", true);
  members.number("deletions_max", options.deletions_max);
  members.number("deletion_percent_max", options.deletion_percent_max);
  members.text("authority", options.authority);
  if (!options.listed_topologies.empty())
    members.texts("listed_topologies", options.listed_topologies);
  if (options.unverified) members.flag("unverified", true);
  if (options.ca_file) {
    NETML_TRY(const std::string certificates, whole_file(*options.ca_file));
    members.text("ca_certificates", certificates);
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
    FormerName{"listed_topologies", "listed_topologies", FormerName::Value::lines}};
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
  NETML_TRY(const std::string number, client.number_of(api("sources"), "source", name));
  return api("sources").segment(number);
}

Outcome<JsonValue> change_source(Client& client, const std::string& name, const Members& members) {
  NETML_TRY(const Target source, source_of(client, name));
  return client.ask(request("PUT", source, members.object()), kSourceNames);
}

// What somebody who looks at a list should know of it.
std::string remarks(const JsonValue& source) {
  std::string text = source.flag("has_token") ? "token" : "no token";
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

CommandOutcome change(Client& client, const SourceSet& options, const Members& members) {
  NETML_TRY(const JsonValue source, change_source(client, options.name, members));
  const SourceFieldOptions& fields = options.fields;
  const bool moved = fields.host || fields.port || fields.protocol;
  return client.say(fmt::format("changed source {}{}{}", source.text("name"),
                                moved && !source.flag("has_token") ? ", which has no token" : "",
                                warning_of(fields)));
}

// Without names: all.
Members chosen(const std::vector<std::string>& names, const std::vector<std::string>& allow) {
  Members members;
  if (!names.empty()) members.texts("sources", names);
  if (!allow.empty()) members.texts("allow", allow);
  return members;
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
  return client.json() ? CommandOutcome() : client.print(table.text());
}

CommandOutcome set_active(Client& client, const std::string& name, bool active) {
  Members members;
  members.flag("active", active);
  NETML_TRY_VOID(change_source(client, name, members));
  return client.say(fmt::format("{} source {}", active ? "enabled" : "disabled", name));
}

}  // namespace

CommandOutcome run_command(const SourceAdd& options, Client& client) {
  Members members;
  members.text("name", options.name);
  NETML_TRY_VOID(add_fields(options.fields, client, members));
  if (options.inactive) members.flag("active", false);
  NETML_TRY(const JsonValue source,
            client.ask(request("POST", api("sources"), members.object()), kSourceNames));
  return client.say(fmt::format("added source {}, {}{}", source.text("name"), source.text("url"),
                                warning_of(options.fields)));
}

CommandOutcome run_command(const SourceSet& options, Client& client) {
  Members members;
  members.text("name", options.new_name);
  NETML_TRY_VOID(add_fields(options.fields, client, members));
  if (options.no_token) members.null("token");
  if (options.verified) members.flag("unverified", false);
  if (options.system_ca) members.text("ca_certificates", "");
  if (options.no_own_limits) {
    members.null("deletions_max");
    members.null("deletion_percent_max");
  }
  return change(client, options, members);
}

CommandOutcome run_command(const SourceList&, Client& client) {
  NETML_TRY(const JsonValue sources,
            client.ask_all(api("sources").query("sort", "number"), kSourceNames));
  Table table;
  table.row({"NAME", "ACTIVE", "URL", "REMARKS"});
  for (const JsonValue& source : sources.items())
    table.row({source.text("name"), source.flag("active") ? "yes" : "no", source.text("url"),
               remarks(source)});
  return client.json() ? CommandOutcome() : client.print(table.text());
}

CommandOutcome run_command(const SourceShow& options, Client& client) {
  NETML_TRY(const Target target, source_of(client, options.name));
  NETML_TRY(const JsonValue source, client.ask(request("GET", target), kSourceNames));
  Table table;
  table.row({"name", source.text("name")});
  table.row({"active", source.flag("active") ? "yes" : "no"});
  table.row({"polled at", source.text("polling_url")});
  table.row({"status at", source.text("status_url")});
  table.row({"remarks", remarks(source)});
  if (source.text("authority") == "listed")
    for (const JsonValue& topology : source.at("listed_topologies").items())
      table.row({"may change", topology.text()});
  table.row({"created", source.text("created")});
  for (const auto& [label, name] :
       {std::pair{"last success", "succeeded"}, std::pair{"last failure", "failed"},
        std::pair{"not before", "waits_until"}})
    if (const std::string time = source.text(name); !time.empty()) table.row({label, time});
  return client.json() ? CommandOutcome() : client.print(table.text());
}

CommandOutcome run_command(const SourceEnable& options, Client& client) {
  return set_active(client, options.name, true);
}

CommandOutcome run_command(const SourceDisable& options, Client& client) {
  return set_active(client, options.name, false);
}

CommandOutcome run_command(const SourceDelete& options, Client& client) {
  NETML_TRY(const Target source, source_of(client, options.name));
  NETML_TRY_VOID(client.ask(request("DELETE", source)));
  return client.say("deleted source " + options.name);
}

CommandOutcome run_command(const SourceTest& options, Client& client) {
  const Members members = chosen(options.names, options.allow);
  NETML_TRY(const JsonValue answer,
            client.ask(question("POST", api("sources/test"), members.object()), kReportNames));
  const std::vector<JsonValue> reports = answer.at("items").items();
  Table table;
  table.row({"NAME", "RESULT", "DETAIL"});
  std::size_t bad = 0;
  for (const JsonValue& report : reports) {
    const bool good = report.flag("good");
    if (!good) ++bad;
    table.row({report.text("name"), good ? "good" : report.text("reason"), report.text("message")});
  }
  if (!client.json()) NETML_TRY_VOID(client.print(table.text()));
  if (bad == 0) return {};
  return fail(ExitCode::failed,
              fmt::format("{} of {} peers cannot be polled", bad, reports.size()));
}

CommandOutcome run_command(const SourceCollect& options, Client& client) {
  return run_command(options.poll, client);
}

CommandOutcome run_command(const SourceLog& options, Client& client) {
  if (options.poll) return show_poll(*options.poll, client);
  NETML_TRY(const JsonValue polls, client.ask_all(api("polls"), kPollNames, options.limit));
  Table table;
  table.row({"POLL", "STARTED", "BY", "STATUS", "SOURCES", "FAILED"});
  for (const JsonValue& poll : polls.items())
    table.row({poll.text("id"), poll.text("started"), poll.flag("scheduled") ? "schedule" : "hand",
               poll.flag("finished") ? poll.text("status") : "running", poll.text("sources"),
               poll.text("failed")});
  return client.json() ? CommandOutcome() : client.print(table.text());
}

CommandOutcome run_command(const PollOptions& options, Client& client) {
  Members members = chosen(options.names, options.allow);
  if (options.force) members.flag("force", true);
  members.flag("wait", true);
  NETML_TRY(const JsonValue answer,
            client.ask(request("POST", api("polls"), members.object()), kReportNames));
  const std::vector<JsonValue> reports = answer.at("items").items();
  std::string text;
  std::size_t failures = 0;
  for (const JsonValue& report : reports) {
    text += printable(report_line(report)) + '\n';
    if (report.text("result") == "failed") ++failures;
  }
  if (text.empty()) text = "no source is active\n";
  if (!client.json()) NETML_TRY_VOID(client.print(text));
  if (failures == 0) return {};
  return fail(ExitCode::failed, fmt::format("{} of {} sources failed", failures, reports.size()));
}

}  // namespace netml::admin::cli
