// Step 2 of an import: which record each element of the file becomes. Elements of one kind and
// identifier are one thing, wherever the file lists them and whatever is stored under that
// identifier, so they are resolved as one group. What holds afterwards:
//
// - each place of the file has a record (`outcome`), and a link, an owner or an end that names the
//   place leads there, since kinds are resolved in the order in which they refer to one another;
// - a stored record that a group has met is `resolved` and not for the sweep, unless it lost all of
//   its topologies and nothing took its place;
// - an element that is as it was changes nothing, and costs no memory.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/graph/record_sets.hpp"
#include "engine/import/detail/gather_properties.hpp"
#include "engine/import/detail/import_planner.hpp"
#include "engine/rules/copies.hpp"

namespace netml::engine {

namespace {

using RecordIds = std::vector<RecordId>;

void insert_sorted(RecordIds& ids, RecordId id) {
  const auto at = std::ranges::lower_bound(ids, id);
  if (at == ids.end() || *at != id) ids.insert(at, id);
}

// One of the records that share a kind and identifier while a group is being resolved: a place of
// the file, or a stored record.
struct Candidate {
  DocumentIndex instance = kNoIndex;  // none: stored
  RecordId stored;
  RecordIds topologies;  // ascending
  RecordIds owners;      // ascending
  AttributesPtr attributes;
  std::uint64_t age = 0;  // larger = newer
  Standing standing = Standing::original;
  bool orphaned = false;      // stored, in none but visited or deleted topologies
  std::uint64_t left_at = 0;  // the age of what the file gives in the topology it lost last
  Candidate* merged_into = nullptr;

  bool is_stored() const { return instance == kNoIndex; }
  bool is_copy() const { return standing != Standing::original; }
  Candidate& survivor() {
    Candidate* at = this;
    while (at->merged_into != nullptr) at = at->merged_into;
    return *at;
  }
};

class GroupResolver {
 public:
  GroupResolver(ImportContext& context, const ImportGroups& groups)
      : context_(context), groups_(groups) {}

  void resolve_kind(Kind kind) {
    // In document order: identities are given in the order in which elements are met, and the next
    // import of the same file finds them by that order (find_stored).
    for (const DocumentTopology& topology : context_.document.topologies) {
      const auto [begin, end] = range(topology, kind);
      for (DocumentIndex i = begin; i < end; ++i)
        if (groups_.is_first(i)) resolve(i);
      context_.log_of_elements.parsed(kind, end - begin);
      context_.log_of_elements.imported(kind, end - begin);
    }
    if (!keeps_newest()) resolve_waiting_copies(kind);
    // What refers to this kind is resolved after it, and then finds the records that are left.
    for (const auto& [from, to] : forwards_)
      for (const RecordId link : context_.workspace.forward(from, to)) {
        context_.log_of_elements.information(Kind::link,
                                             fmt::format("{} removed: both ends became one node",
                                                         context_.workspace.describe(link)));
      }
    forwards_.clear();
  }

 private:
  const Graph& graph() const { return context_.graph(); }
  bool keeps_newest() const { return context_.keeps_newest; }

  static std::pair<DocumentIndex, DocumentIndex> range(const DocumentTopology& topology,
                                                       Kind kind) {
    switch (kind) {
      case Kind::institution:
        return {topology.institutions_begin, topology.nodes_begin};
      case Kind::node:
        return {topology.nodes_begin, topology.links_begin};
      case Kind::link:
        return {topology.links_begin, topology.links_end};
      case Kind::topology:
        break;
    }
    return {0, 0};
  }

  void resolve(DocumentIndex first) {
    const Attributes& element = *context_.document.elements[first].attributes;
    find_stored(element);
    // Nearly all groups of nearly all files are of this sort; the rest of this class is for others.
    if (groups_.is_single(first) && resolve_single(first)) return;
    candidates_.clear();
    groups_.for_each_in_group(first, [&](DocumentIndex instance) { add_instance(instance); });
    resolve_candidates();
  }

