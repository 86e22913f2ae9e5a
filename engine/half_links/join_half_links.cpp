// Each half says pairs: "my port A is joined to port B". Two halves are one link when the pairs of
// one, turned round, are those of the other. The direction is part of the name of a one-way port:
// an inbound port is fed by an outbound one.
#include "engine/half_links/join_half_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <compare>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "engine/base/sha256.hpp"

namespace netml::engine {

namespace {

using namespace half_link;

enum class PortIs : std::uint8_t { both_ways, inbound, outbound };
constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr std::size_t kSeveral = kNone - 1;

struct PortName {
  PortIs is = PortIs::both_ways;
  std::string_view text;
  auto operator<=>(const PortName&) const = default;
};
std::size_t hash_value(const PortName& name) {
  return boost::hash<std::string_view>()(name.text) * 3 + static_cast<std::size_t>(name.is);
}

struct Pair {
  PortName own;
  PortName other;
  auto operator<=>(const Pair&) const = default;
};

class Joiner {
 public:
  explicit Joiner(const std::vector<HalfLinkAt>& halves) : halves_(halves), pairs_(halves.size()) {}

  HalfLinkJoins join() && {
    for (std::size_t i = 0; i < halves_.size(); ++i) {
      name_ports(i);
      list_pairs(i);
    }
    for (std::size_t i = 0; i < halves_.size(); ++i) judge(i);
    std::ranges::sort(joins_.joined, {}, &JoinedHalves::first);
    return std::move(joins_);
  }

 private:
  void name_ports(std::size_t i) {
    const HalfLink& half = halves_[i].half;
    add_name({PortIs::both_ways, half.port()}, i);
    for (const auto& member : half.values(kIn)) add_name({PortIs::inbound, member.value}, i);
    for (const auto& member : half.values(kOut)) add_name({PortIs::outbound, member.value}, i);
  }

  void add_name(const PortName& name, std::size_t i) {
    const auto [found, added] = half_of_.try_emplace(name, i);
    if (!added && found->second != i) found->second = kSeveral;
  }

  void list_pairs(std::size_t i) {
    const HalfLink& half = halves_[i].half;
    std::vector<Pair>& pairs = pairs_[i];
    for (const auto& member : half.values(kPeerIn))
      pairs.push_back({{PortIs::inbound, half.value(kIn)}, {PortIs::outbound, member.value}});
    for (const auto& member : half.values(kPeerOut))
      pairs.push_back({{PortIs::outbound, half.value(kOut)}, {PortIs::inbound, member.value}});
    for (const auto& member : half.values(kPeer))
      pairs.push_back({{PortIs::both_ways, half.port()}, {PortIs::both_ways, member.value}});
    std::ranges::sort(pairs);
  }

  void leave(std::size_t i, Unjoined why, std::string reason) {
    joins_.unjoined.push_back({i, why, std::move(reason)});
  }

  void judge(std::size_t i) {
    const std::vector<Pair>& pairs = pairs_[i];
    if (pairs.empty()) {
      ++joins_.without_peer;
      return;
    }
    std::size_t other = kNone;
    for (const Pair& pair : pairs) {
      if (pair.own.text.empty())
        return leave(i, Unjoined::unclear, "it names the peer of a port that it does not have");
      const auto found = half_of_.find(pair.other);
      if (found == half_of_.end())
        return leave(i, Unjoined::dangling, fmt::format("no node has port {}", pair.other.text));
      if (found->second == kSeveral)
        return leave(i, Unjoined::unclear,
                     fmt::format("several half links have port {}", pair.other.text));
      if (other != kNone && other != found->second)
        return leave(i, Unjoined::unclear, "it names ports of several half links");
      other = found->second;
    }
    judge_pair(i, other);
  }

  void judge_pair(std::size_t i, std::size_t other) {
    if (halves_[i].node == halves_[other].node)
      return leave(i, Unjoined::unclear, "both ports are of one node");
    for (const Pair& pair : pairs_[i])
      if (half_of_.at(pair.own) == kSeveral)
        return leave(i, Unjoined::unclear,
                     fmt::format("several half links have port {}", pair.own.text));
    const auto missing = not_named_back(pairs_[i], pairs_[other]);
    if (missing)
      return leave(
          i, Unjoined::one_sided,
          fmt::format("port {} does not name port {}", missing->other.text, missing->own.text));
    if (const auto more = not_named_back(pairs_[other], pairs_[i]))
      return leave(i, Unjoined::one_sided,
                   fmt::format("port {} names port {}, which does not name it", more->own.text,
                               more->other.text));
    if (is_half_of_a_pair(i) || is_half_of_a_pair(other))
      return leave(i, Unjoined::one_sided, "only one direction is named");
    const std::string& port = halves_[i].half.port();
    if (std::tie(port, i) < std::tie(halves_[other].half.port(), other))
      joins_.joined.push_back({i, other, compare_labels(halves_[i].half, halves_[other].half)});
  }

  // The first pair of `pairs` that `others` do not have the other way round.
  static std::optional<Pair> not_named_back(const std::vector<Pair>& pairs,
                                            const std::vector<Pair>& others) {
    for (const Pair& pair : pairs)
      if (!std::ranges::binary_search(others, Pair{pair.other, pair.own})) return pair;
    return std::nullopt;
  }

  // Has ports in both directions, and names a peer of one alone.
  bool is_half_of_a_pair(std::size_t i) const {
    const HalfLink& half = halves_[i].half;
    if (half.value(kIn).empty() || half.value(kOut).empty()) return false;
    return half.values(kPeerIn).empty() != half.values(kPeerOut).empty();
  }

  const std::vector<HalfLinkAt>& halves_;
  std::vector<std::vector<Pair>> pairs_;
  boost::unordered_flat_map<PortName, std::size_t, boost::hash<PortName>> half_of_;
  HalfLinkJoins joins_;
};

}  // namespace

HalfLinkJoins join_half_links(const std::vector<HalfLinkAt>& halves) {
  return Joiner(halves).join();
}

void add_half_links(RecordId node, const Attributes& attributes, std::vector<HalfLinkAt>& halves) {
  if (attributes.property_count() == 0 || attributes.is_copy()) return;
  for (HalfLink& half : half_links_of(attributes)) halves.push_back({node, std::move(half)});
}

std::string_view text_of(Unjoined why) {
  switch (why) {
    case Unjoined::one_sided:
      return "one-sided";
    case Unjoined::dangling:
      return "dangling";
    case Unjoined::unclear:
      break;
  }
  return "unclear";
}

std::string joined_link_id(const HalfLink& one, const HalfLink& other) {
  const std::string_view called = one.value(kLink);
  if (!called.empty() && called == other.value(kLink) &&
      character_count(called) <= kIdCharactersMax)
    return std::string(called);
  const auto& [first, second] = std::minmax(one.port(), other.port());
  return generated_id(Kind::link, first, second);
}

}  // namespace netml::engine
