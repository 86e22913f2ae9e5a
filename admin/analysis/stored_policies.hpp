// Redundancy policies that administrators have stored (docs/redundancy.md): read, and what a change
// of the map does to them.
//
// Thread: any (pure functions).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/analysis/redundancy.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::admin {

struct EnabledPolicy {
  std::uint64_t number = 0;
  engine::PolicyAction on_import = engine::PolicyAction::report;
  engine::RedundancyPolicy policy;
};

// The policy with the name that it is stored by. Errc::conflict for one that this program cannot
// read, as a later version may have stored.
Result<engine::RedundancyPolicy> read_stored(const engine::StoredPolicy& stored);
// Those that are enabled, in the order of their numbers; errors as those of one.
Result<std::vector<EnabledPolicy>> enabled_policies(const engine::Catalog& catalog);

// A policy that elements are below which were not before, or that is about nothing any more.
struct PolicyDecline {
  std::string policy;
  engine::PolicyAction on_import = engine::PolicyAction::report;
  Kind kind = Kind::institution;  // of the elements
  std::size_t below_before = 0;
  std::size_t below_after = 0;
  std::vector<std::string> first;  // of those that were not below before: "Name (id)"
};
inline constexpr std::size_t kDeclinedNamed = 5;

// Each policy is checked on both graphs, so this takes as long as that.
std::vector<PolicyDecline> find_declines(const engine::Graph& before, const engine::Graph& after,
                                         std::span<const EnabledPolicy> policies);

// 'below the redundancy policy "Campuses to the core" are 2 institutions, 1 before; first of all
// West (urn:west)'; 'nothing that the redundancy policy "..." is about'
std::string text_of(const PolicyDecline& decline);

// Whether checks may say something else after it.
bool may_change_routes(const engine::Transaction& transaction);

}  // namespace netml::admin
