// What `netml cluster` does in its own process: with the data directory, which no server holds, and
// with the database.
//
// Thread: main.
#pragma once

#include "admin/cli/client/environment.hpp"
#include "admin/node/event_log.hpp"
#include "engine/base/random.hpp"
#include "engine/base/time.hpp"

namespace netml::admin {

// All must outlive them.
cli::ClusterCalls cluster_calls(const Clock& clock, Random& random, EventLog& events);

}  // namespace netml::admin
