#include "net/client/detail/socket.hpp"

#include <fmt/format.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>

#include "engine/base/guarded.hpp"
#include "net/http/unix_address.hpp"

namespace netml::net {
namespace {

namespace asio = boost::asio;
namespace ssl = asio::ssl;
using boost::system::error_code;
using Protocol = asio::generic::stream_protocol;
constexpr std::size_t kAheadBytes = 64 * kKibibyte;

// Plain or encrypted. It reads one piece ahead, and one piece that it took is on its way out; both
// go on while somebody waits, whatever for: an encrypted stream may have to read to write.
template <class Stream>
class Channel final : public ByteChannel {
 public:
  template <class... Context>
  explicit Channel(std::unique_ptr<Socket> socket, Context&... context)
      : socket_(std::move(socket)), stream_(socket_->socket, context...) {}

  Stream& stream() { return stream_; }
  // Nothing: the time is over.
  std::optional<error_code> shake_hands(std::chrono::milliseconds at_most) {
    std::optional<error_code> done;
    stream_.async_handshake(ssl::stream_base::client, [&](error_code error) { done = error; });
    run([&](asio::io_context& loop) { return loop.run_for(at_most); });
    return done;
  }

  Result<Ready> wait(bool to_write, std::chrono::milliseconds at_most) override {
    const auto end = asio::steady_timer::clock_type::now() + at_most;
    read_ahead();
    run([](asio::io_context& loop) { return loop.poll(); });
    while (true) {
      if (!received_.empty() || end_of_reading_) return Ready::to_read;
      if (to_write && !writing_) return Ready::to_write;
      read_ahead();
      if (run([&](asio::io_context& loop) { return loop.run_one_until(end); }) == 0)
        return Ready::timed_out;
    }
  }
  Result<std::size_t> read_some(std::span<char> into) override {
    const std::size_t got = received_.copy(into.data(), into.size());
    received_.remove_prefix(got);
    if (got > 0 || end_of_reading_ == asio::error::eof) return got;
    return fail(Errc::io_error, "receive: " + end_of_reading_.message());
  }
  Result<std::size_t> write_some(std::string_view from) override {
    if (end_of_writing_) return fail(Errc::io_error, "send: " + end_of_writing_.message());
    if (writing_) return std::size_t{0};
    to_send_ = from.substr(0, kAheadBytes);
    writing_ = true;
    asio::async_write(stream_, asio::buffer(to_send_), [this](error_code error, std::size_t) {
      writing_ = false;
      end_of_writing_ = error;
    });
    run([](asio::io_context& loop) { return loop.poll(); });
    return to_send_.size();
  }

 private:
  void read_ahead() {
    if (reading_ || !received_.empty() || end_of_reading_) return;
    reading_ = true;
    stream_.async_read_some(asio::buffer(piece_), [this](error_code error, std::size_t bytes) {
      reading_ = false;
      end_of_reading_ = error;
      received_ = {piece_.data(), bytes};
    });
  }
  template <class Call>
  std::size_t run(Call call) {
    socket_->loop.restart();  // it stops whenever it has nothing to wait for
    return call(socket_->loop);
  }

  std::unique_ptr<Socket> socket_;
  Stream stream_;
  std::array<char, kAheadBytes> piece_;
  std::string_view received_;  // in piece_, not yet taken
  std::string to_send_;
  bool reading_ = false;
  bool writing_ = false;
  error_code end_of_reading_;
  error_code end_of_writing_;
};

using PlainChannel = Channel<Protocol::socket&>;
using TlsChannel = Channel<ssl::stream<Protocol::socket&>>;

bool trust(ssl::context& context, const std::string& certificates) {
  error_code error;
  if (certificates.empty())
    context.set_default_verify_paths(error);
  else
    context.add_certificate_authority(asio::buffer(certificates), error);
  return !error;
}

// The name goes into the handshake and must be in the certificate; an address only the latter.
bool expect_host(SSL* ssl, const std::string& host) {
  if (IpAddress::parse(host))
    return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host.c_str()) == 1;
  SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  return SSL_set_tlsext_host_name(ssl, host.c_str()) == 1 && SSL_set1_host(ssl, host.c_str()) == 1;
}

}  // namespace

