// One record of the graph: a topology, institution, node or link (docs/requirements/importing.md,
// section 1).
//
// A record is two immutable, reference-counted values: its Attributes (what it says about itself)
// and its Relations (the associations it starts). They are apart because they change apart: a
// node that joins one more topology keeps its attributes, and versions, transactions and imported
// documents all point at the same ones.
//
// Each value is a single allocation in a canonical layout, so equality is a comparison of bytes
// and the state digest is a hash over them (docs/format/digest.md). A checkpoint holds them in the
// same layout, so that they can be used where it is mapped (docs/format/checkpoint.md).
// Thread: any (immutable).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/base/result.hpp"
#include "engine/base/shared.hpp"
#include "engine/base/time.hpp"
#include "engine/graph/attributes.hpp"

namespace netml::engine {

class Attributes;
using AttributesPtr = SharedPtr<const Attributes>;

class Attributes {
 public:
  static AttributesPtr make(const AttributeFields& fields);

  // The fields again, with views into this object. `properties` stays empty: walk them with
  // for_each_property, or gather them with properties().
  AttributeFields fields() const;

  Kind kind() const { return static_cast<Kind>(header().kind); }
  bool main() const;
  std::string_view id() const;
  std::string_view name() const;
  std::string_view short_name() const;
  std::optional<Instant> version() const;
  std::optional<Instant> start() const;
  std::optional<Instant> end() const;
  std::optional<Coordinates> coordinates() const;
  std::optional<Micro> altitude() const;
  std::string_view unlocode() const;
  std::string_view address() const;

  std::size_t property_count() const { return header().property_count; }
  template <class Visit>
  void for_each_property(Visit&& visit) const;
  std::vector<Property> properties() const;

  // The value of the first `!-from_topology` property; nothing when this is no copy. A flag of
  // the layout, so asking is cheap.
  std::optional<std::string_view> from_topology() const;
  bool is_copy() const;
  // Whether one of the texts is set that came after format version 1 (Attribute::is_further).
  bool has_further_texts() const;

  // The canonical bytes: what equality and the digest are about.
  std::span<const std::byte> bytes() const;
  std::size_t allocated_bytes() const;  // 0 in place

  // ---- as it is stored: this object, immortal, filled up to a multiple of 8 ----
  std::size_t stored_bytes() const;
  void store(std::span<std::byte> out) const;  // stored_bytes()
  // The one that `stored`, at an address that is a multiple of 8, begins with; null when that does
  // not hold together. What it refers to must outlive every pointer to it.
  static AttributesPtr in_place(std::span<const std::byte> stored);
  AttributesPtr copy() const;

  // Used by SharedPtr.
  void retain() const noexcept { references_.retain(); }
  void release() const noexcept;

 private:
  struct Header {
    std::uint8_t kind;
    std::uint8_t flags;
    std::uint16_t text_bytes[5];  // in the order of their description, attributes.hpp
    std::uint32_t property_count;
  };
  static_assert(sizeof(Header) == 16);

  explicit Attributes(std::uint32_t size) : size_(size) {}
  bool holds_together() const;
  const Header& header() const { return *reinterpret_cast<const Header*>(payload()); }
  const char* payload() const { return reinterpret_cast<const char*>(this + 1); }
  char* payload() { return reinterpret_cast<char*>(this + 1); }
  std::int64_t number_at(unsigned flag) const;
  const char* text_begin() const;
  std::string_view text_at(std::size_t place) const;
  template <class T>
  std::optional<T> value_at(unsigned flag) const;
  const char* properties_begin() const;

