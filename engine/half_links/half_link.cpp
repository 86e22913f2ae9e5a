#include "engine/half_links/half_link.hpp"

#include <algorithm>
#include <array>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <iterator>
#include <tuple>
#include <utility>

#include "engine/base/json_string.hpp"
#include "engine/base/texts.hpp"

namespace netml::engine {

namespace {

namespace json = boost::json;
using namespace half_link;

// The order in which members are written; others come behind, by name.
constexpr std::array kOrder{kNode,   kName,    kLink, kIn,        kOut,
                            kPeerIn, kPeerOut, kPeer, kLabelType, kLabels};

std::size_t rank(std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(kOrder, name) - kOrder.begin());
}

bool comes_before(const HalfLinkMember& a, const HalfLinkMember& b) {
  return std::tuple(rank(a.name), std::string_view(a.name), std::string_view(a.value)) <
         std::tuple(rank(b.name), std::string_view(b.name), std::string_view(b.value));
}

std::string as_member(std::string_view name, std::string_view value) {
  std::string text;
  append_json_string(text, name);
  text += ':';
  append_json_string(text, value);
  return text;
}

// Pieces of labels this long leave room for any port that has room for something.
constexpr std::size_t kLabelsBytesMax = 128;

}  // namespace

bool HalfLink::has_room(std::string_view name, std::string_view value) const {
  const bool in_pieces = name == kLabels && label_ranges(value).has_value();
  const std::string_view longest = in_pieces ? value.substr(0, kLabelsBytesMax) : value;
  return character_count(as_member(kPort, port_)) + character_count(as_member(name, longest)) + 3 <=
         kPropertyValueCharactersMax;
}

void HalfLink::add(std::string_view name, std::string_view value) {
  const bool in_pieces = name == kLabels && label_ranges(value).has_value();
  while (in_pieces && value.size() > kLabelsBytesMax) {
    const std::size_t comma = value.rfind(',', kLabelsBytesMax);
    if (comma == std::string_view::npos) break;
    members_.push_back({std::string(name), std::string(value.substr(0, comma))});
    value.remove_prefix(comma + 1);
  }
  if (!value.empty()) members_.push_back({std::string(name), std::string(value)});
}

void HalfLink::add(const HalfLink& other) {
  members_.insert(members_.end(), other.members_.begin(), other.members_.end());
}

void HalfLink::sort() {
  std::ranges::sort(members_, comes_before);
  const auto repeated = std::ranges::unique(members_);
  members_.erase(repeated.begin(), repeated.end());
}

std::span<const HalfLinkMember> HalfLink::values(std::string_view name) const {
  const auto has_name = [&](const HalfLinkMember& member) { return member.name == name; };
  const auto first = std::ranges::find_if(members_, has_name);
  return {first, std::find_if_not(first, members_.end(), has_name)};
}

std::string_view HalfLink::value(std::string_view name) const {
  const auto found = values(name);
  return found.empty() ? std::string_view() : std::string_view(found.front().value);
}

HalfLink HalfLink::without(const HalfLink& known) const {
  HalfLink rest(port_);
  std::ranges::set_difference(members_, known.members_, std::back_inserter(rest.members_),
                              comes_before);
  return rest;
}

// As many members in each as fit. One that an object has already begins another.
std::vector<std::string> HalfLink::texts() const {
  const std::string begin = '{' + as_member(kPort, port_);
  std::vector<std::string> texts;
  std::string text = begin;
  std::size_t size = character_count(begin);
  std::string_view last;
  for (const HalfLinkMember& member : members_) {
    const std::string spelled = as_member(member.name, member.value);
    const std::size_t more = character_count(spelled) + 1;
    if (size + more + 1 > kPropertyValueCharactersMax || member.name == last) {
      texts.push_back(text + '}');
      text = begin;
      size = character_count(begin);
    }
    (text += ',') += spelled;
    size += more;
    last = member.name;
  }
  texts.push_back(text + '}');
  return texts;
}

bool may_be_in_half_link(std::string_view id) {
  constexpr std::size_t kSpelledMax = 220;  // with its quotes
  return character_count(json_string(id)) <= kSpelledMax;
}

