#include "codecs/formats/netbox/netbox_count.hpp"

#include "engine/base/sha256.hpp"

namespace netml::codecs::netbox {

namespace {

constexpr FoundRule kIdentifier{
    .target = Target::identifier, .field = "identifier", .called = "identifier"};

}  // namespace

std::string FieldCount::identifier(Kind kind, std::string_view key) const {
  return generated_id(kind, network_, key);
}

void FieldCount::open(Kind kind, const Named& named, std::string_view key) {
  draft_.open(kind, named.at);
  draft_.add(kIdentifier, identifier(kind, key));
}

void FieldCount::carry(std::uint64_t fields) {
  if (!repeated_) draft_.losses().carry(fields);
}

void FieldCount::set(const NamedField& field, std::string_view value) {
  const bool says_nothing = value.empty() && field.rule->target != Target::nothing;
  if (says_nothing) return carry();
  if (!repeated_) return draft_.set({*field.rule, field.at}, value);
  if (field.rule->target != Target::structure) draft_.add(*field.rule, value);
}

void FieldCount::lose(const NamedField& field, std::string_view reason) {
  if (repeated_) return;
  if (field.rule->target == Target::nothing) reason = field.rule->lost_because;
  draft_.lose(field.rule->field, {}, field.at, reason);
}

void FieldCount::lose(const Named& named, std::string_view reason) {
  for (const NamedField& field : named.fields) lose(field, reason);
}

}  // namespace netml::codecs::netbox
