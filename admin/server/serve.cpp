#include "admin/server/serve.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "admin/api/site/calls/site.hpp"
#include "admin/exports/export_state.hpp"
#include "admin/imports/retention.hpp"
#include "admin/server/descriptors.hpp"
#include "admin/server/process_memory.hpp"
#include "admin/server/public_routes.hpp"
#include "net/server/http_server.hpp"

namespace netml::admin {

namespace {

Result<std::vector<net::IpNetwork>> parse_networks(const std::vector<std::string>& texts) {
  std::vector<net::IpNetwork> networks;
  for (const std::string& text : texts) {
    NETML_TRY(const net::IpNetwork network, net::IpNetwork::parse(text));
    networks.push_back(network);
  }
  return networks;
}

PollRules poll_rules(const cli::GlobalOptions& global, const cli::ServeOptions& options,
                     std::vector<net::IpNetwork> allowed) {
  PollRules rules = PollRules::within(global.limits);
  rules.outgoing.allowed = std::move(allowed);
  rules.outgoing.internal_allowed = options.development || options.test_mode;
  rules.may_skip_verification = options.development;
  rules.sandbox = global.sandbox;
  return rules;
}

// With no more connections than there are descriptors for (E4).
cli::GlobalOptions bounded_by_descriptors(cli::GlobalOptions options, Log& log) {
  const DescriptorUse use{raise_descriptor_limit(), open_descriptors(),
                          options.limits.uploads_at_once_max};
  net::Limits& limits = options.limits.http;
  const std::size_t wanted = limits.connections_max;
  limits = within_descriptors(limits, use);
  if (limits.connections_max < wanted)
    log.warning("descriptors",
                fmt::format("{} connections at once instead of {}: the system lets this process "
                            "open {} files and connections; raise its hard limit (ulimit -Hn, or "
                            "LimitNOFILE of a service)",
                            limits.connections_max, wanted, use.limit));
  return options;
}

// What a server does by itself.
struct Background {
  Background(Node& node, Services& services)
      : queue(node), schedule(node, services.polling, services.poller), retention(node) {}
  void start(bool sandbox) {
    queue.start();
    retention.start();
    if (!sandbox) schedule.start();
  }

  ImportQueue queue;
  PollSchedule schedule;
  Retention retention;
};

// Requests and background work of an open node, until this goes away. It is made after all that
// they use: however serve() is left, none of them goes on while that is destroyed.
class Running {
 public:
  Running(net::HttpServer& server, Services& services, Background& background)
      : server_(server), services_(services), background_(background) {}
  ~Running() { stop(std::chrono::seconds(0)); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  // Requests have that long to end. Again does nothing.
  void stop(std::chrono::seconds drain) {
    services_.notifier.close();
    background_.schedule.stop();
    services_.poller.stop();  // for whose end requests wait
    server_.stop(drain);
    background_.queue.stop();
    background_.retention.stop();
  }

 private:
  net::HttpServer& server_;
  Services& services_;
  Background& background_;
};

// Before anybody asks them.
void configure(Services& services, const cli::GlobalOptions& global,
               const cli::ServeOptions& options, std::vector<net::IpNetwork> poll_networks) {
  services.password_rule = options.test_mode ? PasswordRule::test_mode : PasswordRule::production;
  services.sources.set_rule(options.development ? SourceRule::development
                            : options.test_mode ? SourceRule::test_mode
                                                : SourceRule::production);
  services.poller.set_rules(poll_rules(global, options, std::move(poll_networks)));
}

std::string url_of(const net::TcpAddress& address, bool tls) {
  const bool v6 = address.host.find(':') != std::string::npos;
  return fmt::format("{}://{}{}{}:{}", tls ? "https" : "http", v6 ? "[" : "", address.host,
                     v6 ? "]" : "", address.port);
}

// SIGTERM, SIGINT and SIGHUP, waited for by one thread instead of interrupting any.
class Signals {
 public:
  Signals() {
    sigemptyset(&set_);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set_, signal);
    pthread_sigmask(SIG_BLOCK, &set_, nullptr);
  }
  int wait() {
    int signal = 0;
    sigwait(&set_, &signal);
    return signal;
  }
  // 0 when none came in time.
  int wait_for(std::chrono::nanoseconds time) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
    const timespec most{seconds.count(), (time - seconds).count()};
    return std::max(sigtimedwait(&set_, nullptr, &most), 0);
  }

