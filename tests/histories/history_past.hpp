// What a random history remembers of each version, and what the node must tell of it later.
#pragma once

#include <vector>

#include "tests/histories/history_node.hpp"

namespace netml::test {

struct Version {
  PlainMap map;
  bool own_rules = false;   // whether they are enabled
  std::set<Key> delivered;  // topologies of the file that was imported
  bool undo = false;        // whether an undo led here
  WallTime time;
  Hashes files;          // that imports and plans name
  std::string chain;     // "LSN:hash"; empty where a step made several versions
  std::string exported;  // the same
};

class Past {
 public:
  // Of what the node holds now; the versions since the last one are taken for equal.
  void remember(HistoryNode& node, Version version);

  Lsn first() const { return first_; }  // before it, the history was set up
  Lsn last() const { return Lsn{versions_.size() - 1}; }
  const Version& at(Lsn lsn) const { return versions_[lsn.value]; }
  // The last version that was not later.
  Lsn at_time(WallTime time) const;

  // Each answers what differs; nothing when all is as it was.
  using Difference = std::optional<std::string>;
  // A data directory as it was at `lsn`, from whatever names it: "7", "import:2", a time. It is
  // whole, and tells which of its files are gone by now.
  Difference check_replay(HistoryNode& node, const std::string& until, Lsn lsn) const;
  Difference check_whole(admin::Node& node, Lsn lsn, std::size_t files_gone) const;
  Difference check_state(HistoryNode& node, Lsn lsn) const;
  // `netml log --topology`.
  Difference check_log(HistoryNode& node, const std::string& topology) const;

 private:
  bool concerns(Lsn lsn, const std::set<Key>& topologies) const;

  Lsn first_;
  std::vector<Version> versions_;  // by LSN
};

std::string differing(const std::vector<std::string>& found,
                      const std::vector<std::string>& expected);

}  // namespace netml::test
