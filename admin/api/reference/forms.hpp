// Bodies of small requests: JSON, urlencoded and multipart (docs/requirements/http-api.md,
// section 1).
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <string>
#include <string_view>

#include "engine/base/result.hpp"
#include "net/http/limits.hpp"

namespace netml::admin::functional {

// Errc::invalid_input when it is no JSON, or nested too deeply.
Result<boost::json::value> parse_json(std::string_view text);

// A JSON object, or a form as one: a field that is given several times becomes a list of texts.
// Errc::invalid_input when it cannot be read, or is not in UTF-8. A body without a type is JSON.
Result<boost::json::object> parse_fields(std::string_view content_type, const std::string& body,
                                         const net::Limits& limits);

// Whether a body of this type is read at all; others are answered 415.
bool is_accepted_type(std::string_view content_type);

}  // namespace netml::admin::functional
