#include "engine/graph/record.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <new>
#include <type_traits>

#include "engine/graph/attributes.hpp"

namespace netml::engine {

namespace {

// Which optional parts a payload has: a bit for each attribute that is no text, in the order of the
// description, and these two.
constexpr unsigned kCopy = 64;
constexpr unsigned kFurther = 128;  // texts that have no length in the header

template <class Visit>
constexpr void for_each_value(Visit&& visit) {
  for_each_attribute([&, flag = 1U]<class T>(const Attribute<T>& attribute) mutable {
    if constexpr (!Attribute<T>::kIsText) {
      visit(attribute, flag);
      flag <<= 1;
    }
  });
}

template <class Visit>
constexpr void for_each_first_text(Visit&& visit) {
  for_each_text([&, place = std::size_t{0}](const Attribute<std::string_view>& text) mutable {
    if (!text.is_further()) visit(text, place++);
  });
}

consteval unsigned flag_of(Field field) {
  unsigned found = 0;
  for_each_value([&](const auto& attribute, unsigned flag) {
    if (attribute.field == field) found = flag;
  });
  return found;
}

consteval std::size_t place_of(Field field) {
  std::size_t found = 0;
  for_each_first_text([&](const auto& text, std::size_t place) {
    if (text.field == field) found = place;
  });
  return found;
}

constexpr unsigned kMain = flag_of(Field::main);
// Values that follow the header, eight bytes each; the others are flags only.
constexpr unsigned kNumbers = [] {
  unsigned flags = 0;
  for_each_value([&]<class T>(const Attribute<T>&, unsigned flag) {
    if constexpr (!std::is_same_v<T, bool>) flags |= flag;
  });
  return flags;
}();
static_assert((kNumbers | kMain) == kCopy - 1, "the layout is part of the format (digest.md)");

// How many bytes the values take, by the flags: every look at a text asks.
constexpr auto kNumbersSizes = [] {
  std::array<std::uint8_t, kCopy> sizes{};
  for (unsigned flags = 0; flags < kCopy; ++flags)
    sizes[flags] =
        static_cast<std::uint8_t>(std::popcount(flags & kNumbers)) * sizeof(std::int64_t);
  return sizes;
}();
constexpr std::size_t numbers_size(unsigned flags) {
  return kNumbersSizes[flags & (kCopy - 1)];
}

bool is_set(bool flag) {
  return flag;
}
template <class T>
bool is_set(const std::optional<T>& value) {
  return value.has_value();
}

std::uint16_t short_length(std::string_view text) {
  NETML_ASSERT(text.size() <= 0xffff);
  return static_cast<std::uint16_t>(text.size());
}

class PayloadWriter {
 public:
  explicit PayloadWriter(char* at) : at_(at) {}
  template <class T>
  void value(const T& value) {
    std::memcpy(at_, &value, sizeof value);
    at_ += sizeof value;
  }
  void text(std::string_view text) {
    if (!text.empty()) std::memcpy(at_, text.data(), text.size());
    at_ += text.size();
  }
  const char* position() const { return at_; }

