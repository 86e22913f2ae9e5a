// One table of the catalog: small numbers, given from 1 and never reused, to immutable entries,
// with an index for each field whose description asks for one (engine/catalog/entry_fields.hpp).
//
// Copies share all they can, the indexes too; changing an entry costs the logarithm of the size.
// Looking up by an indexed field costs that and what is found, however large the table is.
//
// Thread: any for const access; changes by the owner of the object.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "engine/base/ids.hpp"
#include "engine/base/lower_case.hpp"
#include "engine/base/result.hpp"
#include "engine/base/time.hpp"
#include "engine/catalog/entry_fields.hpp"
#include "engine/graph/ordered_set.hpp"
#include "engine/graph/persistent_vector.hpp"

namespace netml::engine {

// ---- the 32 bits that an index knows a value by; the entries found are compared ----

std::uint32_t index_bits(std::string_view text);
inline std::uint32_t index_bits(const Sha256& hash) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, hash.data(), sizeof(bits));
  return bits;
}
inline std::uint32_t index_bits(Instant instant) {
  return static_cast<std::uint32_t>(instant.seconds);
}
template <class Number>
  requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
std::uint32_t index_bits(Number number) {
  return static_cast<std::uint32_t>(number);
}

template <class Value>
concept Indexable = requires(const Value& value) { index_bits(value); };

// Numbers are given by the transaction that creates an entry.
template <class T>
class Table {
 public:
  // Numbers are given one after another, so no node comes near it; a made-up journal may.
  static constexpr std::uint64_t kNumberMax = 0xffff'ffff;

  using Entry = std::shared_ptr<const T>;

  std::uint64_t next_number() const { return entries_.size() == 0 ? 1 : entries_.size(); }
  Entry find(std::uint64_t number) const {
    return number < entries_.size() ? entries_.at(number) : nullptr;
  }
  std::size_t count() const { return count_; }