  // The records with the element's identifier. A file that comes again lists its elements in the
  // order in which they got their identities, so the one after that found last is tried first.
  void find_stored(const Attributes& element) {
    stored_.clear();
    const auto add = [&](RecordId id) {
      // Two nodes that became one may have taken a link with them.
      if (context_.workspace.contains(id)) stored_.push_back(id);
      found_last_ = id;
      return true;
    };
    const RecordId next{found_last_.value + 1};
    if (graph().is_only(next, element.kind(), element.id()))
      add(next);
    else
      graph().for_each_with_id(element.kind(), element.id(), add);
  }

  // The common cases without a detour: one place in the file, and none stored or one that belongs
  // to visited topologies only.
  bool resolve_single(DocumentIndex instance) {
    if (stored_.size() > 1) return false;
    const DocumentElement& element = context_.document.elements[instance];
    const RecordId topology = context_.topologies[context_.topology_of[instance]];
    collect_owners(element, scratch_owners_);
    const RelationFields relations =
        relations_of(element, std::span(&topology, 1), scratch_owners_);
    if (stored_.empty()) {
      context_.outcome[instance] =
          context_.workspace.create({element.attributes, shared_relations(relations)});
      return true;
    }
    const Relations& before = graph().relations(stored_.front());
    // One that another file's topology lists, too, has a membership to keep, and needs a group.
    for (const RecordId member_of : before.topologies())
      if (!context_.covered.contains(member_of)) return false;
    if (before.topologies().empty()) return false;
    store(stored_.front(), element.attributes, relations);
    context_.outcome[instance] = stored_.front();
    return true;
  }

  // Nodes of one topology mostly have one owner: those that follow one another share what they say.
  // Not too many, so that nothing depends on how far a reference can be counted.
  RelationsPtr shared_relations(const RelationFields& relations) {
    constexpr unsigned kSharedMax = 64;
    const bool same = relations.ends.empty() && last_relations_ != nullptr &&
                      last_relations_->origin() == relations.origin &&
                      std::ranges::equal(last_relations_->topologies(), relations.topologies) &&
                      std::ranges::equal(last_relations_->owners(), relations.owners);
    if (same && ++sharing_ < kSharedMax) return last_relations_;
    RelationsPtr made = Relations::make(relations);
    if (!relations.ends.empty()) return made;
    sharing_ = 0;
    last_relations_ = made;
    return made;
  }

  // A copy left by earlier imports may have just one original now that another lost its topology,
  // or its topology its identifier. Where the newest is kept, no copy waits beside another record.
  void resolve_waiting_copies(Kind kind) {
    for (const RecordId copy : graph().copies()) {
      if (context_.resolved[copy.value] || graph().kind(copy) != kind) continue;
      stored_ = graph().find(kind, graph().attributes(copy).id());
      std::erase_if(stored_, [this](RecordId id) { return !context_.workspace.contains(id); });
      candidates_.clear();
      resolve_candidates();
    }
  }

  void add_instance(DocumentIndex instance) {
    const DocumentElement& element = context_.document.elements[instance];
    const DocumentIndex topology = context_.topology_of[instance];
    Candidate candidate;
    candidate.instance = instance;
    candidate.topologies = {context_.topologies[topology]};
    collect_owners(element, candidate.owners);
    candidate.attributes = element.attributes;
    candidate.age = age_of_instance(topology);
    candidate.standing = standing_of(*element.attributes);
    candidates_.push_back(std::move(candidate));
  }

  // Newer than all that is stored, and the newer the later its topology is visited.
  std::uint64_t age_of_instance(DocumentIndex topology) const {
    return (std::uint64_t{1} << 63) + context_.visit_rank[topology];
  }

  void add_stored(RecordId id) {
    const Record record = context_.workspace.record(id);
    Candidate candidate;
    candidate.stored = id;
    for (const RecordId topology : record.relations->topologies()) {
      const auto visited = context_.document_topology.find(topology);
      if (visited != context_.document_topology.end())
        candidate.left_at = std::max(candidate.left_at, age_of_instance(visited->second));
      else if (!context_.covered.contains(topology))
        candidate.topologies.push_back(topology);
    }
    candidate.orphaned = candidate.topologies.empty() && !record.relations->topologies().empty();
    const auto owners = record.relations->owners();
    candidate.owners.assign(owners.begin(), owners.end());
    candidate.attributes = record.attributes;
    candidate.age = graph().number(id).value;
    candidate.standing = standing_of(*record.attributes);
    candidates_.push_back(std::move(candidate));
  }

