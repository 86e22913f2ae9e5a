// The default collation rules on plain maps, and four rules of the histories' own, as docs/rules.md
// tells them.
#pragma once

#include <string_view>

#include "tests/histories/plain_map.hpp"

namespace netml::test {

inline constexpr std::string_view kOwnRuleset = "Own";
inline constexpr std::array<std::string_view, 4> kOwnRules{"no n1", "l0 without k", "n3 is n2",
                                                           "no i2 in T1"};
// The ruleset, disabled, as a file of rules.
std::string_view own_rules_json();

// What no rule may see: elements that are about to be deleted.
using Hidden = std::set<Key>;

// Of all that have one identifier the newest stays, in the topologies and with the owners of all.
void unite_duplicates(PlainMap& map, Kind kind, const Hidden& hidden);
void run_own_rule(PlainMap& map, std::size_t rule, const Hidden& hidden = {});
// Whatever is enabled, as after every change.
void run_rules(PlainMap& map, bool own_rules, const Hidden& hidden = {});

}  // namespace netml::test
