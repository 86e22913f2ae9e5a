#include "engine/catalog/catalog_digest.hpp"

namespace netml::engine {

void EntryBytes::add_number(std::uint64_t number) {
  for (int shift = 0; shift < 64; shift += 8)
    bytes_ += static_cast<char>(static_cast<unsigned char>(number >> shift));
}

void EntryBytes::add(const std::optional<Instant>& instant) {
  add_number(instant ? 1 : 0);
  add(instant.value_or(Instant{}));
}

void EntryBytes::add(const std::string& text) {
  add_number(text.size());
  bytes_ += text;
}

void EntryBytes::add(const Sha256& hash) {
  add_number(hash.size());
  bytes_.append(reinterpret_cast<const char*>(hash.data()), hash.size());
}

void EntryBytes::add(const Digest& digest) {
  add_number(digest.low);
  add_number(digest.high);
}

void EntryBytes::add(const std::array<ImportCounts, kKindCount>& counts) {
  for (const ImportCounts& of_kind : counts) {
    add_number(of_kind.parsed);
    add_number(of_kind.imported);
  }
}

void EntryBytes::add(const RuleInfo& info) {
  add_number(info.number);
  add(info.key);
  add(info.value);
}

void EntryBytes::add(const RulePart& part) {
  add_number(part.number);
  add(part.type);
  add(part.infos);
}

Digest EntryBytes::digest(DigestRole role, std::uint64_t number) const {
  return digest_of(role, number, std::as_bytes(std::span(bytes_)));
}

}  // namespace netml::engine
