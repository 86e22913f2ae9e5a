#include "engine/graph/record.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace netml::engine {

namespace {

// Which optional parts an Attributes payload has. The numbers follow the header in this order.
enum Flag : unsigned {
  kMain = 1,
  kVersion = 2,
  kStart = 4,
  kEnd = 8,
  kCoordinates = 16,  // two 32-bit numbers in one place: latitude, longitude
  kAltitude = 32,
  kCopy = 64,
};
constexpr unsigned kNumberFlags[] = {kVersion, kStart, kEnd, kCoordinates, kAltitude};

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

unsigned flags_of(const AttributeFields& fields) {
  const bool copy = std::ranges::any_of(fields.properties,
                                        [](const Property& p) { return p.name == kFromTopology; });
  return (fields.main ? kMain : 0U) | (fields.version ? kVersion : 0U) |
         (fields.start ? kStart : 0U) | (fields.end ? kEnd : 0U) |
         (fields.coordinates ? kCoordinates : 0U) | (fields.altitude ? kAltitude : 0U) |
         (copy ? kCopy : 0U);
}

std::size_t payload_size(const AttributeFields& fields, unsigned flags, std::size_t header) {
  std::size_t size = header + fields.id.size() + fields.name.size() + fields.short_name.size() +
                     fields.unlocode.size() + fields.address.size();
  for (const unsigned flag : kNumberFlags)
    if ((flags & flag) != 0) size += sizeof(std::int64_t);
  for (const Property& property : fields.properties)
    size += 2 * sizeof(std::uint32_t) + property.name.size() + property.value.size();
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
  header.id_bytes = short_length(fields.id);
  header.name_bytes = short_length(fields.name);
  header.short_name_bytes = short_length(fields.short_name);
  header.unlocode_bytes = short_length(fields.unlocode);
  header.address_bytes = short_length(fields.address);
  header.property_count = static_cast<std::uint32_t>(fields.properties.size());
  out.value(header);
  if (fields.version) out.value(fields.version->seconds);
  if (fields.start) out.value(fields.start->seconds);
  if (fields.end) out.value(fields.end->seconds);
  if (fields.coordinates) {
    out.value(static_cast<std::int32_t>(fields.coordinates->latitude.value));
    out.value(static_cast<std::int32_t>(fields.coordinates->longitude.value));
  }
  if (fields.altitude) out.value(fields.altitude->value);
  for (const std::string_view text :
       {fields.id, fields.name, fields.short_name, fields.unlocode, fields.address})
    out.text(text);
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
  const char* at = payload() + sizeof(Header);
  for (const unsigned earlier : kNumberFlags) {
    if (earlier == flag) break;
    if ((header().flags & earlier) != 0) at += sizeof(std::int64_t);
  }
  std::int64_t number = 0;
  std::memcpy(&number, at, sizeof number);
  return number;
}

const char* Attributes::text_begin() const {
  const char* at = payload() + sizeof(Header);
  for (const unsigned flag : kNumberFlags)
    if ((header().flags & flag) != 0) at += sizeof(std::int64_t);
  return at;
}

const char* Attributes::properties_begin() const {
  const Header& h = header();
  return text_begin() + h.id_bytes + h.name_bytes + h.short_name_bytes + h.unlocode_bytes +
         h.address_bytes;
}

bool Attributes::main() const {
  return (header().flags & kMain) != 0;
}
bool Attributes::is_copy() const {
  return (header().flags & kCopy) != 0;
}

std::string_view Attributes::id() const {
  return {text_begin(), header().id_bytes};
}
std::string_view Attributes::name() const {
  return {text_begin() + header().id_bytes, header().name_bytes};
}
std::string_view Attributes::short_name() const {
  return {name().data() + header().name_bytes, header().short_name_bytes};
}
std::string_view Attributes::unlocode() const {
  return {short_name().data() + header().short_name_bytes, header().unlocode_bytes};
}
std::string_view Attributes::address() const {
  return {unlocode().data() + header().unlocode_bytes, header().address_bytes};
}

std::optional<Instant> Attributes::version() const {
  if ((header().flags & kVersion) == 0) return std::nullopt;
  return Instant{number_at(kVersion)};
}
std::optional<Instant> Attributes::start() const {
  if ((header().flags & kStart) == 0) return std::nullopt;
  return Instant{number_at(kStart)};
}
std::optional<Instant> Attributes::end() const {
  if ((header().flags & kEnd) == 0) return std::nullopt;
  return Instant{number_at(kEnd)};
}
std::optional<Coordinates> Attributes::coordinates() const {
  if ((header().flags & kCoordinates) == 0) return std::nullopt;
  const std::int64_t pair = number_at(kCoordinates);
  std::int32_t numbers[2];
  std::memcpy(numbers, &pair, sizeof numbers);
  return Coordinates{Micro{numbers[0]}, Micro{numbers[1]}};
}
std::optional<Micro> Attributes::altitude() const {
  if ((header().flags & kAltitude) == 0) return std::nullopt;
  return Micro{number_at(kAltitude)};
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
  fields.main = main();
  fields.id = id();
  fields.name = name();
  fields.short_name = short_name();
  fields.version = version();
  fields.start = start();
  fields.end = end();
  fields.coordinates = coordinates();
  fields.altitude = altitude();
  fields.unlocode = unlocode();
  fields.address = address();
  return fields;
}

std::span<const std::byte> Attributes::bytes() const {
  return {reinterpret_cast<const std::byte*>(payload()), size_};
}
std::size_t Attributes::allocated_bytes() const {
  return sizeof(Attributes) + size_;
}

bool operator==(const Attributes& a, const Attributes& b) {
  return &a == &b || std::ranges::equal(a.bytes(), b.bytes());
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
  return sizeof(Relations) + count() * sizeof(RecordId);
}

bool operator==(const Relations& a, const Relations& b) {
  return &a == &b || std::ranges::equal(a.bytes(), b.bytes());
}

bool operator==(const Record& a, const Record& b) {
  if (!a || !b) return !a && !b;
  return *a.attributes == *b.attributes && *a.relations == *b.relations;
}

namespace {
bool starts_character(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
}
}  // namespace

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, starts_character));
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
