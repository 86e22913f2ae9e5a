#include "admin/answers/request_values.hpp"

#include <boost/json.hpp>

#include "engine/base/texts.hpp"

namespace netml::admin {

namespace json = boost::json;
using net::Request;

tl::unexpected<Error> wrong_field(std::string_view name, std::string_view what) {
  return fail(Errc::invalid_input, name, std::string(what));
}

const json::value* given_field(const json::object& fields, std::string_view name) {
  const json::value* value = fields.if_contains(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

Result<json::object> parse_object(std::string_view text) {
  boost::system::error_code error;
  json::value value = json::parse(text.empty() ? "{}" : text, error);
  if (error || !value.is_object())
    return fail(Errc::invalid_input, "the body must be a JSON object");
  return std::move(value.get_object());
}

Result<std::string> text_of(const json::object& fields, std::string_view name) {
  NETML_TRY(auto text, optional_text(fields, name));
  if (!text) return wrong_field(name, "is missing");
  return *std::move(text);
}

Result<std::optional<std::string>> optional_text(const json::object& fields,
                                                 std::string_view name) {
  const json::value* value = given_field(fields, name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) return wrong_field(name, "must be a text");
  return std::optional(std::string(value->get_string()));
}

Result<std::optional<bool>> optional_flag(const json::object& fields, std::string_view name) {
  const json::value* value = given_field(fields, name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_bool()) return wrong_field(name, "must be true or false");
  return std::optional(value->get_bool());
}

Result<bool> flag_of(const json::object& fields, std::string_view name, bool otherwise) {
  NETML_TRY(const auto flag, optional_flag(fields, name));
  return flag.value_or(otherwise);
}

Result<std::vector<std::uint64_t>> numbers_of(const json::object& fields, std::string_view name) {
  std::vector<std::uint64_t> numbers;
  const json::value* value = given_field(fields, name);
  if (value == nullptr) return numbers;
  if (!value->is_array()) return wrong_field(name, "must be a list of numbers");
  for (const json::value& each : value->get_array()) {
    boost::system::error_code error;
    numbers.push_back(each.to_number<std::uint64_t>(error));
    if (error) return wrong_field(name, "must be a list of numbers");
  }
  return numbers;
}

Result<std::optional<std::vector<std::string>>> optional_texts(const json::object& fields,
                                                               std::string_view name) {
  const json::value* value = given_field(fields, name);
  if (value == nullptr) return std::nullopt;
  std::vector<std::string> texts;
  if (!value->is_array()) return wrong_field(name, "must be a list of texts");
  for (const json::value& each : value->get_array()) {
    if (!each.is_string()) return wrong_field(name, "must be a list of texts");
    texts.emplace_back(each.get_string());
  }
  return texts;
}

Result<std::uint64_t> path_number(const Request& request, std::size_t index) {
  if (const auto number = parse_integer<std::uint64_t>(request.parameters.at(index)))
    return *number;
  return fail(Errc::not_found, "there is no such item");
}

std::optional<std::string> query_text(const Request& request, std::string_view name) {
  auto value = net::query_parameter(request.query, name);
  if (value && value->empty()) return std::nullopt;
  return value;
}

Result<std::optional<std::uint64_t>> query_number(const Request& request, std::string_view name) {
  const auto text = query_text(request, name);
  if (!text) return std::nullopt;
  if (const auto number = parse_integer<std::uint64_t>(*text)) return number;
  return wrong_field(name, "must be a number");
}

}  // namespace netml::admin
