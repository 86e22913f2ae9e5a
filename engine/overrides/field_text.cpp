#include "engine/overrides/field_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <variant>

#include "engine/graph/properties.hpp"
#include "engine/transaction/field_change.hpp"

namespace netml::engine {

namespace {

constexpr std::string_view kPropertyPrefix = "property:";

// ---- what may be overridden ----

bool may_be_overridden(Kind kind, Field field) {
  // They say which element it is, and which edition of its source.
  if (field == Field::main || field == Field::id || field == Field::version) return false;
  if (field == Field::owners) return kind != Kind::institution;
  if (field == Field::topologies) return kind != Kind::topology;
  if (!is_attribute(field) || field == Field::properties) return false;
  bool applies = false;
  for_each_attribute([&](const auto& attribute) {
    if (attribute.field == field) applies = attribute.applies_to(kind);
  });
  return applies;
}

// ---- lists ----

std::string escaped(std::string_view line) {
  // Else a list of one empty value would be an empty list.
  std::string text = line.empty() ? "\\e" : "";
  for (const char c : line) {
    if (c == '\n')
      text += "\\n";
    else if (c == '\\')
      text += "\\\\";
    else
      text += c;
  }
  return text;
}

std::string_view unescaped(const char& c) {
  if (c == 'e') return "";
  return c == 'n' ? std::string_view("\n") : std::string_view(&c, 1);
}

std::string identifiers(const Workspace& workspace, std::span<const RecordId> records) {
  std::vector<std::string> ids;
  for (const RecordId record : records)
    if (const Record found = workspace.record(record)) ids.emplace_back(found.id());
  std::ranges::sort(ids);
  return joined_lines(ids);
}

// ---- values from texts ----

std::optional<Micro> parse_micro(std::string_view text) {
  constexpr double kUnit = 1e6;
  constexpr double kMax = 1e9;  // so that each of its millionths is a number of its own
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(std::abs(value) <= kMax))
    return std::nullopt;
  return Micro{std::llround(value * kUnit)};
}

Status parse(std::string_view text, std::string_view& value) {
  value = text;
  return {};
}

Status parse(std::string_view text, std::optional<Instant>& value) {
  value = text.empty() ? std::nullopt : parse_instant(text);
  if (value || text.empty()) return {};
  return fail(Errc::invalid_input, "value", "is no time such as 2026-03-01T12:00:00Z");
}

Status parse(std::string_view text, std::optional<Micro>& value) {
  value = text.empty() ? std::nullopt : parse_micro(text);
  if (value || text.empty()) return {};
  return fail(Errc::invalid_input, "value", "is no number");
}

Status parse(std::string_view text, std::optional<Coordinates>& value) {
  value.reset();
  if (text.empty()) return {};
  constexpr std::string_view kComma = ", ";
  const std::size_t comma = text.find(kComma);
  if (comma != std::string_view::npos) {
    const auto latitude = parse_micro(text.substr(0, comma));
    const auto longitude = parse_micro(text.substr(comma + kComma.size()));
    if (latitude && longitude) value = Coordinates{*latitude, *longitude};
  }
  if (value) return {};
  return fail(Errc::invalid_input, "value", "is no place such as \"59.913, 10.752\"");
}

// Marked main or not: nothing that an override is about.
Status parse(std::string_view, bool&) {
  return fail(Errc::invalid_input, "field", "may not be overridden");
}

Result<AttributesPtr> with_attribute(const Attributes& attributes, const OverriddenField& wanted,
                                     std::string_view text) {
  if (wanted.field == Field::properties) {
    const std::vector<std::string> lines = lines_of(text);
    const NamedValues values{wanted.property, {lines.begin(), lines.end()}};
    const auto properties = with_values(attributes.properties(), std::span(&values, 1));
    return changed_copy(attributes,
                        [&](AttributeFields& fields) { fields.properties = properties; });
  }
  Status parsed;
  AttributesPtr changed = changed_copy(attributes, [&](AttributeFields& fields) {
    for_each_attribute([&](const auto& attribute) {
      if (attribute.field == wanted.field) parsed = parse(text, fields.*attribute.member);
    });
  });
  NETML_TRY_VOID(parsed);
  return changed;
}

Result<std::vector<RecordId>> owners_of(Workspace& workspace, std::string_view text) {
  std::vector<RecordId> owners;
  for (const std::string& id : lines_of(text)) {
    const RecordId owner = workspace.find_newest(Kind::institution, id);
    if (!owner)
      return fail(Errc::not_found, "value",
                  fmt::format("no institution has the identifier {}", id));
    owners.push_back(owner);
  }
  std::ranges::sort(owners);
  owners.erase(std::ranges::unique(owners).begin(), owners.end());
  return owners;
}

}  // namespace

std::string OverriddenField::name() const {
  if (field == Field::properties) return std::string(kPropertyPrefix) + property;
  // Of a topology, too: an override has the same name for all kinds.
  return field_name(Kind::node, field);
}

std::vector<OverriddenField> overridden_fields(Kind kind) {
  std::vector<OverriddenField> fields;
  for (std::size_t i = 0; i < kFieldCount; ++i)
    if (const auto field = static_cast<Field>(i); may_be_overridden(kind, field))
      fields.push_back({field});
  return fields;
}

std::optional<OverriddenField> overridden_field(Kind kind, std::string_view name) {
  if (name.starts_with(kPropertyPrefix)) {
    const std::string_view property = name.substr(kPropertyPrefix.size());
    if (property.empty() || property.starts_with(kReservedPrefix)) return std::nullopt;
    return OverriddenField{Field::properties, std::string(property)};
  }
  for (OverriddenField& field : overridden_fields(kind))
    if (field.name() == name) return std::move(field);
  return std::nullopt;
}

std::vector<std::string> lines_of(std::string_view text) {
  if (text.empty()) return {};
  std::vector<std::string> lines(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escaped = text[i] == '\\' && i + 1 < text.size();
    if (text[i] == '\n')
      lines.emplace_back();
    else if (is_escaped)
      lines.back() += unescaped(text[++i]);
    else
      lines.back() += text[i];
  }
  return lines;
}

std::string joined_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) text += '\n';
    text += escaped(lines[i]);
  }
  return text;
}

std::string field_text(const Workspace& associated, const Record& record,
                       const OverriddenField& wanted) {
  if (wanted.field == Field::owners) return identifiers(associated, record.relations->owners());
  if (wanted.is_membership()) return identifiers(associated, record.relations->topologies());
  if (wanted.field == Field::properties) {
    std::vector<std::string> values;
    record.attributes->for_each_property([&](const Property& property) {
      if (property.name == wanted.property) values.emplace_back(property.value);
    });
    return joined_lines(values);
  }
  const FieldValue value = attribute_value(record.attributes->fields(), wanted.field);
  const auto* const text = std::get_if<std::string>(&value);
  return text != nullptr ? *text : std::string();
}

Result<Record> with_field_text(Workspace& workspace, const Record& record,
                               const OverriddenField& wanted, std::string_view text) {
  NETML_ASSERT(!wanted.is_membership());
  Record changed = record;
  if (wanted.field == Field::owners) {
    NETML_TRY(const std::vector<RecordId> owners, owners_of(workspace, text));
    RelationFields relations = record.relations->fields();
    relations.owners = owners;
    changed.relations = Relations::make(relations);
  } else {
    NETML_TRY(changed.attributes, with_attribute(*record.attributes, wanted, text));
  }
  return changed;
}

}  // namespace netml::engine
