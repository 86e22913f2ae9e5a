// The link of a pair is found again by its ports: brought up to date where it stands, and put back
// where an import has just taken it away because the file of one side does not list it. What people
// say of it stays; its identifier, its ends and what the half links say are the rule's.
#include "engine/rules/detail/half_link_joiner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

namespace netml::engine {

namespace {

// What the rule says of a link, and people do not.
bool is_of_the_rule(const Property& property) {
  return property == kMadeOfHalfLinks || property.name == kHalfLinkProperty ||
         property.name == kHalfLinkLabels;
}

std::vector<RecordId> merged(std::span<const RecordId> a, std::span<const RecordId> b) {
  std::vector<RecordId> all;
  std::ranges::set_union(a, b, std::back_inserter(all));
  return all;
}

}  // namespace

HalfLinkJoiner::HalfLinkJoiner(Workspace& workspace) : workspace_(workspace) {
  for (const RecordId node : workspace.records(Kind::node))
    add_half_links(node, *workspace.record(node).attributes, halves_);
  joins_ = join_half_links(halves_);
  pair_of_.resize(halves_.size());
  reason_of_.resize(halves_.size());
  for (std::size_t i = 0; i < joins_.joined.size(); ++i) {
    const auto [first, second, labels] = joins_.joined[i];
    pair_of_[first] = pair_of_[second] = i;
    pairs_.insert(ports_of(halves_[first].half, halves_[second].half));
  }
  for (std::size_t i = 0; i < joins_.unjoined.size(); ++i) reason_of_[joins_.unjoined[i].half] = i;
  find_made_links();
}

// Those that stand come first: of two of one pair the older one is its link.
void HalfLinkJoiner::find_made_links() {
  const auto find = [&](RecordId link, const Record& record) {
    if (Ports ports = ports_of(record); !ports.first.empty())
      made_.try_emplace(std::move(ports), link);
  };
  for (const RecordId link : workspace_.records(Kind::link)) find(link, workspace_.record(link));
  const Graph& before = workspace_.base().graph;
  before.for_each_of(Kind::link, [&](RecordId link) {
    if (!workspace_.contains(link) || workspace_.is_hidden(link)) find(link, before.record(link));
  });
}

HalfLinkJoiner::Ports HalfLinkJoiner::ports_of(const HalfLink& one, const HalfLink& other) {
  return std::minmax(one.port(), other.port());
}

HalfLinkJoiner::Ports HalfLinkJoiner::ports_of(const Record& link) {
  const auto is_mark = [](const Property& property) { return property == kMadeOfHalfLinks; };
  if (!any_property(*link.attributes, is_mark)) return {};
  const std::vector<HalfLink> halves = half_links_of(*link.attributes);
  return halves.size() == 2 ? ports_of(halves[0], halves[1]) : Ports{};
}

std::vector<HalfLinkJoiner::Outcome> HalfLinkJoiner::join(RecordId node) {
  std::vector<Outcome> outcomes;
  const auto own = std::ranges::equal_range(halves_, node, {}, &HalfLinkAt::node);
  for (const HalfLinkAt& at : own) {
    const auto half = static_cast<std::size_t>(&at - halves_.data());
    if (pair_of_[half]) outcomes.push_back(join_pair(joins_.joined[*pair_of_[half]], half));
    if (!reason_of_[half]) continue;
    const UnjoinedHalf& unjoined = joins_.unjoined[*reason_of_[half]];
    outcomes.push_back(
        {fmt::format("{} is {}: {}", describe(half), text_of(unjoined.why), unjoined.reason)});
  }
  return outcomes;
}

HalfLinkJoiner::Outcome HalfLinkJoiner::join_pair(const JoinedHalves& pair, std::size_t own) {
  const std::size_t other = own == pair.first ? pair.second : pair.first;
  // An action before this one may have taken the other node with it.
  if (!workspace_.contains(halves_[other].node))
    return {fmt::format("{}: the node of {} is gone", describe(own), describe(other))};
  const HalfLink& half = halves_[own].half;
  const std::string id = joined_link_id(half, halves_[other].half);
  RecordId& place = made_[ports_of(half, halves_[other].half)];
  if (is_taken(id, place))
    return {.text = fmt::format("{}: there is another link <{}>", describe(own), id),
            .succeeded = false};
  Outcome outcome{fmt::format("{} is joined to {} of {} by link <{}>", describe(own),
                              describe(other), workspace_.describe(halves_[other].node), id)};
  const bool stands = place && workspace_.contains(place) && !workspace_.is_hidden(place);
  const Graph& before = workspace_.base().graph;
  Record known;
  if (place) known = workspace_.contains(place) ? workspace_.record(place) : before.record(place);
  Record wanted = link_of(pair, id, known);
  if (stands && known == wanted) return outcome;
  put(place, std::move(wanted));
  outcome.changed = place;
  if (pair.labels == LabelsAre::disjoint)
    outcome.warning =
        fmt::format("{}: its half links have no label in common", workspace_.describe(place));
  return outcome;
}

// By a link of people, or of another pair; not by one that is about to be deleted.
bool HalfLinkJoiner::is_taken(const std::string& id, RecordId by_other_than) {
  return std::ranges::any_of(workspace_.find(Kind::link, id), [&](RecordId link) {
    const Ports ports = ports_of(workspace_.record(link));
    return link != by_other_than && (ports.first.empty() || pairs_.contains(ports));
  });
}

// Made, brought up to date, or put back where an import has just taken it away.
void HalfLinkJoiner::put(RecordId& place, Record link) {
  if (place) {
    workspace_.show(place);
    workspace_.put(place, std::move(link));
  } else {
    place = workspace_.create(std::move(link));
    workspace_.number_at_the_end(place);
  }
}

Record HalfLinkJoiner::link_of(const JoinedHalves& pair, std::string_view id,
                               const Record& before) const {
  const std::string name = name_of(pair);
  AttributeFields fields;
  std::vector<Property> properties;
  if (before) {
    fields = before.attributes->fields();
    fields.id = id;
    properties = before.attributes->properties();
    std::erase_if(properties, is_of_the_rule);
  } else {
    fields.kind = Kind::link;
    fields.id = id;
    fields.name = name;
  }
  std::vector<std::string> texts;
  for (const std::size_t at : {pair.first, pair.second}) {
    HalfLink half = halves_[at].half;
    const Record node = workspace_.record(halves_[at].node);
    if (half.has_room(half_link::kNode, node.id())) half.add(half_link::kNode, node.id());
    half.sort();
    std::ranges::move(half.texts(), std::back_inserter(texts));
  }
  properties.push_back(kMadeOfHalfLinks);
  properties.push_back({kHalfLinkLabels, text_of(pair.labels)});
  for (const std::string& text : texts) properties.push_back({kHalfLinkProperty, text});
  fields.properties = properties;
  return {Attributes::make(fields), relations_of(pair)};
}

RelationsPtr HalfLinkJoiner::relations_of(const JoinedHalves& pair) const {
  const std::array<RecordId, 2> ends{halves_[pair.first].node, halves_[pair.second].node};
  const Record one = workspace_.record(ends[0]);
  const Record other = workspace_.record(ends[1]);
  const auto topologies = merged(one.relations->topologies(), other.relations->topologies());
  const auto owners = merged(one.relations->owners(), other.relations->owners());
  return Relations::make({.topologies = topologies, .owners = owners, .ends = ends});
}

// As both call it, or one of them; else by its ends.
std::string HalfLinkJoiner::name_of(const JoinedHalves& pair) const {
  const auto node_name = [&](std::size_t half) {
    return workspace_.record(halves_[half].node).attributes->name();
  };
  const std::string_view one = halves_[pair.first].half.value(half_link::kName);
  const std::string_view other = halves_[pair.second].half.value(half_link::kName);
  std::string name(one.empty() ? other : one);
  if (name.empty() || (!other.empty() && one != other))
    name = fmt::format("{} - {}", node_name(pair.first), node_name(pair.second));
  return cut_text(name, kNameCharactersMax).value_or(name);
}

std::string HalfLinkJoiner::describe(std::size_t half) const {
  return fmt::format("port {}", halves_[half].half.port());
}

std::vector<RecordId> HalfLinkJoiner::outdated() const {
  std::vector<RecordId> links = workspace_.records(Kind::link);
  std::erase_if(links, [&](RecordId link) {
    const Record record = workspace_.record(link);
    const Ports ports = ports_of(record);
    if (ports.first.empty()) return true;
    if (pairs_.contains(ports)) return made_.at(ports) == link;
    return std::ranges::any_of(record.relations->ends(), [&](RecordId end) {
      return workspace_.record(end).attributes->is_copy();
    });
  });
  return links;
}

}  // namespace netml::engine
