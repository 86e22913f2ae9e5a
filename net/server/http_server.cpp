#include "net/server/http_server.hpp"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/socket.h>

#include <atomic>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <memory>
#include <new>

#include "engine/base/current.hpp"
#include "engine/base/priority.hpp"
#include "net/connection/on_worker.hpp"
#include "net/connection/tls.hpp"
#include "net/server/detail/connection.hpp"
#include "net/server/detail/io_threads.hpp"
#include "net/server/detail/listener.hpp"

namespace netml::net {
namespace {

constexpr auto kAwaitResult = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::milliseconds kAcceptPause{100};  // E4: out of descriptors
constexpr std::chrono::milliseconds kClearingPause{2};
constexpr std::size_t kWaitingMax = 32;  // strangers that are not let in yet
// So many connections are a crowd, which is looked for so often.
constexpr std::size_t kCrowd = 64;
constexpr std::chrono::seconds kCrowdLookedFor{5};
constexpr int kRoundsAfterACrowd = 4;
// Strangers have half as many threads, with less processor time for each: on a busy processor about
// a third of what somebody known gets where they wait for sockets, a tenth where they work. Not
// less: who holds a lock must get on with it.
constexpr int kNicenessOfStrangers = 5;
constexpr unsigned threads_of_strangers(unsigned threads, unsigned at_least) {
  return std::max(at_least, threads / 2);
}

// Those who listen are many at once, and wait longest: even bulk work, such as an import, goes
// before them. One of these threads is for urgent work, which they have none of.
constexpr unsigned kThreadsOfListeners = 3;
constexpr int kNicenessOfListeners = 15;

struct Newcomer {
  UniqueFd socket;
  std::string address;
};

struct Listener {
  Listener(IoThreads& io, int family_, const Router& routes_)
      : strand(asio::make_strand(io.executor())),
        socket(strand),
        family(family_),
        routes(&routes_) {}

  asio::strand<IoThreads::Executor> strand;
  asio::posix::stream_descriptor socket;
  const int family;
  std::atomic<const Router*> routes;
  std::optional<TlsFiles> tls_files;
  Current<TlsContext> tls;       // that new connections use
  std::deque<Newcomer> waiting;  // on the strand
  std::string path;              // UNIX-domain
  std::uint32_t peer_uid = 0;    // UNIX-domain
};

}  // namespace

struct HttpServer::Impl {
  Impl(ServerOptions options, const Clock& clock, Random& random, ServerEvents& events)
      : options_(std::move(options)),
        current_(std::make_shared<const ServerOptions>(options_)),
        registry_(options_, clock),
        workers_(options_.worker_threads),
        strangers_(threads_of_strangers(options_.worker_threads, 2), kNicenessOfBulkWork),
        listening_(kThreadsOfListeners, kNicenessOfListeners),
        clients_(clock),
        stranger_bodies_(options_.limits.open_body_bytes_per_second_max),
        context_{current_,   clock,      random,   events,           workers_,
                 strangers_, listening_, clients_, stranger_bodies_, registry_},
        io_(options_.io_threads, 0, events),
        strangers_io_(threads_of_strangers(options_.io_threads, 1), kNicenessOfStrangers, events) {
    NETML_ASSERT(options_.limits.receive_buffer_bytes > options_.limits.header_bytes_max);
    NETML_ASSERT(options_.io_threads > 0);
  }

  template <class Bind>
  Result<TcpAddress> listen(Bind bind, const Router& routes, const std::optional<TlsFiles>& tls);
  void add(std::unique_ptr<Listener> listener);
  asio::awaitable<void> accept_loop(Listener& listener);
  std::optional<RemoteEnd> identify(const Listener& listener, int socket);
  bool welcome_if_possible(Listener& listener, UniqueFd socket);
  void welcome(Listener& listener, UniqueFd socket);
  void welcome_later(Listener& listener, UniqueFd socket, const std::string& address);
  asio::awaitable<void> welcome_waiting(Listener& listener);
  asio::awaitable<void> give_back_memory();
  void close_listeners();

