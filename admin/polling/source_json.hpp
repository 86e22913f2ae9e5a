// A polling source in JSON: as it is shown, and as requests give it (docs/api.md). What is
// wrong with a field is Errc::invalid_input, as in request_values.hpp.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>

#include "admin/polling/sources.hpp"
#include "engine/catalog/catalog.hpp"

namespace netml::admin {

boost::json::object source_json(std::uint64_t number, const engine::PollingSource& source);
Result<SourceFields> source_fields_of(const boost::json::object& fields);

}  // namespace netml::admin
