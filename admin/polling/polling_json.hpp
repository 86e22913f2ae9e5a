// Polling sources and polls in JSON: as they are shown, and a source as requests give it
// (docs/api.md).
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>

#include "admin/polling/polling.hpp"

namespace netml::admin {

// "aborted" and its kin.
const char* poll_status_name(engine::PollStatus status);
double seconds_of(std::uint64_t milliseconds);

boost::json::object source_json(std::uint64_t number, const engine::PollingSource& source);
// What is wrong with a field is Errc::invalid_input, as in request_values.hpp.
Result<SourceFields> source_fields_of(const boost::json::object& fields);

boost::json::object source_status_json(const SourceStatus& source);
boost::json::object poll_report_json(const PollReport& report);
boost::json::object connection_report_json(const ConnectionReport& report);
boost::json::object poll_batch_json(const PollBatchView& batch, const engine::Catalog& catalog);

}  // namespace netml::admin