 private:
  sigset_t set_;
};

// For as long as it lives, SIGTERM and SIGINT end the process at once, and so does `patience` when
// it runs out. What was answered is durable then as it always is; what was not done is lost as in a
// crash, which every start puts right.
class LeaveOnSignal {
 public:
  using Patience = std::optional<std::chrono::nanoseconds>;

  LeaveOnSignal(Signals& signals, const Clock& clock, Log& log, Patience patience = {})
      : signals_(signals), clock_(clock), log_(log), thread_([this, patience] { run(patience); }) {}
  ~LeaveOnSignal() {
    done_ = true;
    pthread_kill(thread_.native_handle(), SIGHUP);
    thread_.join();
  }
  LeaveOnSignal(const LeaveOnSignal&) = delete;
  LeaveOnSignal& operator=(const LeaveOnSignal&) = delete;

 private:
  void run(Patience patience) {
    const auto began = clock_.steady();
    while (true) {
      const auto left = patience ? *patience - (clock_.steady() - began) : std::chrono::hours(24);
      const int signal = left.count() > 0 ? signals_.wait_for(left) : 0;
      const bool stop = signal == SIGTERM || signal == SIGINT;
      if (done_) {
        if (stop) ::kill(::getpid(), signal);  // for whoever waits next
        return;
      }
      if (stop) leave("asked to stop at once");
      if (signal == 0 && patience) leave("requests in flight did not end in time");
    }
  }
  [[noreturn]] void leave(const char* why) {
    log_.warning("stop", why);
    std::_Exit(0);
  }

  Signals& signals_;
  const Clock& clock_;
  Log& log_;
  std::atomic<bool> done_{false};
  std::thread thread_;
};

tl::unexpected<Error> cannot_listen(const Error& error) {
  return fail(error.code, fmt::format("cannot listen on {}; end the program that does, or choose "
                                      "another address with --listen (port 0 picks a free one)",
                                      error.message));
}

tl::unexpected<Error> cannot_use_tls(const Error& error) {
  return fail(error.code, fmt::format("cannot use the certificate: {}; correct the file, or name "
                                      "another with --tls-cert and --tls-key",
                                      error.message));
}

// The URLs with the ports that were bound.
Result<std::vector<std::string>> listen_for_clients(net::HttpServer& server,
                                                    const net::Router& routes,
                                                    const cli::ServeOptions& options) {
  std::optional<net::TlsFiles> tls;
  if (options.tls_certificate) {
    tls = {*options.tls_certificate, *options.tls_key};
    if (const Status usable = net::HttpServer::check(*tls); !usable)
      return cannot_use_tls(usable.error());
  }
  std::vector<std::string> urls;
  for (const std::string& text : options.listen) {
    NETML_TRY(const net::TcpAddress wanted, net::TcpAddress::parse(text));
    const auto bound = server.listen_tcp(wanted, routes, tls);
    if (!bound) return cannot_listen(bound.error());
    urls.push_back(url_of(*bound, tls.has_value()));
  }
  return urls;
}

// Where nothing can be written there may be no control socket either.
Status listen_for_control(net::HttpServer& server, const net::Router& routes, Node& node) {
  Status listening = server.listen_unix(fmt::format("{}/control.sock", node.directory()), routes);
  if (listening || node.writable()) return listening;
  node.events().warning("control", listening.error().message + ": there is no control socket");
  return {};
}

// What a crash left in the services' own. On a full disk the next poll does it.
Status put_right(Services& services) {
  services.publisher.discard_draft();
  const Status closed = services.poller.close_open();
  return services.node.writable() ? closed : Status();
}

// SIGHUP reads the certificates again.
void wait_for_stop(Signals& signals, net::HttpServer& server, Log& log) {
  while (signals.wait() == SIGHUP) {
    const Status reloaded = server.reload_tls();
    if (reloaded)
      log.information("certificates", "read again");
    else
      log.warning("certificates", reloaded.error().message + "; the former ones stay in use");
  }
}

web::SiteOptions site_options(const cli::ServeOptions& options,
                              std::vector<net::IpNetwork> sso_proxies) {
  web::SiteOptions site;
  site.sso_proxies = std::move(sso_proxies);
  site.admin_identities = options.admin_eppns;
  site.development = options.development;
  return site;
}

// Whoever started the server may make the first account in the browser (A9).
void invite_first_administrator(const web::Site& site, const std::vector<std::string>& urls,
                                std::ostream& out) {
  const bool has_accounts = site.services.node.version().state->catalog.accounts.count() > 0;
  if (has_accounts || urls.empty() || !site.services.node.writable()) return;
  out << fmt::format("no account yet: within {} minutes open {}/admin/ and enter the code {}, ",
                     FirstCode::kValidFor.count(), urls.front(), site.first_code.text())
      << "or run `netml user create`" << std::endl;
}

// A node without any map has nothing that could be missed.
void warn_of_export(const ExportWatch& watch, Log& log) {
  const std::shared_ptr<const ExportState> state = watch.now();
  if (state->ok() || state->empty) return;
  log.warning("export", fmt::format("export fails: {}; {}", state->reason(), state->remedy()));
}

void warn_of_modes(const cli::ServeOptions& options, Log& log) {
  if (options.test_mode) log.warning("mode", "test mode is on");
  if (options.development) log.warning("mode", "development mode is on: exports need no token");
}

// In little memory connections get less of it.
net::Limits limits_within(const MemoryLimit& memory, net::Limits limits) {
  constexpr std::uint64_t kPartOfAll = 8;
  limits.connection_memory_bytes_max =
      std::min<std::uint64_t>(limits.connection_memory_bytes_max, memory.bytes / kPartOfAll);
  return limits;
}

}  // namespace

