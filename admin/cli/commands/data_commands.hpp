// What imports did, for commands that import.
#pragma once

#include "admin/cli/client/client.hpp"

namespace netml::admin::cli {

// Topologies that get another parent, a line each.
std::string move_lines(const JsonValue& answer);
// An import result for people.
CommandOutcome print_import(const JsonValue& answer, const Client& client);

}  // namespace netml::admin::cli
