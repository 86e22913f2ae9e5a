#include "engine/transaction/field_change.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <optional>

#include "engine/base/sha256.hpp"

namespace netml::engine {

namespace {

FieldValue text_value(std::string_view text) {
  if (text.empty()) return {};
  return std::string(text);
}

// "-63.57": all decimals that count.
std::string micro_text(Micro micro) {
  constexpr std::int64_t kUnit = 1'000'000;
  std::string text = fmt::format("{}{}.{:06}", micro.value < 0 ? "-" : "",
                                 std::abs(micro.value / kUnit), std::abs(micro.value % kUnit));
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

FieldValue value_of(bool flag) {
  return text_value(flag ? "true" : "");
}
FieldValue value_of(std::string_view text) {
  return text_value(text);
}
FieldValue value_of(const std::optional<Instant>& instant) {
  if (!instant) return {};
  return format_instant(*instant);
}
FieldValue value_of(const std::optional<Coordinates>& coordinates) {
  if (!coordinates) return {};
  return fmt::format("{}, {}", micro_text(coordinates->latitude),
                     micro_text(coordinates->longitude));
}
FieldValue value_of(const std::optional<Micro>& micro) {
  if (!micro) return {};
  return micro_text(*micro);
}
FieldValue value_of(std::span<const Property> properties) {
  if (properties.empty()) return {};
  std::vector<std::string> texts;
  texts.reserve(properties.size());
  for (const Property& property : properties)
    texts.push_back(fmt::format("{}={}", property.name, property.value));
  return texts;
}

}  // namespace

const char* field_name(Kind kind, Field field) {
  if (kind == Kind::topology && field == Field::topologies) return "parent";
  if (kind == Kind::topology && field == Field::owners) return "owner";
  const char* name = nullptr;
  for_each_attribute([&](const auto& attribute) {
    if (attribute.field == field) name = attribute.name;
  });
  if (name != nullptr) return name;
  constexpr std::array kLists{"properties", "topologies", "owners", "ends", "origin"};
  return kLists[static_cast<std::size_t>(field) - static_cast<std::size_t>(Field::properties)];
}

FieldValue attribute_value(const AttributeFields& fields, Field field) {
  if (field == Field::properties) return value_of(fields.properties);
  std::optional<FieldValue> value;
  for_each_attribute([&](const auto& attribute) {
    if (attribute.field == field) value = value_of(fields.*attribute.member);
  });
  NETML_ASSERT(value && "an association is no attribute");
  return *std::move(value);
}

// ---- catalog entries ----

FieldValue reported_value(bool flag) {
  return flag ? "true" : "false";
}
FieldValue reported_value(Instant instant) {
  return format_instant(instant);
}
FieldValue reported_value(std::string_view text) {
  return text_value(text);
}
FieldValue reported_value(const Sha256& hash) {
  return to_hex(hash);
}

FieldValue reported_value(const std::array<ImportCounts, kKindCount>& counts) {
  std::vector<std::string> texts;
  for (const Kind kind : kKinds) {
    const ImportCounts& of_kind = counts[static_cast<std::size_t>(kind)];
    if (of_kind == ImportCounts()) continue;
    texts.push_back(fmt::format("{}: {} parsed, {} imported", kind_name(kind), of_kind.parsed,
                                of_kind.imported));
  }
  return reported_value(texts);
}

FieldValue reported_value(const std::vector<std::string>& texts) {
  if (texts.empty()) return {};
  return texts;
}

FieldValue reported_value(const std::vector<RulePart>& parts) {
  std::vector<std::string> texts;
  for (const RulePart& part : parts) {
    std::string text = part.type;
    for (const RuleInfo& info : part.infos)
      text += fmt::format("{}{}={}", text.size() == part.type.size() ? ": " : ", ", info.key,
                          info.value);
    texts.push_back(std::move(text));
  }
  return reported_value(texts);
}

FieldValue reported_value(const std::vector<RecordId>& ids) {
  std::vector<std::string> numbers;
  numbers.reserve(ids.size());
  for (const RecordId id : ids) numbers.push_back(fmt::to_string(id.value));
  return numbers;
}

}  // namespace netml::engine
