// JSON shapes of polls (docs/api.md).
#pragma once

#include <boost/json/object.hpp>

#include "admin/polling/polling.hpp"

namespace netml::admin {

// "aborted" and its kin.
const char* poll_status_name(engine::PollStatus status);
double seconds_of(std::uint64_t milliseconds);

boost::json::object source_status_json(const SourceStatus& source);
boost::json::object poll_report_json(const PollReport& report);
boost::json::object connection_report_json(const ConnectionReport& report);
boost::json::object poll_batch_json(const PollBatchView& batch, const engine::Catalog& catalog);

}  // namespace netml::admin
