#include "engine/transaction/planned_effects.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <unordered_map>

#include "engine/graph/document.hpp"
#include "engine/transaction/field_change.hpp"

namespace netml::engine {

namespace {

// Adds nothing new, and takes nothing away that anybody would miss.
bool is_global_institution(const Record& record) {
  return record.kind() == Kind::institution && record.id() == kGlobalInstitutionId;
}

// Texts of one change after another, each with its length before it.
class EffectBytes {
 public:
  EffectBytes(const Graph& before, const Transaction& transaction) : before_(before) {
    for (const RecordChange& change : transaction.records)
      if (!change.before) created_.emplace(change.id, &change.after);
  }

  // Nothing for a change that is no effect.
  std::optional<Digest> digest(const RecordChange& change) {
    const Record& named = change.before ? change.before : change.after;
    if (is_global_institution(named)) return std::nullopt;
    bytes_.clear();
    add_number(static_cast<std::uint64_t>(named.kind()));
    add_text(named.id());
    if (change.before && change.after) {
      if (!add_update(change.before, change.after)) return std::nullopt;
    } else {
      add(change.before);
      add(change.after);
    }
    return digest_of(DigestRole::planned_effect, 0, std::as_bytes(std::span(bytes_)));
  }

 private:
  // False when nothing differs that an effect is about.
  bool add_update(const Record& before, const Record& after) {
    const std::size_t empty = bytes_.size();
    if (!(*before.attributes == *after.attributes)) add_fields(before, after);
    const Relations& from = *before.relations;
    const Relations& to = *after.relations;
    add_set_change(Field::topologies, from.topologies(), to.topologies());
    add_set_change(Field::owners, from.owners(), to.owners());
    if (!std::ranges::equal(from.ends(), to.ends())) {
      add_number(static_cast<std::uint64_t>(Field::ends));
      add_names(from.ends(), false);
      add_names(to.ends(), false);
    }
    return bytes_.size() > empty;
  }

  void add_fields(const Record& before, const Record& after) {
    const std::vector<Property> old_properties = before.attributes->properties();
    const std::vector<Property> new_properties = after.attributes->properties();
    AttributeFields from = before.attributes->fields();
    AttributeFields to = after.attributes->fields();
    from.properties = old_properties;
    to.properties = new_properties;
    for (auto field = Field::main; field <= Field::properties;
         field = static_cast<Field>(static_cast<int>(field) + 1)) {
      const FieldValue old_value = attribute_value(from, field);
      const FieldValue new_value = attribute_value(to, field);
      if (old_value == new_value) continue;
      add_number(static_cast<std::uint64_t>(field));
      add_value(old_value);
      add_value(new_value);
    }
  }

  void add_value(const FieldValue& value) {
    if (const auto* text = std::get_if<std::string>(&value)) {
      add_text(*text);
    } else if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
      add_number(texts->size());
      for (const std::string& each : *texts) add_text(each);
    } else {
      add_text({});
    }
  }

  void add_set_change(Field field, std::span<const RecordId> before,
                      std::span<const RecordId> after) {
    const auto without = [](std::span<const RecordId> ids, std::span<const RecordId> others) {
      std::vector<RecordId> rest;
      for (const RecordId id : ids)
        if (std::ranges::find(others, id) == others.end()) rest.push_back(id);
      return rest;
    };
    const std::vector<RecordId> gone = without(before, after);
    const std::vector<RecordId> added = without(after, before);
    if (gone.empty() && added.empty()) return;
    add_number(static_cast<std::uint64_t>(field));
    add_names(gone, true);
    add_names(added, true);
  }

  void add(const Record& record) {
    if (!record) return add_text({});
    const auto attributes = record.attributes->bytes();
    add_text({reinterpret_cast<const char*>(attributes.data()), attributes.size()});
    const Relations& relations = *record.relations;
    add_names(relations.topologies(), true);
    add_names(relations.owners(), true);
    add_names(relations.ends(), false);
  }

  // Sets are in the order of identities, which the order of names must not depend on.
  void add_names(std::span<const RecordId> ids, bool set) {
    std::vector<std::string_view> names;
    names.reserve(ids.size());
    for (const RecordId id : ids) names.push_back(name(id));
    if (set) std::ranges::sort(names);
    add_number(names.size());
    for (const std::string_view name : names) add_text(name);
  }

  std::string_view name(RecordId id) const {
    if (const auto found = created_.find(id); found != created_.end()) return found->second->id();
    return before_.attributes(id).id();
  }

  void add_text(std::string_view text) {
    add_number(text.size());
    bytes_ += text;
  }
  void add_number(std::uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8)
      bytes_ += static_cast<char>(static_cast<unsigned char>(value >> shift));
  }

  const Graph& before_;
  std::unordered_map<RecordId, const Record*> created_;
  std::string bytes_;
};

struct ElementEffect {
  Kind kind;
  std::string_view identifier;
  Digest digest;

  auto key() const { return std::tuple(kind, identifier, digest.high, digest.low); }
  auto operator<=>(const ElementEffect& other) const { return key() <=> other.key(); }
  bool operator==(const ElementEffect& other) const { return key() == other.key(); }
};

std::vector<ElementEffect> effects_of(const Plan& plan) {
  EffectBytes bytes(plan.before, plan.transaction);
  std::vector<ElementEffect> effects;
  effects.reserve(plan.transaction.records.size());
  for (const RecordChange& change : plan.transaction.records) {
    const Record& named = change.before ? change.before : change.after;
    if (const auto digest = bytes.digest(change))
      effects.push_back({named.kind(), named.id(), *digest});
  }
  std::ranges::sort(effects);
  return effects;
}

}  // namespace

Digest planned_effects(const Graph& before, const Transaction& transaction) {
  EffectBytes bytes(before, transaction);
  Digest sum;
  for (const RecordChange& change : transaction.records)
    if (const auto digest = bytes.digest(change)) sum += *digest;
  return sum;
}

std::vector<ElementName> differing_effects(const Plan& a, const Plan& b) {
  const std::vector<ElementEffect> first = effects_of(a);
  const std::vector<ElementEffect> second = effects_of(b);
  std::vector<ElementEffect> differing;
  std::ranges::set_symmetric_difference(first, second, std::back_inserter(differing));
  std::vector<ElementName> names;
  for (const ElementEffect& effect : differing) {
    ElementName name{effect.kind, std::string(effect.identifier)};
    if (names.empty() || !(names.back() == name)) names.push_back(std::move(name));
  }
  return names;
}

}  // namespace netml::engine
