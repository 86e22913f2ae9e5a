// A connection is one coroutine on one strand: hands are shaken, then requests are served one after
// the other. Each wait for the client has a deadline that the watchdog holds. Handlers and sinks
// run on workers, never here, so a slow one does not hold up the strand's thread. At each turn:
//
// - a head is judged before any of its body is read, and a refusal before "100 Continue";
// - what the connection keeps in memory is counted with the registry before more is read;
// - an exception of a handler becomes an answer, one of the coroutine ends this connection (X1);
// - where the framing cannot be trusted any more, no further request is read (X4).
#include "net/server/detail/connection.hpp"

#include <fmt/format.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <new>

#include "engine/base/unreadable.hpp"
#include "engine/base/wording.hpp"
#include "net/connection/on_worker.hpp"

namespace netml::net {
namespace {

// A connection over TLS before it has moved anything, with the buffers of its records.
constexpr std::size_t kTlsBytes = 64 * kKibibyte;

std::string request_id(Random& random) {
  std::array<std::byte, 8> bytes{};
  random.fill(bytes);
  std::string id;
  for (const std::byte b : bytes) id += fmt::format("{:02x}", std::to_integer<unsigned>(b));
  return id;
}

Response redirect(const std::string& path, const std::string& query) {
  Response response;
  response.status = 301;
  response.headers.add("Location", fmt::format("{}{}{}", percent_encode_path(path),
                                               query.empty() ? "" : "?", query));
  return response;
}

Response allowed_methods(std::string_view allow) {
  Response response;
  response.headers.add("Allow", allow);
  return response;
}

Response wrong_method(std::string_view allow) {
  Response response = refusal(405, "method not allowed");
  response.headers.add("Allow", allow);
  return response;
}

Response overloaded(std::string_view reason) {
  Response response = refusal(503, fmt::format("{}; try again later", reason));
  response.headers.add("Retry-After", "1");
  return response;
}

}  // namespace

Connection::Connection(ServerContext& server, asio::any_io_executor strand,
                       std::unique_ptr<Stream> stream, const std::atomic<const Router*>& routes,
                       RemoteEnd peer)
    : server_(server),
      options_(server.options.get()),
      limits_(options_->limits),
      strand_(std::move(strand)),
      stream_(std::move(stream)),
      routes_(routes),
      peer_(std::move(peer)),
      watchdog_(strand_, server.clock, [this] { stream_->cancel(); }),
      received_(limits_.receive_buffer_bytes),
      write_allowance_(limits_),
      turn_(strand_) {}

void Connection::cut() {
  // The registry cuts from other threads; what a connection holds is touched on its strand only.
  asio::post(strand_, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) {
      self->cut_ = true;
      self->stream_->cancel();
      self->turn_.cancel();
    }
  });
}

void Connection::ended(const std::exception_ptr& failure) {
  if (failure) {
    try {
      std::rethrow_exception(failure);
    } catch (const std::exception& e) {
      report(ServerEvent::io_thread_failed, e.what());
    } catch (...) {
      report(ServerEvent::io_thread_failed, "unknown exception");
    }
  }
  watchdog_.end();
  stream_.reset();
  server_.registry.remove(*this);
}

asio::awaitable<void> Connection::run() {
  // It holds a weak pointer, so a timer that fires late finds nobody instead of what was here.
  watchdog_.own(shared_from_this());
  if (!co_await shake_hands()) co_return;
  bool again = true;  // g++ 12 miscompiles `while (co_await ...) {}`
  while (again) again = co_await serve_one();
  co_await part();
}

asio::awaitable<bool> Connection::shake_hands() {
  if (!peer_.tls) co_return true;
  keep();
  watchdog_.arm(limits_.tls_handshake_max);
  const error_code error = co_await stream_->handshake();
  watchdog_.disarm();
  if (error) report(ServerEvent::tls_handshake_failed, error.message());
  co_return !error && !cut_;
}

void Connection::enter(Phase next) {
  Registered::enter(next, server_.clock.steady());
}

bool Connection::keep(std::size_t answer, std::size_t body) {
  // All that this connection holds, as it is now. The registry adds up those of all connections,
  // and where they are too much says who must give way.
  Kept all;
  all.bytes = (peer_.tls ? kTlsBytes : 0) + received_.grown_bytes() + answer + body;
  all.body = known ? 0 : body;
  return all == std::exchange(kept_last_, all) || server_.registry.keep(*this, all);
}