Status serve(const cli::GlobalOptions& given, const cli::ServeOptions& options, const Clock& clock,
             Random& random, Log& log, std::ostream& out) {
  ::prctl(PR_SET_DUMPABLE, 0);  // no core file with keys in it (A18)
  const cli::GlobalOptions global = bounded_by_descriptors(given, log);
  Signals signals;

  ProcessBudget memory(global.memory_max);
  net::ServerOptions server_options;
  server_options.limits = limits_within(memory.budget.report().limit, global.limits.http);
  server_options.hosts = net::HostAllowList(options.allowed_hosts);
  NETML_TRY(server_options.trusted_proxies, parse_networks(options.trusted_proxies));
  NETML_TRY(std::vector<net::IpNetwork> poll_networks, parse_networks(options.poll_allow));
  NETML_TRY(std::vector<net::IpNetwork> sso_networks, parse_networks(options.sso_proxies));
  const RouteOptions routing{options.test_mode, options.development, clock.wall()};
  const net::Router starting = starting_routes(routing);
  net::HttpServer server(server_options, clock, random, log);
  NETML_TRY(const std::vector<std::string> urls, listen_for_clients(server, starting, options));
  // Whoever asks while the node is being opened is asked to come back (O5).
  server.start();
  // The lock comes with the node, so the control socket of a running server is never replaced.
  auto opened = [&] {
    const LeaveOnSignal impatient(signals, clock, log);
    return Node::open({.data_directory = global.data_directory,
                       .read_only = options.read_only,
                       .file_limits = global.limits.files,
                       .memory = &memory.budget,
                       .mode = options.test_mode ? Mode::test : Mode::production},
                      clock, random, log);
  }();
  NETML_TRY(const std::unique_ptr<Node> node, std::move(opened));
  Services services(*node, global.limits);
  services.listeners = urls;
  configure(services, global, options, std::move(poll_networks));
  Background background(*node, services);
  services.intake.use(background.queue);
  if (!options.read_only) {
    services.schedule = &background.schedule;
    NETML_TRY_VOID(put_right(services));
  }
  web::Site site(services, options.read_only ? nullptr : &background.queue,
                 site_options(options, std::move(sso_networks)));
  net::Router control_routes;
  register_control_api(control_routes, site);
  const net::Router routes = public_routes(services, site, routing);
  Running running(server, services, background);
  NETML_TRY_VOID(listen_for_control(server, control_routes, *node));
  server.replace(starting, routes);
  if (!options.read_only) background.start(global.sandbox);
  for (const std::string& url : urls) out << "listening on " << url << std::endl;
  invite_first_administrator(site, urls, out);
  warn_of_modes(options, log);
  warn_of_export(services.export_watch, log);

  wait_for_stop(signals, server, log);
  log.information("stop", "finishing requests in flight");
  const std::chrono::seconds drain(options.shutdown_timeout_s);
  {
    const LeaveOnSignal impatient(signals, clock, log, drain + std::chrono::seconds(1));  // O4
    running.stop(drain);
  }
  const LeaveOnSignal impatient(signals, clock, log);
  return node->close();
}

}  // namespace netml::admin
