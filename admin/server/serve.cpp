#include "admin/server/serve.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
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
#include "admin/api/site/web_api.hpp"
#include "admin/api/site/web_files.hpp"
#include "admin/exports/export_state.hpp"
#include "admin/imports/retention.hpp"
#include "admin/server/descriptors.hpp"
#include "admin/server/held_start.hpp"
#include "admin/server/life_signs.hpp"
#include "admin/server/member_server.hpp"
#include "admin/server/metered_events.hpp"
#include "admin/server/operator_routes.hpp"
#include "admin/server/process_memory.hpp"
#include "admin/server/public_routes.hpp"
#include "admin/server/reload.hpp"
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

PollRules poll_rules(const cli::Limits& limits, bool sandbox, const cli::ServeOptions& options,
                     std::vector<net::IpNetwork> allowed) {
  PollRules rules = PollRules::within(limits);
  rules.outgoing.allowed = std::move(allowed);
  rules.outgoing.internal_allowed = options.development || options.test_mode;
  rules.may_skip_verification = options.development;
  rules.sandbox = sandbox;
  return rules;
}

void configure(Log& log, const cli::ServeOptions& options) {
  log.set_format(log_format(options.log_format).value_or(LogFormat::text));
  log.set_level(log_level(options.log_level).value_or(LogLevel::information));
}

// What the system allows of the limits, now and when they are read again: no more connections than
// there are descriptors for (E4), and less memory for them where there is little.
class SystemBounds {
 public:
  SystemBounds(const MemoryLimit& memory, Log& log)
      : log_(log),
        memory_bytes_(memory.bytes),
        descriptors_(raise_descriptor_limit()),
        open_(open_descriptors()) {}

  net::Limits of(const cli::Limits& wanted) const {
    constexpr std::uint64_t kPartOfAllMemory = 8;
    net::Limits limits =
        within_descriptors(wanted.http, {descriptors_, open_, wanted.uploads_at_once_max});
    limits.connection_memory_bytes_max = std::min<std::uint64_t>(limits.connection_memory_bytes_max,
                                                                 memory_bytes_ / kPartOfAllMemory);
    if (limits.connections_max < wanted.http.connections_max)
      log_.warning("descriptors",
                   fmt::format("{} connections at once instead of {}: the system lets this process "
                               "open {} files and connections; raise its hard limit (ulimit -Hn, "
                               "or LimitNOFILE of a service)",
                               limits.connections_max, wanted.http.connections_max, descriptors_));
    return limits;
  }

 private:
  Log& log_;
  const std::uint64_t memory_bytes_;
  const std::uint64_t descriptors_;
  const std::uint64_t open_;  // before there was any connection
};

// What a server does by itself.
struct Background {
  using Leads = std::function<bool()>;
  Background(Node& node, Services& services, const Leads& leads)
      : queue(node, std::chrono::seconds(10), leads),
        schedule(node, services.polling, services.poller, leads),
        retention(node, leads),
        webhooks(services.webhook_delivery) {
    services.poller.set_leads(leads);
    if (services.cluster != nullptr) webhooks.set_leads(leads);
  }
  void start(bool sandbox) {
    queue.start();
    retention.start();
    if (sandbox) return;
    schedule.start();
    webhooks.start();
  }

  ImportQueue queue;
  PollSchedule schedule;
  Retention retention;
  WebhookDelivery& webhooks;
};

