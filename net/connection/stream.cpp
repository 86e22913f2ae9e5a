#include "net/connection/stream.hpp"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace netml::net {
namespace {

using Socket = asio::generic::stream_protocol::socket;
constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);

Socket adopt(const asio::any_io_executor& strand, int family, UniqueFd fd) {
  return Socket(strand, asio::generic::stream_protocol(family, 0), fd.release());
}

class PlainStream : public Stream {
 public:
  explicit PlainStream(Socket socket) : socket_(std::move(socket)) {}

  asio::awaitable<error_code> handshake() override { co_return error_code(); }

  asio::awaitable<IoResult> read_some(asio::mutable_buffer into) override {
    const auto [error, bytes] = co_await socket_.async_read_some(into, kAwait);
    co_return IoResult{error, bytes};
  }
  asio::awaitable<IoResult> write_some(const WriteBuffers& from) override {
    const auto [error, bytes] = co_await socket_.async_write_some(from, kAwait);
    co_return IoResult{error, bytes};
  }
  std::size_t write_now(const WriteBuffers& from) override {
    std::array<iovec, std::tuple_size_v<WriteBuffers>> parts{};
    std::ranges::transform(from, parts.begin(), [](const asio::const_buffer& buffer) {
      return iovec{const_cast<void*>(buffer.data()), buffer.size()};
    });
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = parts.size();
    const ssize_t sent = ::sendmsg(socket_.native_handle(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    return sent < 0 ? 0 : static_cast<std::size_t>(sent);
  }
  asio::awaitable<void> close_sending() override {
    error_code ignored;  // the peer may have gone already
    socket_.shutdown(Socket::shutdown_send, ignored);
    co_return;
  }
  asio::awaitable<IoResult> discard_some(asio::mutable_buffer into) override {
    co_return co_await read_some(into);
  }
  void cancel() override {
    error_code ignored;
    socket_.cancel(ignored);
  }
  int descriptor() override { return socket_.native_handle(); }

 private:
  Socket socket_;
};

class TlsStream : public Stream {
 public:
  TlsStream(Socket socket, std::shared_ptr<TlsContext> context)
      : context_(std::move(context)), stream_(std::move(socket), *context_) {}

  asio::awaitable<error_code> handshake() override {
    const auto [error] = co_await stream_.async_handshake(asio::ssl::stream_base::server, kAwait);
    co_return error;
  }
  asio::awaitable<IoResult> read_some(asio::mutable_buffer into) override {
    const auto [error, bytes] = co_await stream_.async_read_some(into, kAwait);
    co_return IoResult{error, bytes};
  }
  asio::awaitable<IoResult> write_some(const WriteBuffers& from) override {
    // One record takes one buffer, so the first that holds something is written.
    const auto* first =
        std::find_if(from.begin(), from.end(), [](const auto& b) { return b.size() > 0; });
    if (first == from.end()) co_return IoResult{};
    const auto [error, bytes] = co_await stream_.async_write_some(*first, kAwait);
    co_return IoResult{error, bytes};
  }
  asio::awaitable<void> close_sending() override {
    // Also waits for the peer's own notice; whoever calls this bounds the wait by cancel().
    co_await stream_.async_shutdown(kAwait);
    error_code ignored;
    stream_.next_layer().shutdown(Socket::shutdown_send, ignored);
  }
  asio::awaitable<IoResult> discard_some(asio::mutable_buffer into) override {
    const auto [error, bytes] = co_await stream_.next_layer().async_read_some(into, kAwait);
    co_return IoResult{error, bytes};
  }
  void cancel() override {
    error_code ignored;
    stream_.next_layer().cancel(ignored);
  }
  int descriptor() override { return stream_.next_layer().native_handle(); }

 private:
  std::shared_ptr<TlsContext> context_;
  asio::ssl::stream<Socket> stream_;
};

}  // namespace

std::unique_ptr<Stream> make_plain_stream(const asio::any_io_executor& strand, int family,
                                          UniqueFd socket) {
  return std::make_unique<PlainStream>(adopt(strand, family, std::move(socket)));
}

std::unique_ptr<Stream> make_tls_stream(const asio::any_io_executor& strand, int family,
                                        UniqueFd socket, std::shared_ptr<TlsContext> context) {
  return std::make_unique<TlsStream>(adopt(strand, family, std::move(socket)), std::move(context));
}

}  // namespace netml::net
