#include "wal/format/record_codec.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/graph/attributes.hpp"

namespace netml::wal {

using engine::AttributeFields;
using engine::Attributes;
using engine::AttributesPtr;
using engine::Property;
using engine::Record;
using engine::RecordChange;
using engine::RelationFields;
using engine::Relations;
using engine::RelationsPtr;

namespace {

using Fields = FieldBits;
using Part = schema::RecordPart::Builder;
constexpr unsigned kFirstBits = 16;  // those of RecordPart.fields

constexpr Fields bit_of(engine::Field field) {
  return Fields{1} << static_cast<unsigned>(field);
}
constexpr Fields kKnownFields = static_cast<Fields>((std::uint64_t{1} << engine::kFieldCount) - 1);
constexpr Fields kRelationFields =
    schema::FIELD_TOPOLOGIES | schema::FIELD_OWNERS | schema::FIELD_ENDS | schema::FIELD_ORIGIN;
constexpr Fields kAttributeFields = kKnownFields & ~kRelationFields;
static_assert(bit_of(engine::Field::main) == schema::FIELD_MAIN &&
              bit_of(engine::Field::address) == schema::FIELD_ADDRESS &&
              bit_of(engine::Field::properties) == schema::FIELD_PROPERTIES &&
              bit_of(engine::Field::origin) == schema::FIELD_ORIGIN);

// The hot loops of this file name each field of RecordPart, as Cap'n Proto has them; a test holds
// them against the description. What came later (Attribute::is_further) they pass by.

// Generous: the inline parts of RecordChange and RecordPart, and the tag of a list of structs.
constexpr std::size_t kChangeWords = 4;
constexpr std::size_t kRecordPartWords = 24;
constexpr std::size_t kPropertyWords = 2;
constexpr std::size_t kNumberWords = 2;
constexpr std::size_t kTextWords = 4;
constexpr std::size_t kTextCount = [] {
  std::size_t count = 0;
  engine::for_each_text([&](const auto&) { ++count; });
  return count;
}();

// Without a look at the texts: together they are shorter than what holds them, and each may begin
// a word.
std::size_t part_words(const Record& record) {
  if (!record) return 0;
  const Attributes& attributes = *record.attributes;
  std::size_t words = kRecordPartWords + text_words(attributes.bytes().size()) + kTextCount +
                      attributes.property_count() * (kPropertyWords + 2);
  if (attributes.has_further_texts()) words += engine::kFurtherTextCount * kTextWords;
  return words + record.relations->topologies().size() + record.relations->owners().size();
}

bool same_properties(const Attributes& a, const Attributes& b) {
  return a.property_count() == b.property_count() &&
         std::ranges::equal(a.properties(), b.properties());
}

Fields differing_attributes(const Attributes& before, const Attributes& after) {
  const AttributeFields a = before.fields();
  const AttributeFields b = after.fields();
  Fields differing = 0;
  const auto note = [&](bool same, Fields field) {
    if (!same) differing |= field;
  };
  engine::for_each_attribute([&](const auto& attribute) {
    note(a.*attribute.member == b.*attribute.member, bit_of(attribute.field));
  });
  note(same_properties(before, after), schema::FIELD_PROPERTIES);
  return differing;
}

Fields differing_relations(const Relations& before, const Relations& after) {
  Fields differing = 0;
  const auto note = [&](bool same, Fields field) {
    if (!same) differing |= field;
  };
  note(std::ranges::equal(before.topologies(), after.topologies()), schema::FIELD_TOPOLOGIES);
  note(std::ranges::equal(before.owners(), after.owners()), schema::FIELD_OWNERS);
  note(std::ranges::equal(before.ends(), after.ends()), schema::FIELD_ENDS);
  note(before.origin() == after.origin(), schema::FIELD_ORIGIN);
  return differing;
}

void encode_attributes(const Attributes& attributes, Fields fields, Part out) {
  const AttributeFields values = attributes.fields();
  const auto has = [&](Fields field) { return (fields & field) != 0; };
  const auto wanted = [&](Fields field, std::string_view text) {
    return has(field) && !text.empty();
  };
  out.setMain(has(schema::FIELD_MAIN) && values.main);
  if (wanted(schema::FIELD_ID, values.id)) put_bytes<&Part::initId>(out, values.id);
  if (wanted(schema::FIELD_NAME, values.name)) put_bytes<&Part::initName>(out, values.name);
  if (wanted(schema::FIELD_SHORT_NAME, values.short_name))
    put_bytes<&Part::initShortName>(out, values.short_name);
  if (wanted(schema::FIELD_UNLOCODE, values.unlocode))
    put_bytes<&Part::initUnlocode>(out, values.unlocode);
  if (wanted(schema::FIELD_ADDRESS, values.address))
    put_bytes<&Part::initAddress>(out, values.address);
  if (has(schema::FIELD_VERSION) && values.version) {
    out.setHasVersion(true);
    out.setVersion(values.version->seconds);
  }
  if (has(schema::FIELD_START) && values.start) {
    out.setHasStart(true);
    out.setStart(values.start->seconds);
  }
  if (has(schema::FIELD_END) && values.end) {
    out.setHasEnd(true);
    out.setEnd(values.end->seconds);
  }
  if (has(schema::FIELD_COORDINATES) && values.coordinates) {
    out.setHasCoordinates(true);
    out.setLatitude(static_cast<std::int32_t>(values.coordinates->latitude.value));
    out.setLongitude(static_cast<std::int32_t>(values.coordinates->longitude.value));
  }
  if (has(schema::FIELD_ALTITUDE) && values.altitude) {
    out.setHasAltitude(true);
    out.setAltitude(values.altitude->value);
  }
  if (!has(schema::FIELD_PROPERTIES) || attributes.property_count() == 0) return;
  auto list = out.initProperties(static_cast<unsigned>(attributes.property_count()));
  unsigned index = 0;
  attributes.for_each_property([&](const Property& property) {
    auto item = list[index++];
    put_bytes<&schema::Property::Builder::initName>(item, property.name);
    put_bytes<&schema::Property::Builder::initValue>(item, property.value);
  });
}

void encode_ids(std::span<const RecordId> ids, ::capnp::List<std::uint32_t>::Builder out) {
  unsigned index = 0;
  for (const RecordId id : ids) out.set(index++, id.value);
}

// Those of `ids` that are not in `others`, both in any order.
std::vector<RecordId> without(std::span<const RecordId> ids, std::span<const RecordId> others) {
  std::vector<RecordId> rest;
  for (const RecordId id : ids)
    if (!std::ranges::binary_search(others, id)) rest.push_back(id);
  return rest;
}

void encode_lists(std::span<const RecordId> topologies, std::span<const RecordId> owners,
                  Part out) {
  if (!topologies.empty())
    encode_ids(topologies, out.initTopologies(static_cast<unsigned>(topologies.size())));
  if (!owners.empty()) encode_ids(owners, out.initOwners(static_cast<unsigned>(owners.size())));
}

void encode_ends(const Relations& relations, Fields fields, Part out) {
  if ((fields & schema::FIELD_ENDS) != 0 && !relations.ends().empty()) {
    out.setHasEnds(true);
    out.setEndA(relations.ends()[0].value);
    out.setEndB(relations.ends()[1].value);
  }
  if ((fields & schema::FIELD_ORIGIN) != 0) out.setOrigin(relations.origin().value);
}

void encode_whole(const Record& record, Part out) {
  out.setKind(static_cast<schema::RecordKind>(record.kind()));
  encode_attributes(*record.attributes, kAttributeFields, out);
  encode_lists(record.relations->topologies(), record.relations->owners(), out);
  encode_ends(*record.relations, kRelationFields, out);
}

void encode_update_part(const Record& record, const Record& other, Fields fields, Part out) {
  out.setFields(static_cast<std::uint16_t>(fields));
  if (fields >> kFirstBits != 0)
    out.setFurtherFields(static_cast<std::uint16_t>(fields >> kFirstBits));
  out.setKind(static_cast<schema::RecordKind>(record.kind()));
  encode_attributes(*record.attributes, fields, out);
  encode_lists(without(record.relations->topologies(), other.relations->topologies()),
               without(record.relations->owners(), other.relations->owners()), out);
  encode_ends(*record.relations, fields, out);
}

}  // namespace

std::size_t encoded_words(const RecordChange& change) {
  return kChangeWords + part_words(change.before) + part_words(change.after);
}

void encode(const RecordChange& change, schema::RecordChange::Builder out) {
  out.setId(change.id.value);
  if (!change.before) {
    out.setAction(schema::Action::CREATE);
    encode_whole(change.after, out.initAfter());
  } else if (!change.after) {
    out.setAction(schema::Action::DELETE);
    encode_whole(change.before, out.initBefore());
  } else {
    NETML_ASSERT(change.before.kind() == change.after.kind());
    const Fields fields =
        differing_attributes(*change.before.attributes, *change.after.attributes) |
        differing_relations(*change.before.relations, *change.after.relations);
    out.setAction(schema::Action::UPDATE);
    encode_update_part(change.before, change.after, fields, out.initBefore());
    encode_update_part(change.after, change.before, fields, out.initAfter());
  }
}

// ---- texts without a place in RecordPart ----

namespace {

// `visit(field, before, after)` for each that the change speaks of.
template <class Visit>
void for_each_changed_text(const RecordChange& change, Visit&& visit) {
  if constexpr (engine::kFurtherTextCount != 0) {
    const auto fields_of = [](const Record& record) {
      return record ? record.attributes->fields() : AttributeFields();
    };
    const AttributeFields before = fields_of(change.before);
    const AttributeFields after = fields_of(change.after);
    engine::for_each_further_text([&](const auto& text) {
      if (before.*text.member != after.*text.member)
        visit(text.field, before.*text.member, after.*text.member);
    });
  }
}

}  // namespace

unsigned count_texts(const RecordChange& change) {
  unsigned count = 0;
  for_each_changed_text(change, [&](auto&&...) { ++count; });
  return count;
}

void encode_texts(const RecordChange& change, unsigned record,
                  ::capnp::List<schema::RecordText>::Builder out, unsigned& next) {
  for_each_changed_text(change,
                        [&](engine::Field field, std::string_view before, std::string_view after) {
                          auto text = out[next++];
                          text.setRecord(record);
                          text.setField(static_cast<std::uint16_t>(field));
                          if (!before.empty())
                            put_bytes<&schema::RecordText::Builder::initBefore>(text, before);
                          if (!after.empty())
                            put_bytes<&schema::RecordText::Builder::initAfter>(text, after);
                        });
}

// ---- numbers ----

std::size_t encoded_words(const engine::Numbering&) {
  return kNumberWords;
}
std::size_t encoded_words(const engine::Renumbering&) {
  return kNumberWords;
}

void encode(const engine::Numbering& numbering, schema::Numbering::Builder out) {
  out.setId(numbering.id.value);
  out.setNumber(numbering.number.value);
}

void encode(const engine::Renumbering& renumbering, schema::Renumbering::Builder out) {
  out.setTopology(renumbering.topology.value);
  out.setCount(static_cast<std::uint32_t>(renumbering.count));
  out.setFirst(renumbering.first.value);
}

void read_numbers(schema::Effects::Reader in, std::vector<engine::Numbering>& numberings,
                  std::vector<engine::Renumbering>& renumberings) {
  for (const auto item : in.getNumberings())
    numberings.push_back({RecordId{item.getId()}, RecordNumber{item.getNumber()}});
  for (const auto item : in.getRenumberings())
    renumberings.push_back(
        {RecordId{item.getTopology()}, RecordNumber{item.getFirst()}, item.getCount()});
}

// ---- decoding ----

namespace {

tl::unexpected<Error> newer(const char* what) {
  return fail(
      Errc::newer_version,
      fmt::format("a {} that this program does not know: written by a newer version", what));
}

// Takes over from `in` the fields that it speaks of.
void read_fields(schema::RecordPart::Reader in, Fields fields, RecordTexts texts, Side side,
                 AttributeFields& out, std::vector<Property>& properties) {
  const auto has = [&](Fields field) { return (fields & field) != 0; };
  if (has(schema::FIELD_MAIN)) out.main = in.getMain();
  if (has(schema::FIELD_ID)) out.id = view(in.getId());
  if (has(schema::FIELD_NAME)) out.name = view(in.getName());
  if (has(schema::FIELD_SHORT_NAME)) out.short_name = view(in.getShortName());
  if (has(schema::FIELD_UNLOCODE)) out.unlocode = view(in.getUnlocode());
  if (has(schema::FIELD_ADDRESS)) out.address = view(in.getAddress());
  const auto instant = [](bool present, std::int64_t seconds) {
    return present ? std::optional(Instant{seconds}) : std::nullopt;
  };
  if (has(schema::FIELD_VERSION)) out.version = instant(in.getHasVersion(), in.getVersion());
  if (has(schema::FIELD_START)) out.start = instant(in.getHasStart(), in.getStart());
  if (has(schema::FIELD_END)) out.end = instant(in.getHasEnd(), in.getEnd());
  if (has(schema::FIELD_COORDINATES))
    out.coordinates = in.getHasCoordinates()
                          ? std::optional(engine::Coordinates{engine::Micro{in.getLatitude()},
                                                              engine::Micro{in.getLongitude()}})
                          : std::nullopt;
  if (has(schema::FIELD_ALTITUDE))
    out.altitude =
        in.getHasAltitude() ? std::optional(engine::Micro{in.getAltitude()}) : std::nullopt;
  if (has(schema::FIELD_PROPERTIES)) {
    properties.clear();
    for (const auto property : in.getProperties())
      properties.push_back({view(property.getName()), view(property.getValue())});
  }
  out.properties = properties;
  engine::for_each_further_text([&](const auto& text) {
    if (!has(bit_of(text.field))) return;
    const auto found = std::ranges::find(texts, text.field, &TextReader::Text::field);
    out.*text.member = found == texts.end()   ? std::string_view()
                       : side == Side::before ? found->before
                                              : found->after;
  });
}

// What Attributes::make takes for granted.
Status check_lengths(const AttributeFields& fields) {
  std::size_t longest = 0;
  engine::for_each_text(
      [&](const auto& text) { longest = std::max(longest, (fields.*text.member).size()); });
  if (longest > 0xffff) return fail(Errc::corruption, "a text is longer than 65535 bytes");
  return {};
}

void read_ids(::capnp::List<std::uint32_t>::Reader in, std::vector<RecordId>& out) {
  out.clear();
  for (const std::uint32_t value : in) out.push_back(RecordId{value});
}

// Takes `removed` out of `ids` and `added` into it; both must be possible.
Status merge_ids(std::vector<RecordId>& ids, std::span<const RecordId> removed,
                 ::capnp::List<std::uint32_t>::Reader added) {
  for (const RecordId id : removed)
    if (std::erase(ids, id) != 1)
      return fail(Errc::corruption, fmt::format("an association with record {} ends that was not "
                                                "there",
                                                id.value));
  for (const std::uint32_t value : added) {
    const RecordId id{value};
    const auto place = std::ranges::lower_bound(ids, id);
    if (place != ids.end() && *place == id)
      return fail(Errc::corruption, fmt::format("an association with record {} begins that was "
                                                "there already",
                                                value));
    ids.insert(place, id);
  }
  return {};
}

// Whether ends and origin are what `in` says, as far as it speaks of them.
bool has_ends(const Relations& relations, Fields fields, schema::RecordPart::Reader in) {
  if ((fields & schema::FIELD_ORIGIN) != 0 && relations.origin().value != in.getOrigin())
    return false;
  if ((fields & schema::FIELD_ENDS) == 0) return true;
  const std::span<const RecordId> ends = relations.ends();
  if (ends.empty() || !in.getHasEnds()) return ends.empty() && !in.getHasEnds();
  return ends[0].value == in.getEndA() && ends[1].value == in.getEndB();
}

}  // namespace

Result<Kind> decode_kind(schema::RecordKind kind) {
  switch (kind) {
    case schema::RecordKind::TOPOLOGY:
    case schema::RecordKind::INSTITUTION:
    case schema::RecordKind::NODE:
    case schema::RecordKind::LINK:
      return static_cast<Kind>(kind);
  }
  return newer("record kind");
}

Result<Fields> read_field_bits(schema::RecordPart::Reader in) {
  const Fields bits = in.getFields() | Fields{in.getFurtherFields()} << kFirstBits;
  if ((bits & ~kKnownFields) != 0) return newer("field of a record");
  return bits;
}

Result<RecordTexts> TextReader::of(std::size_t record) {
  texts_.clear();
  for (; next_ < in_.size() && in_[next_].getRecord() == record; ++next_) {
    const auto text = in_[next_];
    if (text.getField() >= engine::kFieldCount) return newer("field of a record");
    texts_.push_back({static_cast<engine::Field>(text.getField()), view(text.getBefore()),
                      view(text.getAfter())});
  }
  return RecordTexts(texts_);
}

Status TextReader::finish() const {
  if (next_ == in_.size()) return {};
  return fail(Errc::corruption, "a text belongs to no record of its payload");
}

void read_all_attributes(schema::RecordPart::Reader in, RecordTexts texts, Side side,
                         AttributeFields& out, std::vector<Property>& properties) {
  read_fields(in, kKnownFields, texts, side, out, properties);
}

Result<Record> RecordDecoder::decode_whole(schema::RecordPart::Reader in, RecordTexts texts,
                                           Side side) {
  AttributeFields fields;
  NETML_TRY(fields.kind, decode_kind(in.getKind()));
  read_fields(in, kKnownFields, texts, side, fields, properties_);
  NETML_TRY_VOID(check_lengths(fields));
  read_ids(in.getTopologies(), topologies_);
  read_ids(in.getOwners(), owners_);
  const RecordId ends[2] = {RecordId{in.getEndA()}, RecordId{in.getEndB()}};
  const RelationFields relations{
      topologies_, owners_,
      in.getHasEnds() ? std::span<const RecordId>(ends) : std::span<const RecordId>(),
      RecordId{in.getOrigin()}};
  return Record{Attributes::make(fields), Relations::make(relations)};
}

Result<AttributesPtr> RecordDecoder::update_attributes(const Attributes& before,
                                                       schema::RecordPart::Reader in,
                                                       RecordTexts texts, Side side) {
  AttributeFields fields = before.fields();
  properties_ = before.properties();
  NETML_TRY(const Fields bits, read_field_bits(in));
  read_fields(in, bits, texts, side, fields, properties_);
  NETML_TRY_VOID(check_lengths(fields));
  return Attributes::make(fields);
}

Result<RelationsPtr> RecordDecoder::update_relations(const Relations& before,
                                                     schema::RecordChange::Reader in) {
  const Fields fields = in.getAfter().getFields();
  const auto after = in.getAfter();
  topologies_.assign(before.topologies().begin(), before.topologies().end());
  owners_.assign(before.owners().begin(), before.owners().end());
  read_ids(in.getBefore().getTopologies(), removed_);
  NETML_TRY_VOID(merge_ids(topologies_, removed_, after.getTopologies()));
  read_ids(in.getBefore().getOwners(), removed_);
  NETML_TRY_VOID(merge_ids(owners_, removed_, after.getOwners()));
  RecordId ends[2] = {};
  std::span<const RecordId> used_ends = before.ends();
  if ((fields & schema::FIELD_ENDS) != 0) {
    ends[0] = RecordId{after.getEndA()};
    ends[1] = RecordId{after.getEndB()};
    used_ends = after.getHasEnds() ? std::span<const RecordId>(ends) : std::span<const RecordId>();
  }
  const RecordId origin =
      (fields & schema::FIELD_ORIGIN) != 0 ? RecordId{after.getOrigin()} : before.origin();
  return Relations::make({topologies_, owners_, used_ends, origin});
}

Result<Record> RecordDecoder::decode_update(const Record& before, schema::RecordChange::Reader in,
                                            RecordTexts texts) {
  NETML_TRY(const Fields fields, read_field_bits(in.getAfter()));
  // Laying the before-values over what is stored must change nothing.
  NETML_TRY(const AttributesPtr expected,
            update_attributes(*before.attributes, in.getBefore(), texts, Side::before));
  if (!(*expected == *before.attributes) || !has_ends(*before.relations, fields, in.getBefore()))
    return fail(Errc::corruption, "an update does not find the values it is to replace");
  Record after = before;
  if ((fields & kAttributeFields) != 0) {
    NETML_TRY(after.attributes,
              update_attributes(*before.attributes, in.getAfter(), texts, Side::after));
  }
  if ((fields & kRelationFields) != 0) {
    NETML_TRY(after.relations, update_relations(*before.relations, in));
  }
  return after;
}

Result<RecordChange> RecordDecoder::decode(schema::RecordChange::Reader in, RecordTexts texts,
                                           const engine::Graph& graph) {
  RecordChange change{RecordId{in.getId()}, {}, {}};
  if (!change.id) return fail(Errc::corruption, "a record change without identity");
  switch (in.getAction()) {
    case schema::Action::CREATE: {
      NETML_TRY(change.after, decode_whole(in.getAfter(), texts, Side::after));
      return change;
    }
    case schema::Action::DELETE: {
      NETML_TRY(change.before, decode_whole(in.getBefore(), texts, Side::before));
      return change;
    }
    case schema::Action::UPDATE: {
      change.before = graph.record(change.id);
      if (!change.before)
        return fail(Errc::corruption,
                    fmt::format("record {} is updated but does not exist", change.id.value));
      NETML_TRY(change.after, decode_update(change.before, in, texts));
      return change;
    }
  }
  return newer("kind of change");
}

}  // namespace netml::wal
