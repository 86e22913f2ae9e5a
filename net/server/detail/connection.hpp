// One connection: reads heads, routes, lets workers handle, sends answers, until either side ends.
//
// Ownership: the coroutine run() keeps the connection alive; the registry knows it until ended().
// Thread: its strand, except cut() and what handlers do on workers while run() waits for them.
#pragma once

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <exception>
#include <memory>
#include <optional>
#include <string>

#include "net/connection/byte_rate.hpp"
#include "net/connection/known_clients.hpp"
#include "net/connection/receive_buffer.hpp"
#include "net/connection/registry.hpp"
#include "net/connection/request_head.hpp"
#include "net/connection/response_head.hpp"
#include "net/connection/stream.hpp"
#include "net/connection/watchdog.hpp"
#include "net/connection/worker_pool.hpp"
#include "net/http/body_decoder.hpp"
#include "net/http/body_sources.hpp"
#include "net/http/transfer_allowance.hpp"
#include "net/server/http_server.hpp"

namespace netml::net {

// What all connections of a server share; it outlives them.
struct ServerContext {
  CurrentOptions& options;
  const Clock& clock;
  Random& random;
  ServerEvents& events;
  WorkerPool& workers;    // for clients that are known, and what is urgent
  WorkerPool& strangers;  // for all others
  WorkerPool& listeners;  // for bodies that give way
  KnownClients& clients;
  ByteRate& stranger_bodies;
  Registry& registry;
};

class DiscardBudget;

class Connection : public Registered, public std::enable_shared_from_this<Connection> {
 public:
  Connection(ServerContext& server, asio::any_io_executor strand, std::unique_ptr<Stream> stream,
             const std::atomic<const Router*>& routes, RemoteEnd peer);

  // Handshake, requests, parting. Call once, on the strand.
  asio::awaitable<void> run();
  // After run(): leaves the registry.
  void ended(const std::exception_ptr& failure);

  void cut() override;
  const std::string& address() const override { return peer_.address; }

 private:
  // The request being served, and what is to be reported about it.
  struct Exchange {
    std::string id;
    std::string method;  // as sent
    std::string path;
    std::string client_address;
    std::string client;  // Response::client, once there is an answer
    std::chrono::nanoseconds started{0};
    std::uint64_t bytes_received = 0;
    std::uint64_t bytes_sent = 0;
    unsigned version = 11;
    bool secure = false;
    bool keep_alive = false;
    bool head_only = false;  // HEAD
    bool expects_continue = false;
    bool body_unread = false;  // the next bytes received are not a request
    std::optional<Sha256> credentials;
    // What of the body is still to come; nothing where its framing is broken.
    std::optional<BodyDecoder> body;
  };
  using HeadOrRefusal = tl::expected<ParsedHead, Response>;

  // connection.cpp: from the wire to the handler.
  asio::awaitable<bool> shake_hands();
  asio::awaitable<bool> serve_one();  // true: the connection may be used again
  asio::awaitable<std::optional<HeadOrRefusal>> receive_head();  // nothing: the client has gone
  asio::awaitable<bool> wait_for_request();
  tl::expected<Request, Response> begin_exchange(HeadOrRefusal head);
  asio::awaitable<Response> dispatch(Request& request);
  asio::awaitable<Response> handle(const Request& request, const Router::Found& route);
  asio::awaitable<Response> receive_body(const Request& request, BodySink& sink);
  asio::awaitable<std::optional<Response>> receive_more(std::span<char> room,
                                                        TransferAllowance& allowance);
  // The bodies of all strangers together come only so fast: after a piece the next is waited for.
  void owe(std::uint64_t bytes);
  asio::awaitable<void> wait_for_turn();
  template <class Call>
  std::invoke_result_t<Call&> caught(Call call);
  void enter(Phase next);
  // Accounts for the buffers and what is kept beside them; false: it is too much.
  bool keep(std::size_t answer = 0, std::size_t body = 0);
  WorkerPool& workers() { return known ? server_.workers : server_.strangers; }
  WorkerPool& workers_for(const BodySource& source);
  // Of strangers those from where somebody known came are first: one of them may be signing in.
  WorkerPool::Urgency urgency_of(WorkerPool::Urgency usual) const {
    return !known && from_known_address ? WorkerPool::Urgency::urgent : usual;
  }
  void recognise(const Request& request);
  void learn(const Response& response);
  void tell(const Response& response, int status);
  // `waited` counts where no request is under way.
  void report(ServerEvent what, std::string_view detail,
              std::optional<std::chrono::nanoseconds> waited = std::nullopt);

  // connection_answer.cpp: from the answer to the wire. False: not all was sent.
  // What owns something is passed by reference: g++ 12 destroys temporaries that are made in the
  // operand of co_await twice when they are aggregates.
  asio::awaitable<bool> send(Response& response);
  asio::awaitable<bool> send_text(const Response& response, HeadOptions options,
                                  std::string_view text);
  asio::awaitable<bool> send_stream(Response& response, HeadOptions options, StreamBody& body);
  asio::awaitable<bool> pump(std::string& prefix, std::string_view piece,
                             const HeadOptions& options, StreamBody& body);
  asio::awaitable<Result<std::string_view>> write_and_pull(WriteBuffers buffers, StreamBody& body);
  asio::awaitable<std::optional<Result<std::string_view>>> write_now_and_pull(WriteBuffers& buffers,
                                                                              BodySource& source);
  asio::awaitable<bool> wait(WaitingSource::Pause pause);
  asio::awaitable<bool> write_all(WriteBuffers buffers);
  // An error of timed_out after that time; read_some() also tells the server's events of it.
  using Read = asio::awaitable<IoResult> (Stream::*)(asio::mutable_buffer);
  asio::awaitable<IoResult> read_within(Read read, std::span<char> into,
                                        std::chrono::nanoseconds at_most);
  asio::awaitable<IoResult> read_some(std::span<char> into, std::chrono::nanoseconds at_most);
  asio::awaitable<Result<std::string_view>> pull(BodySource& source);
  void note_failure(const Result<std::string_view>& piece);
  asio::awaitable<void> note_sent(BodySource& source);
  asio::awaitable<void> release(std::unique_ptr<BodySource>& source);
  void add_fields(Headers& headers) const;
  bool may_keep_alive(const Response& response) const;

  // connection_parting.cpp: from the last answer to the end.
  asio::awaitable<void> part();
  asio::awaitable<void> discard_body(DiscardBudget& budget);
  asio::awaitable<void> discard_remains(DiscardBudget& budget);

  ServerContext& server_;
  const CurrentOptions::Pointer options_;
  const Limits& limits_;  // of these
  asio::any_io_executor strand_;
  std::unique_ptr<Stream> stream_;
  const std::atomic<const Router*>& routes_;  // of its listener
  const RemoteEnd peer_;
  Watchdog watchdog_;
  ReceiveBuffer received_;
  TransferAllowance write_allowance_;
  asio::steady_timer turn_;
  std::chrono::nanoseconds turn_at_{0};  // on the steady clock
  Exchange exchange_;
  std::size_t requests_ = 0;
  Kept kept_last_;     // what keep() said last
  bool cut_ = false;   // by the server: stopping, or too many connections
  bool gone_ = false;  // the client cannot be answered
};

}  // namespace netml::net
