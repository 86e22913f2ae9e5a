// Dictionaries of texts as Python prints them: {'name': 'k', 'value': 'v'}. Functional tests send
// properties in this form.
#pragma once

#include <boost/json/object.hpp>
#include <string_view>

#include "engine/base/result.hpp"

namespace netml::admin::functional {

// Errc::invalid_input when it is neither that nor a JSON object. Values other than texts and
// nested dictionaries are not among what is sent.
Result<boost::json::object> parse_dictionary(std::string_view text);

}  // namespace netml::admin::functional
