// The digest contributions of catalog entries (docs/format/digest.md): each field in order, numbers
// as 8 bytes little-endian, texts as their length and bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/base/digest.hpp"
#include "engine/catalog/catalog.hpp"

namespace netml::engine {

// Thread: its owner.
class EntryBytes {
 public:
  template <class Number>
    requires std::is_integral_v<Number> || std::is_enum_v<Number>
  void add(Number number) {
    add_number(static_cast<std::uint64_t>(number));
  }
  void add(RecordId id) { add_number(id.value); }
  void add(Lsn lsn) { add_number(lsn.value); }
  void add(Instant instant) { add_number(static_cast<std::uint64_t>(instant.seconds)); }
  void add(const std::optional<Instant>& instant);
  void add(const std::optional<std::uint32_t>& limit) { add_number(limit ? *limit + 1ULL : 0); }
  void add(const std::string& text);
  void add(const Sha256& hash);
  void add(const Digest& digest);
  void add(const std::array<ImportCounts, kKindCount>& counts);
  void add(const RuleInfo& info);
  void add(const RulePart& part);
  template <class T>
  void add(const std::vector<T>& items) {
    add_number(items.size());
    for (const T& item : items) add(item);
  }
  void add(const std::optional<std::vector<RecordId>>& ids) {
    if (ids) add(*ids);
  }

  Digest digest(DigestRole role, std::uint64_t number) const;

 private:
  void add_number(std::uint64_t number);

  std::string bytes_;
};

// Whether it has something in the fields that entities got under this number, or later: so a group
// is never taken for another one.
template <class T>
bool has_added(const T& entry, std::uint8_t added) {
  [[maybe_unused]] static const T fresh{};  // unused where nothing was added
  bool has = false;
  for_each_field<T>([&](const auto& field) {
    if (field.traits.added >= added) has |= !(entry.*field.member == fresh.*field.member);
  });
  return has;
}

template <class T>
Digest entry_digest(std::uint64_t number, const T& entry) {
  EntryBytes bytes;
  for_each_field<T>([&](const auto& field) {
    if (field.traits.added == 0 || has_added(entry, field.traits.added))
      bytes.add(entry.*field.member);
  });
  return bytes.digest(T::kKind.digest_role(), number);
}

}  // namespace netml::engine
