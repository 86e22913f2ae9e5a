// The half of the entry codec that reads: what is damaged or from a newer program is refused.
#include <fmt/format.h>

#include <limits>
#include <optional>

#include "engine/transaction/catalog_tables.hpp"
#include "wal/format/entry_codec.hpp"
#include "wal/format/stored_table.hpp"

namespace netml::wal {

using ::capnp::DynamicList;
using ::capnp::DynamicStruct;
using engine::EntryChange;
using engine::RulePart;

namespace {

constexpr std::uint64_t kEntryNumberMax = std::numeric_limits<std::uint32_t>::max();

// Takes the fields of one entry from where the schema has them.
class ValueReader {
 public:
  explicit ValueReader(DynamicStruct::Reader in) : in_(in) {}

  template <class Value>
  auto as(const SchemaField& field) const {
    return in_.get(field).as<Value>();
  }

  template <class Number>
    requires std::is_integral_v<Number>
  Status get(const StoredField& field, Number& number) const {
    number = as<Number>(field.value);
    return {};
  }
  // One that is not known comes from a newer program.
  template <class Enum>
    requires std::is_enum_v<Enum>
  Status get(const StoredField& field, Enum& value) const {
    const int enumerant = as<int>(field.value);
    value = static_cast<Enum>(enumerant);
    if (engine::known_name<Enum>(enumerant) != nullptr) return {};
    return fail(Errc::newer_version,
                fmt::format("{} {} is not known here: written by a newer version",
                            engine::kNamesOf<Enum>.what, enumerant));
  }
  Status get(const StoredField& field, RecordId& id) const { return get(field, id.value); }
  Status get(const StoredField& field, Lsn& lsn) const { return get(field, lsn.value); }
  Status get(const StoredField& field, Instant& instant) const {
    return get(field, instant.seconds);
  }
  Status get(const StoredField& field, std::optional<Instant>& instant) const {
    if (as<bool>(field.other)) instant = Instant{as<std::int64_t>(field.value)};
    return {};
  }
  Status get(const StoredField& field, std::optional<std::uint32_t>& limit) const {
    const auto stored = as<std::uint64_t>(field.value);
    if (stored == 0) return {};
    if (stored - 1 > std::numeric_limits<std::uint32_t>::max())
      return fail(Errc::corruption, fmt::format("a limit of {} is too large", stored - 1));
    limit = static_cast<std::uint32_t>(stored - 1);
    return {};
  }
  Status get(const StoredField& field, std::string& text) const {
    text = field.value.getType().isText() ? view(as<::capnp::Text>(field.value))
                                          : view(as<::capnp::Data>(field.value));
    return {};
  }
  Status get(const StoredField& field, Sha256& hash) const {
    NETML_TRY(hash, read_hash(as<::capnp::Data>(field.value)));
    return {};
  }
  Status get(const StoredField& field, engine::Digest& digest) const {
    digest = {as<std::uint64_t>(field.value), as<std::uint64_t>(field.other)};
    return {};
  }
  Status get(const StoredField& field, std::array<engine::ImportCounts, kKindCount>& counts) const {
    const auto parsed = as<::capnp::List<std::uint64_t>>(field.value);
    const auto imported = as<::capnp::List<std::uint64_t>>(field.other);
    if (parsed.size() != kKindCount || imported.size() != kKindCount)
      return fail(Errc::corruption, "an import record does not count all kinds");
    for (unsigned kind = 0; kind < kKindCount; ++kind)
      counts[kind] = {parsed[kind], imported[kind]};
    return {};
  }
  Status get(const StoredField& field, std::vector<std::string>& texts) const {
    for (const auto text : as<::capnp::List<::capnp::Text>>(field.value))
      texts.emplace_back(view(text));
    return {};
  }
  Status get(const StoredField& field, std::optional<std::vector<RecordId>>& ids) const {
    if (!as<bool>(field.other)) return {};
    ids.emplace();
    for (const std::uint32_t id : as<::capnp::List<std::uint32_t>>(field.value))
      ids->push_back(RecordId{id});
    return {};
  }
  Status get(const StoredField& field, std::vector<RulePart>& parts) const {
    for (const auto item : as<::capnp::List<schema::RulePart>>(field.value)) {
      RulePart part{item.getNumber(), std::string(view(item.getType())), {}};
      for (const auto info : item.getInfos())
        part.infos.push_back({info.getNumber(), std::string(view(info.getKey())),
                              std::string(view(info.getValue()))});
      parts.push_back(std::move(part));
    }
    return {};
  }

 private:
  DynamicStruct::Reader in_;
};

// Nothing when there is none.
template <class T>
Result<std::shared_ptr<const T>> decode_value(DynamicStruct::Reader change, SchemaField side) {
  if (!change.has(side)) return nullptr;
  const ValueReader reader(change.get(side).as<DynamicStruct>());
  auto entry = std::make_shared<T>();
  auto stored = stored_table<T>().fields.begin();
  NETML_TRY_VOID((engine::try_each_field<Status, T>(
      [&](const auto& field) { return reader.get(*stored++, entry.get()->*field.member); })));
  return entry;
}

template <class T>
Status decode_list(DynamicStruct::Reader effects, std::vector<EntryChange<T>>& out) {
  const StoredTable& stored = stored_table<T>();
  for (const auto item : effects.get(stored.list).template as<DynamicList>()) {
    const auto in = item.template as<DynamicStruct>();
    EntryChange<T> change;
    change.number = in.get(stored.number).template as<std::uint64_t>();
    // An empty table would otherwise grow to whatever a damaged number says.
    if (change.number == 0 || change.number > kEntryNumberMax)
      return fail(Errc::corruption, fmt::format("entry number {}", change.number));
    NETML_TRY(change.before, decode_value<T>(in, stored.before));
    NETML_TRY(change.after, decode_value<T>(in, stored.after));
    out.push_back(std::move(change));
  }
  return {};
}

}  // namespace

Status decode_entries(schema::Effects::Reader in, engine::Transaction& transaction) {
  const DynamicStruct::Reader effects = ::capnp::toDynamic(in);
  return engine::try_each_catalog_table(
      [&](const auto& table) { return decode_list(effects, transaction.*table.changes); });
}

}  // namespace netml::wal
