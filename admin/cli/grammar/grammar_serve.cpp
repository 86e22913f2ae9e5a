// The server, and what it publishes, may be asked for and is set to; calls of its API.
#include "admin/cli/grammar/grammar.hpp"
#include "net/http/address.hpp"

namespace netml::admin::cli {

namespace {

std::string check_listen(const std::string& text) {
  const auto address = net::TcpAddress::parse(text);
  return address ? "" : address.error().message;
}

}  // namespace

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
      ->delimiter(',')
      ->check(check_network);
  app->add_option("--trusted-proxy", options->trusted_proxies,
                  "Proxies whose forwarded addresses count (CIDR)")
      ->delimiter(',')
      ->check(check_network);
  app->add_option("--sso-proxy", options->sso_proxies,
                  "Proxies whose identity headers sign people in (CIDR)")
      ->delimiter(',')
      ->check(check_network);
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

// --data is the data directory of every command.
void Grammar::define_api() {
  const auto [app, options] = define<ApiOptions>(
      app_,
      {"api", "Ask anything of the API, and print its answer",
       R"(netml api POST origins --body '{"name":"Maps","origin":"https://maps.example.org"}')"});
  app->add_option("CALL", options->call,
                  "[METHOD] PATH: GET, or POST with a body, where no method is given; a path "
                  "without /api/v1/, as in docs/api.md")
      ->required()
      ->expected(1, 2);
  CLI::Option* body = app->add_option("--body", options->body,
                                      "What to send, JSON as a rule, or - for standard input");
  app->add_flag("--all", options->all, "All entries of a list as one, not its first page alone")
      ->excludes(body);
}

}  // namespace netml::admin::cli