  // What becomes of this file may depend on them. Nothing does on who else lists what all list.
  void note_met(const Candidate& stored) {
    if (stored.attributes->id() == kGlobalInstitutionId) return;
    for (const RecordId topology : stored.topologies)
      if (!context_.covered.contains(topology)) context_.met.insert(topology);
  }

  static Standing standing_of(const Attributes& attributes) {
    const bool copy = attributes.kind() != Kind::link && attributes.is_copy();
    return copy ? Standing::lone_copy : Standing::original;
  }

  // Expects the instances in candidates_ and the stored records in stored_.
  void resolve_candidates() {
    // All candidates first: the steps below point into the vector, so it must not grow any more.
    candidates_.reserve(candidates_.size() + stored_.size());
    for (const RecordId id : stored_) {
      add_stored(id);
      context_.meets_other_files |= !candidates_.back().orphaned;
      note_met(candidates_.back());
      context_.resolved[id.value] = true;
    }
    gather_group_properties();
    // Copies before collisions: a copy that has given way collides with nothing.
    replace_orphans();
    resolve_copies();
    if (keeps_newest()) merge_into_newest();
    write_survivors();
  }

  // A stored record that lost its last topology is replaced by what the file gives in its place:
  // the newest up to the topology it lost last, so that each of several records of one identifier
  // is followed by its own; else, when the element moved up the tree, the newest of all.
  void replace_orphans() {
    std::vector<Candidate*> instances;  // the oldest first
    for (Candidate& candidate : candidates_)
      if (!candidate.is_stored()) instances.push_back(&candidate);
    if (instances.empty()) return;
    std::ranges::sort(instances, {}, &Candidate::age);
    for (Candidate& orphan : candidates_) {
      if (!orphan.orphaned) continue;
      const auto later = std::ranges::upper_bound(instances, orphan.left_at, {}, &Candidate::age);
      orphan.merged_into = later == instances.begin() ? instances.back() : *std::prev(later);
    }
  }

  // docs/requirements/importing.md, section 7: a copy gives way to the one record it stands for. A
  // copy that has done so may leave just one original to another copy.
  void resolve_copies() {
    std::vector<Candidate*> waiting;  // the oldest first
    for (Candidate& candidate : candidates_)
      if (candidate.is_copy() && candidate.merged_into == nullptr && !candidate.orphaned)
        waiting.push_back(&candidate);
    if (waiting.empty()) return;
    std::ranges::sort(waiting, {}, &Candidate::age);
    index_holders();
    // Ends, as each turn takes at least one from the list.
    while (std::erase_if(waiting, [&](Candidate* copy) {
      const std::vector<Candidate*> originals = originals_of(*copy);
      if (originals.size() == 1) copy->merged_into = originals.front();
      return originals.size() == 1;
    })) {
    }
    for (Candidate* copy : waiting) {
      const std::size_t originals = originals_of(*copy).size();
      if (originals == 0) continue;
      copy->standing = Standing::copy_of_others;
      if (!keeps_newest())
        context_.log_of_elements.information(
            copy->attributes->kind(),
            fmt::format("copy {} <{}> could stand for {} records and is kept",
                        copy->attributes->name(), copy->attributes->id(), originals));
    }
  }

  // One element may be copied in as many topologies as the file has.
  void index_holders() {
    holders_.clear();
    for (Candidate& candidate : candidates_)
      if (!candidate.orphaned)
        for (const RecordId topology : candidate.topologies)
          holders_[context_.topology_id(topology)].push_back(&candidate);
  }

  std::vector<Candidate*> originals_of(const Candidate& copy) const {
    std::vector<Candidate*> originals;
    for (const std::string& topology : split_from_topology(*copy.attributes->from_topology())) {
      const auto holders = holders_.find(topology);
      if (holders == holders_.end()) continue;
      for (Candidate* holder : holders->second)
        if (holder != &copy && holder->merged_into == nullptr) originals.push_back(holder);
    }
    sort_each_once(originals);
    return originals;
  }

