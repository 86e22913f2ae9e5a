// The half of the entry codec that writes.
#include "wal/format/entry_codec.hpp"
#include "wal/format/stored_table.hpp"

namespace netml::wal {

using ::capnp::DynamicList;
using ::capnp::DynamicStruct;
using engine::EntryChange;
using engine::RuleInfo;
using engine::RulePart;

SchemaField find_stored(const ::capnp::StructSchema& schema, std::string_view name) {
  std::string stored;  // in camel case
  for (std::size_t i = 0; i < name.size(); ++i)
    if (name[i] != '_')
      stored += i > 0 && name[i - 1] == '_' ? static_cast<char>(name[i] - 'a' + 'A') : name[i];
  std::optional<SchemaField> found;
  KJ_IF_MAYBE (field, schema.findFieldByName(stored.c_str())) {
    found = *field;
  }
  NETML_ASSERT(found && "wal/schema/wal.capnp lacks a field of an entity");
  return *found;
}

StoredTable::StoredTable(std::string_view table)
    : list(find_stored(::capnp::Schema::from<schema::Effects>(), table)) {
  const ::capnp::StructSchema change = list.getType().asList().getStructElementType();
  number = find_stored(change, "number");
  before = find_stored(change, "before");
  after = find_stored(change, "after");
}

std::size_t value_words(const std::vector<std::string>& texts) {
  std::size_t words = 0;
  for (const std::string& text : texts) words += 1 + text_words(text.size());
  return words;
}

std::size_t value_words(const std::vector<RulePart>& parts) {
  constexpr std::size_t kPartWords = 4;  // with the tag of its list
  constexpr std::size_t kInfoWords = 3;
  std::size_t sum = 0;
  for (const RulePart& part : parts) {
    sum += kPartWords + text_words(part.type.size());
    for (const RuleInfo& info : part.infos)
      sum += kInfoWords + text_words(info.key.size()) + text_words(info.value.size());
  }
  return sum;
}

namespace {

unsigned size_of(const auto& list) {
  return static_cast<unsigned>(list.size());
}

// Puts the fields of one entry where the schema has them. An empty list stays away where the first
// programs that knew it left it away, so that equal entries are equal bytes.
class ValueWriter {
 public:
  explicit ValueWriter(DynamicStruct::Builder out) : out_(out) {}

  template <class Number>
    requires std::is_integral_v<Number>
  void put(const StoredField& field, Number number) {
    out_.set(field.value, number);
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  void put(const StoredField& field, Enum value) {
    out_.set(field.value, static_cast<int>(value));
  }
  void put(const StoredField& field, RecordId id) { out_.set(field.value, id.value); }
  void put(const StoredField& field, Lsn lsn) { out_.set(field.value, lsn.value); }
  void put(const StoredField& field, Instant instant) { out_.set(field.value, instant.seconds); }
  void put(const StoredField& field, const std::optional<Instant>& instant) {
    out_.set(field.other, instant.has_value());
    put(field, instant.value_or(Instant{}));
  }
  // One more than it is; 0 = none.
  void put(const StoredField& field, const std::optional<std::uint32_t>& limit) {
    out_.set(field.value, limit ? std::uint64_t{*limit} + 1 : std::uint64_t{0});
  }
  void put(const StoredField& field, const std::string& text) {
    ::capnp::DynamicValue::Builder bytes = out_.init(field.value, size_of(text));
    if (field.value.getType().isText())
      copy_bytes(bytes.as<::capnp::Text>(), text.data(), text.size());
    else
      copy_bytes(bytes.as<::capnp::Data>(), text.data(), text.size());
  }
  void put(const StoredField& field, const Sha256& hash) {
    copy_bytes(out_.init(field.value, size_of(hash)).as<::capnp::Data>(), hash.data(), hash.size());
  }
  void put(const StoredField& field, const engine::Digest& digest) {
    out_.set(field.value, digest.low);
    out_.set(field.other, digest.high);
  }
  void put(const StoredField& field, const std::array<engine::ImportCounts, kKindCount>& counts) {
    using Numbers = ::capnp::List<std::uint64_t>;
    auto parsed = out_.init(field.value, size_of(counts)).as<Numbers>();
    auto imported = out_.init(field.other, size_of(counts)).as<Numbers>();
    for (unsigned kind = 0; kind < counts.size(); ++kind) {
      parsed.set(kind, counts[kind].parsed);
      imported.set(kind, counts[kind].imported);
    }
  }
  void put(const StoredField& field, const std::vector<std::string>& texts) {
    if (texts.empty()) return;
    auto list = out_.init(field.value, size_of(texts)).as<::capnp::List<::capnp::Text>>();
    for (unsigned i = 0; i < texts.size(); ++i)
      copy_bytes(list.init(i, size_of(texts[i])), texts[i].data(), texts[i].size());
  }
  void put(const StoredField& field, const std::optional<std::vector<RecordId>>& ids) {
    out_.set(field.other, ids.has_value());
    if (!ids || ids->empty()) return;
    auto list = out_.init(field.value, size_of(*ids)).as<::capnp::List<std::uint32_t>>();
    for (unsigned i = 0; i < ids->size(); ++i) list.set(i, (*ids)[i].value);
  }
  void put(const StoredField& field, const std::vector<RulePart>& parts);

 private:
  DynamicStruct::Builder out_;
};

void ValueWriter::put(const StoredField& field, const std::vector<RulePart>& parts) {
  auto list = out_.init(field.value, size_of(parts)).as<::capnp::List<schema::RulePart>>();
  unsigned index = 0;
  for (const RulePart& part : parts) {
    auto out = list[index++];
    out.setNumber(part.number);
    put_bytes<&schema::RulePart::Builder::initType>(out, part.type);
    auto infos = out.initInfos(size_of(part.infos));
    unsigned info_index = 0;
    for (const RuleInfo& info : part.infos) {
      auto to = infos[info_index++];
      to.setNumber(info.number);
      put_bytes<&schema::RuleInfo::Builder::initKey>(to, info.key);
      put_bytes<&schema::RuleInfo::Builder::initValue>(to, info.value);
    }
  }
}

template <class T>
void encode_value(const T& entry, DynamicStruct::Builder out) {
  ValueWriter writer(out);
  auto stored = stored_table<T>().fields.begin();
  engine::for_each_field<T>([&](const auto& field) { writer.put(*stored++, entry.*field.member); });
}

template <class T>
void encode_list(std::span<const EntryChange<T>> changes, DynamicStruct::Builder effects) {
  if (changes.empty()) return;
  const StoredTable& stored = stored_table<T>();
  DynamicList::Builder list =
      effects.init(stored.list, size_of(changes)).template as<DynamicList>();
  unsigned index = 0;
  for (const EntryChange<T>& change : changes) {
    auto out = list[index++].template as<DynamicStruct>();
    out.set(stored.number, change.number);
    if (change.before)
      encode_value(*change.before, out.init(stored.before).template as<DynamicStruct>());
    if (change.after)
      encode_value(*change.after, out.init(stored.after).template as<DynamicStruct>());
  }
}

}  // namespace

void encode_entries(const EffectsView& effects, schema::Effects::Builder out) {
  const DynamicStruct::Builder dynamic = ::capnp::toDynamic(out);
  std::apply([&](const auto... table) { (encode_list(effects.*table, dynamic), ...); },
             EffectsView::all());
}

}  // namespace netml::wal
