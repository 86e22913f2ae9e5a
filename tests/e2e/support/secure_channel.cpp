#include "tests/e2e/support/secure_channel.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>

#include "net/http/unique_fd.hpp"

namespace netml::e2e {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kHandshakeMax = std::chrono::seconds(60);

class SecureChannel final : public net::ByteChannel {
 public:
  explicit SecureChannel(net::UniqueFd socket)
      : context_(SSL_CTX_new(TLS_client_method()), SSL_CTX_free),
        socket_(std::move(socket)),
        secure_(SSL_new(context_.get()), SSL_free) {
    SSL_set_mode(secure_.get(),
                 SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_set_fd(secure_.get(), socket_.get());
  }

  Status shake_hands() {
    while (true) {
      const int result = SSL_connect(secure_.get());
      if (result == 1) return {};
      const int error = SSL_get_error(secure_.get(), result);
      ERR_clear_error();
      if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE)
        return fail(Errc::io_error, "the handshake failed");
      NETML_TRY(const short ready,
                poll_for(error == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT, kHandshakeMax));
      if (ready == 0) return fail(Errc::unavailable, "the handshake did not end in time");
    }
  }

  Result<Ready> wait(bool to_write, milliseconds at_most) override {
    while (true) {
      if (SSL_pending(secure_.get()) > 0) return Ready::to_read;
      const auto events = static_cast<short>(to_write ? POLLIN | POLLOUT : POLLIN);
      NETML_TRY(const short ready, poll_for(events, at_most));
      if (ready == 0) return Ready::timed_out;
      if (to_write && (ready & POLLOUT) != 0) return Ready::to_write;
      // Tickets of a session come without being asked for, and are no answer.
      char byte = 0;
      const int result = SSL_peek(secure_.get(), &byte, 1);
      const int error = SSL_get_error(secure_.get(), result);
      ERR_clear_error();
      if (result > 0 || error != SSL_ERROR_WANT_READ) return Ready::to_read;
    }
  }
  Result<std::size_t> read_some(std::span<char> into) override {
    return moved([&] { return SSL_read(secure_.get(), into.data(), size_of(into.size())); }, true);
  }
  Result<std::size_t> write_some(std::string_view from) override {
    return moved([&] { return SSL_write(secure_.get(), from.data(), size_of(from.size())); },
                 false);
  }

 private:
  static int size_of(std::size_t bytes) {
    return static_cast<int>(std::min<std::size_t>(bytes, 1 << 20));
  }
  // What is ready of those events; 0 = nothing was in time.
  Result<short> poll_for(short events, milliseconds at_most) const {
    pollfd waiting{socket_.get(), events, 0};
    if (::poll(&waiting, 1, static_cast<int>(at_most.count())) < 0)
      return fail(Errc::io_error, "poll failed");
    return waiting.revents;
  }
  template <typename Call>
  Result<std::size_t> moved(Call call, bool may_end) {
    while (true) {
      const int result = call();
      if (result > 0) return static_cast<std::size_t>(result);
      const int error = SSL_get_error(secure_.get(), result);
      ERR_clear_error();
      if (error == SSL_ERROR_ZERO_RETURN && may_end) return 0;
      if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE)
        return fail(Errc::io_error, "the connection is broken");
      NETML_TRY(const short ready,
                poll_for(error == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT, std::chrono::minutes(5)));
      if (ready == 0) return fail(Errc::unavailable, "nothing came or was taken for five minutes");
    }
  }

  const std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context_;
  const net::UniqueFd socket_;
  const std::unique_ptr<SSL, void (*)(SSL*)> secure_;
};

}  // namespace

Result<std::unique_ptr<net::ByteChannel>> connect_securely(std::uint16_t port) {
  net::UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 &&
      errno != EINPROGRESS)
    return fail(Errc::unavailable, "cannot connect");
  auto channel = std::make_unique<SecureChannel>(std::move(socket));
  NETML_TRY_VOID(channel->shake_hands());
  return channel;
}

}  // namespace netml::e2e
