// What the action "Join Half Links" makes: the links that pairs of half links are
// (docs/formats/half-links.md), in a workspace. It looks at all nodes and links once, when it is
// made, whichever of them a rule matches: a half link is joined with any other that names it.
// Thread: its owner.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/half_links/join_half_links.hpp"
#include "engine/transaction/workspace.hpp"

namespace netml::engine {

// By these a link is known that was made of half links, and how their labels compare.
inline constexpr Property kMadeOfHalfLinks{"joined", "half links"};
inline constexpr std::string_view kHalfLinkLabels = "half_link_labels";

class HalfLinkJoiner {
 public:
  // `workspace` must outlive this.
  explicit HalfLinkJoiner(Workspace& workspace);

  // What became of one half link.
  struct Outcome {
    std::string text;
    RecordId changed = {};     // the link that was made, or brought up to date
    std::string warning = {};  // about it
    bool succeeded = true;     // no: another link has its identifier
  };
  // Of each half link of a node that names another one.
  std::vector<Outcome> join(RecordId node);

  // Links that were made of pairs that are none any more, or have another link now. One that a
  // neighbour's file has, whose other end is only a copy here, is theirs to judge.
  std::vector<RecordId> outdated() const;

 private:
  using Ports = std::pair<std::string, std::string>;  // ascending
  static Ports ports_of(const HalfLink& one, const HalfLink& other);
  // Of a link that was made of half links; empty for any other.
  static Ports ports_of(const Record& link);

  void find_made_links();
  Outcome join_pair(const JoinedHalves& pair, std::size_t own);
  bool is_taken(const std::string& id, RecordId by_other_than);
  void put(RecordId& place, Record link);
  Record link_of(const JoinedHalves& pair, std::string_view id, const Record& before) const;
  RelationsPtr relations_of(const JoinedHalves& pair) const;
  std::string name_of(const JoinedHalves& pair) const;
  std::string describe(std::size_t half) const;

  Workspace& workspace_;
  std::vector<HalfLinkAt> halves_;  // by node
  HalfLinkJoins joins_;
  // Of each half link: its place among those that are joined, or among those that are not.
  std::vector<std::optional<std::size_t>> pair_of_;
  std::vector<std::optional<std::size_t>> reason_of_;
  std::set<Ports> pairs_;
  // Where the link of two ports stands, or stood before this transaction.
  std::map<Ports, RecordId> made_;
};

}  // namespace netml::engine
