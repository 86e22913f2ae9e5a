#include "codecs/formats/nml/nml_network.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "codecs/formats/nml/nml_fields.hpp"
#include "engine/base/texts.hpp"

namespace netml::codecs {

namespace {

// "hasInboundPort" of "http://schemas.ogf.org/nml/2013/05/base#hasInboundPort", in lower case.
std::string relation_name(std::string_view type) {
  return lower_ascii(type.substr(type.find_last_of("#/") + 1));
}

bool is_relation(const NmlElement& element) {
  return element.name == "Relation";
}

NmlIs what_is(const NmlElement& element) {
  if (element.space == kNmlExtension)
    return element.name == "Institution" ? NmlIs::institution : NmlIs::other;
  if (!element.space.starts_with(kNmlNamespaces)) return NmlIs::other;
  constexpr std::array<std::pair<std::string_view, NmlIs>, 8> kNames{{
      {"Topology", NmlIs::topology},
      {"Node", NmlIs::node},
      {"Link", NmlIs::link},
      {"LinkGroup", NmlIs::link},
      {"Port", NmlIs::port},
      {"PortGroup", NmlIs::port},
      {"BidirectionalLink", NmlIs::both_ways_link},
      {"BidirectionalPort", NmlIs::both_ways_port},
  }};
  for (const auto& [name, is] : kNames)
    if (element.name == name) return is;
  return NmlIs::other;
}

bool is_for_both_ways(NmlIs is) {
  return is == NmlIs::both_ways_link || is == NmlIs::both_ways_port;
}
bool is_port(NmlIs is) {
  return is == NmlIs::port || is == NmlIs::both_ways_port;
}
bool is_in_topologies(NmlIs is) {
  return is != NmlIs::other && !is_port(is);
}

}  // namespace

NmlNetwork::NmlNetwork(const NmlTree& tree) : tree_(tree), places_(tree.size()) {
  for (std::uint32_t i = 0; i < tree.size(); ++i) find_place(i);
  describe_what_is_only_referred_to();
}

void NmlNetwork::find_place(std::uint32_t i) {
  const NmlElement& element = tree_[i];
  Place& place = places_[i];
  if (element.parent != kNone) {
    const Place& parent = places_[element.parent];
    const bool in_object = is_described_here(element.parent);
    place.inside = in_object ? parent.object : parent.inside;
    const bool in_topology = in_object && objects_[parent.object].is == NmlIs::topology;
    place.topology = in_topology ? parent.object : parent.topology;
    if (is_relation(tree_[element.parent]))
      place.relation = tree_.attribute(tree_[element.parent], "type");
    else if (!in_object)
      place.relation = parent.relation;
  }
  const NmlIs is = what_is(element);
  if (is == NmlIs::other) return;
  const std::string_view id = tree_.attribute(element, "id");
  const bool is_bare = element.end == i + 1 && element.text.empty() && !id.empty() &&
                       tree_.attributes(element).size() == 1;
  const bool among_parts = place.inside != kNone && is_for_both_ways(objects_[place.inside].is);
  place.refers = is_bare && place.inside != kNone && (among_parts || !place.relation.empty());
  place.object = object_of(is, id);
  if (!place.refers) objects_[place.object].descriptions.push_back(i);
  if (place.inside != kNone)
    place.understood = relate(place.inside, relation_name(place.relation), place.object);
  if (!place.refers && is_in_topologies(is) && place.topology != kNone)
    objects_[place.object].topologies.push_back(place.topology);
}

std::uint32_t NmlNetwork::object_of(NmlIs is, std::string_view id) {
  const auto next = static_cast<std::uint32_t>(objects_.size());
  if (!id.empty()) {
    const auto [found, added] = numbers_[static_cast<std::size_t>(is)].try_emplace(IdKey(id), next);
    if (!added) return found->second;
  }
  objects_.push_back({.is = is, .id = id});
  return next;
}

// Whether the relation is one of those that make the map.
bool NmlNetwork::relate(std::uint32_t parent, std::string_view relation, std::uint32_t child) {
  NmlObject& from = objects_[parent];
  NmlObject& to = objects_[child];
  if (is_port(from.is) && to.is == NmlIs::link && relation == "issource")
    return to.sources.push_back(parent), true;
  if (is_port(from.is) && to.is == NmlIs::link && relation == "issink")
    return to.sinks.push_back(parent), true;
  if (is_port(from.is) && to.is == from.is && relation == "isalias")
    return from.aliases.push_back(child), true;
  const bool is_part = (from.is == NmlIs::both_ways_port && to.is == NmlIs::port) ||
                       (from.is == NmlIs::both_ways_link && to.is == NmlIs::link);
  if (is_part && (relation.empty() || relation == "haslink" || relation == "hasport")) {
    from.parts.push_back(child);
    to.whole.push_back(parent);
    return true;
  }
  const bool is_owner = from.is == NmlIs::node || from.is == NmlIs::topology;
  if (is_owner && is_port(to.is)) {
    to.inbound |= relation == "hasinboundport";
    to.outbound |= relation == "hasoutboundport";
    (from.is == NmlIs::node ? to.nodes : to.topologies).push_back(parent);
    return relation.empty() || relation == "hasinboundport" || relation == "hasoutboundport" ||
           relation == "hasport";
  }
  const bool has = relation.empty() || relation == "hasnode" || relation == "haslink" ||
                   relation == "hastopology" || relation == "hasinstitution";
  if (from.is != NmlIs::topology || !is_in_topologies(to.is) || !has || parent == child)
    return false;
  to.topologies.push_back(parent);
  return true;
}

// The first mention of a node, a link or a topology that is not described describes it.
void NmlNetwork::describe_what_is_only_referred_to() {
  for (std::uint32_t i = 0; i < tree_.size(); ++i) {
    Place& place = places_[i];
    if (!place.refers || !place.understood) continue;
    NmlObject& object = objects_[place.object];
    if (!object.descriptions.empty() || is_port(object.is)) continue;
    place.refers = false;
    object.descriptions.push_back(i);
  }
  for (NmlObject& object : objects_) {
    for (auto* numbers :
         {&object.topologies, &object.nodes, &object.parts, &object.sources, &object.sinks}) {
      std::ranges::sort(*numbers);
      numbers->erase(std::ranges::unique(*numbers).begin(), numbers->end());
    }
  }
}

void NmlNetwork::for_each_field(std::uint32_t description,
                                const std::function<void(const NmlField&)>& visit) const {
  visit_fields(description, tree_[description].end, false, visit);
}

void NmlNetwork::for_each_field_outside(const std::function<void(const NmlField&)>& visit) const {
  if (tree_.size() == 0 || is_described_here(0)) return;
  visit_fields(0, tree_[0].end, true, visit);
}

void NmlNetwork::visit_fields(std::uint32_t begin, std::uint32_t end, bool names_itself,
                              const std::function<void(const NmlField&)>& visit) const {
  constexpr std::size_t kPathMax = 128;  // longer ones are cut: they are names, not values
  struct Open {
    std::uint32_t end;
    std::size_t path_size;
  };
  std::vector<Open> open;
  std::string path;
  const auto push = [&](std::string_view name) {
    if (path.size() > kPathMax) return;
    if (!path.empty()) path += '.';
    for (const char c : name.substr(0, kPathMax)) path += lower_letter(c);
  };
  for (std::uint32_t i = begin; i < end; ++i) {
    while (!open.empty() && open.back().end <= i) {
      path.resize(open.back().path_size);
      open.pop_back();
    }
    if (i != begin && is_described_here(i)) {
      i = tree_[i].end - 1;
      continue;
    }
    const NmlElement& element = tree_[i];
    open.push_back({element.end, path.size()});
    if (is_relation(element) && !tree_.attribute(element, "type").empty())
      push(relation_name(tree_.attribute(element, "type")));
    else if (i != begin || names_itself)
      push(element.name);
    const auto tell = [&](std::string_view value, bool is_relation_here) {
      visit({.path = path,
             .value = value,
             .element = i,
             .is_relation = is_relation_here,
             .space = element.space});
    };
    const bool is_text = element.text.find_first_not_of(" \t\r\n") != std::string_view::npos;
    const bool is_property = element.space == kNmlExtension && element.name == "property";
    for (const NmlAttribute& attribute : tree_.attributes(element)) {
      if (is_property && attribute.name == "name") {
        const std::string property = std::string(kPropertyPrefix).append(attribute.value);
        visit({.path = property,
               .value = element.text,
               .element = i,
               .fields = is_text ? 2U : 1U,
               .space = element.space});
        continue;
      }
      const std::size_t size = path.size();
      push(attribute.name);
      const bool is_type = is_relation(element) && attribute.name == "type";
      tell(attribute.value, is_type || (places_[i].refers && places_[i].understood));
      path.resize(size);
    }
    if (is_text && !is_property) tell(element.text, false);
  }
}

}  // namespace netml::codecs
