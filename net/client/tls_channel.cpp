#include "net/client/tls_channel.hpp"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>

namespace netml::net {

namespace {

using Ready = ByteChannel::Ready;
using Context = std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)>;
constexpr std::size_t kRecordBytes = 16 << 10;

std::string openssl_reason() {
  const char* const reason = ::ERR_reason_error_string(::ERR_get_error());
  ::ERR_clear_error();
  return reason == nullptr ? "the connection broke off" : reason;
}

bool trust(SSL_CTX* context, const std::string& certificates) {
  if (certificates.empty()) return SSL_CTX_set_default_verify_paths(context) == 1;
  const std::unique_ptr<BIO, int (*)(BIO*)> text(
      BIO_new_mem_buf(certificates.data(), static_cast<int>(certificates.size())), BIO_free);
  int count = 0;
  while (X509* const found = PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr)) {
    count += X509_STORE_add_cert(SSL_CTX_get_cert_store(context), found);
    X509_free(found);
  }
  ::ERR_clear_error();  // how the end of the text is told
  return count > 0;
}

// The name goes into the handshake and must be in the certificate; an address only the latter.
bool expect_host(SSL* ssl, const std::string& host) {
  if (IpAddress::parse(host))
    return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host.c_str()) == 1;
  SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  return SSL_set_tlsext_host_name(ssl, host.c_str()) == 1 && SSL_set1_host(ssl, host.c_str()) == 1;
}

// What is encrypted waits in two memory buffers, so that the inner channel does all waiting.
class TlsChannel : public ByteChannel {
 public:
  TlsChannel(std::unique_ptr<ByteChannel> inner, SSL* ssl, const Clock& clock)
      : inner_(std::move(inner)),
        ssl_(ssl, SSL_free),
        received_(BIO_new(BIO_s_mem())),
        to_send_(BIO_new(BIO_s_mem())),
        clock_(clock) {
    SSL_set_bio(ssl, received_, to_send_);  // which now owns them
    SSL_set_connect_state(ssl);
  }

  // True when done; false when the time is over.
  Result<bool> shake_hands(std::chrono::milliseconds at_most) {
    const auto end = clock_.steady() + at_most;
    while (true) {
      const int done = SSL_do_handshake(ssl_.get());
      const bool must_read =
          done != 1 && SSL_get_error(ssl_.get(), done) == SSL_ERROR_WANT_READ && !ended_;
      NETML_TRY_VOID(flush());
      if (done == 1) return true;
      if (!must_read) return fail(Errc::io_error, openssl_reason());
      NETML_TRY(const Ready ready, exchange(false, end));
      if (ready == Ready::timed_out) return false;
    }
  }
  bool expect(const std::string& host) { return expect_host(ssl_.get(), host); }
  long verdict() const { return SSL_get_verify_result(ssl_.get()); }

  Result<Ready> wait(bool to_write, std::chrono::milliseconds at_most) override {
    const auto end = clock_.steady() + at_most;
    while (true) {
      // Not all that arrives is for the caller: there are tickets, for one.
      if (has_text()) return Ready::to_read;
      const bool all_sent = BIO_pending(to_send_) == 0;
      NETML_TRY(const Ready ready, exchange(to_write, end));
      if (ready == Ready::timed_out) return ready;
      if (ready == Ready::to_write && to_write && all_sent) return ready;
    }
  }
  Result<std::size_t> read_some(std::span<char> into) override {
    ::ERR_clear_error();
    const int got = SSL_read(ssl_.get(), into.data(), length_of(into.size()));
    if (got > 0) return static_cast<std::size_t>(got);
    if (SSL_get_error(ssl_.get(), got) == SSL_ERROR_ZERO_RETURN) return std::size_t{0};
    return fail(Errc::io_error, "receive: " + openssl_reason());
  }
  Result<std::size_t> write_some(std::string_view from) override {
    ::ERR_clear_error();
    const int put = SSL_write(ssl_.get(), from.data(), length_of(from.size()));
    if (put <= 0) return fail(Errc::io_error, "send: " + openssl_reason());
    NETML_TRY_VOID(flush());
    return static_cast<std::size_t>(put);
  }

 private:
  static int length_of(std::size_t bytes) {
    return static_cast<int>(std::min(bytes, kRecordBytes));
  }
  // Text, its end, or an error to be found by reading.
  bool has_text() {
    ::ERR_clear_error();
    char first = 0;
    const int got = SSL_peek(ssl_.get(), &first, 1);
    return got > 0 || SSL_get_error(ssl_.get(), got) != SSL_ERROR_WANT_READ || ended_;
  }
  // Waits once, and does what can be done then. `timed_out` only when the time is over.
  Result<Ready> exchange(bool to_write, std::chrono::nanoseconds end) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - clock_.steady());
    if (left.count() <= 0) return Ready::timed_out;
    NETML_TRY(const Ready ready, inner_->wait(to_write || BIO_pending(to_send_) > 0, left));
    if (ready == Ready::to_read) NETML_TRY_VOID(fill());
    if (ready == Ready::to_write) NETML_TRY_VOID(flush());
    return ready;
  }
  Status fill() {
    std::array<char, kRecordBytes> piece{};
    NETML_TRY(const std::size_t got, inner_->read_some(piece));
    ended_ = got == 0;
    if (ended_) BIO_set_mem_eof_return(received_, 0);
    if (got > 0 && BIO_write(received_, piece.data(), static_cast<int>(got)) <= 0)
      return fail(Errc::unavailable, "out of memory");
    return {};
  }
  Status flush() {
    char* bytes = nullptr;
    while (const long waiting = BIO_get_mem_data(to_send_, &bytes)) {
      NETML_TRY(const std::size_t sent,
                inner_->write_some({bytes, static_cast<std::size_t>(waiting)}));
      if (sent == 0) break;
      std::array<char, kRecordBytes> taken{};
      for (std::size_t left = sent; left > 0;)
        left -= static_cast<std::size_t>(BIO_read(to_send_, taken.data(), length_of(left)));
    }
    return {};
  }

  std::unique_ptr<ByteChannel> inner_;
  std::unique_ptr<SSL, void (*)(SSL*)> ssl_;
  BIO* received_;
  BIO* to_send_;
  const Clock& clock_;
  bool ended_ = false;  // the peer sends no more
};

}  // namespace

tl::expected<std::unique_ptr<ByteChannel>, OutgoingError> connect_tls(
    std::unique_ptr<ByteChannel> inner, const Peer& peer, const Clock& clock,
    std::chrono::milliseconds at_most) {
  ::ERR_clear_error();
  const Context context(SSL_CTX_new(TLS_client_method()), SSL_CTX_free);
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_verify(context.get(), peer.verified ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nullptr);
  if (peer.verified && !trust(context.get(), peer.ca_certificates))
    return problem(OutgoingProblem::certificate, "the certificates to trust cannot be read");
  auto channel = std::make_unique<TlsChannel>(std::move(inner), SSL_new(context.get()), clock);
  if (!channel->expect(peer.host))
    return problem(OutgoingProblem::tls, "the host cannot be asked for by its name");
  const Result<bool> done = channel->shake_hands(at_most);
  if (done && *done) return channel;
  if (done) return problem(OutgoingProblem::time_out, "no encrypted connection in time");
  if (const long verdict = channel->verdict(); peer.verified && verdict != X509_V_OK)
    return problem(
        OutgoingProblem::certificate,
        fmt::format("its certificate is refused: {}", ::X509_verify_cert_error_string(verdict)));
  return problem(OutgoingProblem::tls,
                 fmt::format("no encrypted connection: {}", done.error().message));
}

}  // namespace netml::net
