#include "admin/answers/json_answers.hpp"

#include <array>
#include <boost/json.hpp>

namespace netml {

// `code` of an error.
template <>
inline constexpr auto engine::kNamesOf<Errc> = engine::enum_names(
    "error", {"invalid-input", "not-found", "conflict", "unavailable", "no-space", "io-error",
              "corruption", "newer-version", "too-large", "denied", "internal", "outcome-unknown"});

}  // namespace netml

namespace netml::admin {

namespace json = boost::json;

namespace {

// What is not known is left out.
json::object input_error_json(const engine::InputError& error) {
  json::object object{{"code", error.code}, {"message", error.message}};
  if (!error.sheet.empty()) object["sheet"] = error.sheet;
  if (error.line > 0) object["line"] = error.line;
  if (error.column > 0) object["column"] = error.column;
  if (!error.pointer.empty()) object["pointer"] = error.pointer;
  if (!error.id.empty()) object["id"] = error.id;
  return object;
}

}  // namespace

const char* collection_name(Kind kind) {
  constexpr std::array<const char*, kKindCount> kNames{"topologies", "institutions", "nodes",
                                                       "links"};
  return kNames[static_cast<std::size_t>(kind)];
}

json::object error_json(const Error& error, const engine::InputErrors& errors) {
  json::object object{{"code", engine::enumerant_name(error.code)}, {"message", error.message}};
  if (!error.field.empty()) object["field"] = error.field;
  if (errors.count == 0) return object;
  json::array first;
  for (const engine::InputError& input : errors.first) first.push_back(input_error_json(input));
  object["errors"] = std::move(first);
  object["error_count"] = errors.count;
  return object;
}

net::Response json_answer(int status, const json::value& value) {
  return net::json_response(status, json::serialize(value));
}

net::Response no_content() {
  net::Response response;
  response.status = 204;
  return response;
}

net::Response error_answer(const Error& error) {
  return json_answer(net::http_status(error.code), {{"error", error_json(error, {})}});
}

}  // namespace netml::admin
