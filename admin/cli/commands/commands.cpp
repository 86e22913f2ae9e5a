#include "admin/cli/commands/commands.hpp"

#include "admin/cli/commands/cluster_options.hpp"
#include "admin/cli/commands/serve_options.hpp"
#include "admin/cli/grammar/grammar.hpp"
#include "net/http/address.hpp"

namespace netml::admin::cli {

namespace {

std::string check_listen(const std::string& text) {
  const auto address = net::TcpAddress::parse(text);
  return address ? "" : address.error().message;
}

CommandOutcome serve(const ServeOptions& options, Client& client) {
  const Environment& environment = client.environment();
  const Status served = environment.serve(client.global(), options);
  if (served) return {};
  if (served.error().code != Errc::conflict) return tl::make_unexpected(served.error());
  // L1: a second server is an ordinary mistake if the first one answers.
  const auto owner = environment.connect(client.global());
  const bool answers = owner.has_value() && *owner != nullptr;
  return fail(answers ? ExitCode::failed : ExitCode::in_use, served.error().message);
}

}  // namespace

void define_commands(Grammar& grammar) {
  define_serve(grammar);
  define_config(grammar);
  define_init(grammar);
  define_maps(grammar);
  define_convert(grammar);
  define_published(grammar);
  define_tokens(grammar);
  define_accounts(grammar);
  define_sources(grammar);
  define_rules(grammar);
  define_quality(grammar);
  define_redundancy(grammar);
  define_overrides(grammar);
  define_policies(grammar);
  define_views(grammar);
  define_receipts(grammar);
  define_settings(grammar);
  define_audit(grammar);
  define_watch(grammar);
  define_webhooks(grammar);
  define_undo(grammar);
  define_plans(grammar);
  define_places(grammar);
  define_status(grammar);
  define_upkeep(grammar);
  define_api(grammar);
  define_backup(grammar);
  define_repair(grammar);
  define_cluster(grammar);
  define_help(grammar);
}

void define_serve(Grammar& grammar) {
  const auto [app, options] =
      grammar.add(grammar.app(),
                  {"serve", "Serve the data directory over HTTP",
                   "netml serve --data /var/lib/netml --listen 127.0.0.1:8080"},
                  serve);
  add_serve_options(*app, *options);
}

void add_serve_options(CLI::App& app, ServeOptions& options) {
  // A comma separates values in a variable, so it does everywhere.
  app.add_option("--listen", options.listen, "HOST:PORT, may be repeated; port 0 picks one")
      ->delimiter(',')
      ->check(check_listen)
      ->capture_default_str();
  auto* certificate =
      app.add_option("--tls-cert", options.tls_certificate, "Certificate chain (PEM)")
          ->type_name("FILE");
  auto* key = app.add_option("--tls-key", options.tls_key, "Private key (PEM)")->type_name("FILE");
  certificate->needs(key);
  key->needs(certificate);
  app.add_option(
         "--metrics-listen", options.metrics_listen,
         "HOST:PORT of /metrics and /health/ for operators, in clear and without a password")
      ->delimiter(',')
      ->check(check_listen);
  app.add_option("--log-format", options.log_format, "How log lines are written")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  app.add_option("--log-level", options.log_level, "Which are written, with all that is worse")
      ->check(CLI::IsMember({"debug", "information", "warning", "error"}))
      ->capture_default_str();
  app.add_option("--allowed-hosts", options.allowed_hosts,
                 "Host names that clients may use, * for all")
      ->delimiter(',');
  app.add_option("--poll-allow", options.poll_allow, "Private networks that may be polled (CIDR)")
      ->delimiter(',')
      ->check(check_network);
  app.add_option("--trusted-proxy", options.trusted_proxies,
                 "Proxies whose forwarded addresses count (CIDR)")
      ->delimiter(',')
      ->check(check_network);
  app.add_option("--sso-proxy", options.sso_proxies,
                 "Proxies whose identity headers sign people in (CIDR)")
      ->delimiter(',')
      ->check(check_network);
  app.add_option("--admin-eppns", options.admin_eppns,
                 "Who is an administrator when signed in that way")
      ->delimiter(',');
  app.add_flag("--test-mode", options.test_mode, "Enable the functional-test endpoints");
  app.add_flag("--development", options.development, "Development mode: polling needs no token");
  app.add_flag("--read-only", options.read_only, "Serve exports only, also of damaged data");
  app.add_option("--shutdown-timeout", options.shutdown_timeout_s,
                 "Seconds that requests in flight have at the end")
      ->capture_default_str();
  add_member_options(app, options.cluster);
}

}  // namespace netml::admin::cli