  ReferenceCount references_;
  std::uint32_t size_;  // bytes of the payload, which follows this object
};

bool operator==(const Attributes& a, const Attributes& b);

// Whether one of the properties is so.
template <class Is>
bool any_property(const Attributes& attributes, Is&& is) {
  bool found = false;
  attributes.for_each_property([&](const Property& property) { found = found || is(property); });
  return found;
}

// The same but for what `change(AttributeFields&)` makes of it; it finds the properties there, too.
template <class Change>
AttributesPtr changed_copy(const Attributes& attributes, Change&& change) {
  const std::vector<Property> properties = attributes.properties();
  AttributeFields fields = attributes.fields();
  fields.properties = properties;
  change(fields);
  return Attributes::make(fields);
}
// The same topology, marked main or not.
AttributesPtr with_main(const AttributesPtr& topology, bool main);

// The associations a record starts. All lists refer to records by identity.
//   topologies: member of (elements, ascending), or child of (a topology's parent: none or one)
//   owners:     owned by (nodes and links: ascending; a topology: none or one)
//   ends:       ends at (links: exactly two, node_a first; others: none)
// `origin` is no association: for a topology, the root topology of the import that delivered it
// last (decision 2 on propagated deletions); none when it was made manually.
struct RelationFields {
  std::span<const RecordId> topologies = {};
  std::span<const RecordId> owners = {};
  std::span<const RecordId> ends = {};
  RecordId origin = {};
};

class Relations;
using RelationsPtr = SharedPtr<const Relations>;

class Relations {
 public:
  static RelationsPtr make(const RelationFields& fields);

  RelationFields fields() const { return {topologies(), owners(), ends(), origin_}; }
  std::span<const RecordId> topologies() const { return {ids(), topology_count_}; }
  std::span<const RecordId> owners() const { return {ids() + topology_count_, owner_count_}; }
  std::span<const RecordId> ends() const {
    return {ids() + topology_count_ + owner_count_, has_ends_ ? 2U : 0U};
  }
  RecordId origin() const { return origin_; }
  RecordId parent() const { return topology_count_ == 0 ? RecordId{} : ids()[0]; }
  RecordId owner() const { return owner_count_ == 0 ? RecordId{} : owners()[0]; }

  std::span<const std::byte> bytes() const;
  std::size_t allocated_bytes() const;  // 0 in place

  // As those of Attributes.
  std::size_t stored_bytes() const;
  void store(std::span<std::byte> out) const;
  static RelationsPtr in_place(std::span<const std::byte> stored);
  RelationsPtr copy() const;

  void retain() const noexcept { references_.retain(); }
  void release() const noexcept;

 private:
  Relations() = default;
  const RecordId* ids() const { return reinterpret_cast<const RecordId*>(this + 1); }
  RecordId* ids() { return reinterpret_cast<RecordId*>(this + 1); }
  std::size_t count() const {
    return std::size_t{topology_count_} + owner_count_ + (has_ends_ ? 2U : 0U);
  }

  ReferenceCount references_;
  std::uint32_t topology_count_ = 0;
  std::uint32_t owner_count_ : 31 = 0;
  std::uint32_t has_ends_ : 1 = 0;
  RecordId origin_;
};

bool operator==(const Relations& a, const Relations& b);

// A record's value at one moment; empty = the record does not exist then.
struct Record {
  AttributesPtr attributes;
  RelationsPtr relations;

  explicit operator bool() const { return attributes != nullptr; }
  Kind kind() const { return attributes->kind(); }
  std::string_view id() const { return attributes->id(); }
};

inline bool operator==(const Record& a, const Record& b) {
  if (a.attributes == b.attributes && a.relations == b.relations) return true;
  return a && b && *a.attributes == *b.attributes && *a.relations == *b.relations;
}

// Text of at most `limit` characters (not bytes): longer text is cut to limit - 3 and "...".
// Returns nothing when `text` fits.
std::optional<std::string> cut_text(std::string_view text, std::size_t limit);
std::size_t character_count(std::string_view text);
// Bytes of the first `characters` of a text; all of a shorter one.
std::size_t prefix_size(std::string_view text, std::size_t characters);

// The identifiers in a `!-from_topology` value: joined by ','; a comma inside an identifier is
// written %2C.
std::vector<std::string> split_from_topology(std::string_view value);
std::string join_from_topology(std::span<const std::string_view> ids);

template <class Visit>
void Attributes::for_each_property(Visit&& visit) const {
  const char* at = properties_begin();
  for (std::uint32_t i = 0; i < header().property_count; ++i) {
    std::uint32_t lengths[2];
    __builtin_memcpy(lengths, at, sizeof lengths);
    at += sizeof lengths;
    visit(Property{{at, lengths[0]}, {at + lengths[0], lengths[1]}});
    at += lengths[0] + lengths[1];
  }
}

}  // namespace netml::engine
