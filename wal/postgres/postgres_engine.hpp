// Shared logs in PostgreSQL 15 with a synchronous standby (docs/cluster.md).
#pragma once

#include "wal/shared/shared_engine.hpp"

namespace netml::wal {

// `settings.connection` is one of libpq: "postgresql://user@one,two/base" or "host=one
// dbname=base". It connects to the host that takes writes. Passwords come from it, from PGPASSFILE
// or PGPASSWORD. Thread: any.
SharedEngine postgres_engine(const SharedEngineSettings& settings);

}  // namespace netml::wal