void Connection::recognise(const Request& request) {
  exchange_.credentials = KnownClients::credentials(request.headers);
  const bool knows = exchange_.credentials && server_.clients.knows(*exchange_.credentials);
  server_.registry.recognise(*this, request.control || knows);
}

void Connection::learn(const Response& response) {
  if (!exchange_.credentials) return;
  const bool replaced = response.headers.has("Set-Cookie");  // signed in anew, or out
  if (!response.client.empty() && response.status < 400 && !replaced) {
    server_.clients.served(*exchange_.credentials, peer_.address);
    server_.registry.recognise(*this, true);
  } else if (replaced ||
             (response.client.empty() && (response.status == 401 || response.status == 403))) {
    server_.clients.refused(*exchange_.credentials);
  }
}

asio::awaitable<bool> Connection::serve_one() {
  std::optional<HeadOrRefusal> head = co_await receive_head();
  if (!head) {
    gone_ = true;
    co_return false;
  }
  enter(Phase::busy);
  ++requests_;
  // A head that is refused is answered and reported in the log like any other request.
  tl::expected<Request, Response> request = begin_exchange(*std::move(head));
  Response response;
  if (request)
    response = co_await dispatch(*request);
  else
    response = std::move(request).error();
  if (gone_) {
    exchange_.client = std::move(response.client);
    tell(response, 0);
    co_return false;
  }
  // Who was served is known from the next request on, and its workers are those of known clients.
  learn(response);
  exchange_.client = std::move(response.client);
  received_.shrink();
  const bool keep_alive = may_keep_alive(response);
  gone_ = !co_await send(response);
  tell(response, response.status);
  co_return keep_alive && !gone_;
}

// Nothing is in flight: the next request may take its time, and a stopping server need not wait.
asio::awaitable<bool> Connection::wait_for_request() {
  const bool first = requests_ == 0;
  received_.shrink();
  keep();
  enter(first ? Phase::reading_head : Phase::idle);
  // The first request of a connection is served all the same: its client could not know.
  if (!first && server_.registry.draining()) co_return false;
  const IoResult read = co_await read_some(
      received_.prepare(), first ? limits_.header_complete_max : limits_.keep_alive_idle_max);
  received_.commit(read.bytes);
  co_return !read.error;
}

asio::awaitable<std::optional<Connection::HeadOrRefusal>> Connection::receive_head() {
  exchange_ = Exchange{};
  // What a client sent ahead is there already; it is answered in its order.
  if (received_.empty() && !co_await wait_for_request()) co_return std::nullopt;
  enter(Phase::reading_head);
  exchange_.started = server_.clock.steady();
  HeadScanner scanner(limits_);
  for (;;) {
    if (auto end = scanner.scan(received_.view())) {
      if (!*end) co_return tl::unexpected(std::move(*end).error());
      HeadOrRefusal head = parse_head(received_.view().substr(0, **end));
      exchange_.bytes_received = **end;
      received_.consume(**end);
      co_return head;
    }
    // The time for the whole head: a byte sent now and then does not prolong it.
    const auto left = limits_.header_complete_max - (server_.clock.steady() - exchange_.started);
    const std::span<char> room = received_.prepare();
    keep();
    const IoResult read = co_await read_some(room, left);
    received_.commit(read.bytes);
    // Who sent nothing worth an answer gets none.
    if (read.error == asio::error::timed_out && scanner.has_request_line())
      co_return tl::unexpected(refusal(
          408,
          beyond_limit(
              "the request did not arrive in time", limit_names::kHeaderSeconds,
              static_cast<std::uint64_t>(
                  std::chrono::ceil<std::chrono::seconds>(limits_.header_complete_max).count()))));
    if (read.error) co_return std::nullopt;
  }
}

// Whatever goes wrong with a head, the bytes after it cannot be trusted to be a request.
tl::expected<Request, Response> Connection::begin_exchange(HeadOrRefusal head) {
  exchange_.id = request_id(server_.random);
  exchange_.client_address = peer_.address;
  exchange_.secure = peer_.tls;
  // Until it is known that there is none: a refusal then closes the connection, or reads the body
  // off.
  exchange_.body_unread = true;
  if (!head) return tl::unexpected(std::move(head).error());
  exchange_.method = head->method;
  exchange_.path = head->target.substr(0, head->target.find('?'));
  exchange_.version = head->version;
  exchange_.keep_alive = head->keep_alive;
  exchange_.head_only = head->method == "HEAD";
  exchange_.expects_continue = head->expects_continue;
  exchange_.body = head->chunked ? BodyDecoder::chunked(limits_)
                                 : BodyDecoder::of_length(head->content_length.value_or(0));
  tl::expected<Request, Response> request = make_request(*std::move(head), peer_, *options_);
  if (!request) return request;
  request->id = exchange_.id;
  // A handler can ask whether anybody still waits for its work.
  request->client = ClientPresence(stream_->descriptor());
  recognise(*request);
  exchange_.path = request->path;
  exchange_.client_address = request->client_address;
  exchange_.secure = request->secure;
  exchange_.body_unread = request->has_body();
  return request;
}

