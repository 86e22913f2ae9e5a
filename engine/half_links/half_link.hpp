// Half links: what a file says of a link to another network, whose other end is in a file of that
// network (docs/formats/half-links.md). A node keeps one for each such port, as values of its
// property `half_link`; a link keeps the two that it was made of.
//
// A half link is a port and members, each a name with one value or several. As values of a property
// it is one or more JSON objects of texts, each with the port and at most as long as a property may
// be; what those of one port say together is the half link, whatever their order.
//
// Thread: any (values and pure functions). Failure: a value that is no half link is passed over.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/graph/record.hpp"

namespace netml::engine {

inline constexpr std::string_view kHalfLinkProperty = "half_link";

// Names of members that are understood; others are kept.
namespace half_link {
inline constexpr std::string_view kPort = "port";
inline constexpr std::string_view kNode = "node";  // of a half that a link keeps
inline constexpr std::string_view kIn = "in";      // the port's one-way ports
inline constexpr std::string_view kOut = "out";
inline constexpr std::string_view kPeerIn = "peer_in";    // what feeds `in`: an outbound port
inline constexpr std::string_view kPeerOut = "peer_out";  // what `out` feeds: an inbound port
inline constexpr std::string_view kPeer = "peer";         // the other port, where it has no parts
inline constexpr std::string_view kLink = "link";         // the link's identifier
inline constexpr std::string_view kLabels = "labels";     // "100-200,1000"
inline constexpr std::string_view kLabelType = "label_type";
inline constexpr std::string_view kName = "name";
}  // namespace half_link

struct HalfLinkMember {
  std::string name;
  std::string value;
  auto operator<=>(const HalfLinkMember&) const = default;
};

class HalfLink {
 public:
  HalfLink() = default;
  explicit HalfLink(std::string port) : port_(std::move(port)) {}

  const std::string& port() const { return port_; }
  // Whether a property has room for the member. Labels always have: they are taken apart.
  bool has_room(std::string_view name, std::string_view value) const;
  // Empty values say nothing.
  void add(std::string_view name, std::string_view value);
  // All that `other` says of the same port.
  void add(const HalfLink& other);
  // Puts the members in order, each once. Before any of what follows.
  void sort();

  const std::vector<HalfLinkMember>& members() const { return members_; }
  std::span<const HalfLinkMember> values(std::string_view name) const;
  // The first one; empty where there is none.
  std::string_view value(std::string_view name) const;
  // What `known` does not say.
  HalfLink without(const HalfLink& known) const;

  // As values of the property; the same for all that says the same.
  std::vector<std::string> texts() const;

  bool operator==(const HalfLink&) const = default;

 private:
  std::string port_;
  std::vector<HalfLinkMember> members_;
};

// Whether an identifier is short enough for a port and a member to be in one property.
bool may_be_in_half_link(std::string_view id);

// One value of the property. Nothing where it is no half link.
std::optional<HalfLink> parse_half_link(std::string_view text);
// All of a record, one for each port, ascending by port.
std::vector<HalfLink> half_links_of(const Attributes& record);

// ---- labels ----

struct LabelRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  bool operator==(const LabelRange&) const = default;
};
// Those of "100-200,1000", ascending, none touching another. Nothing where the text is no list of
// ranges of numbers.
std::optional<std::vector<LabelRange>> label_ranges(std::string_view text);

enum class LabelsAre : std::uint8_t { equal, overlapping, disjoint, unknown };
// Unknown where a half has none, they are no numbers, or of different types.
LabelsAre compare_labels(const HalfLink& one, const HalfLink& other);
std::string_view text_of(LabelsAre labels);  // "equal"

}  // namespace netml::engine