std::optional<HalfLink> parse_half_link(std::string_view text) {
  if (!text.starts_with('{')) return std::nullopt;
  boost::system::error_code error;
  const json::value parsed = json::parse({text.data(), text.size()}, error);
  if (error || !parsed.is_object()) return std::nullopt;
  const auto as_text = [](const json::string& value) {
    return std::string_view(value.data(), value.size());
  };
  const json::value* const port = parsed.get_object().if_contains("port");
  if (port == nullptr || !port->is_string() || port->get_string().empty()) return std::nullopt;
  HalfLink half{std::string(as_text(port->get_string()))};
  for (const auto& member : parsed.get_object()) {
    if (!member.value().is_string()) return std::nullopt;
    const std::string_view name(member.key().data(), member.key().size());
    if (name != kPort) half.add(name, as_text(member.value().get_string()));
  }
  half.sort();
  return half;
}

std::vector<HalfLink> half_links_of(const Attributes& record) {
  std::vector<HalfLink> pieces;
  record.for_each_property([&](const Property& property) {
    if (property.name != kHalfLinkProperty) return;
    if (auto half = parse_half_link(property.value)) pieces.push_back(*std::move(half));
  });
  std::ranges::stable_sort(pieces, {}, &HalfLink::port);
  std::vector<HalfLink> halves;
  for (HalfLink& piece : pieces) {
    if (halves.empty() || halves.back().port() != piece.port())
      halves.push_back(std::move(piece));
    else
      halves.back().add(piece);
  }
  for (HalfLink& half : halves) half.sort();
  return halves;
}

// ---- labels ----

std::optional<std::vector<LabelRange>> label_ranges(std::string_view text) {
  std::vector<LabelRange> ranges;
  while (true) {
    const std::string_view part = trimmed(text.substr(0, text.find(',')));
    const std::size_t dash = part.find('-');
    const auto first = parse_integer<std::uint32_t>(trimmed(part.substr(0, dash)));
    const auto last = dash == std::string_view::npos
                          ? first
                          : parse_integer<std::uint32_t>(trimmed(part.substr(dash + 1)));
    if (!first || !last || *last < *first) return std::nullopt;
    ranges.push_back({*first, *last});
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  std::ranges::sort(ranges, {}, &LabelRange::first);
  std::vector<LabelRange> apart;
  for (const LabelRange& range : ranges) {
    const bool touches = !apart.empty() && range.first <= std::uint64_t{apart.back().last} + 1;
    if (touches)
      apart.back().last = std::max(apart.back().last, range.last);
    else
      apart.push_back(range);
  }
  return apart;
}

namespace {

std::optional<std::vector<LabelRange>> labels_of(const HalfLink& half) {
  std::string all;
  for (const HalfLinkMember& member : half.values(kLabels))
    (all += all.empty() ? "" : ",") += member.value;
  return label_ranges(all);
}

bool overlap(std::span<const LabelRange> a, std::span<const LabelRange> b) {
  while (!a.empty() && !b.empty()) {
    if (a.front().last < b.front().first)
      a = a.subspan(1);
    else if (b.front().last < a.front().first)
      b = b.subspan(1);
    else
      return true;
  }
  return false;
}

}  // namespace

LabelsAre compare_labels(const HalfLink& one, const HalfLink& other) {
  const std::string_view types[] = {one.value(kLabelType), other.value(kLabelType)};
  const bool same_type = types[0].empty() || types[1].empty() || types[0] == types[1];
  const auto first = labels_of(one);
  const auto second = labels_of(other);
  if (!first || !second || !same_type) return LabelsAre::unknown;
  if (*first == *second) return LabelsAre::equal;
  return overlap(*first, *second) ? LabelsAre::overlapping : LabelsAre::disjoint;
}

std::string_view text_of(LabelsAre labels) {
  constexpr std::array<std::string_view, 4> kTexts{"equal", "overlapping", "disjoint", "unknown"};
  return kTexts[static_cast<std::size_t>(labels)];
}

}  // namespace netml::engine
