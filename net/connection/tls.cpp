#include "net/connection/tls.hpp"

#include <fmt/format.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/stat.h>

#include <cerrno>
#include <ctime>

namespace netml::net {
namespace {

using boost::system::error_code;

constexpr const char* kCiphersOfTls12 =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
    "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";

Status check_key_mode(const std::string& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0)
    return fail(Errc::io_error, fmt::format("{}: {}", path, error_text(errno)));
  if ((info.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    return fail(Errc::denied,
                fmt::format("{}: others may read this private key; chmod 600 it", path));
  return {};
}

}  // namespace

Result<std::shared_ptr<TlsContext>> load_tls(const TlsFiles& files) {
  NETML_TRY_VOID(check_key_mode(files.private_key));
  auto context = std::make_shared<TlsContext>(TlsContext::tls_server);
  SSL_CTX* native = context->native_handle();
  SSL_CTX_set_options(native, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  if (SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION) != 1 ||
      SSL_CTX_set_cipher_list(native, kCiphersOfTls12) != 1)
    return fail(Errc::internal, "this OpenSSL cannot do TLS 1.2 with authenticated ciphers");
  error_code error;
  context->use_certificate_chain_file(files.certificate_chain, error);
  if (error)
    return fail(Errc::invalid_input,
                fmt::format("{}: {}", files.certificate_chain, error.message()));
  context->use_private_key_file(files.private_key, TlsContext::pem, error);
  if (error)
    return fail(Errc::invalid_input, fmt::format("{}: {}", files.private_key, error.message()));
  if (SSL_CTX_check_private_key(native) != 1)
    return fail(Errc::invalid_input, fmt::format("{} does not belong to {}", files.private_key,
                                                 files.certificate_chain));
  return context;
}

std::optional<std::int64_t> expiry(TlsContext& context) {
  const X509* const certificate = SSL_CTX_get0_certificate(context.native_handle());
  if (certificate == nullptr) return std::nullopt;
  std::tm end{};
  if (ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &end) != 1) return std::nullopt;
  return ::timegm(&end);
}

}  // namespace netml::net