 private:
  char* at_;
};

void write_value(PayloadWriter& out, const std::optional<Instant>& instant) {
  if (instant) out.value(instant->seconds);
}
void write_value(PayloadWriter& out, const std::optional<Coordinates>& coordinates) {
  if (!coordinates) return;
  out.value(static_cast<std::int32_t>(coordinates->latitude.value));
  out.value(static_cast<std::int32_t>(coordinates->longitude.value));
}
void write_value(PayloadWriter& out, const std::optional<Micro>& micro) {
  if (micro) out.value(micro->value);
}
void write_value(PayloadWriter&, bool) {}

void read_value(std::int64_t number, std::optional<Instant>& out) {
  out = Instant{number};
}
void read_value(std::int64_t number, std::optional<Coordinates>& out) {
  std::int32_t pair[2];
  std::memcpy(pair, &number, sizeof pair);
  out = Coordinates{Micro{pair[0]}, Micro{pair[1]}};
}
void read_value(std::int64_t number, std::optional<Micro>& out) {
  out = Micro{number};
}

// Of the further texts: the length of each that is not empty, with its field.
using FurtherHead = std::array<std::uint16_t, 2>;

// Of what follows the number that tells it.
std::size_t further_size(const AttributeFields& fields) {
  std::size_t size = 0;
  for_each_further_text([&](const auto& text) {
    if (const std::string_view value = fields.*text.member; !value.empty())
      size += sizeof(FurtherHead) + value.size();
  });
  return size;
}

unsigned flags_of(const AttributeFields& fields) {
  unsigned flags = 0;
  for_each_value([&](const auto& attribute, unsigned flag) {
    if (is_set(fields.*attribute.member)) flags |= flag;
  });
  if (std::ranges::any_of(fields.properties,
                          [](const Property& p) { return p.name == kFromTopology; }))
    flags |= kCopy;
  if (further_size(fields) != 0) flags |= kFurther;
  return flags;
}

std::size_t payload_size(const AttributeFields& fields, unsigned flags, std::size_t header) {
  std::size_t size = header + numbers_size(flags);
  for_each_first_text([&](const auto& text, std::size_t) { size += (fields.*text.member).size(); });
  if ((flags & kFurther) != 0) size += sizeof(std::uint32_t) + further_size(fields);
  for (const Property& property : fields.properties)
    size += 2 * sizeof(std::uint32_t) + property.name.size() + property.value.size();
  return size;
}

void write_further(PayloadWriter& out, const AttributeFields& fields) {
  out.value(static_cast<std::uint32_t>(further_size(fields)));
  for_each_further_text([&](const auto& text) {
    const std::string_view value = fields.*text.member;
    if (value.empty()) return;
    out.value(FurtherHead{static_cast<std::uint16_t>(text.field), short_length(value)});
    out.text(value);
  });
}

void read_further(const char* at, const char* end, AttributeFields& fields) {
  while (at != end) {
    FurtherHead head;
    std::memcpy(&head, at, sizeof head);
    at += sizeof head;
    set_further_text(fields, static_cast<Field>(head[0]), {at, head[1]});
    at += head[1];
  }
}

constexpr std::size_t padded(std::size_t bytes) {
  return (bytes + 7) / 8 * 8;
}

// Both kinds of object begin with their count, and are in memory as they are stored.
void store_object(const void* object, std::size_t bytes, std::span<std::byte> out) {
  constexpr std::uint32_t kCount = ReferenceCount::kImmortal;
  std::memcpy(out.data(), &kCount, sizeof kCount);
  std::memcpy(out.data() + sizeof kCount, static_cast<const std::byte*>(object) + sizeof kCount,
              bytes - sizeof kCount);
  std::ranges::fill(out.subspan(bytes), std::byte{});
}

// One that this program does not know would be lost with the next change of the record.
constexpr bool is_further_field(std::uint16_t field) {
  return field > static_cast<std::uint16_t>(Field::origin) && field < kFieldCount;
}

std::uint32_t load_size(const char* at) {
  std::uint32_t size = 0;
  std::memcpy(&size, at, sizeof size);
  return size;
}

}  // namespace

AttributesPtr Attributes::make(const AttributeFields& fields) {
  const unsigned flags = flags_of(fields);
  const std::size_t size = payload_size(fields, flags, sizeof(Header));
  NETML_ASSERT(size <= 0xffffffff);
  auto* object =
      new (::operator new(sizeof(Attributes) + size)) Attributes(static_cast<std::uint32_t>(size));

  PayloadWriter out(object->payload());
  Header header;
  std::memset(&header, 0, sizeof header);
  header.kind = static_cast<std::uint8_t>(fields.kind);
  header.flags = static_cast<std::uint8_t>(flags);
  for_each_first_text([&](const auto& text, std::size_t place) {
    header.text_bytes[place] = short_length(fields.*text.member);
  });
  header.property_count = static_cast<std::uint32_t>(fields.properties.size());
  out.value(header);
  for_each_value([&](const auto& value, unsigned) { write_value(out, fields.*value.member); });
  for_each_first_text([&](const auto& text, std::size_t) { out.text(fields.*text.member); });
  if ((flags & kFurther) != 0) write_further(out, fields);
  for (const Property& property : fields.properties) {
    out.value(static_cast<std::uint32_t>(property.name.size()));
    out.value(static_cast<std::uint32_t>(property.value.size()));
    out.text(property.name);
    out.text(property.value);
  }
  NETML_ASSERT(out.position() == object->payload() + size);
  return AttributesPtr::adopt(object);
}

void Attributes::release() const noexcept {
  if (!references_.release()) return;
  this->~Attributes();
  ::operator delete(const_cast<Attributes*>(this));
}

std::int64_t Attributes::number_at(unsigned flag) const {
  std::int64_t number = 0;
  std::memcpy(&number, payload() + sizeof(Header) + numbers_size(header().flags & (flag - 1)),
              sizeof number);
  return number;
}

const char* Attributes::text_begin() const {
  return payload() + sizeof(Header) + numbers_size(header().flags);
}

std::string_view Attributes::text_at(std::size_t place) const {
  const char* at = text_begin();
  for (std::size_t i = 0; i < place; ++i) at += header().text_bytes[i];
  return {at, header().text_bytes[place]};
}

const char* Attributes::properties_begin() const {
  const char* at = text_begin();
  for (const std::uint16_t bytes : header().text_bytes) at += bytes;
  if ((header().flags & kFurther) != 0) at += sizeof(std::uint32_t) + load_size(at);
  return at;
}

bool Attributes::main() const {
  return (header().flags & kMain) != 0;
}
bool Attributes::is_copy() const {
  return (header().flags & kCopy) != 0;
}
bool Attributes::has_further_texts() const {
  return (header().flags & kFurther) != 0;
}

std::string_view Attributes::id() const {
  return text_at(place_of(Field::id));
}
std::string_view Attributes::name() const {
  return text_at(place_of(Field::name));
}
std::string_view Attributes::short_name() const {
  return text_at(place_of(Field::short_name));
}
std::string_view Attributes::unlocode() const {
  return text_at(place_of(Field::unlocode));
}
std::string_view Attributes::address() const {
  return text_at(place_of(Field::address));
}

template <class T>
std::optional<T> Attributes::value_at(unsigned flag) const {
  std::optional<T> value;
  if ((header().flags & flag) != 0) read_value(number_at(flag), value);
  return value;
}

std::optional<Instant> Attributes::version() const {
  return value_at<Instant>(flag_of(Field::version));
}
std::optional<Instant> Attributes::start() const {
  return value_at<Instant>(flag_of(Field::start));
}
std::optional<Instant> Attributes::end() const {
  return value_at<Instant>(flag_of(Field::end));
}
std::optional<Coordinates> Attributes::coordinates() const {
  return value_at<Coordinates>(flag_of(Field::coordinates));
}
std::optional<Micro> Attributes::altitude() const {
  return value_at<Micro>(flag_of(Field::altitude));
}

std::vector<Property> Attributes::properties() const {
  std::vector<Property> all;
  all.reserve(property_count());
  for_each_property([&](const Property& property) { all.push_back(property); });
  return all;
}

std::optional<std::string_view> Attributes::from_topology() const {
  if (!is_copy()) return std::nullopt;
  std::optional<std::string_view> value;
  for_each_property([&](const Property& property) {
    if (!value && property.name == kFromTopology) value = property.value;
  });
  return value;
}

AttributeFields Attributes::fields() const {
  AttributeFields fields;
  fields.kind = kind();
  const char* at = payload() + sizeof(Header);
  for_each_value([&]<class T>(const Attribute<T>& attribute, unsigned flag) {
    const bool set = (header().flags & flag) != 0;
    if constexpr (std::is_same_v<T, bool>) {
      fields.*attribute.member = set;
    } else if (set) {
      std::int64_t number = 0;
      std::memcpy(&number, at, sizeof number);
      read_value(number, fields.*attribute.member);
      at += sizeof number;
    }
  });
  for_each_first_text([&](const auto& text, std::size_t place) {
    fields.*text.member = {at, header().text_bytes[place]};
    at += header().text_bytes[place];
  });
  if ((header().flags & kFurther) != 0) {
    const char* const begin = at + sizeof(std::uint32_t);
    read_further(begin, begin + load_size(at), fields);
  }
  return fields;
}

std::span<const std::byte> Attributes::bytes() const {
  return {reinterpret_cast<const std::byte*>(payload()), size_};
}
std::size_t Attributes::allocated_bytes() const {
  return references_.immortal() ? 0 : sizeof(Attributes) + size_;
}

// Whether all lengths stay within `size_`, and fill it, and there is no field of a later program.
bool Attributes::holds_together() const {
  const char* const end = payload() + size_;
  const auto left = [end](const char* at) { return static_cast<std::size_t>(end - at); };
  if (size_ < sizeof(Header) || header().kind >= kKindCount) return false;
  std::size_t fixed = sizeof(Header) + numbers_size(header().flags);
  for (const std::uint16_t bytes : header().text_bytes) fixed += bytes;
  if (fixed > size_) return false;
  const char* at = payload() + fixed;
  if ((header().flags & kFurther) != 0) {
    if (left(at) < sizeof(std::uint32_t) || left(at) - sizeof(std::uint32_t) < load_size(at))
      return false;
    const char* const behind = at + sizeof(std::uint32_t) + load_size(at);
    for (at += sizeof(std::uint32_t); at != behind;) {
      FurtherHead head;
      if (static_cast<std::size_t>(behind - at) < sizeof head) return false;
      std::memcpy(&head, at, sizeof head);
      at += sizeof head;
      if (static_cast<std::size_t>(behind - at) < head[1] || !is_further_field(head[0]))
        return false;
      at += head[1];
    }
  }
  for (std::uint32_t i = 0; i < header().property_count; ++i) {
    constexpr std::size_t kLengths = 2 * sizeof(std::uint32_t);
    if (left(at) < kLengths) return false;
    const std::size_t bytes = std::size_t{load_size(at)} + load_size(at + sizeof(std::uint32_t));
    at += kLengths;
    if (left(at) < bytes) return false;
    at += bytes;
  }
  return at == end;
}

std::size_t Attributes::stored_bytes() const {
  return padded(sizeof(Attributes) + size_);
}

void Attributes::store(std::span<std::byte> out) const {
  store_object(this, sizeof(Attributes) + size_, out);
}

AttributesPtr Attributes::in_place(std::span<const std::byte> stored) {
  if (stored.size() < sizeof(Attributes)) return nullptr;
  const auto* object = reinterpret_cast<const Attributes*>(stored.data());
  const bool fits = object->references_.immortal() &&
                    object->size_ <= stored.size() - sizeof(Attributes) && object->holds_together();
  return fits ? AttributesPtr::adopt(object) : nullptr;
}

AttributesPtr Attributes::copy() const {
  auto* object = new (::operator new(sizeof(Attributes) + size_)) Attributes(size_);
  std::memcpy(object->payload(), payload(), size_);
  return AttributesPtr::adopt(object);
}

bool operator==(const Attributes& a, const Attributes& b) {
  return &a == &b || std::ranges::equal(a.bytes(), b.bytes());
}

AttributesPtr with_main(const AttributesPtr& topology, bool main) {
  if (topology->main() == main) return topology;
  return changed_copy(*topology, [main](AttributeFields& fields) { fields.main = main; });
}

RelationsPtr Relations::make(const RelationFields& fields) {
  NETML_ASSERT(fields.ends.empty() || fields.ends.size() == 2);
  const std::size_t count = fields.topologies.size() + fields.owners.size() + fields.ends.size();
  auto* object = new (::operator new(sizeof(Relations) + count * sizeof(RecordId))) Relations();
  object->topology_count_ = static_cast<std::uint32_t>(fields.topologies.size());
  object->owner_count_ = static_cast<std::uint32_t>(fields.owners.size()) & 0x7fffffff;
  object->has_ends_ = !fields.ends.empty();
  object->origin_ = fields.origin;
  RecordId* at = object->ids();
  at = std::ranges::copy(fields.topologies, at).out;
  at = std::ranges::copy(fields.owners, at).out;
  std::ranges::copy(fields.ends, at);
  return RelationsPtr::adopt(object);
}

void Relations::release() const noexcept {
  if (!references_.release()) return;
  this->~Relations();
  ::operator delete(const_cast<Relations*>(this));
}

// All but the reference count, which comes first.
std::span<const std::byte> Relations::bytes() const {
  const auto* begin = reinterpret_cast<const std::byte*>(this) + sizeof references_;
  const auto* end = reinterpret_cast<const std::byte*>(ids() + count());
  return {begin, end};
}
std::size_t Relations::allocated_bytes() const {
  return references_.immortal() ? 0 : sizeof(Relations) + count() * sizeof(RecordId);
}

std::size_t Relations::stored_bytes() const {
  return padded(sizeof(Relations) + count() * sizeof(RecordId));
}

void Relations::store(std::span<std::byte> out) const {
  store_object(this, sizeof(Relations) + count() * sizeof(RecordId), out);
}

RelationsPtr Relations::in_place(std::span<const std::byte> stored) {
  if (stored.size() < sizeof(Relations)) return nullptr;
  const auto* object = reinterpret_cast<const Relations*>(stored.data());
  const bool fits = object->references_.immortal() &&
                    object->count() <= (stored.size() - sizeof(Relations)) / sizeof(RecordId);
  return fits ? RelationsPtr::adopt(object) : nullptr;
}

RelationsPtr Relations::copy() const {
  return make(fields());
}

bool operator==(const Relations& a, const Relations& b) {
  return &a == &b || std::ranges::equal(a.bytes(), b.bytes());
}

std::string spelled(std::string_view name) {
  std::string text(name);
  std::ranges::replace(text, '_', ' ');
  return text;
}
std::string heading_of(std::string_view name) {
  std::string text = spelled(name);
  text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

namespace {
bool starts_character(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
}
}  // namespace

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, starts_character));
}

