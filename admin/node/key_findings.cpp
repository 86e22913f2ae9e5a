#include "admin/node/key_findings.hpp"

#include <fmt/format.h>

#include "admin/node/secrets.hpp"
#include "engine/base/ed25519.hpp"
#include "engine/base/sha256.hpp"
#include "wal/checkpoint/signatures.hpp"

namespace netml::admin {

std::vector<std::string> damaged_keys(wal::Storage& data) {
  std::vector<std::string> findings;
  for (const std::string_view name : {kNodeKeyFile, kSigningKeyFile}) {
    const auto key = read_key_file(data, name);
    if (!key && key.error().code != Errc::not_found) findings.push_back(key.error().message);
  }
  return findings;
}

std::vector<std::string> misfit_keys(wal::Storage& data, const engine::Catalog& catalog) {
  std::vector<std::string> findings;
  if (const auto key = read_key_file(data, kNodeKeyFile)) {
    const SealedTexts sealed = try_sealed_texts(*key, catalog);
    if (sealed.count != 0 && !sealed.opened)
      findings.push_back(fmt::format(
          "{}/{} opens none of the {} tokens and accounts: it is damaged or that of another node, "
          "or those are of a key that was lost",
          data.path(), kNodeKeyFile, sealed.count));
  }
  if (const auto key = read_key_file(data, kSigningKeyFile)) {
    const auto signatures = wal::read_signatures(data);
    if (signatures && signatures->find(to_hex(ed25519_public_key(*key))) == std::string::npos)
      findings.push_back(
          fmt::format("{}/{} has signed no checkpoint yet: it is damaged or that of another node, "
                      "or it was made just now",
                      data.path(), kSigningKeyFile));
  }
  return findings;
}

SealedTexts try_sealed_texts(const SecretKey& key, const engine::Catalog& catalog) {
  const Secrets secrets(key);
  SealedTexts sealed;
  const auto look_at = [&](const std::string& text) {
    if (text.empty()) return;
    ++sealed.count;
    sealed.opened = sealed.opened || secrets.open(text).has_value();
  };
  catalog.tokens.for_each(
      [&](std::uint64_t, const engine::Token& token) { look_at(token.ciphertext); });
  catalog.accounts.for_each(
      [&](std::uint64_t, const engine::Account& account) { look_at(account.sealed_password); });
  return sealed;
}

}  // namespace netml::admin
