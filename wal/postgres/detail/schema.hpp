// The tables of the log, in the schema `netml` of a database, and the functions of what must be
// decided where the rows are. All numbers are `bigint`, all times the database's.
//
// Who may write is decided by one row, that of `head`: whoever changes head or epoch has locked it.
// Frames come into their table first and mean nothing until the head says so in the same
// transaction; their key has the epoch, so that those of a leader that stopped half way are in
// nobody's way.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wal/postgres/detail/values.hpp"
#include "wal/shared/shared_engine.hpp"

namespace netml::wal::postgres {

inline constexpr std::int64_t kSchemaVersion = 1;
// What advance() fails with when another head or epoch stands there.
inline constexpr const char* kRefusedState = "NM001";

// Makes it, for a role whose name is quoted; `start` must outlive what is returned.
std::vector<Statement> make_schema(const SharedLogStart& start, const std::string& role);

}  // namespace netml::wal::postgres