  // visit(number, const T&), ascending. Costs the whole table: not for a request.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::uint64_t number = 1; number < entries_.size(); ++number)
      if (const Entry& entry = entries_.at(number)) visit(number, *entry);
  }

  // visit(number), ascending, where `other` holds another entry, or none, or this table does. Costs
  // what the two do not share.
  template <class Visit>
  void for_each_difference(const Table& other, Visit&& visit) const {
    entries_.for_each_difference(other.entries_, visit);
  }

  // ---- by a field that has an index: `with<&Account::name>("ada")` ----

  // visit(number, const T&) for the entries whose field has the value, ascending.
  template <auto kMember, class Value, class Visit>
  void for_each_with(const Value& value, Visit&& visit) const {
    visit_found<kMember>(value, [&](std::uint64_t number, const T& entry) {
      if (entry.*kMember == value) visit(number, entry);
      return true;
    });
  }
  // The number of the first entry whose field has the value; 0 if none.
  template <auto kMember, class Value>
  std::uint64_t find_with(const Value& value) const {
    return first_found<kMember>(value, [&](const T& entry) { return entry.*kMember == value; });
  }
  // visit(number, const T&) for the entries that people call by this.
  template <class Visit>
  void for_each_titled(std::string_view title, Visit&& visit) const {
    for_each_with<std::get<title_position()>(kFields<T>).member>(title, visit);
  }
  // The same in any case, of a text.
  template <auto kMember>
  std::uint64_t find_in_any_case(std::string_view text) const {
    static_assert(index_kind<kMember>() == Index::caseless, "the field has no such index");
    const std::string wanted = lower_case(text);
    return first_found<kMember>(
        text, [&](const T& entry) { return lower_case(entry.*kMember) == wanted; });
  }
  // The number of the newest entry whose field has the value; 0 if none.
  template <auto kMember, class Value>
  std::uint64_t newest_with(const Value& value) const {
    constexpr std::size_t kIndex = index_of<kMember>();
    const std::uint64_t first = first_key<kMember>(value);
    std::optional<std::uint64_t> key = indexes_[kIndex].last_in(first, first | kNumberMax);
    for (; key; key = indexes_[kIndex].last_in(first, *key - 1)) {
      if (entries_.at(*key & kNumberMax).get()->*kMember == value) return *key & kNumberMax;
      if (*key == first) break;
    }
    return 0;
  }

  // An empty entry removes.
  void set(std::uint64_t number, Entry entry) {
    NETML_ASSERT(number <= kNumberMax || entry == nullptr);
    if (number >= entries_.size()) entries_.resize(number + 1);
    const Entry& before = entries_.at(number);
    update_indexes(number, before.get(), entry.get());
    if (before) --count_;
    if (entry) ++count_;
    entries_.set(number, std::move(entry));
  }

 private:
  static constexpr bool has_index(const FieldTraits& traits) { return traits.index != Index::none; }
  template <auto kMember>
  static consteval Index index_kind() {
    return kTraits<T>[position_of(kMember)].index;
  }
  // Among the fields that have one.
  template <auto kMember>
  static consteval std::size_t index_of() {
    if (index_kind<kMember>() == Index::none) throw "its description asks for no index";
    const auto before = std::span(kTraits<T>).first(position_of(kMember));
    return static_cast<std::size_t>(std::ranges::count_if(before, has_index));
  }
  static consteval std::size_t title_position() {
    return static_cast<std::size_t>(std::ranges::find_if(kTraits<T>, &FieldTraits::title) -
                                    kTraits<T>.begin());
  }
  static consteval std::size_t count_indexes() {
    std::size_t count = 0;
    for_each_field<T>([&]<class Value>(const EntryField<T, Value>& field) {
      if (!has_index(field.traits)) return;
      if (!Indexable<Value>) throw "a field of this type has no index";
      ++count;
    });
    return count;
  }

  template <class Value>
  static std::uint64_t first_key(Index kind, const Value& value) {
    if constexpr (std::is_convertible_v<const Value&, std::string_view>) {
      const std::string_view text = value;
      return std::uint64_t{kind == Index::caseless ? index_bits(lower_case(text))
                                                   : index_bits(text)}
             << 32;
    } else {
      return std::uint64_t{index_bits(value)} << 32;
    }
  }
  template <auto kMember, class Value>
  static std::uint64_t first_key(const Value& value) {
    return first_key(index_kind<kMember>(), value);
  }

  // Those whose value may be this one, until `visit` returns false.
  template <auto kMember, class Value, class Visit>
  void visit_found(const Value& value, Visit&& visit) const {
    const std::uint64_t first = first_key<kMember>(value);
    indexes_[index_of<kMember>()].visit_range(first, first | kNumberMax, [&](std::uint64_t key) {
      const std::uint64_t number = key & kNumberMax;
      return visit(number, *entries_.at(number));
    });
  }
  template <auto kMember, class Value, class Matches>
  std::uint64_t first_found(const Value& value, Matches&& matches) const {
    std::uint64_t found = 0;
    visit_found<kMember>(value, [&](std::uint64_t number, const T& entry) {
      if (matches(entry)) found = number;
      return found == 0;
    });
    return found;
  }

  void update_indexes(std::uint64_t number, const T* before, const T* after) {
    std::size_t index = 0;
    for_each_field<T>([&](const auto& field) {
      using Value = typename std::decay_t<decltype(field)>::Value;
      if constexpr (Indexable<Value>) {
        if (!has_index(field.traits)) return;
        OrderedSet& set = indexes_[index++];
        if (before && after && before->*field.member == after->*field.member) return;
        if (before) set.erase(first_key(field.traits.index, before->*field.member) | number);
        if (after) set.insert(first_key(field.traits.index, after->*field.member) | number);
      }
    });
  }

  PersistentVector<Entry, 32> entries_;  // [0] unused
  std::size_t count_ = 0;
  std::array<OrderedSet, count_indexes()> indexes_;  // (value << 32 | number)
};

}  // namespace netml::engine
