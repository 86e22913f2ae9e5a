#include "tests/histories/dice.hpp"

#include <fmt/format.h>

namespace netml::test {

std::set<Key> Dice::some_of(const std::vector<Key>& all) {
  std::set<Key> chosen;
  for (const Key key : all)
    if (one_in(2)) chosen.insert(key);
  return chosen;
}

std::string Dice::name_of(std::string_view id) {
  return fmt::format("{} {}", id, "abc"[below(3)]);
}

std::string Dice::value() {
  return one_in(2) ? std::string() : std::to_string(below(3));
}

std::string Dice::id(Kind kind) {
  switch (kind) {
    case Kind::topology:
      return fmt::format("T{}", below(5));
    case Kind::institution:
      return fmt::format("i{}", below(3));
    case Kind::node:
      return fmt::format("n{}", below(5));
    case Kind::link:
      break;
  }
  return fmt::format("l{}", below(3));
}

std::vector<std::string> Dice::some_ids(char letter, int count, int at_least) {
  std::vector<std::string> ids;
  for (int i = 0; i < count; ++i)
    if (one_in(2) || count - i <= at_least - static_cast<int>(ids.size()))
      ids.push_back(fmt::format("{}{}", letter, i));
  return ids;
}

PlainFile::Topology Dice::topology(const std::string& id) {
  PlainFile::Topology topology;
  topology.id = id;
  topology.name = name_of(id);
  const std::vector<std::string> owners = some_ids('i', 3, 1);
  topology.owner = one_of(owners);
  const auto add = [&](Kind kind, const std::string& element_id) -> PlainFile::Element& {
    PlainFile::Element& element = topology.elements.emplace_back();
    element.kind = kind;
    element.id = element_id;
    element.name = name_of(element_id);
    element.property = value();
    if (kind != Kind::institution && one_in(2)) element.owners.insert(one_of(owners));
    return element;
  };
  for (const std::string& owner : owners) add(Kind::institution, owner);
  std::vector<std::string> nodes = some_ids('n', 5, 0);
  for (const std::string& each : nodes) add(Kind::node, each);
  if (nodes.size() < 2) return topology;
  for (const std::string& each : some_ids('l', 3, 0)) {
    std::shuffle(nodes.begin(), nodes.end(), random_);
    add(Kind::link, each).ends = {nodes[0], nodes[1]};
  }
  return topology;
}

PlainFile Dice::file() {
  std::vector<std::string> ids = {"T0", "T1", "T2", "T3", "T4"};
  std::shuffle(ids.begin(), ids.end(), random_);
  const std::size_t count = one_in(2) ? 1 : 2 + static_cast<std::size_t>(below(3));
  PlainFile file;
  for (std::size_t i = 0; i < count; ++i) file.topologies.push_back(topology(ids[i]));
  file.topologies.back().parent = count - 1;
  // Below the next one or below the root: either leaves children before their parents.
  for (std::size_t i = 0; i + 1 < count; ++i)
    file.topologies[i].parent = one_in(3) ? i + 1 : count - 1;
  return file;
}

}  // namespace netml::test
