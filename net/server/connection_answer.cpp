// The half of Connection that sends answers. A body that came to an end is exactly as long as the
// head promised, or ends with the last chunk; a source that fails, or gives more or less, ends the
// connection before that. So no client takes a part for the whole, except one of HTTP/1.0 that gets
// a body of unknown length, where the end of the connection is all that the protocol has. Sources
// read files and versions, so they run on workers, while the strand only waits. A source is asked
// for a piece once the one before is sent, or while it is: a slow client holds no thread, and no
// more than two pieces, however long the body is.
#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "engine/base/guarded.hpp"
#include "net/connection/on_worker.hpp"
#include "net/http/body_sources.hpp"
#include "net/http/observed_source.hpp"
#include "net/server/detail/connection.hpp"

namespace netml::net {
namespace {

constexpr std::size_t kSourceBytes = 128 * kKibibyte;    // a source's own, as most have
constexpr std::size_t kJoinedBytesMax = 16 * kKibibyte;  // one TLS record
constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kLastChunk = "0\r\n\r\n";

bool status_has_no_body(int status) {
  return status < 200 || status == 204 || status == 304;
}

std::size_t total_size(const WriteBuffers& buffers) {
  std::size_t size = 0;
  for (const auto& buffer : buffers) size += buffer.size();
  return size;
}

Result<std::string_view> next_piece(BodySource& source) noexcept {
  return guarded([&] { return source.next(); });
}

std::optional<WaitingSource::Pause> pause_of(const StreamBody& body) {
  auto* const waiting = dynamic_cast<WaitingSource*>(body.source.get());
  return waiting == nullptr ? std::nullopt : waiting->pause();
}

bool gives_way(const BodySource& source) {
  const auto* const waiting = dynamic_cast<const WaitingSource*>(&source);
  return waiting != nullptr && waiting->gives_way();
}

void advance(WriteBuffers& buffers, std::size_t bytes) {
  for (auto& buffer : buffers) {
    const std::size_t taken = std::min(bytes, buffer.size());
    buffer += taken;
    bytes -= taken;
  }
}

}  // namespace

// A body that is still unread would be taken for the next request, and where the end of the
// connection is the end of the body, nothing can follow it.
bool Connection::may_keep_alive(const Response& response) const {
  const auto* stream = std::get_if<StreamBody>(&response.body);
  const bool ends_by_close = stream != nullptr && !stream->length && exchange_.version < 11;
  return exchange_.keep_alive && !exchange_.body_unread && !response.close && !ends_by_close &&
         requests_ < limits_.requests_per_connection_max && !server_.registry.draining();
}

void Connection::add_fields(Headers& headers) const {
  if (options_->add_fields) options_->add_fields(headers);
  add_common_fields(headers, exchange_.id, server_.clock.wall(), exchange_.secure);
}

asio::awaitable<bool> Connection::send(Response& response) {
  // Each answer begins with a full allowance: what a client took long for before does not count.
  write_allowance_ = TransferAllowance(limits_);
  enter(Phase::sending);
  add_fields(response.headers);
  HeadOptions options;
  options.keep_alive = may_keep_alive(response);
  options.version = exchange_.version;
  if (auto* text = std::get_if<std::string>(&response.body)) {
    options.framing = status_has_no_body(response.status) ? Framing::none : Framing::length;
    options.length = text->size();
    co_return co_await send_text(response, options, *text);
  }
  if (auto* stream = std::get_if<StreamBody>(&response.body)) {
    // Without a length HTTP/1.1 has chunks; an older client waits for the end of the connection.
    options.framing = stream->length            ? Framing::length
                      : exchange_.version >= 11 ? Framing::chunked
                                                : Framing::until_close;
    options.length = stream->length.value_or(0);
    StreamBody body = std::move(*stream);
    co_return co_await send_stream(response, options, body);
  }
  // A range of a file goes the way of a stream. Its source has two buffers, so that one is filled
  // while the other is sent.
  FileBody file = std::get<FileBody>(std::move(response.body));
  options.framing = Framing::length;
  options.length = file.length;
  StreamBody body;
  body.length = file.length;
  body.source = file_source(std::move(file));
  body.made_ahead = true;
  co_return co_await send_stream(response, options, body);
}

// A short text is copied behind its head, so that both leave in one write. A long one is sent from
// where it is, and counts as memory that the connection keeps.
asio::awaitable<bool> Connection::send_text(const Response& response, HeadOptions options,
                                            std::string_view text) {
  std::string head = serialize_head(response, options);
  if (exchange_.head_only || options.framing == Framing::none) text = {};
  if (text.size() > kJoinedBytesMax) {
    keep(text.size());
    co_return co_await write_all(buffers(head, text));
  }
  head += text;
  co_return co_await write_all(buffers(head));
}

// The first piece is pulled before the head is sent: a source that cannot even begin is answered
// with an error, not with a broken body.
asio::awaitable<bool> Connection::send_stream(Response& response, HeadOptions options,
                                              StreamBody& body) {
  bool sent = false;
  // The answer to HEAD is the head of a GET that goes well; the source is never asked for a piece.
  if (exchange_.head_only) {
    const std::string head = serialize_head(response, options);
    sent = co_await write_all(buffers(head));
    co_await release(body.source);
    co_return sent;
  }
  keep(kSourceBytes);
  const Result<std::string_view> first = co_await pull(*body.source);
  if (first) {
    std::string prefix = serialize_head(response, options);
    sent = co_await pump(prefix, *first, options, body);
    if (sent) co_await note_sent(*body.source);
  } else {
    response = refusal(first.error());
    add_fields(response.headers);
    const auto& text = std::get<std::string>(response.body);
    options.framing = Framing::length;
    options.length = text.size();
    sent = co_await send_text(response, options, text);
  }
  co_await release(body.source);
  co_return sent;
}

// `prefix` is what goes out in one write with the next piece: the head at first, later the size of
// a chunk. It is empty once it is sent, so nothing is sent twice.
asio::awaitable<bool> Connection::pump(std::string& prefix, std::string_view piece,
                                       const HeadOptions& options, StreamBody& body) {
  const bool chunked = options.framing == Framing::chunked;
  std::uint64_t left = options.length;
  while (true) {
    if (piece.empty()) {
      const auto pause = pause_of(body);
      if (!pause) break;
      // The wait may be long, so the client gets now what is there, be it the head alone.
      if (!co_await write_all(buffers(prefix))) co_return false;
      prefix.clear();
      if (!co_await wait(*pause)) co_return false;
      const Result<std::string_view> next = co_await pull(*body.source);
      if (!next) co_return false;
      piece = *next;
      continue;
    }
    // Nothing of a piece that is too long is sent: what goes beyond the length would be read as the
    // next answer.
    if (options.framing == Framing::length && piece.size() > left) break;
    left -= std::min<std::uint64_t>(left, piece.size());
    if (chunked) prefix += fmt::format("{:x}\r\n", piece.size());
    const Result<std::string_view> next = co_await write_and_pull(
        buffers(prefix, piece, chunked ? kLineEnd : std::string_view()), body);
    if (!next) co_return false;
    prefix.clear();
    piece = *next;
  }
  if (options.framing == Framing::length && (left > 0 || !piece.empty())) {
    report(ServerEvent::body_source_failed, "the body's length is not what was promised");
    co_return false;
  }
  if (chunked) prefix += kLastChunk;
  co_return prefix.empty() || co_await write_all(buffers(prefix));
}

// Returns when there may be more to send; false: the connection was cut, or the server stops. The
// phase is idle meanwhile, so the connection may give way to others, and holds up no server that
// stops.
asio::awaitable<bool> Connection::wait(WaitingSource::Pause pause) {
  keep();
  enter(Phase::idle);
  if (server_.registry.draining() || cut_) co_return false;
  turn_.expires_after(pause.at_most);
  {
    // Where there is no memory to wake it, it wakes when its time is over.
    // Whoever rings may do so on another thread, and before the timer waits. What it posts runs on
    // the strand after this coroutine has paused, so it always finds a timer to cancel.
    const Bell::Waiting waiting = pause.bell->wait(pause.rung, [this] {
      static_cast<void>(guarded([this]() -> Status {
        asio::post(strand_, [weak = weak_from_this()] {
          if (const auto self = weak.lock()) self->turn_.cancel();
        });
        return {};
      }));
    });
    co_await turn_.async_wait(asio::as_tuple(asio::use_awaitable));
  }
  enter(Phase::sending);
  co_return !cut_;
}

asio::awaitable<bool> Connection::write_all(WriteBuffers buffers) {
  while (total_size(buffers) > 0) {
    if (cut_) co_return false;
    // Only the time from here until bytes have left counts against the client.
    const auto began = server_.clock.steady();
    watchdog_.arm(write_allowance_.left());
    const IoResult written = co_await stream_->write_some(buffers);
    watchdog_.disarm();
    const auto now = server_.clock.steady();
    write_allowance_.spend(now - began, written.bytes);
    moved(written.bytes, now);
    exchange_.bytes_sent += written.bytes;
    if (written.error) {
      gone_ = true;
      if (watchdog_.expired()) report(ServerEvent::connection_timed_out, "sending");
      co_return false;
    }
    advance(buffers, written.bytes);
  }
  co_return true;
}

asio::awaitable<IoResult> Connection::read_within(Read read, std::span<char> into,
                                                  std::chrono::nanoseconds at_most) {
  NETML_ASSERT(!into.empty());
  if (cut_) co_return IoResult{asio::error::operation_aborted, 0};
  watchdog_.arm(at_most);
  IoResult result = co_await ((*stream_).*read)(asio::buffer(into.data(), into.size()));
  watchdog_.disarm();
  // The watchdog cancels what is under way, which looks like any other cancellation.
  if (result.error && watchdog_.expired()) result.error = asio::error::timed_out;
  co_return result;
}

asio::awaitable<IoResult> Connection::read_some(std::span<char> into,
                                                std::chrono::nanoseconds at_most) {
  const auto began = server_.clock.steady();
  const IoResult read = co_await read_within(&Stream::read_some, into, at_most);
  if (read.error == asio::error::timed_out)
    report(ServerEvent::connection_timed_out, "receiving", server_.clock.steady() - began);
  co_return read;
}

// Sends the buffers and gives the next piece. A source made ahead works on it meanwhile, because
// its piece that is being sent stays valid during that call; any other is asked when all has left.
// What gives way is sent by the workers that it has, as far as the socket takes it.
asio::awaitable<Result<std::string_view>> Connection::write_and_pull(WriteBuffers buffers,
                                                                     StreamBody& body) {
  const Error gone{Errc::unavailable, "the client has gone"};
  if (!body.made_ahead) {
    if (gives_way(*body.source)) {
      const auto next = co_await write_now_and_pull(buffers, *body.source);
      if (next) co_return *next;
    }
    if (!co_await write_all(buffers)) co_return tl::unexpected(gone);
    co_return co_await pull(*body.source);
  }
  BegunWork begun(
      workers(), WorkerPool::Urgency::normal,
      [source = body.source.get()] { return next_piece(*source); }, strand_);
  // The work uses the source, so it is waited for even when the client has gone.
  const bool written = co_await write_all(buffers);
  const Working working(*this, server_.clock);
  const Result<std::string_view> piece = co_await begun.finish();
  if (!written) co_return tl::unexpected(gone);
  note_failure(piece);
  co_return piece;
}

// Nothing where the socket did not take all at once: what it took is dropped from the buffers.
asio::awaitable<std::optional<Result<std::string_view>>> Connection::write_now_and_pull(
    WriteBuffers& buffers, BodySource& source) {
  const std::size_t wanted = total_size(buffers);
  std::size_t written = 0;
  std::optional<Result<std::string_view>> next;
  if (cut_) co_return next;
  {
    const Working working(*this, server_.clock);
    next = co_await on_worker(server_.listeners, WorkerPool::Urgency::normal, [&] {
      written = stream_->write_now(buffers);
      return written == wanted ? std::optional(next_piece(source)) : std::nullopt;
    });
  }
  moved(written, server_.clock.steady());
  exchange_.bytes_sent += written;
  advance(buffers, written);
  if (next) note_failure(*next);
  co_return next;
}

WorkerPool& Connection::workers_for(const BodySource& source) {
  return gives_way(source) ? server_.listeners : workers();
}

asio::awaitable<Result<std::string_view>> Connection::pull(BodySource& source) {
  const Working working(*this, server_.clock);
  const Result<std::string_view> piece = co_await on_worker(
      workers_for(source), WorkerPool::Urgency::normal, [&source] { return next_piece(source); });
  note_failure(piece);
  co_return piece;
}

void Connection::note_failure(const Result<std::string_view>& piece) {
  if (!piece) report(ServerEvent::body_source_failed, piece.error().message);
}

asio::awaitable<void> Connection::note_sent(BodySource& source) {
  auto* const observed = dynamic_cast<ObservedSource*>(&source);
  if (observed == nullptr) co_return;
  co_await on_worker(workers(), WorkerPool::Urgency::normal, [observed] {
    observed->sent();
    return true;
  });
}

// A source may hold the last reference to a version; freeing that is a worker's business.
asio::awaitable<void> Connection::release(std::unique_ptr<BodySource>& source) {
  co_await on_worker(workers(), WorkerPool::Urgency::normal, [&] {
    source.reset();
    return true;
  });
}

}  // namespace netml::net
