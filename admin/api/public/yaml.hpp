// Writes JSON values as YAML in block style. Every text is quoted as in JSON, which YAML reads the
// same way, so that no text can be taken for something else.
#pragma once

#include <boost/json/value.hpp>
#include <string>

namespace netml::admin {

std::string to_yaml(const boost::json::value& value);

}  // namespace netml::admin
