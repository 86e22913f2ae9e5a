#include "tests/net/support/certificate.hpp"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <sys/stat.h>

#include <cstdio>
#include <memory>

namespace netml::net {

TlsFiles make_certificate(const std::string& directory, const std::string& common_name) {
  const TlsFiles files{directory + "/" + common_name + ".pem",
                       directory + "/" + common_name + ".key"};
  const std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const std::unique_ptr<X509, void (*)(X509*)> certificate(X509_new(), X509_free);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -60);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
  X509_set_pubkey(certificate.get(), key.get());
  X509_NAME* name = X509_get_subject_name(certificate.get());
  const auto* text = reinterpret_cast<const unsigned char*>(common_name.c_str());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, text, -1, -1, 0);
  X509_set_issuer_name(certificate.get(), name);
  EXPECT_GT(X509_sign(certificate.get(), key.get(), EVP_sha256()), 0);

  std::FILE* out = std::fopen(files.certificate_chain.c_str(), "w");
  EXPECT_EQ(PEM_write_X509(out, certificate.get()), 1);
  std::fclose(out);
  out = std::fopen(files.private_key.c_str(), "w");
  ::chmod(files.private_key.c_str(), S_IRUSR | S_IWUSR);
  EXPECT_EQ(PEM_write_PrivateKey(out, key.get(), nullptr, nullptr, 0, nullptr, nullptr), 1);
  std::fclose(out);
  return files;
}

}  // namespace netml::net
