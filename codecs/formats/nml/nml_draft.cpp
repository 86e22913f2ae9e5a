#include "codecs/formats/nml/nml_draft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <unordered_set>
#include <utility>

namespace netml::codecs {

namespace {

using engine::HalfLink;
namespace half_link = engine::half_link;

bool is_made(std::string_view id) {
  return id.starts_with(kMadeForNml);
}

bool is_about_a_person(const NmlField& field) {
  if (field.space == kNmlExtension) return false;
  return field.space == kVcardNamespace || field.path.find("contact") != std::string_view::npos;
}

}  // namespace

ReadResult NmlDraft::make(const DraftOptions& options, ErrorList errors) && {
  draft_.lose_links_without_ends();
  handled_.resize(network_.objects().size());
  halves_at_.resize(network_.objects().size());
  order_topologies();
  if (topologies_.empty()) {
    errors.report("missing-element",
                  fmt::format("{} lacks a Topology of NML", excerpt(network_.tree()[0].name)),
                  network_.tree()[0].at);
    return tl::unexpected(std::move(errors).take());
  }
  const auto& halves = halves_.halves();
  for (std::uint32_t i = 0; i < halves.size(); ++i)
    if (!halves[i].on_link && halves[i].place != kNone) halves_at_[halves[i].place].push_back(i);
  // The same property after each import, whatever the order of the file.
  for (auto& at_place : halves_at_)
    std::ranges::stable_sort(at_place, {},
                             [&](std::uint32_t half) { return network_[halves[half].port].id; });
  name_places();
  add_topologies();
  add_institutions();
  add_nodes();
  add_links();
  lose_the_rest();
  return std::move(draft_).take(options, std::move(errors));
}

std::string_view NmlDraft::name_of(std::uint32_t object) const {
  const NmlTree& tree = network_.tree();
  for (const std::uint32_t description : network_[object].descriptions)
    for (std::uint32_t i = description + 1; i < tree[description].end; i = tree[i].end)
      if (tree[i].name == "name" && !tree[i].text.empty()) return tree[i].text;
  return {};
}

TextPosition NmlDraft::position_of(std::uint32_t object) const {
  const auto& descriptions = network_[object].descriptions;
  return descriptions.empty() ? TextPosition{} : network_.tree()[descriptions.front()].at;
}

// ---- topologies ----

// Those inside others come behind them; a circle is broken where it is entered.
void NmlDraft::order_topologies() {
  const auto& objects = network_.objects();
  parents_.assign(objects.size(), kNone);
  std::vector<std::vector<std::uint32_t>> children(objects.size());
  std::vector<char> reached(objects.size());
  for (std::uint32_t i = 0; i < objects.size(); ++i) {
    if (objects[i].is != NmlIs::topology || objects[i].topologies.empty()) continue;
    children[objects[i].topologies.front()].push_back(i);
  }
  const auto reach = [&](std::uint32_t root) {
    if (std::exchange(reached[root], char{1}) != 0) return;
    topologies_.push_back(root);
    for (std::size_t next = topologies_.size() - 1; next < topologies_.size(); ++next) {
      for (const std::uint32_t child : children[topologies_[next]]) {
        if (std::exchange(reached[child], char{1}) != 0) continue;
        parents_[child] = topologies_[next];
        topologies_.push_back(child);
      }
    }
  };
  const auto is_described = [&](std::uint32_t i) {
    return objects[i].is == NmlIs::topology && !objects[i].descriptions.empty();
  };
  for (std::uint32_t i = 0; i < objects.size(); ++i)
    if (is_described(i) && objects[i].topologies.empty()) reach(i);
  for (std::uint32_t i = 0; i < objects.size(); ++i)
    if (is_described(i)) reach(i);
}

void NmlDraft::add_topologies() {
  std::size_t roots = 0;
  for (const std::uint32_t topology : topologies_) {
    draft_.open(Kind::topology, position_of(topology));
    set_fields(topology, "topology.");
    const std::uint32_t parent = parents_[topology];
    if (parent == kNone) ++roots;
    if (parent != kNone) add_value("topology.", "parent", network_[parent].id);
    if (topology == topologies_.front()) add_agents();
    draft_.close();
  }
  if (roots > 1)
    draft_.notes().add(
        {true, Kind::topology,
         fmt::format("the document has {} networks beside each other: the others are put "
                     "into the first one",
                     roots)});
}

// What it says of the agents that run the networks: where they are is not where the network is.
void NmlDraft::add_agents() {
  network_.for_each_field_outside([&](const NmlField& field) {
    const TextPosition at = network_.tree()[field.element].at;
    if (is_about_a_person(field))
      draft_.lose("", field.path, at, rules_.find("", "contact").lost_because);
    else if (field.is_relation)
      draft_.losses().carry();
    else
      set_field(field, "");
  });
}

// ---- fields ----

void NmlDraft::set_field(const NmlField& field, std::string_view owner) {
  const FoundRule& rule = rules_.find(owner, field.path);
  const TextPosition at = network_.tree()[field.element].at;
  if (field.fields > 1) draft_.losses().carry(field.fields - 1);
  draft_.set({rule, at}, field.value);
}

void NmlDraft::set_fields(std::uint32_t object, std::string_view owner, HalvesByPort* known) {
  handled_[object] = true;
  bool identified = false;
  for (const std::uint32_t description : network_[object].descriptions) {
    network_.for_each_field(description, [&](const NmlField& field) {
      const bool is_id = field.path == "id";
      const bool was_made = owner == "pair." && is_made(field.value);
      const bool is_known = is_id && (std::exchange(identified, true) || was_made);
      if (field.is_relation || is_known) return draft_.losses().carry();
      if (is_about_a_person(field))
        return draft_.lose(owner, field.path, network_.tree()[field.element].at,
                           rules_.find("", "contact").lost_because);
      set_field(field, owner);
      constexpr std::string_view kHalfLink = "property.half_link";
      if (known == nullptr || field.path != kHalfLink) return;
      if (auto half = engine::parse_half_link(field.value)) {
        HalfLink& all = known->try_emplace(half->port(), half->port()).first->second;
        all.add(*half);
      }
    });
  }
  if (known == nullptr) return;
  for (auto& [port, half] : *known) half.sort();
}

// None of them where that is the root alone.
void NmlDraft::set_topologies(std::string_view owner,
                              const std::vector<std::uint32_t>& topologies) {
  const std::uint32_t root = topologies_.front();
  if (topologies.empty() || (topologies.size() == 1 && topologies.front() == root)) return;
  for (const std::uint32_t topology : topologies)
    add_value(owner, "topology", network_[topology].id);
}

void NmlDraft::lose_fields(std::uint32_t object, std::string_view owner, std::string_view reason) {
  handled_[object] = true;
  for (const std::uint32_t description : network_[object].descriptions) {
    network_.for_each_field(description, [&](const NmlField& field) {
      for (std::uint32_t i = 0; i < field.fields; ++i)
        draft_.lose(owner, field.path, network_.tree()[field.element].at, reason);
    });
  }
}

// ---- institutions and nodes ----

void NmlDraft::add_institutions() {
  for (std::uint32_t i = 0; i < network_.objects().size(); ++i) {
    const NmlObject& object = network_[i];
    if (object.is != NmlIs::institution || object.descriptions.empty()) continue;
    draft_.open(Kind::institution, position_of(i));
    set_fields(i, "institution.");
    set_topologies("institution.", object.topologies);
    draft_.close();
  }
}

void NmlDraft::add_nodes() {
  std::vector<bool> has_node(network_.objects().size());
  std::unordered_map<std::string_view, std::uint32_t> by_id;
  for (std::uint32_t i = 0; i < network_.objects().size(); ++i) {
    if (network_[i].is != NmlIs::node || network_[i].descriptions.empty()) continue;
    if (!network_[i].id.empty()) by_id.emplace(network_[i].id, i);
  }
  // A node of the topology's own identifier is its switching service.
  std::vector<bool> is_service(network_.objects().size());
  for (const NmlHalf& half : halves_.halves())
    if (half.place != kNone && network_[half.place].is == NmlIs::topology)
      is_service[half.place] = true;
  for (const std::uint32_t topology : topologies_) {
    if (!is_service[topology]) continue;
    const auto node = by_id.find(network_[topology].id);
    if (node == by_id.end()) {
      add_service_node(topology);
    } else {
      auto& halves = halves_at_[node->second];
      halves.insert(halves.end(), halves_at_[topology].begin(), halves_at_[topology].end());
    }
  }
  for (std::uint32_t i = 0; i < network_.objects().size(); ++i)
    if (network_[i].is == NmlIs::node && !network_[i].descriptions.empty()) add_node(i);
}

void NmlDraft::add_node(std::uint32_t object) {
  draft_.open(Kind::node, position_of(object));
  HalvesByPort known;
  set_fields(object, "node.", &known);
  add_value("node.", "key", keys_[object]);
  set_topologies("node.", network_[object].topologies);
  for (const std::uint32_t half : halves_at_[object])
    set_half(half_of(halves_.halves()[half]), known);
  draft_.close();
}

void NmlDraft::add_service_node(std::uint32_t topology) {
  draft_.open(Kind::node, position_of(topology));
  add_value("node.", "id", network_[topology].id);
  add_value("node.", "name", name_of(topology));
  add_value("node.", "key", keys_[topology]);
  set_topologies("node.", {topology});
  for (const std::uint32_t half : halves_at_[topology])
    set_half(half_of(halves_.halves()[half]), {});
  draft_.close();
}

// A node or a topology with ports is called by its identifier; else by its name and its first port.
void NmlDraft::name_places() {
  const auto& objects = network_.objects();
  std::vector<std::string_view> first_port(objects.size());
  for (const NmlHalf& half : halves_.halves()) {
    if (half.place == kNone) continue;
    std::string_view& first = first_port[half.place];
    const std::string_view id = objects[half.port].id;
    if (first.empty() || id < first) first = id;
  }
  keys_.resize(objects.size());
  std::unordered_set<std::string> used;
  for (std::uint32_t i = 0; i < objects.size(); ++i)
    if (objects[i].is == NmlIs::node || objects[i].is == NmlIs::topology)
      used.insert(keys_[i] = objects[i].id);
  for (std::uint32_t i = 0; i < objects.size(); ++i) {
    const bool is_place = objects[i].is == NmlIs::node || objects[i].is == NmlIs::topology;
    if (!is_place || !objects[i].id.empty()) continue;
    const std::string key = fmt::format("{} {}", name_of(i), first_port[i]);
    keys_[i] = key;
    // What is equal in all is numbered.
    while (!used.insert(keys_[i]).second) keys_[i] = fmt::format("{} {}", key, ++repeated_[key]);
  }
}

void NmlDraft::add_value(std::string_view owner, std::string_view name, std::string_view value) {
  if (!value.empty()) draft_.add(rules_.find(owner, name), value);
}

// ---- half links ----

NmlDraft::Half NmlDraft::half_of(const NmlHalf& half) {
  const NmlObject& port = network_[half.port];
  Half made{HalfLink(port_name(half))};
  if (port.is == NmlIs::both_ways_port) {
    const bool same_labels = have_same_labels(port.parts);
    add_port(made, half.port, "", true);
    for (const std::uint32_t part : port.parts) {
      const NmlObject& one_way = network_[part];
      const bool out = one_way.outbound && !one_way.inbound;
      const bool in = one_way.inbound && !one_way.outbound;
      if (!handled_[part]) add_port(made, part, out ? "out." : in ? "in." : "part.", same_labels);
    }
  } else {
    add_port(made, half.port, "", true);
  }
  made.link.sort();
  return made;
}

std::string NmlDraft::port_name(const NmlHalf& half) const {
  const std::string_view id = network_[half.port].id;
  if (!id.empty()) return std::string(id);
  constexpr std::size_t kMax = 100;
  const auto cut = [](std::string_view text) {
    return text.substr(0, engine::prefix_size(text, kMax));
  };
  return fmt::format("{} {}", cut(keys_[half.place]), cut(name_of(half.port)));
}

// What is the same both ways is said once.
bool NmlDraft::have_same_labels(const std::vector<std::uint32_t>& parts) const {
  std::vector<std::string> labels;
  for (const std::uint32_t part : parts) {
    std::string& all = labels.emplace_back();
    for (const std::uint32_t description : network_[part].descriptions)
      network_.for_each_field(description, [&](const NmlField& field) {
        if (field.path.starts_with("label"))
          all.append(field.path).append("=").append(field.value).append("\n");
      });
  }
  return std::ranges::adjacent_find(labels, std::not_equal_to<>()) == labels.end();
}

void NmlDraft::add_port(Half& half, std::uint32_t object, std::string_view prefix,
                        bool same_labels) {
  handled_[object] = true;
  const NmlObject& port = network_[object];
  if (port.is == NmlIs::port && !is_made(port.id)) {
    const bool one = port.inbound != port.outbound;
    half.link.add(!one ? "part" : port.inbound ? half_link::kIn : half_link::kOut, port.id);
    for (const std::uint32_t alias : port.aliases)
      half.link.add(!one           ? "part_alias"
                    : port.inbound ? half_link::kPeerIn
                                   : half_link::kPeerOut,
                    network_[alias].id);
  } else if (port.is == NmlIs::both_ways_port) {
    for (const std::uint32_t alias : port.aliases)
      half.link.add(half_link::kPeer, network_[alias].id);
  }
  for (const std::uint32_t description : port.descriptions) {
    network_.for_each_field(description, [&](const NmlField& field) {
      const std::string_view path = field.path;
      if (field.is_relation || path == "id") {
        half.fields += field.fields;
      } else if (path == "labelgroup" || path == "label") {
        add_member(half, field, std::string(same_labels ? "" : prefix).append(half_link::kLabels));
      } else if (path == "labelgroup.labeltype" || path == "label.labeltype") {
        add_member(half, field,
                   std::string(same_labels ? "" : prefix).append(half_link::kLabelType));
      } else {
        add_member(half, field, std::string(prefix).append(path));
      }
    });
  }
}

void NmlDraft::add_member(Half& half, const NmlField& field, std::string_view name) {
  if (is_about_a_person(field) || !half.link.has_room(name, field.value)) {
    draft_.lose(
        "port.", field.path, network_.tree()[field.element].at,
        is_about_a_person(field) ? "it is about a person" : "it is longer than a half link may be");
    return;
  }
  half.link.add(name, field.value);
  half.fields += field.fields;
}

// What the element does not have already.
void NmlDraft::set_half(const Half& half, const HalvesByPort& known) {
  const auto same = known.find(half.link.port());
  const bool is_known = same != known.end();
  const HalfLink more = is_known ? half.link.without(same->second) : half.link;
  const bool says_nothing = is_known && more.members().empty();
  if (is_made(half.link.port()) || says_nothing) return draft_.losses().carry(half.fields);
  const FoundRule& rule = rules_.find("", engine::kHalfLinkProperty);
  std::uint64_t fields = half.fields;
  for (const std::string& text : more.texts())
    draft_.set_together(rule, text, std::exchange(fields, 0));
}

// ---- links ----

void NmlDraft::add_links() {
  for (const NmlLink& link : halves_.links())
    if (link.lost_because.empty()) add_link(link);
  for (const NmlLink& link : halves_.links()) {
    if (link.lost_because.empty()) continue;
    if (link.whole != kNone && !handled_[link.whole])
      lose_fields(link.whole, "link.", link.lost_because);
    for (const std::uint32_t part : link.parts)
      if (!handled_[part]) lose_fields(part, "link.", link.lost_because);
  }
}

void NmlDraft::add_link(const NmlLink& link) {
  const std::uint32_t first = link.whole != kNone ? link.whole : link.parts.front();
  draft_.open(Kind::link, position_of(first));
  HalvesByPort known;
  set_fields(first, "link.", &known);
  for (const std::uint32_t part : link.parts)
    if (part != first && !handled_[part]) set_fields(part, "pair.", &known);
  const auto& topologies = network_[first].topologies;
  set_topologies("link.", topologies);
  add_end(link, 0, known);
  add_end(link, 1, known);
  if (link.one_way) add_value("", "one_way_from", keys_[link.places[0]]);
  draft_.close();
}

void NmlDraft::add_end(const NmlLink& link, std::size_t end, const HalvesByPort& known) {
  const std::uint32_t place = link.places[end];
  add_value("link.", end == 0 ? "issource" : "issink", keys_[place]);
  Half both;
  for (const std::uint32_t number : link.halves[end]) {
    const NmlHalf& half = halves_.halves()[number];
    if (handled_[half.port]) continue;  // another link ends there, too
    Half one = half_of(half);
    const bool is_first = both.link.port().empty() || one.link.port() < both.link.port();
    HalfLink joined(is_first ? one.link.port() : both.link.port());
    joined.add(both.link);
    joined.add(one.link);
    both = {std::move(joined), both.fields + one.fields};
  }
  if (both.link.port().empty()) return;
  if (!network_[place].id.empty()) both.link.add(half_link::kNode, network_[place].id);
  both.link.sort();
  set_half(both, known);
}

// ---- what is left ----

void NmlDraft::lose_the_rest() {
  for (const NmlHalf& half : halves_.halves()) {
    if (half.place != kNone || handled_[half.port]) continue;
    lose_fields(half.port, "port.", half.lost_because);
    for (const std::uint32_t part : network_[half.port].parts)
      if (!handled_[part]) lose_fields(part, "port.", half.lost_because);
  }
  for (std::uint32_t i = 0; i < network_.objects().size(); ++i)
    if (!handled_[i] && !network_[i].descriptions.empty())
      lose_fields(i, "", "nothing of the map refers to it");
}

}  // namespace netml::codecs
