#include "engine/planned_effects.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>

namespace netml::engine {

namespace {

// Texts of one change after another, each with its length before it.
class EffectBytes {
 public:
  EffectBytes(const Graph& before, const Transaction& transaction) : before_(before) {
    for (const RecordChange& change : transaction.records)
      if (!change.before) created_.emplace(change.id, &change.after);
  }

  Digest digest(const RecordChange& change) {
    bytes_.clear();
    add(change.before);
    add(change.after);
    return digest_of(DigestRole::planned_effect, 0, std::as_bytes(std::span(bytes_)));
  }

 private:
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
    effects.push_back({named.kind(), named.id(), bytes.digest(change)});
  }
  std::ranges::sort(effects);
  return effects;
}

}  // namespace

Digest planned_effects(const Graph& before, const Transaction& transaction) {
  EffectBytes bytes(before, transaction);
  Digest sum;
  for (const RecordChange& change : transaction.records) sum += bytes.digest(change);
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