asio::awaitable<Response> Connection::dispatch(Request& request) {
  if (request.path == "*")
    co_return allowed_methods("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
  Router::Resolution resolution = routes_.load()->resolve(request.method, request.path);
  if (auto* found = std::get_if<Router::Found>(&resolution)) {
    request.parameters = std::move(found->parameters);
    co_return co_await handle(request, *found);
  }
  // The rest of what a router can say needs no handler, and so no worker.
  if (const auto* to = std::get_if<Router::Redirect>(&resolution))
    co_return redirect(to->path, request.query);
  if (const auto* options = std::get_if<Router::Options>(&resolution))
    co_return allowed_methods(options->allow);
  if (const auto* wrong = std::get_if<Router::WrongMethod>(&resolution))
    co_return wrong_method(wrong->allow);
  co_return refusal(404, "no such path");
}

// The boundary to handlers: a library's exception ends the request, not the process.
template <class Call>
std::invoke_result_t<Call&> Connection::caught(Call call) {
  std::string what;
  try {
    return call();
  } catch (const std::bad_alloc&) {
    report(ServerEvent::handler_failed, "out of memory");
    return overloaded("out of memory");
  } catch (const UnreadableError& unreadable) {
    report(ServerEvent::handler_failed, unreadable.what());
    return refusal(unreadable.error());
  } catch (const std::exception& e) {
    what = e.what();
  } catch (...) {
    what = "unknown exception";
  }
  report(ServerEvent::handler_failed, what);
  return refusal(Error{Errc::internal, what});
}

asio::awaitable<Response> Connection::handle(const Request& request, const Router::Found& route) {
  using Urgency = WorkerPool::Urgency;
  const bool urgent = route.lane == Lane::urgent;
  // Who waits for a worker keeps its connection; most of them are for newcomers.
  const auto waiting_max = std::min(limits_.requests_waiting_max, limits_.connections_max / 4 + 1);
  // Strangers that show credentials are judged first: that takes no time, and some become known.
  const bool first = urgent || (!known && (exchange_.credentials || from_known_address));
  if (!urgent && workers().waiting() >= (first ? 2 * waiting_max : waiting_max))
    co_return overloaded(
        beyond_limit("requests that wait", limit_names::kRequestsWaiting, waiting_max));
  Answer answer = co_await on_worker(
      urgent ? server_.workers : workers(), first ? Urgency::urgent : Urgency::normal, [&] {
        return caught([&]() -> Answer {
          // Nobody works for clients that have left while others wait.
          if (!known && workers().waiting() > waiting_max / 2 && request.client.has_left())
            return overloaded("too many requests");
          return (*route.handler)(request);
        });
      });
  if (auto* response = std::get_if<Response>(&answer)) co_return std::move(*response);
  std::unique_ptr<BodySink> sink = std::get<std::unique_ptr<BodySink>>(std::move(answer));
  // The head was enough to know who sends; the body is received as that of a known client.
  if (!sink->client().empty()) server_.registry.recognise(*this, true);
  Response response = co_await receive_body(request, *sink);
  enter(Phase::busy);
  if (!exchange_.body_unread && !gone_) {
    response = co_await on_worker(workers(), urgency_of(Urgency::slow), [&] {
      return caught([&]() -> Response { return sink->finish(); });
    });
  }
  // What the sink leaves behind is cleared away here, not on an I/O thread.
  co_await on_worker(workers(), Urgency::normal, [&] {
    sink.reset();
    return true;
  });
  co_return response;
}

// Until body_unread is false the answer is a refusal, or the client has gone.
asio::awaitable<Response> Connection::receive_body(const Request& request, BodySink& sink) {
  const NamedLimit bytes_max = sink.bytes_max();
  // Before "100 Continue": a client that asks first sends nothing in vain.
  if (request.content_length.value_or(0) > bytes_max.value)
    co_return refusal(413, beyond_limit("bytes of the body", bytes_max));
  BodyDecoder& decoder = *exchange_.body;
  if (exchange_.expects_continue && received_.empty() && !decoder.done()) {
    constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    if (!co_await write_all(buffers(kContinue))) co_return Response{};
  }
  TransferAllowance allowance(limits_);
  std::uint64_t bytes = 0;
  enter(Phase::receiving);
  while (!decoder.done()) {
    if (received_.empty()) {
      // No more room than is to come, and counted before anything is read into it.
      const std::uint64_t left = request.content_length.value_or(bytes_max.value) - bytes;
      const std::span<char> room = received_.prepare_body(left, limits_.body_buffer_bytes);
      if (!keep(0, sink.kept_bytes()))
        co_return overloaded(beyond_limit("bytes that connections keep",
                                          limit_names::kConnectionMemoryBytes,
                                          limits_.connection_memory_bytes_max));
      if (auto refused = co_await receive_more(room, allowance)) co_return *std::move(refused);
    }
    std::string_view input = received_.view();
    const Result<std::string_view> piece = decoder.next(input);
    if (!piece) {
      exchange_.body.reset();
      co_return refusal(piece.error());
    }
    const std::size_t consumed = received_.view().size() - input.size();
    exchange_.bytes_received += consumed;
    received_.consume(consumed);  // the piece stays where it is until more is received
    bytes += piece->size();
    // A chunked body does not say its size beforehand.
    if (bytes > bytes_max.value)
      co_return refusal(413, beyond_limit("bytes of the body", bytes_max));
    if (!piece->empty()) {
      // The time that a worker takes is ours, and does not count against its place.
      const Working working(*this, server_.clock);
      auto refused = co_await on_worker(workers(), urgency_of(WorkerPool::Urgency::normal), [&] {
        return caught([&]() -> std::optional<Response> { return sink.write(*piece); });
      });
      if (refused) co_return *std::move(refused);
    }
  }
  exchange_.body_unread = false;
  co_return Response{};
}

asio::awaitable<std::optional<Response>> Connection::receive_more(std::span<char> room,
                                                                  TransferAllowance& allowance) {
  co_await wait_for_turn();
  const auto began = server_.clock.steady();
  const IoResult read = co_await read_some(room, allowance.left());
  received_.commit(read.bytes);
  const auto now = server_.clock.steady();
  allowance.spend(now - began, read.bytes);
  moved(read.bytes, now);
  // Strangers share one rate: what one has sent, it waits for before more is read from it.
  if (!known) owe(read.bytes);
  if (!read.error) co_return std::nullopt;
  // Who is merely slow learns so; who closed the connection cannot be.
  gone_ = read.error != asio::error::timed_out;
  exchange_.body.reset();  // no more patience for the rest of it
  co_return refusal(408, below_limit("the body arrives too slowly", limit_names::kTransferRate,
                                     limits_.transfer_bytes_per_second_min));
}

void Connection::owe(std::uint64_t bytes) {
  const auto now = server_.clock.steady();
  turn_at_ = now + server_.stranger_bodies.pause_after(bytes, now);
}

asio::awaitable<void> Connection::wait_for_turn() {
  const auto pause = turn_at_ - server_.clock.steady();
  if (cut_ || pause.count() <= 0) co_return;
  turn_.expires_after(pause);
  co_await turn_.async_wait(asio::as_tuple(asio::use_awaitable));
  paid_until_ns += pause.count();  // it was we who waited
}

// `status`: 0 when the client left before it could be answered.
void Connection::tell(const Response& response, int status) {
  AccessRecord record;
  record.request_id = exchange_.id;
  record.client_address = exchange_.client_address;
  record.client = exchange_.client;
  // A client may call a method what it likes; more of it would only fill the log.
  record.method = std::string_view(exchange_.method).substr(0, 16);
  record.path = exchange_.path;
  record.status = status;
  record.bytes_received = exchange_.bytes_received;
  record.bytes_sent = exchange_.bytes_sent;
  record.duration = server_.clock.steady() - exchange_.started;
  if (const auto* text = std::get_if<std::string>(&response.body); text && response.status >= 400)
    record.limit = limit_in(*text);
  server_.events.answered(record);
}

void Connection::report(ServerEvent what, std::string_view detail,
                        std::optional<std::chrono::nanoseconds> waited) {
  EventRecord record{.what = what};
  const bool under_way = exchange_.started.count() != 0;
  record.client_address =
      exchange_.client_address.empty() ? peer_.address : exchange_.client_address;
  record.detail = detail;
  record.request_id = exchange_.id;
  record.client = exchange_.client;
  record.duration = under_way ? server_.clock.steady() - exchange_.started : waited;
  server_.events.event(record);
}

}  // namespace netml::net