  ServerOptions options_;   // changes while the registry, which alone looks at it then, does not
  CurrentOptions current_;  // the same for connections
  Registry registry_;
  WorkerPool workers_;
  WorkerPool strangers_;
  WorkerPool listening_;
  KnownClients clients_;
  ByteRate stranger_bodies_;
  ServerContext context_;
  IoThreads io_;            // for listeners, and connections from where somebody known came
  IoThreads strangers_io_;  // for all other connections
  asio::strand<IoThreads::Executor> upkeep_{io_.executor()};
  asio::steady_timer upkeep_pause_{upkeep_};
  std::vector<std::unique_ptr<Listener>> listeners_;
  bool stopped_ = false;
};

Result<TcpAddress> HttpServer::listen_tcp(const TcpAddress& address, const Router& routes,
                                          const std::optional<TlsFiles>& tls) {
  return impl_->listen([&] { return bind_tcp(address); }, routes, tls);
}

Result<TcpAddress> HttpServer::listen_on(UniqueFd socket, const Router& routes,
                                         const std::optional<TlsFiles>& tls) {
  return impl_->listen([&] { return adopt_tcp(std::move(socket)); }, routes, tls);
}

// No port is taken where the certificate is not usable.
template <class Bind>
Result<TcpAddress> HttpServer::Impl::listen(Bind bind, const Router& routes,
                                            const std::optional<TlsFiles>& tls) {
  std::shared_ptr<TlsContext> context;
  if (tls) {
    NETML_TRY(context, load_tls(*tls));
  }
  NETML_TRY(BoundTcp bound, bind());
  auto listener = std::make_unique<Listener>(io_, bound.family, routes);
  listener->socket.assign(bound.socket.release());
  listener->tls_files = tls;
  listener->tls.set(std::move(context));
  add(std::move(listener));
  return bound.address;
}

void HttpServer::replace(const Router& routes, const Router& next) {
  for (const auto& listener : impl_->listeners_)
    if (listener->routes == &routes) listener->routes = &next;
}

Status HttpServer::listen_unix(const std::string& path, const Router& routes,
                               std::optional<std::uint32_t> peer_uid) {
  NETML_TRY(UniqueFd socket, bind_unix(path));
  auto listener = std::make_unique<Listener>(impl_->io_, AF_UNIX, routes);
  listener->socket.assign(socket.release());
  listener->path = path;
  listener->peer_uid = peer_uid.value_or(::geteuid());
  impl_->add(std::move(listener));
  return {};
}

// Once the server runs, a listener accepts as soon as it is there.
void HttpServer::Impl::add(std::unique_ptr<Listener> listener) {
  listeners_.push_back(std::move(listener));
  Listener& added = *listeners_.back();
  if (io_.started()) asio::co_spawn(added.strand, accept_loop(added), asio::detached);
}

void HttpServer::start() {
  NETML_ASSERT(!impl_->io_.started() && !impl_->stopped_);
  impl_->strangers_io_.start();  // before anybody is let in
  for (const auto& listener : impl_->listeners_)
    asio::co_spawn(listener->strand, impl_->accept_loop(*listener), asio::detached);
  asio::co_spawn(impl_->upkeep_, impl_->give_back_memory(), asio::detached);
  impl_->io_.start();
}

asio::awaitable<void> HttpServer::Impl::accept_loop(Listener& listener) {
  asio::steady_timer pause(listener.strand);
  while (!registry_.draining()) {
    const auto [error] = co_await listener.socket.async_wait(
        asio::posix::stream_descriptor::wait_read, kAwaitResult);
    if (error) break;
    if (listener.family != AF_UNIX && registry_.is_clearing(true)) {
      pause.expires_after(kClearingPause);
      co_await pause.async_wait(kAwaitResult);
      continue;
    }
    Accepted accepted = accept_one(listener.socket.native_handle());
    if (accepted.socket && !welcome_if_possible(listener, std::move(accepted.socket)))
      accepted.error = ENOMEM;
    if (accepted.error != 0 && accepted.error != EAGAIN && accepted.error != ECONNABORTED &&
        accepted.error != EINTR) {
      const std::string text = error_text(accepted.error);
      context_.events.event({.what = ServerEvent::accept_failed, .detail = text});
      pause.expires_after(kAcceptPause);
      co_await pause.async_wait(kAwaitResult);
    }
  }
}

// What a crowd took goes back to the system when it has gone; the allocator would keep it.
asio::awaitable<void> HttpServer::Impl::give_back_memory() {
  std::size_t most = 0;
  int rounds = 0;  // what is still worked for is freed later
  while (!registry_.draining()) {
    upkeep_pause_.expires_after(kCrowdLookedFor);
    co_await upkeep_pause_.async_wait(kAwaitResult);
    most = std::max(most, registry_.take_most());
    if (most >= kCrowd && registry_.size() <= most / 2) {
      most = 0;
      rounds = kRoundsAfterACrowd;
    }
    if (rounds == 0) continue;
    --rounds;
    co_await on_worker(strangers_, WorkerPool::Urgency::slow, [] { return ::malloc_trim(0); });
  }
}

std::optional<RemoteEnd> HttpServer::Impl::identify(const Listener& listener, int socket) {
  if (listener.family != AF_UNIX) return tcp_peer(socket);
  const std::optional<std::uint32_t> user = peer_user(socket);
  if (user != listener.peer_uid && user != 0u) {
    const std::string who = user ? fmt::format("uid {}", *user) : "unknown uid";
    context_.events.event({.what = ServerEvent::control_peer_refused, .detail = who});
    return std::nullopt;
  }
  RemoteEnd peer;
  peer.control = true;
  return peer;
}

// The circle among these goes through a coroutine, which pauses before it welcomes somebody again.
// NOLINTBEGIN(misc-no-recursion)

// Without memory the connection is closed; those that come later are welcome.
bool HttpServer::Impl::welcome_if_possible(Listener& listener, UniqueFd socket) {
  try {
    welcome(listener, std::move(socket));
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

void HttpServer::Impl::welcome(Listener& listener, UniqueFd socket) {
  std::optional<RemoteEnd> peer = identify(listener, socket.get());
  if (!peer) return;
  const bool from_known_address = peer->control || clients_.knows_address(peer->address);
  if (!from_known_address && registry_.is_clearing(false)) {
    welcome_later(listener, std::move(socket), peer->address);
    return;
  }
  const auto counted = registry_.admit(peer->address, from_known_address);
  if (!counted) {
    context_.events.event({.what = ServerEvent::connection_refused,
                           .client_address = peer->address,
                           .detail = counted.error() == Registry::Refused::too_many
                                         ? "connections_max"
                                         : "connections_per_address_max"});
    return;
  }
  std::shared_ptr<TlsContext> tls = listener.tls.get();
  peer->tls = tls != nullptr;
  const asio::any_io_executor strand =
      asio::make_strand((from_known_address ? io_ : strangers_io_).executor());
  std::shared_ptr<Connection> connection;
  try {
    auto stream = tls ? make_tls_stream(strand, listener.family, std::move(socket), std::move(tls))
                      : make_plain_stream(strand, listener.family, std::move(socket));
    connection =
        std::make_shared<Connection>(context_, strand, std::move(stream), listener.routes, *peer);
    connection->from_known_address = from_known_address;
    registry_.add(*connection, *counted);
  } catch (const std::bad_alloc&) {
    registry_.give_back(*counted);
    throw;
  }
  try {
    asio::co_spawn(strand, connection->run(),
                   [connection](const std::exception_ptr& failure) { connection->ended(failure); });
  } catch (const std::bad_alloc&) {
    registry_.remove(*connection);
    throw;
  }
}

// Nobody from a known address stands behind a stranger that must wait; of strangers the last to
// come wait, since those of a crowd come again and again.
void HttpServer::Impl::welcome_later(Listener& listener, UniqueFd socket,
                                     const std::string& address) {
  if (listener.waiting.size() == kWaitingMax) {
    context_.events.event({.what = ServerEvent::connection_refused,
                           .client_address = listener.waiting.front().address,
                           .detail = "connections_max"});
    listener.waiting.pop_front();
  }
  listener.waiting.push_back({std::move(socket), address});
  if (listener.waiting.size() > 1) return;
  try {
    asio::co_spawn(listener.strand, welcome_waiting(listener), asio::detached);
  } catch (const std::bad_alloc&) {
    listener.waiting.clear();
    throw;
  }
}

asio::awaitable<void> HttpServer::Impl::welcome_waiting(Listener& listener) {
  asio::steady_timer pause(listener.strand);
  while (!listener.waiting.empty() && !registry_.draining()) {
    if (registry_.is_clearing(false)) {
      pause.expires_after(kClearingPause);
      co_await pause.async_wait(kAwaitResult);
      continue;
    }
    UniqueFd socket = std::move(listener.waiting.front().socket);
    listener.waiting.pop_front();
    welcome_if_possible(listener, std::move(socket));
  }
  listener.waiting.clear();
}

// NOLINTEND(misc-no-recursion)

Status HttpServer::reload_tls(const std::optional<TlsFiles>& others) {
  std::vector<std::pair<Listener*, std::shared_ptr<TlsContext>>> fresh;
  for (const auto& listener : impl_->listeners_) {
    if (!listener->tls_files) continue;
    NETML_TRY(std::shared_ptr<TlsContext> context,
              load_tls(others ? *others : *listener->tls_files));
    fresh.emplace_back(listener.get(), std::move(context));
  }
  for (auto& [listener, context] : fresh) {
    if (others) listener->tls_files = others;
    listener->tls.set(std::move(context));
  }
  return {};
}

void HttpServer::change(const Limits& limits, const std::vector<IpNetwork>& trusted_proxies) {
  NETML_ASSERT(limits.receive_buffer_bytes > limits.header_bytes_max);
  ServerOptions next = impl_->options_;
  next.limits = limits;
  next.trusted_proxies = trusted_proxies;
  auto shared = std::make_shared<const ServerOptions>(next);
  impl_->registry_.change_options([&] { std::swap(impl_->options_, next); });
  impl_->current_.set(std::move(shared));
  impl_->stranger_bodies_.set(limits.open_body_bytes_per_second_max);
}

void HttpServer::Impl::close_listeners() {
  for (const auto& listener : listeners_) {
    asio::post(listener->strand, [&listener = *listener] {
      boost::system::error_code ignored;
      listener.socket.close(ignored);
    });
    if (!listener->path.empty()) ::unlink(listener->path.c_str());
  }
}

void HttpServer::stop(std::chrono::milliseconds drain_max) {
  if (std::exchange(impl_->stopped_, true)) return;
  impl_->registry_.drain();
  impl_->close_listeners();
  asio::post(impl_->upkeep_, [this] { impl_->upkeep_pause_.cancel(); });
  if (impl_->io_.started() && !impl_->registry_.wait_empty(drain_max)) {
    impl_->registry_.cut_all();
    impl_->registry_.wait_empty();
  }
  impl_->io_.finish();
  impl_->strangers_io_.finish();
  impl_->workers_.stop();
  impl_->strangers_.stop();
  impl_->listening_.stop();
}

HttpServer::HttpServer(ServerOptions options, const Clock& clock, Random& random,
                       ServerEvents& events)
    : impl_(std::make_unique<Impl>(std::move(options), clock, random, events)) {}
HttpServer::~HttpServer() {
  stop(std::chrono::milliseconds(0));
}

std::size_t HttpServer::open_connections() const {
  return impl_->registry_.size();
}

std::size_t HttpServer::waiting_requests() const {
  return impl_->workers_.waiting() + impl_->strangers_.waiting();
}

std::optional<std::int64_t> HttpServer::certificates_expire() const {
  std::optional<std::int64_t> first;
  for (const auto& listener : impl_->listeners_) {
    const std::shared_ptr<TlsContext> tls = listener->tls.get();
    const auto end = tls == nullptr ? std::nullopt : expiry(*tls);
    if (end && (!first || *end < *first)) first = end;
  }
  return first;
}

Status HttpServer::check(const TlsFiles& tls) {
  NETML_TRY_VOID(load_tls(tls));
  return {};
}

}  // namespace netml::net