Result<std::unique_ptr<Socket>> connected(const TcpAddress& address,
                                          std::chrono::milliseconds at_most,
                                          const std::stop_token& stop) {
  const std::string name = fmt::format("{}:{}", address.host, address.port);
  std::optional<error_code> done;
  return guarded([&]() -> Result<std::unique_ptr<Socket>> {
    error_code error;
    const auto host = asio::ip::make_address(address.host, error);
    if (error) return fail(Errc::unavailable, fmt::format("{}: {}", name, error.message()));
    auto made = std::make_unique<Socket>(host.is_v4() ? AF_INET : AF_INET6);
    made->socket.async_connect(asio::ip::tcp::endpoint(host, address.port),
                               [&](error_code reported) { done = reported; });
    // Not before: a socket that was shut down too early would connect all the same.
    made->ends.emplace(stop, Socket::ShutDown{made->socket.native_handle()});
    made->loop.run_for(at_most);
    if (!done) return fail(Errc::unavailable, fmt::format("{}: no connection in time", name));
    if (*done) return fail(Errc::unavailable, fmt::format("{}: {}", name, done->message()));
    return made;
  });
}

Result<std::unique_ptr<ByteChannel>> connect_tcp(const TcpAddress& address,
                                                 std::chrono::milliseconds at_most,
                                                 const std::stop_token& stop) {
  NETML_TRY(auto socket, connected(address, at_most, stop));
  return plain(std::move(socket));
}

Result<std::unique_ptr<ByteChannel>> connect_unix(const std::string& path) {
  NETML_TRY(const UnixAddress address, unix_address(path));
  return guarded([&]() -> Result<std::unique_ptr<ByteChannel>> {
    auto made = std::make_unique<Socket>(AF_UNIX);
    error_code error;
    // It waits, for a moment: who does not is turned away where many come at once.
    made->socket.connect(Protocol::endpoint(address.get(), address.size()), error);
    if (error) return fail(Errc::unavailable, fmt::format("{}: {}", path, error.message()));
    return plain(std::move(made));
  });
}

std::unique_ptr<ByteChannel> plain(std::unique_ptr<Socket> socket) {
  return std::make_unique<PlainChannel>(std::move(socket));
}

tl::expected<std::unique_ptr<ByteChannel>, OutgoingError> encrypted(
    std::unique_ptr<Socket> socket, const Peer& peer, std::chrono::milliseconds at_most) {
  std::unique_ptr<TlsChannel> channel;
  bool trusted = true;
  const Status made = guarded([&]() -> Status {
    ssl::context context(ssl::context::tls_client);
    SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_2_VERSION);
    context.set_verify_mode(peer.verified ? ssl::verify_peer : ssl::verify_none);
    trusted = !peer.verified || trust(context, peer.ca_certificates);
    channel = std::make_unique<TlsChannel>(std::move(socket), context);
    return {};
  });
  if (!made) return problem(OutgoingProblem::tls, made.error().message);
  if (!trusted)
    return problem(OutgoingProblem::certificate, "the certificates to trust cannot be read");
  SSL* const native = channel->stream().native_handle();
  if (!expect_host(native, peer.host))
    return problem(OutgoingProblem::tls, "the host cannot be asked for by its name");
  const std::optional<error_code> done = channel->shake_hands(at_most);
  if (!done) return problem(OutgoingProblem::time_out, "no encrypted connection in time");
  if (!*done) return channel;
  if (const long verdict = SSL_get_verify_result(native); peer.verified && verdict != X509_V_OK)
    return problem(
        OutgoingProblem::certificate,
        fmt::format("its certificate is refused: {}", ::X509_verify_cert_error_string(verdict)));
  return problem(OutgoingProblem::tls, fmt::format("no encrypted connection: {}", done->message()));
}

}  // namespace netml::net
