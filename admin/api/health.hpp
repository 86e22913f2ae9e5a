// Health of a node, for whoever starts and balances it (docs/monitoring/README.md): `/health/live`
// says that the program answers, `/health/ready` that the node is open and takes changes. As JSON,
// with the reasons why not.
//
// Thread: any.
#pragma once

#include <cstdint>

#include "net/server/router.hpp"

namespace netml::admin {

class ClusterMember;
class Node;

// How much of a reason is given: what went wrong may name files.
enum class HealthDetail : std::uint8_t { for_everybody, for_operators };

// Both outlive the router. `node` null: it is still being opened; `cluster` null: it is alone.
void register_health(net::Router& router, const Node* node, HealthDetail detail,
                     const ClusterMember* cluster = nullptr);

}  // namespace netml::admin