std::size_t prefix_size(std::string_view text, std::size_t characters) {
  if (text.size() <= characters) return text.size();
  std::size_t size = 0;
  while (size < text.size() && (characters > 0 || !starts_character(text[size])))
    if (starts_character(text[size++])) --characters;
  return size;
}

std::optional<std::string> cut_text(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::nullopt;  // no more characters than bytes
  std::size_t characters = 0;
  std::size_t keep = 0;  // bytes of the first limit - 3 characters
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!starts_character(text[i])) continue;
    if (characters == limit - 3) keep = i;
    if (++characters > limit) return std::string(text.substr(0, keep)) + "...";
  }
  return std::nullopt;
}

std::vector<std::string> split_from_topology(std::string_view value) {
  std::vector<std::string> ids;
  while (true) {
    const std::size_t comma = value.find(',');
    std::string id(value.substr(0, comma));
    for (std::size_t at = id.find("%2C"); at != std::string::npos; at = id.find("%2C", at + 1))
      id.replace(at, 3, 1, ',');
    if (!id.empty()) ids.push_back(std::move(id));
    if (comma == std::string_view::npos) return ids;
    value.remove_prefix(comma + 1);
  }
}

std::string join_from_topology(std::span<const std::string_view> ids) {
  std::string value;
  for (const std::string_view id : ids) {
    if (!value.empty()) value += ',';
    for (const char c : id)
      if (c == ',')
        value += "%2C";
      else
        value += c;
  }
  return value;
}

}  // namespace netml::engine