// Requests and background work of an open node, until this goes away. It is made after all that
// they use: however serve() is left, none of them goes on while that is destroyed.
class Running {
 public:
  Running(net::HttpServer& server, HeldStart& start, Services& services, Background& background,
          MemberServer* member)
      : server_(server),
        start_(start),
        services_(services),
        background_(background),
        member_(member) {}
  ~Running() { stop(std::chrono::seconds(0)); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  // Requests have that long to end. Again does nothing.
  void stop(std::chrono::seconds drain) {
    start_.give_up();
    services_.notifier.close();
    if (member_ != nullptr) member_->stop();
    background_.schedule.stop();
    background_.webhooks.stop();
    services_.poller.stop();  // for whose end requests wait
    server_.stop(drain);
    background_.queue.stop();
    background_.retention.stop();
  }

 private:
  net::HttpServer& server_;
  HeldStart& start_;
  Services& services_;
  Background& background_;
  MemberServer* const member_;  // null: a node alone
};

// Before anybody asks them.
void configure(Services& services, const cli::GlobalOptions& global,
               const cli::ServeOptions& options, std::vector<net::IpNetwork> poll_networks) {
  services.password_rule = options.test_mode ? PasswordRule::test_mode : PasswordRule::production;
  services.sources.set_rule(options.development ? SourceRule::development
                            : options.test_mode ? SourceRule::test_mode
                                                : SourceRule::production);
  services.poller.set_rules(
      poll_rules(global.limits, global.sandbox, options, std::move(poll_networks)));
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

tl::unexpected<Error> cannot_listen(const Error& error, std::string_view option = "--listen") {
  return fail(error.code, fmt::format("cannot listen on {}; end the program that does, or choose "
                                      "another address with {} (port 0 picks a free one)",
                                      error.message, option));
}

tl::unexpected<Error> cannot_use_tls(const Error& error) {
  return fail(error.code, fmt::format("cannot use the certificate: {}; correct the file, or name "
                                      "another with --tls-cert and --tls-key",
                                      error.message));
}

// The URLs with the ports that were bound. Sockets that were handed over take the place of
// --listen.
Result<std::vector<std::string>> listen_for_clients(net::HttpServer& server,
                                                    const net::Router& routes,
                                                    const cli::ServeOptions& options,
                                                    std::vector<HeldSocket> held) {
  std::optional<net::TlsFiles> tls;
  if (options.tls_certificate) {
    tls = {*options.tls_certificate, *options.tls_key};
    if (const Status usable = net::HttpServer::check(*tls); !usable)
      return cannot_use_tls(usable.error());
  }
  std::vector<std::string> urls;
  for (HeldSocket& each : held) {
    const auto bound = server.listen_on(std::move(each.socket), routes, tls);
    if (!bound)
      return fail(
          bound.error().code,
          fmt::format("the service manager handed over what cannot be listened on ({}): {}; "
                      "its socket unit names addresses in ListenStream=, nothing else",
                      each.name, bound.error().message));
    urls.push_back(url_of(*bound, tls.has_value()));
  }
  if (!held.empty()) return urls;
  for (const std::string& text : options.listen) {
    NETML_TRY(const net::TcpAddress wanted, net::TcpAddress::parse(text));
    const auto bound = server.listen_tcp(wanted, routes, tls);
    if (!bound) return cannot_listen(bound.error());
    urls.push_back(url_of(*bound, tls.has_value()));
  }
  return urls;
}

// Metrics and health on TCP, where that is wanted. It outlives the server.
class OperatorListeners {
 public:
  // While the node is being opened.
  Status listen(net::HttpServer& server, const cli::ServeOptions& options) {
    for (const std::string& text : options.metrics_listen) {
      NETML_TRY(const net::TcpAddress wanted, net::TcpAddress::parse(text));
      const auto bound = server.listen_tcp(wanted, starting_);
      if (!bound) return cannot_listen(bound.error(), "--metrics-listen");
      urls_.push_back(url_of(*bound, false));
    }
    return {};
  }
  void open(net::HttpServer& server, Services& services, std::ostream& out) {
    register_operator_routes(open_, services, server);
    server.replace(starting_, open_);
    for (const std::string& url : urls_) out << "metrics on " << url << "/metrics" << std::endl;
  }

 private:
  const net::Router starting_ = starting_operator_routes();
  net::Router open_;
  std::vector<std::string> urls_;
};

// The path of the socket. Where nothing can be written there may be none, which is an empty path.
Result<std::string> listen_for_control(net::HttpServer& server, const net::Router& routes,
                                       Node& node) {
  std::string path = fmt::format("{}/control.sock", node.directory());
  const Status listening = server.listen_unix(path, routes);
  if (listening) return path;
  if (node.writable()) return tl::make_unexpected(listening.error());
  node.events().warning("control", listening.error().message + ": there is no control socket");
  return std::string();
}

// What a notice that could not be sent comes to.
void note(const Status& sent, Log& log) {
  if (!sent) log.warning("service_manager", sent.error().message);
}

// Server and writer, each for itself: what hangs in one does not hide behind the other.
LifeSigns::Proof proof_of_life(Node& node, const Clock& clock, std::string control_socket,
                               const ServiceManager& manager) {
  const auto within = std::chrono::ceil<std::chrono::milliseconds>(
      manager.watchdog().value_or(std::chrono::microseconds(0)));
  return [&node, &clock, within, path = std::move(control_socket)]() -> Status {
    if (!path.empty()) NETML_TRY_VOID(prove_alive(path, clock, within));
    return node.await_writer();
  };
}

// What a crash left in the services' own. On a full disk the next poll does it.
Status put_right(Services& services) {
  services.publisher.discard_draft();
  if (services.cluster != nullptr) return {};  // the leader does the rest
  const Status closed = services.poller.close_open();
  return services.node.writable() ? closed : Status();
}

// From when requests are answered until the server is asked to stop.
void attend(Signals& signals, const ServiceManager& manager, const Clock& clock, Reload& reload,
            const std::vector<std::string>& urls, Log& log) {
  const std::string status = fmt::format("listening on {}", fmt::join(urls, ", "));
  note(manager.ready(status), log);
  while (signals.wait() == SIGHUP) {
    note(manager.reloading(clock.steady()), log);
    reload.run();
    note(manager.ready(status), log);
  }
  note(manager.stopping(), log);
  log.information("stop", "finishing requests in flight");
}

web::SiteOptions site_options(const cli::ServeOptions& options,
                              std::vector<net::IpNetwork> sso_proxies) {
  web::SiteOptions site;
  site.sso_proxies = std::move(sso_proxies);
  site.admin_identities = options.admin_eppns;
  site.development = options.development;
  site.country_outlines = web::country_outlines();
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

void tell_addresses(const web::Site& site, const std::vector<std::string>& urls,
                    std::ostream& out) {
  for (const std::string& url : urls) out << "listening on " << url << std::endl;
  invite_first_administrator(site, urls, out);
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
  if (const std::string risk = risk_of_address(options.cluster.address); !risk.empty())
    log.warning("cluster", risk);
}

Result<net::ServerOptions> http_options(const cli::ServeOptions& options, const net::Limits& limits,
                                        const MemberServer* member) {
  net::ServerOptions http;
  http.limits = limits;
  http.hosts = net::HostAllowList(options.allowed_hosts);
  NETML_TRY(http.trusted_proxies, parse_networks(options.trusted_proxies));
  if (member != nullptr)
    http.add_fields = [member](net::Headers& headers) { member->add_fields(headers); };
  return http;
}

NodeOptions node_options(const cli::GlobalOptions& global, const cli::ServeOptions& options,
                         MemoryBudget& memory, Metrics& metrics, MemberServer* member) {
  return {.data_directory = global.data_directory,
          .read_only = options.read_only,
          .file_limits = global.limits.files,
          .memory = &memory,
          .metrics = &metrics,
          .mode = options.test_mode ? Mode::test : Mode::production,
          .membership = member == nullptr ? nullptr : &member->cluster().membership()};
}

// Of a node alone: always.
Background::Leads leads_of(MemberServer* member) {
  if (member == nullptr) return [] { return true; };
  return [member] { return member->cluster().leads(); };
}

// What a former leader, or a crash, left open.
void begin_to_lead(Services& services, Background& background) {
  services.node.events().information("cluster", "this member leads the cluster");
  if (const Status closed = services.poller.close_open(); !closed)
    services.node.events().warning("cluster", closed.error().message);
  background.queue.wake();
}

// All must outlive them.
ReloadRules reload_rules(const SystemBounds& bounds, const cli::GlobalOptions& global,
                         const cli::ServeOptions& options,
                         const std::vector<net::IpNetwork>& poll_networks) {
  return {.limits = [&](const cli::Limits& now) { return bounds.of(now); },
          .polls =
              [&](const cli::Limits& now) {
                return poll_rules(now, global.sandbox, options, poll_networks);
              }};
}

struct Routes {
  net::Router open;     // on the listeners for clients
  net::Router control;  // on the control socket
};

Routes all_routes(const net::HttpServer& server, Services& services, web::Site& site,
                  const RouteOptions& routing, MemberServer* member) {
  Routes routes{public_routes(services, site, routing), {}};
  register_control_api(routes.control, site);
  register_operator_routes(routes.control, services, server);
  add_sign_of_life(routes.control);
  if (member != nullptr) member->guard(services, routes.open, routes.control);
  return routes;
}

}  // namespace

Status serve(const cli::GlobalOptions& given, const cli::ServeOptions& options, const Clock& clock,
             Random& random, Log& log, std::ostream& out, ServiceManager manager) {
  ::prctl(PR_SET_DUMPABLE, 0);  // no core file with keys in it (A18)
  configure(log, options);
  Signals signals;

  ProcessBudget memory(given.memory_max);
  const SystemBounds bounds(memory.budget.report().limit, log);
  cli::GlobalOptions global = given;
  global.limits.http = bounds.of(given.limits);
  NETML_TRY(const std::unique_ptr<MemberServer> member, MemberServer::load(options, clock, random));
  NETML_TRY(const net::ServerOptions server_options,
            http_options(options, global.limits.http, member.get()));
  NETML_TRY(const std::vector<net::IpNetwork> poll_networks, parse_networks(options.poll_allow));
  NETML_TRY(std::vector<net::IpNetwork> sso_networks, parse_networks(options.sso_proxies));
  const RouteOptions routing{options.test_mode, options.development, clock.wall()};
  const net::Router starting = starting_routes(routing);
  OperatorListeners operators;
  Metrics metrics = metrics_of_the_process();
  MeteredEvents events(metrics, log);
  net::HttpServer server(server_options, clock, random, events);
  std::vector<HeldSocket> held = manager.take_sockets();
  const bool clients_can_wait = !held.empty();
  NETML_TRY(const std::vector<std::string> urls,
            listen_for_clients(server, starting, options, std::move(held)));
  NETML_TRY_VOID(operators.listen(server, options));
  // Whoever asks while the node is being opened is asked to come back (O5), or waits.
  HeldStart start(server, clients_can_wait ? HeldStart::kPatience : std::chrono::milliseconds(0));
  // The lock comes with the node, so the control socket of a running server is never replaced.
  auto opened = [&] {
    const LeaveOnSignal impatient(signals, clock, log);
    return Node::open(node_options(global, options, memory.budget, metrics, member.get()), clock,
                      random, log);
  }();
  NETML_TRY(const std::unique_ptr<Node> node, std::move(opened));
  Services services(*node, global.limits);
  services.be_served_by(server, urls);
  if (member != nullptr) services.cluster = &member->cluster();
  configure(services, global, options, poll_networks);
  Background background(*node, services, leads_of(member.get()));
  services.intake.use(background.queue);
  if (!options.read_only) {
    services.schedule = &background.schedule;
    NETML_TRY_VOID(put_right(services));
  }
  web::Site site(services, options.read_only ? nullptr : &background.queue,
                 site_options(options, std::move(sso_networks)));
  const Routes routes = all_routes(server, services, site, routing, member.get());
  Running running(server, start, services, background, member.get());
  start.give_up();  // nobody else begins while a listener is added
  NETML_TRY(std::string control_socket, listen_for_control(server, routes.control, *node));
  server.replace(starting, routes.open);
  start.begin();
  if (!options.read_only) background.start(global.sandbox);
  if (member != nullptr) member->attend(services, [&] { begin_to_lead(services, background); });
  tell_addresses(site, urls, out);
  operators.open(server, services, out);
  warn_of_modes(options, log);
  warn_of_export(services.export_watch, log);
  LifeSigns life(manager, log, proof_of_life(*node, clock, std::move(control_socket), manager));
  const ReloadRules rules = reload_rules(bounds, global, options, poll_networks);
  Reload reload(server, services, rules, global, options, log);

  attend(signals, manager, clock, reload, urls, log);
  const std::chrono::seconds drain(options.shutdown_timeout_s);
  {
    const LeaveOnSignal impatient(signals, clock, log, drain + std::chrono::seconds(1));  // O4
    life.stop();  // it asks the server
    running.stop(drain);
  }
  const LeaveOnSignal impatient(signals, clock, log);
  return node->close();
}

}  // namespace netml::admin
