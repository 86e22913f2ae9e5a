#include "tests/admin/support/api_schemas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "engine/base/lower_case.hpp"
#include "engine/base/time.hpp"
#include "tests/support/file_content.hpp"

namespace netml::admin::testing {

namespace {

namespace json = boost::json;

constexpr const char* kEvents = "text/event-stream";  // answers that end with their reader

// What a reference, or a chain of them, leads to.
const json::object& resolved(const json::value& description, const json::value& value) {
  const json::value* found = &value;
  while (const json::value* reference = found->as_object().if_contains("$ref"))
    found = &description.at_pointer(std::string_view(reference->as_string()).substr(1));
  return found->as_object();
}

bool is_type(const json::value& value, std::string_view type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_bool();
  if (type == "number") return value.is_number();
  if (type == "integer") return value.is_int64() || value.is_uint64();
  return type == "null" && value.is_null();
}

// Members that a schema has named, by their names in the value.
using Names = std::set<std::string_view>;

// Judges one value. Recursive, as schemas are; how deep, the description says.
class Judge {
 public:
  explicit Judge(const json::value& description) : description_(description) {}

  // The whole of it: what no part of the schema names is wrong, too.
  void judge(const json::value& schema, const json::value& value, const std::string& place) {
    Names named;
    judge_part(schema, value, place, named);
    refuse_unnamed(value, place, named);
  }
  std::vector<std::string> take() { return std::move(problems_); }

 private:
  void judge_part(const json::value& described, const json::value& value, const std::string& place,
                  Names& named) {
    const json::object& schema = resolved(description_, described);
    refuse_unknown_keywords(schema, place);
    if (!has_type(schema, value, place)) return;
    judge_text(schema, value, place);
    if (value.is_array()) judge_items(schema, value.get_array(), place);
    if (value.is_object()) judge_members(schema, value.get_object(), place, named);
    if (const json::value* all = schema.if_contains("allOf"))
      for (const json::value& each : all->as_array()) judge_part(each, value, place, named);
    for (const char* keyword : {"oneOf", "anyOf"})
      if (const json::value* choices = schema.if_contains(keyword))
        judge_choices(choices->as_array(), value, place, named);
    if (const json::value* further = schema.if_contains("unevaluatedProperties");
        further != nullptr && value.is_object())
      judge_further(*further, value.get_object(), place, named);
  }

  // One that this does not know would be passed over.
  void refuse_unknown_keywords(const json::object& schema, const std::string& place) {
    constexpr std::array<std::string_view, 15> kKnown{
        "type",  "required", "properties", "additionalProperties",
        "items", "minItems", "maxItems",   "unevaluatedProperties",
        "enum",  "const",    "oneOf",      "anyOf",
        "allOf", "format",   "description"};
    for (const auto& keyword : schema)
      if (std::ranges::find(kKnown, std::string_view(keyword.key())) == kKnown.end())
        add(place, fmt::format("the test does not know {}", std::string_view(keyword.key())));
  }

  bool has_type(const json::object& schema, const json::value& value, const std::string& place) {
    const json::value* type = schema.if_contains("type");
    if (type == nullptr) return true;
    const json::array types = type->is_array() ? type->get_array() : json::array{*type};
    const bool fits = std::ranges::any_of(types, [&](const json::value& each) {
      return is_type(value, std::string_view(each.as_string()));
    });
    if (!fits) add(place, fmt::format("is no {}: {}", shown(*type), shown(value)));
    return fits;
  }

  void judge_text(const json::object& schema, const json::value& value, const std::string& place) {
    if (const json::value* choices = schema.if_contains("enum");
        choices != nullptr &&
        std::ranges::find(choices->as_array(), value) == choices->as_array().end())
      add(place, fmt::format("is none of {}: {}", shown(*choices), shown(value)));
    if (const json::value* only = schema.if_contains("const"); only != nullptr && value != *only)
      add(place, fmt::format("is not {}: {}", shown(*only), shown(value)));
    if (const json::value* format = schema.if_contains("format");
        format != nullptr && *format == "date-time" && value.is_string() &&
        !parse_instant(std::string_view(value.get_string())))
      add(place, fmt::format("is no time: {}", shown(value)));
  }

  void judge_items(const json::object& schema, const json::array& items, const std::string& place) {
    const auto bound = [&](const char* name, std::uint64_t otherwise) {
      const json::value* value = schema.if_contains(name);
      return value == nullptr ? otherwise : value->to_number<std::uint64_t>();
    };
    if (items.size() < bound("minItems", 0) || items.size() > bound("maxItems", items.size()))
      add(place, fmt::format("has {} items", items.size()));
    const json::value* each = schema.if_contains("items");
    if (each == nullptr) return;
    for (std::size_t i = 0; i < items.size(); ++i)
      judge(*each, items[i], fmt::format("{}/{}", place, i));
  }

