#include "admin/src/request_values.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <limits>

#include "admin/services/source_address.hpp"
#include "admin/src/numbers.hpp"

namespace netml::admin {

namespace json = boost::json;
using net::Request;

namespace {

tl::unexpected<Error> wrong(std::string_view name, std::string_view what) {
  return fail(Errc::invalid_input, fmt::format("{}: {}", name, what));
}

// What is there; nullptr when it is absent or null.
const json::value* given(const json::object& fields, std::string_view name) {
  const json::value* value = fields.if_contains(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

// Null: none.
Status take_limit(const json::object& fields, std::string_view name,
                  std::optional<std::optional<std::uint32_t>>& into) {
  const json::value* value = fields.if_contains(name);
  if (value == nullptr) return {};
  const bool fits = value->is_int64() && value->get_int64() >= 0 &&
                    value->get_int64() <= std::numeric_limits<std::int32_t>::max();
  if (!fits && !value->is_null()) return wrong(name, "must be a whole number, or null");
  into.emplace();
  if (fits) *into = static_cast<std::uint32_t>(value->get_int64());
  return {};
}

}  // namespace

Result<json::object> parse_object(std::string_view text) {
  boost::system::error_code error;
  json::value value = json::parse(text.empty() ? "{}" : text, error);
  if (error || !value.is_object())
    return fail(Errc::invalid_input, "the body must be a JSON object");
  return std::move(value.get_object());
}

Result<std::string> text_of(const json::object& fields, std::string_view name) {
  NETML_TRY(auto text, optional_text(fields, name));
  if (!text) return wrong(name, "is missing");
  return *std::move(text);
}

Result<std::optional<std::string>> optional_text(const json::object& fields,
                                                 std::string_view name) {
  const json::value* value = given(fields, name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) return wrong(name, "must be a text");
  return std::optional(std::string(value->get_string()));
}

Result<std::optional<bool>> optional_flag(const json::object& fields, std::string_view name) {
  const json::value* value = given(fields, name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_bool()) return wrong(name, "must be true or false");
  return std::optional(value->get_bool());
}

Result<bool> flag_of(const json::object& fields, std::string_view name, bool otherwise) {
  NETML_TRY(const auto flag, optional_flag(fields, name));
  return flag.value_or(otherwise);
}

Result<std::vector<std::uint64_t>> numbers_of(const json::object& fields, std::string_view name) {
  std::vector<std::uint64_t> numbers;
  const json::value* value = given(fields, name);
  if (value == nullptr) return numbers;
  if (!value->is_array()) return wrong(name, "must be a list of numbers");
  for (const json::value& each : value->get_array()) {
    boost::system::error_code error;
    numbers.push_back(each.to_number<std::uint64_t>(error));
    if (error) return wrong(name, "must be a list of numbers");
  }
  return numbers;
}

namespace {

Status take_authority(const json::object& fields, SourceFields& source) {
  NETML_TRY(const auto authority, optional_text(fields, "authority"));
  if (authority) {
    source.authority = engine::parse_authority(*authority);
    if (!source.authority) return wrong("authority", "must be \"own\", \"listed\" or \"any\"");
  }
  const json::value* listed = given(fields, "listed_topologies");
  if (listed == nullptr) return {};
  constexpr const char* kExpected = "must be a list of identifiers";
  if (!listed->is_array()) return wrong("listed_topologies", kExpected);
  source.listed_topologies.emplace();
  for (const json::value& topology : listed->get_array()) {
    if (!topology.is_string()) return wrong("listed_topologies", kExpected);
    source.listed_topologies->emplace_back(topology.get_string());
  }
  return {};
}

}  // namespace

Result<SourceFields> source_fields_of(const json::object& fields) {
  SourceFields source;
  NETML_TRY(source.name, optional_text(fields, "name"));
  NETML_TRY(source.hostname, optional_text(fields, "hostname"));
  NETML_TRY(source.path, optional_text(fields, "path"));
  NETML_TRY(source.token, optional_text(fields, "token"));
  NETML_TRY(source.ca_certificates, optional_text(fields, "ca_certificates"));
  NETML_TRY(source.active, optional_flag(fields, "active"));
  NETML_TRY(source.plain_http, optional_flag(fields, "plain_http"));
  NETML_TRY(source.unverified, optional_flag(fields, "unverified"));
  NETML_TRY_VOID(take_limit(fields, "deletions_max", source.deletions_max));
  NETML_TRY_VOID(take_limit(fields, "deletion_percent_max", source.deletion_percent_max));
  NETML_TRY_VOID(take_authority(fields, source));
  NETML_TRY(const auto protocol, optional_text(fields, "protocol"));
  if (protocol) {
    NETML_TRY(source.protocol, parse_protocol(*protocol));
  }
  if (const json::value* port = given(fields, "port")) {
    boost::system::error_code error;
    source.port = port->to_number<std::int64_t>(error);
    if (error) return wrong("port", "must be a whole number");
  }
  return source;
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
  return wrong(name, "must be a number");
}

}  // namespace netml::admin
