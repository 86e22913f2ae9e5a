// Single values of requests. A field may be missing, null, or a text that holds a number, since
// forms know nothing but texts. Errors are Errc::invalid_input; messages begin with the field.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/base/time.hpp"
#include "engine/graph/record.hpp"

namespace netml::admin::functional {

enum class Completeness : std::uint8_t {
  partial,  // PATCH: what is missing stays
  whole,    // POST, PUT: what has no default is needed
};

// A field that may be given under its NetML and its GRENML name; both with different values is an
// error. Null when neither is there.
Result<const boost::json::value*> aliased(const boost::json::object& fields, const char* name,
                                          const char* alias);

// Nothing when missing; null reads as empty.
Result<std::optional<std::string>> text_value(const boost::json::object& fields, const char* name);
// One that must be there, and not null.
Result<std::string> required_text(const boost::json::object& fields, const char* name);
// The same of the key of an item; whether there is such an item is not looked at.
Result<std::uint64_t> required_key(const boost::json::object& fields, const char* name);
Result<std::optional<bool>> flag_value(const boost::json::object& fields, const char* name);
Result<std::optional<std::int64_t>> integer_value(const boost::json::object& fields,
                                                  const char* name);
// The inner one is empty for null and "".
Result<std::optional<std::optional<Instant>>> time_value(const boost::json::object& fields,
                                                         const char* name);
Result<std::optional<std::optional<engine::Micro>>> decimal_value(const boost::json::object& fields,
                                                                  const char* name,
                                                                  std::size_t integer_digits_max);

// An integer, or a text that is one.
std::optional<std::int64_t> as_integer(const boost::json::value& value);
// A list; a single value is a list of one, as forms have it. Nothing when missing.
std::optional<std::vector<boost::json::value>> list_value(const boost::json::object& fields,
                                                          const char* name);

// A dictionary of texts as Python prints it, {'name': 'k', 'value': 'v'}: functional tests send
// properties in this form. Errc::invalid_input when it is neither that nor a JSON object. Values
// other than texts and nested dictionaries are not among what is sent.
Result<boost::json::object> parse_dictionary(std::string_view text);

}  // namespace netml::admin::functional
