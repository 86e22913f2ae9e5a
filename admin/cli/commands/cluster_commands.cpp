// A cluster of nodes over one database (docs/cluster.md): its beginning, its members, its loss.
#include <fmt/format.h>

#include <cstdint>

#include "admin/cli/client/output.hpp"
#include "admin/cli/client/progress.hpp"
#include "admin/cli/commands/cluster_options.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/grammar/grammar.hpp"
#include "engine/base/json_string.hpp"

namespace netml::admin::cli {

namespace {

// What works on the directory itself wants it for itself.
CommandOutcome refuse_running_server(Client& client) {
  const auto running = client.environment().connect(client.global());
  if (running && *running == nullptr) return {};
  return fail(ExitCode::failed,
              fmt::format("a server runs on {}: stop it first; nothing was changed",
                          client.global().data_directory));
}

CommandOutcome report_head(Client& client, const Result<std::string>& head, const char* what) {
  if (!head) return tl::make_unexpected(Failure(head.error()));
  client.set_result(fmt::format(R"({{"head":{}}})", json_string(*head)));
  if (client.json()) return {};
  return client.say(fmt::format("{} {}", what, *head));
}

CommandOutcome init_cluster(const ClusterOptions& options, Client& client) {
  NETML_TRY_VOID(refuse_running_server(client));
  const auto head = client.environment().cluster.init(client.global(), options.connection);
  NETML_TRY_VOID(report_head(client, head, "the cluster begins at"));
  client.tell(
      "Start this member with netml serve --cluster; give the others its key (netml cluster key "
      "export), and make their data with netml cluster join");
  return {};
}

CommandOutcome refill_cluster(const RefillOptions& options, Client& client) {
  NETML_TRY_VOID(refuse_running_server(client));
  const auto head = client.environment().cluster.refill(client.global(), options);
  return report_head(client, head, "the cluster goes on from");
}

CommandOutcome join_cluster(const JoinOptions& options, Client& client) {
  Watch watch(client, {"fetching", "fetching"}, std::nullopt);
  const auto made = client.environment().cluster.join(client.global(), options, watch.progress());
  watch.finish();
  if (!made) return tl::make_unexpected(Failure(made.error()));
  client.set_result(fmt::format(R"({{"head":{},"transactions":{}}})", json_string(made->head),
                                made->transactions));
  if (client.json()) return {};
  return client.say(fmt::format("{} has the history up to {}; start it with netml serve --cluster",
                                client.global().data_directory, made->head));
}

// Of any member, from anywhere: its machine may be gone.
CommandOutcome leave_cluster(const ClusterOptions& options, Client& client) {
  const Status left = client.environment().cluster.leave(options);
  if (!left) return tl::make_unexpected(Failure(left.error()));
  if (client.json()) return {};
  return client.say(
      fmt::format("{} is no member any more; its data directory is whole, and "
                  "serves alone without --cluster",
                  options.name));
}

// ---- status ----

// What the database says, in the form that a running member gives.
std::string seen_json(const ClusterSeen& seen) {
  std::string members;
  for (const ClusterMemberSeen& each : seen.members)
    members +=
        fmt::format(R"({}{{"name":{},"address":{},"lsn":{},"version":{},"seen_ms":{}}})",
                    members.empty() ? "" : ",", json_string(each.name), json_string(each.address),
                    each.lsn, json_string(each.version), each.seen_ms);
  return fmt::format(
      R"({{"cluster":{},"head":{},"epoch":{},"leader":{},"synchronous":{},"members":[{}]}})",
      json_string(seen.cluster), json_string(seen.head), seen.epoch, json_string(seen.leader),
      seen.synchronous, members);
}

std::string seconds(std::uint64_t milliseconds) {
  return fmt::format("{:.1f} s", static_cast<double>(milliseconds) / 1000);
}

std::string members_text(const JsonValue& status, std::optional<std::size_t> width) {
  Table table;
  table.row({"member", "LSN", "seen", "version", "address"});
  for (const JsonValue& each : status.at("members").items())
    table.row({each.text("name") + (each.text("name") == status.text("leader") ? " (leader)" : ""),
               each.text("lsn"), seconds(each.number("seen_ms")) + " ago", each.text("version"),
               each.text("address")});
  return table.text(width);
}

std::string cluster_text(const JsonValue& status, std::optional<std::size_t> width) {
  Table table;
  const bool of_member = !status.text("role").empty();
  if (of_member) {
    table.row({"this member", fmt::format("{}, {}", status.text("name"), status.text("role"))});
    if (!status.text("reason").empty()) table.row({"because", status.text("reason")});
    table.row({"LSN", fmt::format("{}, {} behind, {} old", status.text("lsn"),
                                  status.text("behind"), seconds(status.number("lag_ms")))});
  } else {
    table.row({"cluster", status.text("cluster")});
    table.row({"head", status.text("head")});
  }
  const bool knows = !of_member || (status.flag("reached") && status.text("role") != "stopped");
  const auto row = [&](const char* what, const std::string& value) {
    table.row({what, knows ? value : value + " (when the database was reached last)"});
  };
  if (of_member)
    table.row({"database", status.flag("reached")
                               ? "answers"
                               : fmt::format("does not answer: {}", status.text("last_error"))});
  row("leader", status.text("leader").empty() ? "none" : status.text("leader"));
  table.row({"epoch", status.text("epoch")});
  row("standby",
      status.flag("synchronous") ? "confirms changes" : "none: changes are on one database only");
  return table.text(width) + "\n" + members_text(status, width);
}

// What the database says, where that is named; else what the running member does.
Outcome<JsonValue> cluster_status(const ClusterOptions& options, Client& client) {
  if (options.connection.empty()) {
    NETML_TRY(const JsonValue node, client.ask(request("GET", api("cluster"))));
    JsonValue cluster = node.at("cluster");
    if (!cluster.is_null()) return cluster;
    return fail(ExitCode::failed,
                "this node runs as no member of a cluster; name a database with --cluster");
  }
  const auto seen = client.environment().cluster.look(options.connection);
  if (!seen) return tl::make_unexpected(Failure(seen.error()));
  const std::string json = seen_json(*seen);
  client.set_result(json);
  auto parsed = JsonValue::parse(json);
  if (!parsed) return tl::make_unexpected(Failure(parsed.error()));
  return *std::move(parsed);
}

CommandOutcome show_cluster(const ClusterOptions& options, Client& client) {
  client.open_to(Access::examine);
  const auto text = [width = client.environment().out_columns()](const JsonValue& found) {
    return cluster_text(found, width);
  };
  return client.show(cluster_status(options, client), text);
}

// ---- key ----

struct KeyOptions {
  std::string action;  // "export" or "import"
  std::string file;
};

CommandOutcome export_key(const std::string& file, Client& client) {
  const Status done = client.environment().cluster.export_key(client.global(), file);
  if (!done) return tl::make_unexpected(Failure(done.error()));
  client.tell(
      "Whoever has this file can read the secrets of the node: carry it safely, and delete "
      "it where it is not needed any more");
  return {};
}

CommandOutcome import_key(const std::string& file, Client& client) {
  NETML_TRY_VOID(refuse_running_server(client));
  const Status done = client.environment().cluster.import_key(client.global(), file);
  if (!done) return tl::make_unexpected(Failure(done.error()));
  return {};
}

CommandOutcome pass_key(const KeyOptions& options, Client& client) {
  return options.action == "export" ? export_key(options.file, client)
                                    : import_key(options.file, client);
}

void define_cluster_key(Grammar& grammar, CLI::App& cluster) {
  const auto [app, options] =
      grammar.add(cluster,
                  {"key", "Write the key that all members have in common to a file, or take it",
                   "netml cluster key export netml.key"},
                  pass_key);
  app->add_option("ACTION", options->action, "export writes the file, import takes it")
      ->check(CLI::IsMember({"export", "import"}))
      ->required();
  app->add_option("FILE", options->file, "Only its owner may read what is written")->required();
}

void define_membership(Grammar& grammar, CLI::App& cluster) {
  const auto [join_app, join_options] =
      grammar.add(cluster,
                  {"join", "Make the data directory of a new member, as a copy of another's",
                   "netml cluster join --cluster postgresql://netml@db.example.org/netml --from "
                   "https://alpha.example.org:8443 --key netml.key --data /var/lib/netml"},
                  join_cluster);
  require_cluster_option(*join_app, join_options->cluster);
  join_app->add_option("--from", join_options->from, "A member that runs: https://HOST:PORT")
      ->type_name("URL")
      ->check(check_member_url)
      ->required();
  join_app->add_option("--key", join_options->key, "That netml cluster key export wrote there")
      ->type_name("FILE")
      ->required();
  add_ca_option(*join_app, join_options->cluster);
  const auto [leave_app, leave_options] = grammar.add(
      cluster,
      {"leave", "Take a member off the list; the others no longer keep anything back for it",
       "netml cluster leave --cluster postgresql://netml@db.example.org/netml --cluster-name "
       "gamma"},
      leave_cluster);
  require_cluster_option(*leave_app, *leave_options);
  leave_app->add_option("--cluster-name", leave_options->name, "Of the member")
      ->type_name("NAME")
      ->check(check_member_name)
      ->required();
  add_ca_option(*leave_app, *leave_options);
}

}  // namespace

void define_cluster(Grammar& grammar) {
  CLI::App& cluster = grammar.add_group("cluster", "Run several nodes over one database");
  const auto [init_app, init_options] = grammar.add(
      cluster,
      {"init", "Make the shared log of a cluster, which begins with this data directory",
       "netml cluster init --cluster postgresql://netml@db.example.org/netml"},
      init_cluster);
  require_cluster_option(*init_app, *init_options);
  define_membership(grammar, cluster);
  const auto [status_app, status_options] = grammar.add(
      cluster,
      {"status", "Show the members, who leads and how far each is", "netml cluster status"},
      show_cluster);
  add_cluster_option(*status_app, *status_options);
  const auto [refill_app, refill_options] = grammar.add(
      cluster,
      {"refill",
       "Make the shared log again in a database that lost it, from the member that has most",
       "netml cluster refill --cluster postgresql://netml@db.example.org/netml --member "
       "https://beta.example.org:8443"},
      refill_cluster);
  require_cluster_option(*refill_app, refill_options->cluster);
  refill_app
      ->add_option("--member", refill_options->members,
                   "Another member, for proof that it has no more, nor any that it lists")
      ->type_name("URL")
      ->check(check_member_url);
  refill_app
      ->add_option("--lost", refill_options->lost,
                   "A member that is gone for good, and need not answer")
      ->type_name("NAME")
      ->check(check_member_name);
  add_ca_option(*refill_app, refill_options->cluster);
  define_cluster_key(grammar, cluster);
}

}  // namespace netml::admin::cli