  void judge_members(const json::object& schema, const json::object& object,
                     const std::string& place, Names& named) {
    if (const json::value* required = schema.if_contains("required"))
      for (const json::value& name : required->as_array())
        if (!object.contains(name.as_string())) add(place, fmt::format("has no {}", shown(name)));
    Names here;
    if (const json::value* properties = schema.if_contains("properties"))
      for (const auto& property : properties->as_object())
        if (const auto member = object.find(property.key()); member != object.end()) {
          here.insert(member->key());
          judge(property.value(), member->value(), below(place, member->key()));
        }
    if (const json::value* others = schema.if_contains("additionalProperties"))
      judge_further(*others, object, place, here);
    named.merge(here);
  }

  // Those that are not named yet.
  void judge_further(const json::value& schema, const json::object& object,
                     const std::string& place, Names& named) {
    for (const auto& member : object)
      if (named.insert(member.key()).second)
        judge(schema, member.value(), below(place, member.key()));
  }

  // One must fit whole; else the one that fits best says why not.
  void judge_choices(const json::array& choices, const json::value& value, const std::string& place,
                     Names& named) {
    std::vector<std::string> fewest;
    for (const json::value& choice : choices) {
      Judge attempt(description_);
      Names names = named;
      attempt.judge_part(choice, value, place, names);
      attempt.refuse_unnamed(value, place, names);
      std::vector<std::string> found = attempt.take();
      if (found.empty()) {
        named = std::move(names);
        return;
      }
      if (fewest.empty() || found.size() < fewest.size()) fewest = std::move(found);
    }
    problems_.insert(problems_.end(), fewest.begin(), fewest.end());
  }

  void refuse_unnamed(const json::value& value, const std::string& place, const Names& named) {
    if (!value.is_object()) return;
    for (const auto& member : value.get_object())
      if (!named.contains(member.key())) add(below(place, member.key()), "is not described");
  }

  static std::string below(const std::string& place, std::string_view name) {
    return fmt::format("{}/{}", place, name);
  }
  static std::string shown(const json::value& value) {
    return json::serialize(value).substr(0, 200);
  }
  void add(const std::string& place, std::string_view what) {
    problems_.push_back(fmt::format("{} {}", place.empty() ? "the answer" : place, what));
  }

  const json::value& description_;
  std::vector<std::string> problems_;
};

// What the description says of the status; null when nothing.
const json::value* find_response(const json::object& responses, int status) {
  const json::value* exact = responses.if_contains(std::to_string(status));
  return exact != nullptr ? exact : responses.if_contains(fmt::format("{}XX", status / 100));
}

// The documents of a body: one, or one a line. Of other files none.
std::vector<json::value> documents_of(std::string_view type, const std::string& body) {
  std::vector<json::value> documents;
  if (type == "application/x-ndjson") {
    std::istringstream lines(body);
    for (std::string line; std::getline(lines, line);) documents.push_back(json::parse(line));
  } else if (type.ends_with("json")) {
    documents.push_back(json::parse(body));
  }
  return documents;
}

}  // namespace

ApiSchemas::ApiSchemas(const std::string& file)
    : description_(json::parse(test::file_content(file))) {}

std::vector<std::string> ApiSchemas::problems(net::Method method, std::string_view pattern,
                                              const Reply& reply) const {
  const json::object& paths = description_.at("paths").as_object();
  const json::value* path = paths.if_contains(pattern);
  const json::value* operation =
      path == nullptr ? nullptr
                      : path->as_object().if_contains(engine::lower_case(net::method_name(method)));
  if (operation == nullptr) return {"the path is not described"};
  const json::value* described =
      find_response(operation->at("responses").as_object(), reply.status);
  if (described == nullptr) return {fmt::format("the status {} is not described", reply.status)};
  const json::value* content = resolved(description_, *described).if_contains("content");
  if (content == nullptr) {
    if (reply.body.empty()) return {};
    return {"the status has a body that is not described"};
  }
  std::string_view type = reply.headers.get("Content-Type");
  type = type.substr(0, type.find(';'));
  const json::value* of_type = content->as_object().if_contains(type);
  if (of_type == nullptr) return {fmt::format("the type {} is not described", type)};
  Judge judge(description_);
  for (const json::value& document : documents_of(type, reply.body))
    judge.judge(of_type->at("schema"), document, "");
  return judge.take();
}

std::set<std::string> ApiSchemas::read_patterns() const {
  std::set<std::string> patterns;
  for (const auto& path : description_.at("paths").as_object()) {
    const json::value* get = path.value().as_object().if_contains("get");
    if (get == nullptr) continue;
    const json::value* done = find_response(get->at("responses").as_object(), 200);
    const json::value* content =
        done == nullptr ? nullptr : resolved(description_, *done).if_contains("content");
    const bool ends = content == nullptr || !content->as_object().contains(kEvents);
    if (ends) patterns.insert(std::string(path.key()));
  }
  return patterns;
}

}  // namespace netml::admin::testing
