#include "tests/net/support/certificate.hpp"

#include <gtest/gtest.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>

#include <cstdio>

namespace netml::net {

namespace {

using Key = std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)>;
using Certificate = std::unique_ptr<X509, void (*)(X509*)>;
using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

Key make_key() {
  return {EVP_EC_gen("P-256"), EVP_PKEY_free};
}

// Without its issuer and signature.
Certificate unsigned_certificate(const std::string& common_name, EVP_PKEY* key, long ends_in) {
  Certificate certificate(X509_new(), X509_free);
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), ends_in);
  X509_set_pubkey(certificate.get(), key);
  const auto* text = reinterpret_cast<const unsigned char*>(common_name.c_str());
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_UTF8, text,
                             -1, -1, 0);
  return certificate;
}

void extend(X509* certificate, int what, const std::string& value) {
  const std::unique_ptr<X509_EXTENSION, void (*)(X509_EXTENSION*)> extension(
      X509V3_EXT_conf_nid(nullptr, nullptr, what, value.c_str()), X509_EXTENSION_free);
  EXPECT_EQ(X509_add_ext(certificate, extension.get(), -1), 1);
}

void sign(X509* certificate, const X509* issuer, EVP_PKEY* key) {
  X509_set_issuer_name(certificate, X509_get_subject_name(issuer));
  EXPECT_GT(X509_sign(certificate, key, EVP_sha256()), 0);
}

void write_key(const std::string& path, EVP_PKEY* key) {
  const File out(std::fopen(path.c_str(), "w"), std::fclose);
  ::chmod(path.c_str(), S_IRUSR | S_IWUSR);
  EXPECT_EQ(PEM_write_PrivateKey(out.get(), key, nullptr, nullptr, 0, nullptr, nullptr), 1);
}

}  // namespace

TlsFiles make_certificate(const std::string& directory, const std::string& common_name) {
  const TlsFiles files{directory + "/" + common_name + ".pem",
                       directory + "/" + common_name + ".key"};
  const Key key = make_key();
  const Certificate certificate = unsigned_certificate(common_name, key.get(), 3600);
  sign(certificate.get(), certificate.get(), key.get());
  const File out(std::fopen(files.certificate_chain.c_str(), "w"), std::fclose);
  EXPECT_EQ(PEM_write_X509(out.get(), certificate.get()), 1);
  write_key(files.private_key, key.get());
  return files;
}

Authority::Authority(const std::string& name, const Authority* above)
    : key_(make_key()), certificate_(unsigned_certificate(name, key_.get(), 3600)) {
  extend(certificate_.get(), NID_basic_constraints, "critical,CA:TRUE");
  extend(certificate_.get(), NID_key_usage, "critical,keyCertSign");
  sign(certificate_.get(), above == nullptr ? certificate_.get() : above->certificate_.get(),
       above == nullptr ? key_.get() : above->key_.get());
}

std::string Authority::pem() const {
  const std::unique_ptr<BIO, int (*)(BIO*)> out(BIO_new(BIO_s_mem()), BIO_free);
  EXPECT_EQ(PEM_write_bio_X509(out.get(), certificate_.get()), 1);
  char* text = nullptr;
  const long size = BIO_get_mem_data(out.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

TlsFiles Authority::issue(const std::string& directory, const CertificateWish& wish,
                          const std::vector<const Authority*>& chain) const {
  const TlsFiles files{directory + "/issued.pem", directory + "/issued.key"};
  const Key key = make_key();
  const Certificate certificate = unsigned_certificate("a server", key.get(), wish.ends_in);
  extend(certificate.get(), NID_subject_alt_name, wish.alternative_name);
  sign(certificate.get(), certificate_.get(), key_.get());
  const File out(std::fopen(files.certificate_chain.c_str(), "w"), std::fclose);
  EXPECT_EQ(PEM_write_X509(out.get(), certificate.get()), 1);
  for (const Authority* above : chain)
    EXPECT_EQ(PEM_write_X509(out.get(), above->certificate_.get()), 1);
  write_key(files.private_key, key.get());
  return files;
}

}  // namespace netml::net
