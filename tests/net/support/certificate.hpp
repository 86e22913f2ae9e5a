// Certificates made on the spot, so that no key lies in the tree.
#pragma once

#include <openssl/evp.h>
#include <openssl/x509.h>

#include <memory>
#include <string>
#include <vector>

#include "net/server/http_server.hpp"

namespace netml::net {

// A self-signed one: writes chain and key (mode 0600) into `directory`.
TlsFiles make_certificate(const std::string& directory, const std::string& common_name);

struct CertificateWish {
  std::string alternative_name = {};  // "DNS:peer.example.org", "IP:127.0.0.1"
  long ends_in = 3600;                // seconds from now
};

// Who signs others' certificates; itself signed by a higher one, or by nobody else.
class Authority {
 public:
  explicit Authority(const std::string& name, const Authority* above = nullptr);

  std::string pem() const;
  // Writes the certificate, those of `chain` after it, and its key into `directory`.
  TlsFiles issue(const std::string& directory, const CertificateWish& wish,
                 const std::vector<const Authority*>& chain = {}) const;

 private:
  std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key_;
  std::unique_ptr<X509, void (*)(X509*)> certificate_;
};

}  // namespace netml::net
