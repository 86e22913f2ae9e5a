// Redundancy policies as JSON (docs/redundancy.md): one object for each, in the form that files,
// the API and its answers share.
//
// Thread: any (pure functions).
#pragma once

#include <boost/json/object.hpp>
#include <string_view>

#include "engine/analysis/redundancy.hpp"

namespace netml::codecs {

// Errc::invalid_input, with the field that is wrong ("who.kind"); none where the text is no JSON
// object. Fields that are not known are wrong: a demand that is not read would seem to be met. A
// byte-order mark is passed over.
Result<engine::RedundancyPolicy> read_redundancy_policy(std::string_view text);

// With all fields that have a value, those that were left out, too.
boost::json::object redundancy_policy_json(const engine::RedundancyPolicy& policy);

}  // namespace netml::codecs
