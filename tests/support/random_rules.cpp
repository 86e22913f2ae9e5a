#include "tests/support/random_rules.hpp"

#include <utility>
#include <vector>

#include "tests/support/random_files.hpp"
#include "tests/support/random_history.hpp"
#include "tests/support/rules_harness.hpp"

namespace netml::test {

using engine::Rule;
using engine::RulePart;

std::string random_id(int kind) {
  constexpr const char* kLetters[] = {"i", "n", "l"};
  return kLetters[kind] + std::to_string(below(kind == 1 ? 4 : 3));
}

namespace {

constexpr const char* kKindNames[] = {"Institution", "Node", "Link"};

RulePart random_criterion(int kind) {
  const std::string kinds = std::string(kKindNames[kind]) + 's';
  switch (below(3)) {
    case 0:
      return part("Match " + kinds + " by ID", {{"ID", random_id(kind)}});
    case 1:
      return part("Match " + kinds + " by Topology", {{"Topology ID", random_topology_id()}});
    default:
      return part("Match Duplicate " + kinds);
  }
}

RulePart random_substitution(int kind, bool merging) {
  RulePart made = part((merging ? "Merge into " : "Replace with ") + std::string(kKindNames[kind]),
                       {{"ID", random_id(kind)}});
  if (below(3) > 0) made.infos.push_back({0, "Topology ID", random_topology_id()});
  return made;
}

RulePart random_action(int kind, bool merging) {
  const std::string name = kKindNames[kind];
  switch (below(merging ? 6 : 5)) {
    case 0:
      return part("Delete " + name);
    case 1: {
      RulePart made = part("Delete " + name + " Property", {{"name", below(2) == 0 ? "K" : "z"}});
      if (below(2) == 0) made.infos.push_back({0, "value", std::to_string(below(2))});
      return made;
    }
    case 2:
      return part("Delete " + name + " Tag Property", {{"value", std::to_string(below(2))}});
    case 3:
      return random_substitution(kind, false);
    case 4:
      return part("Keep Newest " + name);
    default:
      return random_substitution(kind, true);
  }
}

}  // namespace

Rule random_rule(const std::string& name) {
  const int kind = below(3);
  const bool by_id = below(2) == 0;
  std::vector<RulePart> criteria;
  for (int count = by_id ? below(2) : 1 + below(2); count > 0; --count)
    criteria.push_back(random_criterion(kind));
  if (by_id)
    criteria.push_back(
        part("Match " + std::string(kKindNames[kind]) + "s by ID", {{"ID", random_id(kind)}}));
  std::vector<RulePart> actions;
  for (int count = by_id ? 1 + below(3) : 1; count > 0; --count)
    actions.push_back(random_action(kind, by_id));
  return rule(name, std::move(criteria), std::move(actions));
}

}  // namespace netml::test
