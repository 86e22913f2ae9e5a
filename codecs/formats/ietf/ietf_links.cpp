#include "codecs/formats/ietf/ietf_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>

#include "codecs/document/id_key.hpp"
#include "codecs/formats/draft/json_fields.hpp"
#include "engine/base/json_string.hpp"

namespace netml::codecs {

namespace {

// What a link joins, in this order. The length makes the text tell where one name ends.
std::string way(const LinkSide& from, const LinkSide& to) {
  return fmt::format("{} {} {} {}{}", from.node, to.node, from.point.size(), from.point, to.point);
}

struct Way {
  std::uint32_t link = kNoLink;  // the first one
  std::uint32_t count = 0;
};

// Whether a side has more than a node and a termination point.
bool says_more(const SideNames& names, JsonValue side) {
  const auto members = side.members();
  return std::any_of(members.begin(), members.end(), [&names](const JsonMember& member) {
    return (member.name != names.node && member.name != names.point) || !member.value.is_string();
  });
}

// Whether a member of the one that goes back says nothing new.
bool is_known(const OneWayLink& link, const JsonMember& member) {
  if (member.name == kSource.member) return !says_more(kSource, member.value);
  if (member.name == kDestination.member) return !says_more(kDestination, member.value);
  return link.value[member.name].json() == member.value.json();
}

}  // namespace

std::vector<std::uint32_t> find_links_back(std::span<const OneWayLink> links) {
  std::vector<std::string> texts(links.size());
  boost::unordered_flat_map<IdKey, Way, IdKeyHash> ways(links.size());
  for (std::uint32_t i = 0; i < links.size(); ++i) {
    texts[i] = way(links[i].source, links[i].destination);
    Way& found = ways[IdKey(texts[i])];
    if (found.count++ == 0) found.link = i;
  }
  std::vector<std::uint32_t> back(links.size(), kNoLink);
  for (std::uint32_t i = 0; i < links.size(); ++i) {
    const auto mirrored = ways.find(IdKey(way(links[i].destination, links[i].source)));
    if (mirrored == ways.end() || mirrored->second.count > 1) continue;
    if (ways.at(IdKey(texts[i])).count == 1) back[i] = mirrored->second.link;
  }
  return back;
}

LinkBack compare_link_back(const OneWayLink& link, const OneWayLink& back) {
  LinkBack said;
  for (const JsonMember& member : back.value.members()) {
    if (member.name == "link-id") {
      if (link.is_ours) ++said.known;  // it was made up, to write the link
    } else if (is_known(link, member)) {
      said.known += count_leaves(member.value);
    } else {
      said.more += said.more.empty() ? '{' : ',';
      append_json_string(said.more, member.name);
      (said.more += ':') += member.value.json();
      said.more_leaves += count_leaves(member.value);
    }
  }
  if (!said.more.empty()) said.more += '}';
  return said;
}

}  // namespace netml::codecs
