#include "codecs/document/document_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ranges>
#include <utility>

#include "codecs/document/record_builder.hpp"

namespace netml::codecs {

using engine::Attributes;
using engine::AttributesPtr;
using engine::DocumentElement;
using engine::DocumentIndex;
using engine::kNoIndex;

DocumentBuilder::DocumentBuilder(ErrorList& errors)
    : errors_(errors), global_institution_(engine::global_institution()) {}

DocumentIndex DocumentBuilder::next_element() const {
  NETML_ASSERT(document_.elements.size() < kNoIndex);
  return static_cast<DocumentIndex>(document_.elements.size());
}

std::string_view DocumentBuilder::topology_id() const {
  for (const DocumentIndex index : open_ | std::views::reverse)
    if (const AttributesPtr& attributes = document_.topologies[index].attributes)
      return attributes->id();
  return {};
}

void DocumentBuilder::report_duplicate(const Attributes& attributes, TextPosition at) {
  const std::string where = attributes.kind() == Kind::topology
                                ? std::string("the file")
                                : fmt::format("topology {}", topology_id());
  errors_.report("duplicate-id",
                 fmt::format("{} id {} is used twice in {}", kind_name(attributes.kind()),
                             attributes.id(), where),
                 at, attributes.id());
}

// ---- topologies ----

void DocumentBuilder::open_topology() {
  NETML_ASSERT(!header_open_ && !body_);
  engine::DocumentTopology topology;
  topology.parent = open_.empty() ? kNoIndex : open_.back();
  topology.institutions_begin = next_element();
  open_.push_back(static_cast<DocumentIndex>(document_.topologies.size()));
  document_.topologies.push_back(std::move(topology));
  header_open_ = true;
  primary_owner_.reset();
}

void DocumentBuilder::set_primary_owner(std::string_view id, TextPosition at) {
  primary_owner_ = PendingOwner{std::string(id), at, Kind::topology, {}};
}

void DocumentBuilder::close_header(AttributesPtr attributes, TextPosition at) {
  NETML_ASSERT(header_open_);
  header_open_ = false;
  if (!attributes->id().empty() && !topology_ids_.insert(IdKey(attributes->id())).second)
    report_duplicate(*attributes, at);
  topology().attributes = std::move(attributes);
  body_.emplace();
  body_->institutions.emplace(IdKey(engine::kGlobalInstitutionId), next_element());
  document_.elements.push_back({global_institution_});
}

void DocumentBuilder::close_body() {
  NETML_ASSERT(body_.has_value());
  resolve_primary_owner();
  report_unknown_owners();
  engine::DocumentTopology& topology = this->topology();
  topology.owner = body_->primary_owner;
  topology.nodes_begin =
      topology.institutions_begin + static_cast<DocumentIndex>(body_->institutions.size());
  topology.links_begin = next_element();
  // Gone before the links take their place: of a topology with a million members these are large.
  body_->slot_of_id = {};
  body_->link_ids = {};
  for (PendingLink& link : body_->links) {
    resolve_ends(link);
    document_.elements.push_back(std::move(link.element));
  }
  topology.links_end = next_element();
  body_.reset();
}

void DocumentBuilder::close_topology() {
  NETML_ASSERT(!header_open_ && !body_);
  open_.pop_back();
}

// ---- members ----

void DocumentBuilder::add(AttributesPtr attributes, TextPosition at) {
  const Kind kind = attributes->kind();
  if (kind == Kind::institution) return add_institution(std::move(attributes), at);
  if (kind == Kind::node) return add_node(std::move(attributes), at);
  add_link(std::move(attributes), at);
}

void DocumentBuilder::add_institution(AttributesPtr attributes, TextPosition at) {
  const std::string_view id = attributes->id();
  if (id.empty()) return;
  if (id == engine::kGlobalInstitutionId) {
    if (!(*attributes == *global_institution_))
      notes().add({false, Kind::institution,
                   fmt::format("Institution {}: the built-in text replaces that of the file", id)});
    return;
  }
  if (!body_->institutions.try_emplace(IdKey(id), next_element()).second) {
    lacked_position_ = lacked_position_ || at.line == 0;
    notes().add(
        {false, Kind::institution,
         fmt::format("Institution {}: listed again in topology {} at line {}; the first one holds",
                     id, topology_id(), at.line)});
    return;
  }
  document_.elements.push_back({std::move(attributes)});
}

void DocumentBuilder::add_owner(std::string_view id, TextPosition at) {
  const auto found = body_->institutions.find(IdKey(id));
  if (found != body_->institutions.end())
    owners_.push_back(found->second);
  else
    unknown_owners_.push_back({std::string(id), at, Kind::topology, {}});
}

// `id_stays`: the text lives as long as the body; otherwise it is copied if it is new.
NodeSlotIndex DocumentBuilder::slot_of(std::string_view id, bool id_stays) {
  IdKey key(id);
  const auto found = body_->slot_of_id.find(key);
  if (found != body_->slot_of_id.end()) return found->second;
  if (!id_stays) {
    auto* copy = static_cast<char*>(body_->texts.allocate(id.size() + 1, 1));
    key.text = {copy, id.copy(copy, id.size())};
  }
  const auto slot = static_cast<NodeSlotIndex>(body_->slots.size());
  body_->slot_of_id.emplace(key, slot);
  body_->slots.push_back({key.text});
  return slot;
}

void DocumentBuilder::add_end(std::string_view id, TextPosition at) {
  NETML_ASSERT(next_link_.end_count < std::size(next_link_.ends));
  next_link_.ends[next_link_.end_count++] = {slot_of(id, false), at};
}

// An element with the owners gathered so far, as a set with the primary owner in it.
DocumentElement DocumentBuilder::make_element(AttributesPtr attributes) {
  if (resolve_primary_owner()) owners_.push_back(body_->primary_owner);
  std::ranges::sort(owners_);
  const auto repeated = std::ranges::unique(owners_);
  owners_.erase(repeated.begin(), repeated.end());
  for (PendingOwner& owner : unknown_owners_) {
    owner.kind = attributes->kind();
    owner.named_by = attributes->id();
    body_->pending_owners.push_back(std::move(owner));
  }
  unknown_owners_.clear();

  std::vector<DocumentIndex>& all = document_.owners;
  NETML_ASSERT(all.size() + owners_.size() < kNoIndex);
  DocumentElement element{std::move(attributes)};
  element.owners_begin = static_cast<std::uint32_t>(all.size());
  all.insert(all.end(), owners_.begin(), owners_.end());
  element.owners_end = static_cast<std::uint32_t>(all.size());
  owners_.clear();
  return element;
}

void DocumentBuilder::add_node(AttributesPtr attributes, TextPosition at) {
  DocumentElement element = make_element(std::move(attributes));
  const std::string_view id = element.attributes->id();
  if (id.empty()) return;
  DocumentIndex& index = body_->slots[slot_of(id, true)].node;
  if (index != kNoIndex) return report_duplicate(*element.attributes, at);
  index = next_element();
  document_.elements.push_back(std::move(element));
}

void DocumentBuilder::add_link(AttributesPtr attributes, TextPosition at) {
  PendingLink link = std::exchange(next_link_, {});
  link.position = at;
  link.element = make_element(std::move(attributes));
  const Attributes& added = *link.element.attributes;
  if (!added.id().empty() && !body_->link_ids.insert(IdKey(added.id())).second)
    report_duplicate(added, at);
  body_->links.push_back(std::move(link));
}

// ---- references ----

bool DocumentBuilder::resolve_primary_owner() {
  if (body_->primary_owner != kNoIndex) return true;
  if (!primary_owner_) return false;
  const auto found = body_->institutions.find(IdKey(primary_owner_->id));
  if (found == body_->institutions.end()) return false;
  body_->primary_owner = found->second;
  return true;
}

void DocumentBuilder::report_unknown_owners() {
  const auto report = [this](const PendingOwner& owner) {
    errors_.report(
        "owner-unknown",
        fmt::format("owner {} of {} {} is not an institution of topology {}", excerpt(owner.id),
                    kind_name(owner.kind), owner.named_by, topology_id()),
        owner.position, owner.named_by);
  };
  if (primary_owner_ && body_->primary_owner == kNoIndex) {
    primary_owner_->named_by = topology_id();
    report(*primary_owner_);
  }
  for (const PendingOwner& owner : body_->pending_owners)
    if (!body_->institutions.contains(IdKey(owner.id))) report(owner);
}

void DocumentBuilder::resolve_ends(PendingLink& link) {
  const std::string_view link_id = link.element.attributes->id();
  for (std::uint32_t i = 0; i < link.end_count; ++i) {
    const LinkEnd& end = link.ends[i];
    const NodeSlot& slot = body_->slots[end.slot];
    link.element.ends[i] = slot.node;
    if (slot.node == kNoIndex)
      errors_.report("node-unknown",
                     fmt::format("node {} of Link {} is not a node of topology {}",
                                 excerpt(slot.id), link_id, topology_id()),
                     end.position, link_id);
  }
  if (link.end_count == 2 && link.ends[0].slot == link.ends[1].slot)
    errors_.report("link-ends",
                   fmt::format("link {} must join two different nodes, found {} twice", link_id,
                               excerpt(body_->slots[link.ends[0].slot].id)),
                   link.position, link_id);
}

namespace {

// Only once what there is fills half of its room: the more was read, the better is the guess.
template <class Item>
void make_room_for(std::vector<Item>& items, std::uint64_t done, std::uint64_t all) {
  // An eighth of the file at most, for the largest of what is kept in lists.
  constexpr std::uint64_t kBytesOfItem = 8 * sizeof(DocumentElement);
  if (items.size() <= items.capacity() / 2) return;
  const double for_each = static_cast<double>(all) / static_cast<double>(done);
  const auto guess = static_cast<std::uint64_t>(static_cast<double>(items.size()) * for_each);
  if (guess <= items.capacity()) return;
  const std::uint64_t room = std::min(guess + guess / 8, all / kBytesOfItem);
  if (room > items.capacity()) items.reserve(room);
}

}  // namespace

void DocumentBuilder::make_room(std::uint64_t done, std::uint64_t all) {
  if (done == 0 || done >= all) return;
  make_room_for(document_.elements, done, all);
  make_room_for(document_.owners, done, all);
}

engine::Document DocumentBuilder::take() && {
  NETML_ASSERT(open_.empty());
  return std::move(document_);
}

}  // namespace netml::codecs
