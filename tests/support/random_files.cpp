#include "tests/support/random_files.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "tests/support/netml_text.hpp"

namespace netml::test {

namespace {

constexpr int kTopologies = 5;
constexpr int kInstitutions = 3;
constexpr int kNodes = 4;
constexpr int kLinks = 3;

bool one_in(int count) {
  return below(count) == count - 1;  // shrinks towards no
}
std::string numbered(char letter, int number) {
  return std::string(1, letter) + std::to_string(number);
}

// A subset of 0..count-1, ascending.
std::vector<int> some_of(int count) {
  const int mask = below(1 << count);
  std::vector<int> chosen;
  for (int i = 0; i < count; ++i)
    if ((mask >> i & 1) != 0) chosen.push_back(i);
  return chosen;
}

class FileDrawer {
 public:
  FileDrawer(std::vector<std::string> topologies, Marks marks)
      : topologies_(std::move(topologies)), marks_(marks) {}

  TopologyText draw(std::size_t index) {
    const int owner = below(kInstitutions);
    here_ = index;
    TopologyText text(topologies_[index], numbered('i', owner));
    text.named(one_in(4) ? "A common name" : topologies_[index]);
    if (one_in(3)) text.with("k", std::to_string(below(2)));
    add_contents(text, owner);
    return text;
  }

 private:
  void add_contents(TopologyText& topology, int owner) {
    std::vector<int> institutions = listed('i', kInstitutions);
    if (std::ranges::find(institutions, owner) == institutions.end()) institutions.push_back(owner);
    for (const int i : institutions) {
      ElementText element = institution(numbered('i', i));
      vary(element, numbered('i', i));
      topology.add(element);
    }
    const auto owned = [&](ElementText element, const std::string& id) {
      vary(element, id);
      if (one_in(2))
        element.owned_by(numbered(
            'i',
            institutions[static_cast<std::size_t>(below(static_cast<int>(institutions.size())))]));
      return element;
    };
    const std::vector<int> nodes = listed('n', kNodes);
    for (const int n : nodes) topology.add(owned(node(numbered('n', n)), numbered('n', n)));
    if (nodes.size() < 2) return;
    for (const int l : some_of(kLinks)) {
      const auto a = static_cast<std::size_t>(below(static_cast<int>(nodes.size())));
      const std::size_t b =
          (a + 1 + static_cast<std::size_t>(below(static_cast<int>(nodes.size()) - 1))) %
          nodes.size();
      const std::string id = numbered('l', l);
      topology.add(owned(link(id, numbered('n', nodes[a]), numbered('n', nodes[b])), id));
    }
  }

  void vary(ElementText& element, const std::string& id) {
    element.named(id + (one_in(2) ? " renamed" : ""));
    for (int count = below(3); count > 0; --count)
      element.with(*rc::gen::element<std::string>("k", "z", "tag", "!-own"),
                   std::to_string(below(2)));
    if (one_in(4)) element.version("2024-01-0" + std::to_string(1 + below(3)) + "T00:00:00Z");
    if (marks_ == Marks::homes)
      mark_away_from_home(element, id);
    else if (one_in(5))
      element.copy_of((one_in(4) ? "nowhere" : random_topology_id()) +
                      (one_in(3) ? ',' + random_topology_id() : ""));
  }

  // Some of the stock, and all that are at home here.
  std::vector<int> listed(char letter, int count) {
    std::vector<int> chosen = some_of(count);
    if (marks_ == Marks::any) return chosen;
    for (int i = 0; i < count; ++i)
      if (std::ranges::find(chosen, i) == chosen.end() && home(numbered(letter, i)).contains(here_))
        chosen.push_back(i);
    return chosen;
  }

  void mark_away_from_home(ElementText& element, const std::string& id) {
    if (element.kind() == Kind::link || home(id).contains(here_)) return;
    std::string mark;
    for (const std::size_t topology : home(id))
      mark += (mark.empty() ? "" : ",") + topologies_[topology];
    element.copy_of(mark.empty() ? "nowhere" : mark);
  }

  // The topologies that list the element itself.
  const std::set<std::size_t>& home(const std::string& id) {
    const auto [home, added] = homes_.try_emplace(id);
    if (added)
      for (const int topology : some_of(static_cast<int>(topologies_.size())))
        home->second.insert(static_cast<std::size_t>(topology));
    return home->second;
  }

  const std::vector<std::string> topologies_;
  const Marks marks_;
  std::size_t here_ = 0;
  std::map<std::string, std::set<std::size_t>> homes_;
};

}  // namespace

int below(int limit) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, limit));
}

std::string random_topology_id() {
  return numbered('T', below(kTopologies));
}

std::string random_file(int topology_count_max, Marks marks) {
  std::vector<std::string> ids;
  for (int i = 0; i < kTopologies; ++i) ids.push_back(numbered('T', i));
  std::rotate(ids.begin(), ids.begin() + below(kTopologies), ids.end());
  if (one_in(2)) std::ranges::reverse(ids);
  ids.resize(static_cast<std::size_t>(1 + below(topology_count_max)));
  FileDrawer drawer(ids, marks);
  std::vector<TopologyText> texts;
  for (std::size_t i = 0; i < ids.size(); ++i) texts.push_back(drawer.draw(i));
  for (std::size_t i = texts.size() - 1; i > 0; --i)
    texts[static_cast<std::size_t>(below(static_cast<int>(i)))].add(texts[i]);
  return texts.front();
}

}  // namespace netml::test
