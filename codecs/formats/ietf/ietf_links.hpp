// The links of RFC 8345 go one way: which two of them are the two directions of one link.
//
// Exactly those whose nodes and termination points are mirrored, where no third link joins the same
// ones in either direction. Nothing is concluded from names of links.
//
// Thread: any (pure functions).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/document/json_tree.hpp"

namespace netml::codecs {

// What a side of a link is called in the file.
struct SideNames {
  std::string_view member;
  std::string_view node;
  std::string_view point;
};
inline constexpr SideNames kSource{"source", "source-node", "source-tp"};
inline constexpr SideNames kDestination{"destination", "dest-node", "dest-tp"};

struct LinkSide {
  std::uint32_t node = 0;
  std::string_view node_id;
  std::string_view point;  // empty where the file names none
};

struct OneWayLink {
  JsonValue value;
  std::string_view id;
  LinkSide source = {};
  LinkSide destination = {};
  bool is_ours = false;  // written by us: a link with its identifier
};

inline constexpr std::uint32_t kNoLink = 0xffffffff;

// For each link the one that goes back; kNoLink where none does, or several may.
std::vector<std::uint32_t> find_links_back(std::span<const OneWayLink> links);

// What a link that goes back says, beside its id.
struct LinkBack {
  std::uint64_t known = 0;  // leaves that say what the link says, too
  std::string more;         // the other members, as JSON; empty where there are none
  std::uint64_t more_leaves = 0;
};
LinkBack compare_link_back(const OneWayLink& link, const OneWayLink& back);

}  // namespace netml::codecs