  // The default rules: originals before copies, the newest of them wins; topologies and owners are
  // merged. What stands lower than the winner adds neither, because a copy says that the element
  // does not belong where it stands.
  void merge_into_newest() {
    Candidate* winner = nullptr;
    for (Candidate& candidate : candidates_) {
      if (candidate.merged_into != nullptr || candidate.orphaned) continue;
      if (winner == nullptr ||
          std::pair(candidate.standing, candidate.age) > std::pair(winner->standing, winner->age))
        winner = &candidate;
    }
    if (winner == nullptr) return;
    const std::size_t merged_before = merged_of(*winner).size();
    for (Candidate& candidate : candidates_) {
      if (&candidate == winner || candidate.merged_into != nullptr || candidate.orphaned) continue;
      candidate.merged_into = winner;
      note_merged(candidate);
      if (candidate.standing < winner->standing) continue;
      for (const RecordId topology : candidate.topologies)
        insert_sorted(winner->topologies, topology);
      for (const RecordId owner : candidate.owners) insert_sorted(winner->owners, owner);
    }
    if (merged_of(*winner).size() > merged_before) note_merged(*winner);
  }

  std::vector<RecordReference>& merged_of(const Candidate& candidate) {
    return context_.merged[static_cast<std::size_t>(candidate.attributes->kind())];
  }
  void note_merged(const Candidate& candidate) {
    RecordReference reference;
    if (candidate.is_stored()) reference = {candidate.stored, graph().number(candidate.stored)};
    merged_of(candidate).push_back(reference);
  }

  // Decision 3. Copies and stored records neither give nor receive.
  void gather_group_properties() {
    std::vector<Candidate*> instances;
    for (Candidate& candidate : candidates_)
      if (!candidate.is_stored() && !candidate.is_copy()) instances.push_back(&candidate);
    if (instances.size() < 2) return;
    std::ranges::sort(instances, [&](const Candidate* a, const Candidate* b) {
      const std::uint32_t depth_a = context_.depth[context_.topology_of[a->instance]];
      const std::uint32_t depth_b = context_.depth[context_.topology_of[b->instance]];
      return depth_a != depth_b ? depth_a < depth_b : a->age > b->age;
    });
    std::vector<const Attributes*> attributes;
    attributes.reserve(instances.size());
    for (const Candidate* instance : instances) attributes.push_back(instance->attributes.get());
    const GatheredProperties gathered = gather_properties(attributes);
    for (const std::string& name : gathered.conflicts)
      context_.log_of_elements.information(
          attributes.front()->kind(),
          fmt::format("{} <{}>: property \"{}\" differs between topologies of the file; the values "
                      "nearest the root are kept",
                      attributes.front()->name(), attributes.front()->id(), name));
    std::vector<AttributesPtr> completed;  // the views in `gathered` must not outlive their source
    completed.reserve(instances.size());
    for (const Candidate* instance : instances)
      completed.push_back(with_properties(instance->attributes, gathered.shared));
    for (std::size_t i = 0; i < instances.size(); ++i) instances[i]->attributes = completed[i];
  }

  // Gives every surviving candidate its record, and tells what became of the others.
  void write_survivors() {
    for (Candidate& survivor : candidates_) {
      if (survivor.merged_into != nullptr || survivor.orphaned) continue;
      const RecordId id = identity_for(survivor);
      for (Candidate& candidate : candidates_) {
        if (&candidate.survivor() != &survivor) continue;
        if (!candidate.is_stored())
          context_.outcome[candidate.instance] = id;
        else if (candidate.stored != id)
          forwards_.emplace_back(candidate.stored, id);
      }
    }
    for (const Candidate& candidate : candidates_)
      if (candidate.orphaned && candidate.merged_into == nullptr)
        // It lost all its topologies and the file has nothing in its place.
        context_.resolved[candidate.stored.value] = false;  // left to the sweep
  }

