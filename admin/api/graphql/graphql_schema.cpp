#include "admin/api/graphql/graphql_schema.hpp"

#include <algorithm>
#include <array>
#include <boost/json.hpp>

#include "engine/graph/attributes.hpp"

namespace netml::admin::web::graphql {

namespace json = boost::json;

namespace {

constexpr std::array<std::string_view, 2> kOne{"id", "name"};
constexpr std::array<std::string_view, 1> kMany{"name"};

constexpr std::array kQueryFields{
    Field{"institution", "InstitutionType", Type::institution, kOne},
    Field{"node", "NodeType", Type::node, kOne},
    Field{"link", "LinkType", Type::link, kOne},
    Field{"institutions", "[InstitutionType]", Type::institution, kMany},
    Field{"nodes", "[NodeType]", Type::node, kMany},
    Field{"links", "[LinkType]", Type::link, kMany},
};

// Of records of any kind.
constexpr std::array kCommonFields{
    Field{"id", "ID!"},           Field{"netmlId", "String!"},
    Field{"grenmlId", "String!"},  // the same
    Field{"name", "String!"},     Field{"shortName", "String"},
    Field{"version", "DateTime"}, Field{"dirty", "Boolean!"},
};

// Of institutions, and of nodes, which lie somewhere.
constexpr std::array kPlacedFields{
    Field{"latitude", "Decimal!"}, Field{"longitude", "Decimal!"},
    Field{"altitude", "Decimal"},  Field{"unlocode", "String"},
    Field{"address", "String"},    Field{"properties", "[PropertyType]", Type::property},
};

constexpr std::array kOwnNodeFields{
    Field{"start", "DateTime"},
    Field{"end", "DateTime"},
    Field{"owners", "[InstitutionType]", Type::institution},
    Field{"linksA", "[LinkType]", Type::link},
    Field{"linksB", "[LinkType]", Type::link},
    Field{"connectedOwners", "[InstitutionType]", Type::institution},
};

constexpr std::array kOwnLinkFields{
    Field{"start", "DateTime"},
    Field{"end", "DateTime"},
    Field{"nodeA", "NodeType!", Type::node},
    Field{"nodeB", "NodeType!", Type::node},
    Field{"owners", "[InstitutionType]", Type::institution},
    Field{"properties", "[PropertyType]", Type::property},
};

constexpr auto kFurtherNames = [] {
  std::array<engine::SpelledName, engine::kFurtherTextCount> names{};
  std::size_t next = 0;
  engine::for_each_further_text(
      [&](const auto& text) { names[next++] = engine::in_camel_case(text.name); });
  return names;
}();

// In a row, and behind them the texts of that kind that came later.
template <Kind kKind, std::size_t... kCounts>
constexpr auto with_further(const std::array<Field, kCounts>&... first) {
  constexpr std::size_t kFurther = [] {
    std::size_t count = 0;
    engine::for_each_further_text([&](const auto& text) { count += text.applies_to(kKind); });
    return count;
  }();
  std::array<Field, (kCounts + ...) + kFurther> fields{};
  auto next = fields.begin();
  ((next = std::ranges::copy(first, next).out), ...);
  engine::for_each_further_text([&, name = std::size_t{0}](const auto& text) mutable {
    const std::string_view spelled = kFurtherNames[name++].view();
    if (text.applies_to(kKind)) *next++ = Field{spelled, "String"};
  });
  return fields;
}
constexpr auto kInstitutionFields = with_further<Kind::institution>(kCommonFields, kPlacedFields);
constexpr auto kNodeFields = with_further<Kind::node>(kCommonFields, kPlacedFields, kOwnNodeFields);
constexpr auto kLinkFields = with_further<Kind::link>(kCommonFields, kOwnLinkFields);

constexpr std::array kPropertyFields{
    Field{"id", "ID!"},
    Field{"name", "String!"},
    Field{"value", "String!"},
};

struct TypeTexts {
  Type type;
  std::string_view name;
  std::span<const Field> fields;
};
constexpr std::array kTypes{
    TypeTexts{Type::query, "Query", kQueryFields},
    TypeTexts{Type::institution, "InstitutionType", kInstitutionFields},
    TypeTexts{Type::node, "NodeType", kNodeFields},
    TypeTexts{Type::link, "LinkType", kLinkFields},
    TypeTexts{Type::property, "PropertyType", kPropertyFields},
    TypeTexts{Type::scalar, "String", {}},
    TypeTexts{Type::description, "__Type", {}},
};
static_assert([] {
  std::size_t place = 0;
  return std::ranges::all_of(
      kTypes, [&](const TypeTexts& each) { return each.type == static_cast<Type>(place++); });
}());

constexpr std::array<std::string_view, 5> kScalars{"ID", "String", "Boolean", "Decimal",
                                                   "DateTime"};

json::object named_type(std::string_view name) {
  const bool scalar = std::ranges::find(kScalars, name) != kScalars.end();
  return {{"kind", scalar ? "SCALAR" : "OBJECT"}, {"name", name}, {"ofType", nullptr}};
}

json::object wrapped(const char* kind, json::object of) {
  return {{"kind", kind}, {"name", nullptr}, {"ofType", std::move(of)}};
}

// "[NodeType]" or "ID!".
json::object type_reference(std::string_view text) {
  if (text.ends_with('!')) return wrapped("NON_NULL", named_type(text.substr(0, text.size() - 1)));
  if (text.starts_with('[')) return wrapped("LIST", named_type(text.substr(1, text.size() - 2)));
  return named_type(text);
}

json::object argument_json(std::string_view name, std::string_view type) {
  return {{"name", name},
          {"description", nullptr},
          {"type", type_reference(type)},
          {"defaultValue", nullptr},
          {"isDeprecated", false},
          {"deprecationReason", nullptr}};
}

json::object type_json(const char* kind, std::string_view name) {
  return {{"kind", kind},
          {"name", name},
          {"description", nullptr},
          {"specifiedByURL", nullptr},
          {"fields", nullptr},
          {"inputFields", nullptr},
          {"interfaces", nullptr},
          {"enumValues", nullptr},
          {"possibleTypes", nullptr},
          {"ofType", nullptr}};
}

json::object object_json(Type type) {
  json::array fields;
  for (const Field& field : fields_of(type)) {
    json::array arguments;
    for (const std::string_view argument : field.arguments)
      arguments.push_back(argument_json(argument, "String"));
    fields.push_back(json::object{{"name", field.name},
                                  {"description", nullptr},
                                  {"args", std::move(arguments)},
                                  {"type", type_reference(field.type)},
                                  {"isDeprecated", false},
                                  {"deprecationReason", nullptr}});
  }
  json::object object = type_json("OBJECT", type_name(type));
  object["fields"] = std::move(fields);
  object["interfaces"] = json::array();
  return object;
}

json::object directive_json(const char* name) {
  return {{"name", name},
          {"description", nullptr},
          {"isRepeatable", false},
          {"locations", {"FIELD", "FRAGMENT_SPREAD", "INLINE_FRAGMENT"}},
          {"args", {argument_json("if", "Boolean!")}}};
}

}  // namespace

std::string_view type_name(Type type) {
  return kTypes[static_cast<std::size_t>(type)].name;
}

std::span<const Field> fields_of(Type type) {
  return kTypes[static_cast<std::size_t>(type)].fields;
}

const Field* find_field(Type type, std::string_view name) {
  const auto fields = fields_of(type);
  const auto found = std::ranges::find(fields, name, &Field::name);
  return found == fields.end() ? nullptr : &*found;
}

json::value describe_schema() {
  json::array types;
  for (const Type type : {Type::query, Type::institution, Type::node, Type::link, Type::property})
    types.push_back(object_json(type));
  for (const std::string_view scalar : kScalars) types.push_back(type_json("SCALAR", scalar));
  return json::object{{"queryType", named_type("Query")},
                      {"mutationType", nullptr},
                      {"subscriptionType", nullptr},
                      {"types", std::move(types)},
                      {"directives", {directive_json("include"), directive_json("skip")}}};
}

}  // namespace netml::admin::web::graphql
