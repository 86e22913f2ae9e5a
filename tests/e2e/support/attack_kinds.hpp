// The kinds of bad clients that a node is attacked with, one kind after the other and all together.
#pragma once

#include <string>
#include <vector>

#include "tests/e2e/support/crowd.hpp"

namespace netml::e2e {

struct AttackKind {
  std::string name;
  std::vector<Habit> habits;
};

// All kinds over one port; the last is all of them.
std::vector<AttackKind> open_attacks();  // without TLS
std::vector<AttackKind> tls_attacks();   // the port speaks TLS
// Heads, bodies, readers and handshakes that go on as slowly as they can; for a port with TLS.
AttackKind slow_clients();

}  // namespace netml::e2e
