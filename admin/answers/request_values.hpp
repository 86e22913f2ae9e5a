// Values out of the JSON bodies, paths and queries that the APIs take. What is wrong with a field
// is Errc::invalid_input, and the message begins with the field's name and a colon.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "net/http/http.hpp"

namespace netml::admin {

// An empty text is an empty object.
Result<boost::json::object> parse_object(std::string_view text);

// The error of a field: its name, a colon, what is wrong.
tl::unexpected<Error> wrong_field(std::string_view name, std::string_view what);
// What is there; nullptr when it is absent or null.
const boost::json::value* given_field(const boost::json::object& fields, std::string_view name);

// What is optional is absent when it is not there or null.
Result<std::string> text_of(const boost::json::object& fields, std::string_view name);
Result<std::optional<std::string>> optional_text(const boost::json::object& fields,
                                                 std::string_view name);
Result<bool> flag_of(const boost::json::object& fields, std::string_view name, bool otherwise);
Result<std::optional<bool>> optional_flag(const boost::json::object& fields, std::string_view name);
Result<std::vector<std::uint64_t>> numbers_of(const boost::json::object& fields,
                                              std::string_view name);
Result<std::optional<std::vector<std::string>>> optional_texts(const boost::json::object& fields,
                                                               std::string_view name);

// A number in the path. Errc::not_found when it is none.
Result<std::uint64_t> path_number(const net::Request& request, std::size_t index = 0);
// A parameter of the query; empty counts as absent.
std::optional<std::string> query_text(const net::Request& request, std::string_view name);
Result<std::optional<std::uint64_t>> query_number(const net::Request& request,
                                                  std::string_view name);

}  // namespace netml::admin
