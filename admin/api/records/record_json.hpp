// Records as the network topology endpoints show them (docs/requirements/http-api.md, section 12).
#pragma once

#include <boost/json/object.hpp>
#include <string>

#include "admin/api/records/property_keys.hpp"
#include "engine/transaction/state.hpp"

namespace netml::admin::functional {

// "45.500000"
std::string decimal_text(engine::Micro value);

// The texts that came later (Attribute::is_further), under their own names.
void add_further_texts(boost::json::object& object, const engine::Attributes& attributes);
// `keys` is held.
boost::json::object record_json(const engine::State& state, RecordId id, PropertyKeys& keys);
boost::json::object property_json(std::uint64_t key, const engine::Property& property);

}  // namespace netml::admin::functional