  // A record of the file takes over the identity of the stored one it replaces, so that history
  // goes on; the oldest if there are several.
  RecordId identity_for(Candidate& survivor) {
    RecordId id = survivor.stored;
    for (Candidate& candidate : candidates_)
      // The smallest identity is the one with the longest history.
      if (candidate.is_stored() && &candidate.survivor() == &survivor &&
          (!id || (!survivor.is_stored() && candidate.stored < id)))
        id = candidate.stored;
    if (survivor.is_stored()) {
      const RelationsPtr before = context_.workspace.record(survivor.stored).relations;
      RelationFields relations = before->fields();
      relations.topologies = survivor.topologies;
      relations.owners = survivor.owners;
      store(id, survivor.attributes, relations);
      return id;
    }
    const RelationFields relations = relations_of(context_.document.elements[survivor.instance],
                                                  survivor.topologies, survivor.owners);
    if (!id) return context_.workspace.create({survivor.attributes, Relations::make(relations)});
    store(id, survivor.attributes, relations);
    return id;
  }

  // Puts the record only where it differs, so that an unchanged element costs no memory.
  void store(RecordId id, const AttributesPtr& attributes, const RelationFields& relations) {
    context_.resolved[id.value] = true;
    const Record before = context_.workspace.record(id);
    const bool same_attributes = *before.attributes == *attributes;
    const bool same_relations =
        std::ranges::equal(before.relations->topologies(), relations.topologies) &&
        std::ranges::equal(before.relations->owners(), relations.owners) &&
        std::ranges::equal(before.relations->ends(), relations.ends);
    if (same_attributes && same_relations) return;
    context_.workspace.put(id, {same_attributes ? before.attributes : attributes,
                                same_relations ? before.relations : Relations::make(relations)});
  }

  void collect_owners(const DocumentElement& element, RecordIds& owners) const {
    owners.clear();
    for (const DocumentIndex owner : context_.document.owners_of(element))
      insert_sorted(owners, context_.outcome[owner]);
  }

  // Links join their ends in the order of the identifiers.
  RelationFields relations_of(const DocumentElement& element, std::span<const RecordId> topologies,
                              std::span<const RecordId> owners) {
    RelationFields fields;
    fields.topologies = topologies;
    fields.owners = owners;
    if (element.ends[0] == kNoIndex) return fields;
    const auto end_id = [&](int end) {
      return context_.document.elements[element.ends[end]].attributes->id();
    };
    const bool in_order = end_id(0) < end_id(1);
    scratch_ends_[0] = context_.outcome[element.ends[in_order ? 0 : 1]];
    scratch_ends_[1] = context_.outcome[element.ends[in_order ? 1 : 0]];
    fields.ends = scratch_ends_;
    return fields;
  }

  ImportContext& context_;
  const ImportGroups& groups_;
  std::vector<Candidate> candidates_;
  boost::unordered_flat_map<std::string_view, std::vector<Candidate*>> holders_;  // by topology id
  RecordIds stored_;
  RecordId found_last_;
  RelationsPtr last_relations_;  // of an element without ends
  unsigned sharing_ = 0;         // elements beside the first one that have them
  RecordIds scratch_owners_;
  RecordId scratch_ends_[2];
  std::vector<std::pair<RecordId, RecordId>> forwards_;
};

// Where little is stored: most of what the file lists is new then.
void expect_created(ImportContext& context, const ImportGroups& groups) {
  std::size_t stored = 0;
  for (const Kind kind : {Kind::institution, Kind::node, Kind::link})
    stored += context.graph().count(kind);
  if (groups.size() > stored) context.workspace.expect(groups.size() - stored);
}

}  // namespace

void resolve_elements(ImportContext& context) {
  const auto& document = context.document;
  context.outcome.assign(document.elements.size(), RecordId{});
  context.topology_of.assign(document.elements.size(), 0);
  context.resolved.assign(context.graph().next_id().value, false);
  for (DocumentIndex i = 0; i < document.topologies.size(); ++i)
    std::fill(context.topology_of.begin() + document.topologies[i].institutions_begin,
              context.topology_of.begin() + document.topologies[i].links_end, i);
  const ImportGroups groups(document);
  expect_created(context, groups);
  GroupResolver resolver(context, groups);
  for (const Kind kind : {Kind::institution, Kind::node, Kind::link}) resolver.resolve_kind(kind);
}

}  // namespace netml::engine
