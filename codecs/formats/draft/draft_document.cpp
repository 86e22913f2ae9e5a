#include "codecs/formats/draft/draft_document.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "codecs/document/numbers.hpp"
#include "codecs/formats/draft/draft_identity.hpp"
#include "engine/base/sha256.hpp"
#include "engine/base/time.hpp"

namespace netml::codecs {

namespace {

engine::Micro micro(std::string_view text) {
  return round_to_micro(*parse_number(text));  // MapDraft has seen that it is one
}

// Nothing on the map is without a name.
std::string_view shown_name(const DraftElement& element, std::string_view id) {
  for (const Target target : {Target::name, Target::key})
    if (const std::string_view name = element.value(target); !name.empty()) return name;
  return id;
}

}  // namespace

ReadResult DraftDocument::make() {
  if (!errors_.empty()) return tl::unexpected(std::move(errors_).take());
  name_network();
  place_topologies();
  place_institutions();
  place_nodes();
  place_links();
  if (!errors_.empty()) return tl::unexpected(std::move(errors_).take());
  list_members();
  write_topology(0);
  if (!errors_.empty()) return tl::unexpected(std::move(errors_).take());
  engine::Document document = std::move(builder_).take();
  for (engine::DocumentNote& note : draft_.notes()) document.notes.add(std::move(note));
  document.losses = std::move(draft_.losses());
  return document;
}

// What identity begins with; empty where the key is all of it.
std::string DraftDocument::label_of(const DraftElement& element) const {
  const bool key_is_all = draft_.keys_identify() && !element.value(Target::key).empty();
  return std::string(key_is_all ? std::string_view() : element.value(Target::name));
}

// ---- topologies and owners ----

void DraftDocument::name_network() {
  const DraftElement& root = draft_.elements(Kind::topology).front();
  network_ = options_.topology_name;
  if (network_.empty()) network_ = root.value(Target::name);
  if (network_.empty()) network_ = root.value(Target::key);
  if (network_.empty()) {
    network_ = options_.file_name;
    draft_.notes().add({true, Kind::topology,
                        fmt::format("the file does not name its network; it is called {} as the "
                                    "file is, and its identifiers are made from that name",
                                    excerpt(network_))});
  }
  const std::string_view identifier = root.value(Target::identifier);
  base_ = identifier.empty() ? std::string_view(network_) : identifier;
}

void DraftDocument::place_topologies() {
  const auto elements = draft_.elements(Kind::topology);
  std::vector<Traits> traits;
  for (const DraftElement& element : elements) {
    const bool root = traits.empty();
    traits.push_back({element.value(Target::identifier), root ? network_ : label_of(element),
                      element.value(Target::key)});
  }
  if (traits.front().identifier.empty()) base_ = generated_id(Kind::topology, network_);
  if (traits.front().identifier.empty()) traits.front().identifier = base_;
  auto ids = identify(Kind::topology, base_, traits,
                      [&](std::size_t i) { return contents_of(elements[i]); });
  topologies_.resize(elements.size());
  for (Index i = 0; i < elements.size(); ++i) {
    topologies_[i].element = &elements[i];
    topologies_[i].id = std::move(ids[i]);
    topology_of_id_.try_emplace(IdKey(topologies_[i].id), i);
  }
  // As with owners, identifiers come before keys.
  for (Index i = 0; i < topologies_.size(); ++i)
    if (!traits[i].key.empty()) topology_of_id_.try_emplace(IdKey(traits[i].key), i);
  for (Index i = 0; i < topologies_.size(); ++i) {
    const std::string_view reference = elements[i].value(Target::reference);
    if (!reference.empty()) topology_of_id_.try_emplace(IdKey(reference), i);
  }
  // A parent that comes later in the file would make a circle possible: it does not count.
  for (Index i = 1; i < topologies_.size(); ++i) {
    const auto parent = topology_of_id_.find(IdKey(elements[i].value(Target::parent)));
    const bool found = parent != topology_of_id_.end() && parent->second < i;
    topologies_[found ? parent->second : 0].children.push_back(i);
  }
}

void DraftDocument::place_institutions() {
  const auto elements = draft_.elements(Kind::institution);
  std::vector<Traits> traits;
  for (const DraftElement& element : elements)
    traits.push_back({element.value(Target::identifier), std::string(element.value(Target::name)),
                      element.value(Target::key)});
  auto ids = identify(Kind::institution, base_, traits,
                      [&](std::size_t i) { return contents_of(elements[i]); });
  institutions_.reserve(elements.size());
  for (Index i = 0; i < elements.size(); ++i) {
    institutions_.push_back({.element = &elements[i], .id = std::move(ids[i])});
    find_places(institutions_.back());
    check_id(Kind::institution, institutions_.back());
  }
  // Identifiers come before names: those of others do not hide them.
  for (Index i = 0; i < elements.size(); ++i) {
    const std::string_view id = elements[i].value(Target::identifier);
    if (!id.empty()) institution_of_name_.try_emplace(IdKey(id), i);
  }
  for (Index i = 0; i < elements.size(); ++i)
    institution_of_name_.try_emplace(IdKey(elements[i].value(Target::name)), i);
  for (Topology& topology : topologies_) {
    std::string_view owner = topology.element->value(Target::owner);
    if (owner.empty()) owner = options_.owner;
    if (owner.empty() && topology.element != topologies_.front().element)
      topology.owner = topologies_.front().owner;
    else
      topology.owner = owner_named(owner);
  }
}

// By identifier or name; one that the file does not describe is known by its name alone. Without a
// name it is the institution that stands for nobody in particular.
DraftDocument::Index DraftDocument::owner_named(std::string_view name) {
  if (name.empty()) name = engine::kGlobalInstitutionId;
  const auto [found, added] =
      institution_of_name_.try_emplace(IdKey(name), static_cast<Index>(institutions_.size()));
  if (!added) return found->second;
  Placed owner;
  owner.id = name == engine::kGlobalInstitutionId ? std::string(name)
                                                  : generated_id(Kind::institution, name);
  owner.name = name;
  institutions_.push_back(std::move(owner));
  return found->second;
}

// ---- nodes and links ----

void DraftDocument::find_places(Placed& placed) {
  for (const DraftValue& value : placed.element->values) {
    if (value.target == Target::owner) placed.owners.push_back(owner_named(value.value));
    if (value.target != Target::topology) continue;
    const auto topology = topology_of_id_.find(IdKey(value.value));
    if (topology != topology_of_id_.end()) placed.topologies.push_back(topology->second);
  }
}

void DraftDocument::check_id(Kind kind, const Placed& placed) {
  if (placed.id.size() <= engine::kIdCharactersMax ||
      engine::character_count(placed.id) <= engine::kIdCharactersMax)
    return;
  errors_.report("id-too-long",
                 fmt::format("the id of {} is longer than {} characters", kind_name(kind),
                             engine::kIdCharactersMax),
                 placed.element->at, excerpt(placed.id));
}

void DraftDocument::place_nodes() {
  const auto elements = draft_.elements(Kind::node);
  std::vector<Traits> traits;
  traits.reserve(elements.size());
  for (const DraftElement& element : elements)
    traits.push_back(
        {element.value(Target::identifier), label_of(element), element.value(Target::key)});
  auto ids =
      identify(Kind::node, base_, traits, [&](std::size_t i) { return contents_of(elements[i]); });
  nodes_.reserve(elements.size());
  node_of_key_.reserve(elements.size());
  for (Index i = 0; i < elements.size(); ++i) {
    nodes_.push_back({.element = &elements[i], .id = std::move(ids[i])});
    find_places(nodes_.back());
    check_id(Kind::node, nodes_.back());
    const std::string_view key =
        traits[i].key.empty() ? elements[i].value(Target::reference) : traits[i].key;
    if (node_of_key_.try_emplace(IdKey(key), i).second) continue;
    errors_.report("duplicate-id", fmt::format("two nodes have the key {}", excerpt(traits[i].key)),
                   elements[i].at, excerpt(traits[i].key));
  }
}

// Adds two ends. Where the draft loses links without ends: why this one is lost, and adds none.
std::string DraftDocument::find_ends(const DraftElement& link) {
  std::vector<Index> ends;
  for (const DraftValue& value : link.values) {
    if (value.target != Target::link_end) continue;
    const auto node = node_of_key_.find(IdKey(value.value));
    if (node != node_of_key_.end()) {
      ends.push_back(node->second);
      continue;
    }
    const std::string problem =
        fmt::format("{} {} of a link is no node of the file", value.name(), excerpt(value.value));
    if (draft_.loses_links()) return problem;
    errors_.report("node-unknown", problem, link.at, excerpt(value.value));
  }
  if (draft_.loses_links()) {
    if (ends.size() < kEnds) return "it does not join two nodes";
    if (ends.front() == ends.back()) return "a link joins two different nodes";
  }
  ends.resize(kEnds, kNone);
  ends_.insert(ends_.end(), ends.begin(), ends.end());
  return {};
}

void DraftDocument::place_links() {
  std::vector<const DraftElement*> elements;
  std::vector<Traits> traits;
  ends_.reserve(kEnds * draft_.elements(Kind::link).size());
  for (const DraftElement& element : draft_.elements(Kind::link)) {
    if (const std::string problem = find_ends(element); !problem.empty()) {
      draft_.lose(element, problem);
      continue;
    }
    elements.push_back(&element);
    Traits& link = traits.emplace_back();
    link.identifier = element.value(Target::identifier);
    link.key = element.value(Target::key);
    const std::span ends = std::span(ends_).last(kEnds);
    if (std::ranges::find(ends, kNone) != ends.end() || !link.identifier.empty()) continue;
    if (draft_.keys_identify() && !link.key.empty()) continue;
    const std::string& first = nodes_[ends.front()].id;
    const std::string& second = nodes_[ends.back()].id;
    link.label = fmt::format("{} {}", std::min(first, second), std::max(first, second));
  }
  auto ids =
      identify(Kind::link, base_, traits, [&](std::size_t i) { return contents_of(*elements[i]); });
  links_.reserve(elements.size());
  for (Index i = 0; i < elements.size(); ++i) {
    links_.push_back({.element = elements[i], .id = std::move(ids[i])});
    find_places(links_.back());
    check_id(Kind::link, links_.back());
  }
}

// All that the file says of an element beside what it calls it and others.
std::string DraftDocument::contents_of(const DraftElement& element) const {
  std::vector<std::string> lines;
  for (const DraftValue& value : element.values)
    if (value.target != Target::key && value.target != Target::link_end &&
        !value.value.starts_with(kReferenceMark))
      lines.push_back(fmt::format("{}\x1f{}", value.name(), value.value));
  std::ranges::sort(lines);
  return fmt::format("{}", fmt::join(lines, "\x1e"));
}

std::string DraftDocument::name_of_link(std::size_t link) const {
  const auto name = [&](std::size_t end) {
    const Placed& node = nodes_[ends_[2 * link + end]];
    return shown_name(*node.element, node.id);
  };
  return fmt::format("{} - {}", name(0), name(1));
}

// ---- members of topologies ----

bool DraftDocument::belongs(const Placed& placed, Index topology) const {
  if (placed.topologies.empty()) return topology == 0;
  return std::ranges::find(placed.topologies, topology) != placed.topologies.end();
}

void DraftDocument::list_members() {
  const auto list = [&](const std::vector<Placed>& elements,
                        std::vector<Index> Topology::* members) {
    for (Index i = 0; i < elements.size(); ++i) {
      if (elements[i].topologies.empty()) (topologies_[0].*members).push_back(i);
      for (const Index topology : elements[i].topologies)
        (topologies_[topology].*members).push_back(i);
    }
  };
  list(institutions_, &Topology::institutions);
  list(nodes_, &Topology::nodes);
  list(links_, &Topology::links);
  if (topologies_.size() == 1) return;  // it has all
  for (Index i = 0; i < topologies_.size(); ++i) list_copies(i);
}

// A topology contains all that its elements refer to (docs/requirements/exchange-format.md,
// section 4).
void DraftDocument::list_copies(Index topology) {
  Topology& here = topologies_[topology];
  const auto add = [&](std::vector<Index>& members, std::vector<Placed>& all, Index i) {
    if (belongs(all[i], topology) || std::exchange(all[i].copied_to, topology) == topology) return;
    members.push_back(i);
  };
  for (const Index link : here.links)
    for (const Index end : {ends_[2 * link], ends_[2 * link + 1]}) add(here.nodes, nodes_, end);
  add(here.institutions, institutions_, here.owner);
  for (const auto& [members, all] : {std::pair(&here.nodes, &nodes_), {&here.links, &links_}})
    for (const Index member : *members)
      for (const Index owner : (*all)[member].owners) add(here.institutions, institutions_, owner);
}

// ---- the document ----

void DraftDocument::write_value(const DraftValue& value) {
  using engine::Field;
  switch (value.target) {
    case Target::short_name:
      return record_.add_text(kText<Field::short_name>, value.value);
    case Target::unlocode:
      return record_.add_text(kText<Field::unlocode>, value.value);
    case Target::address:
      return record_.add_text(kText<Field::address>, value.value);
    case Target::version:
      record_.version = parse_instant(value.value);
      return;
    case Target::start:
      record_.start_time = parse_instant(value.value);
      return;
    case Target::end:
      record_.end_time = parse_instant(value.value);
      return;
    case Target::latitude:
      record_.latitude = micro(value.value);
      return;
    case Target::longitude:
      record_.longitude = micro(value.value);
      return;
    case Target::altitude:
      record_.altitude = micro(value.value);
      return;
    case Target::property:
      return record_.add_property(value.name(), value.value);
    case Target::topology:
      if (!topology_of_id_.contains(IdKey(value.value)))
        record_.add_property(value.name(), value.value);
      return;
    default:
      return;  // identifier, name, key and references are written elsewhere
  }
}

// Half a place, and an end without a start, say nothing that the map could show: they are kept as
// properties.
void DraftDocument::write_values(const DraftElement& element) {
  for (const DraftValue& value : element.values) write_value(value);
  const auto keep = [&](Target target) {
    for (const DraftValue& value : element.values)
      if (value.target == target) record_.add_property(value.name(), value.value);
  };
  if (record_.latitude && !record_.longitude) keep(Target::latitude);
  if (record_.longitude && !record_.latitude) keep(Target::longitude);
  if (record_.end_time && !record_.start_time) {
    keep(Target::end);
    record_.end_time.reset();
  }
}

std::string DraftDocument::topologies_text(const Placed& placed) const {
  std::vector<std::string_view> ids;
  ids.reserve(placed.topologies.size() + 1);
  for (const Index topology : placed.topologies) ids.push_back(topologies_[topology].id);
  if (ids.empty()) ids.push_back(topologies_.front().id);
  return engine::join_from_topology(ids);
}

void DraftDocument::write_element(Kind kind, const Placed& placed, Index topology,
                                  std::string_view name) {
  const TextPosition at = placed.element != nullptr ? placed.element->at : TextPosition{};
  record_.start(kind, placed.id, at);
  record_.add_text(kText<engine::Field::name>, name);
  if (placed.element != nullptr) write_values(*placed.element);
  if (!belongs(placed, topology))
    record_.add_property(engine::kFromTopology, topologies_text(placed));
  if (kind != Kind::institution)
    for (const Index owner : placed.owners) builder_.add_owner(institutions_[owner].id, at);
  builder_.add(record_.make(), at);
}

// In pre-order, without recursion: a chain of topologies may be long.
void DraftDocument::write_topology(Index root) {
  struct Step {
    Index topology;
    std::size_t child = 0;
  };
  const auto write_body = [&](Index number) {
    const Topology& topology = topologies_[number];
    builder_.open_topology();
    builder_.set_primary_owner(institutions_[topology.owner].id, topology.element->at);
    record_.start(Kind::topology, topology.id, topology.element->at);
    record_.add_text(kText<engine::Field::name>, number == 0
                                                     ? std::string_view(network_)
                                                     : shown_name(*topology.element, topology.id));
    write_values(*topology.element);
    builder_.close_header(record_.make(), topology.element->at);
    const auto name_of = [&](const Placed& placed) {
      return placed.element == nullptr ? std::string_view(placed.name)
                                       : shown_name(*placed.element, placed.id);
    };
    for (const Index i : topology.institutions)
      if (institutions_[i].id != engine::kGlobalInstitutionId)  // every topology has it
        write_element(Kind::institution, institutions_[i], number, name_of(institutions_[i]));
    for (const Index i : topology.nodes)
      write_element(Kind::node, nodes_[i], number, name_of(nodes_[i]));
    for (const Index i : topology.links) {
      for (const Index end : {ends_[2 * i], ends_[2 * i + 1]})
        builder_.add_end(nodes_[end].id, links_[i].element->at);
      const std::string_view name = links_[i].element->value(Target::name);
      write_element(Kind::link, links_[i], number,
                    name.empty() ? name_of_link(i) : std::string(name));
    }
    builder_.close_body();
  };
  write_body(root);
  std::vector<Step> open{{root}};
  while (!open.empty()) {
    Step& step = open.back();
    const auto& children = topologies_[step.topology].children;
    if (step.child == children.size()) {
      builder_.close_topology();
      open.pop_back();
      continue;
    }
    const Index child = children[step.child++];
    write_body(child);
    open.push_back({child});
  }
}

}  // namespace netml::codecs
