// How long it takes to poll many peers in one batch, in which memory, and what readers notice:
// netml_poll_many PEERS ELEMENTS FOLDER. The peers are paths of one server in a process of its own.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "admin/polling/polling.hpp"
#include "admin/server/system_clock.hpp"
#include "bench/generator/generator.hpp"
#include "net/server/http_server.hpp"
#include "net/server/router.hpp"

namespace netml {
namespace {

using Seconds = std::chrono::duration<double>;

class NoEvents : public net::ServerEvents {
 public:
  void answered(const net::AccessRecord&) override {}
  void event(const net::EventRecord&) override {}
};

class Warnings : public admin::EventLog {
 public:
  void information(std::string_view, std::string_view) override {}
  void warning(std::string_view event, std::string_view text) override {
    fmt::print(stderr, "{}: {}\n", event, text);
  }
  void error(std::string_view event, std::string_view text) override { warning(event, text); }
};

std::string map_of(std::uint64_t peer, std::uint32_t elements) {
  generator::GeneratorOptions options;
  options.seed = peer;
  options.institutions = 10;
  options.nodes = elements / 2 - options.institutions;
  options.links = elements / 2;
  std::string text = generator::generate_text(options);
  // Every map has identifiers and a name of its own.
  const std::string own = fmt::format("urn:peer{:03}:", peer);
  constexpr std::string_view kPrefix = "urn:example:";
  for (std::size_t at = text.find(kPrefix); at != text.npos; at = text.find(kPrefix, at))
    text.replace(at, kPrefix.size(), own);
  constexpr std::string_view kName = "Network 0<";
  text.replace(text.find(kName), kName.size(), fmt::format("Network {}<", peer));
  return text;
}

// Serves the maps until its standard input ends.
[[noreturn]] void serve_peers(int port_to, int until, std::uint32_t elements) {
  admin::SystemClock clock;
  admin::SystemRandom random;
  NoEvents events;
  net::Router router;
  router.add(net::Method::get, "/{peer}/netml_export/",
             [&](const net::Request& request) -> net::Answer {
               net::Response response;
               response.status = 200;
               response.body = map_of(std::stoull(request.parameters.at(0)), elements);
               return response;
             });
  net::HttpServer server(net::ServerOptions{}, clock, random, events);
  const std::uint16_t port = server.listen_tcp({"127.0.0.1", 0}, router, std::nullopt)->port;
  server.start();
  char byte = 0;
  if (::write(port_to, &port, sizeof port) == sizeof port)
    while (::read(until, &byte, 1) > 0) continue;
  std::_Exit(0);
}

std::uint64_t memory_mib(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(field + ":")) return std::stoull(line.substr(field.size() + 1)) / 1024;
  return 0;
}

// Takes the newest version and looks something up in it, again and again.
class Reader {
 public:
  explicit Reader(const admin::Node& node) : thread_([this, &node] { run(node); }) {}
  // The waits so far, ascending, in milliseconds.
  std::vector<double> stop() {
    stopping_ = true;
    thread_.join();
    std::ranges::sort(waits_);
    return std::move(waits_);
  }

 private:
  void run(const admin::Node& node) {
    while (!stopping_) {
      const auto began = std::chrono::steady_clock::now();
      found_ = found_ + node.version().state->graph.find(Kind::node, "urn:nobody").size();
      waits_.push_back(1000 * Seconds(std::chrono::steady_clock::now() - began).count());
      std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
  }
  std::atomic<bool> stopping_{false};
  std::atomic<std::size_t> found_{0};
  std::vector<double> waits_;
  std::thread thread_;
};

int poll_them(std::uint16_t port, std::uint32_t peers, const std::string& folder) {
  admin::SystemClock clock;
  admin::SystemRandom random;
  Warnings events;
  const auto node = admin::Node::open({.data_directory = folder}, clock, random, events).value();
  admin::Sources sources(*node);
  admin::Intake intake(*node);
  admin::Poller poller(*node, sources, intake);
  admin::Polling polling(*node, sources, poller);
  admin::PollRules rules;
  rules.outgoing.internal_allowed = true;
  poller.set_rules(rules);
  const admin::Caller caller{engine::ActorKind::command_line, "bench", "here", {}};
  for (std::uint32_t i = 1; i <= peers; ++i) {
    admin::SourceFields fields;
    fields.name = fmt::format("peer {}", i);
    fields.protocol = engine::Protocol::http;
    fields.plain_http = true;
    fields.hostname = "127.0.0.1";
    fields.port = port;
    fields.path = fmt::format("{}/", i);
    NETML_ASSERT(sources.create(caller, fields).has_value());
  }
  for (const char* name : {"all new", "unchanged"}) {
    const std::uint64_t journal = node->journal_bytes();
    Reader reader(*node);
    const auto began = std::chrono::steady_clock::now();
    const auto started = polling.collect_all({.caller = caller});
    const std::vector<admin::PollReport> reports = (*started)->reports.get();
    const Seconds took = std::chrono::steady_clock::now() - began;
    const std::vector<double> waits = reader.stop();
    const auto failed =
        std::ranges::count(reports, admin::PollEnd::failed, &admin::PollReport::end);
    const engine::StatePtr state = node->version().state;
    fmt::print(
        "{}: {} peers, {} failed, {} nodes and {} links here, {:.2f} s, at most {} MiB, journal "
        "+{} MiB; a reader waits {:.3f} ms in 99.9 of 100 cases, {:.3f} ms at most ({} looks)\n",
        name, reports.size(), failed, state->graph.count(Kind::node),
        state->graph.count(Kind::link), took.count(), memory_mib("VmHWM"),
        (node->journal_bytes() - journal) >> 20, waits.at(waits.size() * 999 / 1000), waits.back(),
        waits.size());
  }
  return 0;
}

}  // namespace
}  // namespace netml

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "netml_poll_many PEERS ELEMENTS FOLDER\n");
    return 2;
  }
  int port_pipe[2];
  int end_pipe[2];
  if (::pipe(port_pipe) != 0 || ::pipe(end_pipe) != 0) return 1;
  const auto elements = static_cast<std::uint32_t>(std::stoul(argv[2]));
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(end_pipe[1]);
    netml::serve_peers(port_pipe[1], end_pipe[0], elements);
  }
  std::uint16_t port = 0;
  if (::read(port_pipe[0], &port, sizeof port) != sizeof port) return 1;
  const int outcome =
      netml::poll_them(port, static_cast<std::uint32_t>(std::stoul(argv[1])), argv[3]);
  ::close(end_pipe[1]);
  ::waitpid(child, nullptr, 0);
  return outcome;
}
