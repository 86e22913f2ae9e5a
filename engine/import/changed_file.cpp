// Everything that is not plainly as described in the header ends the attempt: whoever asked then
// reads the file.
#include "engine/import/changed_file.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "engine/graph/record_sets.hpp"
#include "engine/import/detail/import_groups.hpp"
#include "engine/import/detail/import_planner.hpp"

namespace netml::engine {

namespace {

constexpr std::array kElementKinds{Kind::institution, Kind::node, Kind::link};

std::pair<DocumentIndex, DocumentIndex> range(const DocumentTopology& topology, Kind kind) {
  if (kind == Kind::institution) return {topology.institutions_begin, topology.nodes_begin};
  if (kind == Kind::node) return {topology.nodes_begin, topology.links_begin};
  return {topology.links_begin, topology.links_end};
}

// The topologies of the known file, which list what the changes say; nothing where these are
// others. `places`: of the topologies of the changes among them.
std::optional<Document> grafted(const Document& outline, const FileChanges& changes,
                                std::vector<DocumentIndex>& places) {
  Document document;
  document.losses = outline.losses;
  document.elements = changes.document.elements;
  document.owners = changes.document.owners;
  document.topologies = outline.topologies;
  boost::unordered_flat_map<std::string_view, DocumentIndex> by_id;
  for (DocumentIndex i = 0; i < document.topologies.size(); ++i) {
    DocumentTopology& topology = document.topologies[i];
    topology.owner = kNoIndex;
    topology.institutions_begin = topology.nodes_begin = 0;
    topology.links_begin = topology.links_end = 0;
    by_id.emplace(topology.attributes->id(), i);
  }
  places.assign(changes.document.topologies.size(), kNoIndex);
  for (DocumentIndex i = 0; i < places.size(); ++i) {
    const DocumentTopology& changed = changes.document.topologies[i];
    const auto found = by_id.find(changed.attributes->id());
    if (found == by_id.end()) return std::nullopt;
    places[i] = found->second;
    DocumentTopology& topology = document.topologies[found->second];
    const DocumentIndex parent = topology.parent;
    const std::string_view parent_id =
        parent == kNoIndex ? std::string_view() : document.topologies[parent].attributes->id();
    if (parent_id != changes.parents[i] || !(*topology.attributes == *changed.attributes))
      return std::nullopt;
    const AttributesPtr attributes = topology.attributes;
    topology = changed;
    topology.parent = parent;
    topology.attributes = attributes;
  }
  return document;
}

class ChangedElements {
 public:
  ChangedElements(ImportContext& context, const FileChanges& changes,
                  std::span<const DocumentIndex> places)
      : context_(context), changes_(changes), places_(places), groups_(context.document) {}

  // Resolves all and takes out what has gone. False where the file must be read.
  bool resolve() {
    const std::size_t elements = context_.document.elements.size();
    context_.outcome.assign(elements, RecordId{});
    context_.topology_of.assign(elements, 0);
    given_.clear();
    for (DocumentIndex i = 0; i < context_.document.topologies.size(); ++i) {
      const DocumentTopology& topology = context_.document.topologies[i];
      std::fill(context_.topology_of.begin() + topology.institutions_begin,
                context_.topology_of.begin() + topology.links_end, i);
    }
    for (const Kind kind : kElementKinds)
      for (const DocumentTopology& topology : context_.document.topologies) {
        const auto [begin, end] = range(topology, kind);
        for (DocumentIndex i = begin; i < end; ++i)
          if (!context_.outcome[i] && !resolve_group(i)) return false;
      }
    return have_same_owners() && take_out();
  }

  const Removed& removed() const { return removed_; }

 private:
  struct Group {
    std::optional<DocumentIndex> original;
    std::vector<DocumentIndex> copies;
  };

  const Graph& graph() const { return context_.graph(); }
  const Attributes& attributes(DocumentIndex element) const {
    return *context_.document.elements[element].attributes;
  }
  RecordId topology_of(DocumentIndex element) const {
    return context_.topologies[context_.topology_of[element]];
  }

  // The only record of that identifier; no graph that is asked here has two.
  RecordId stored(Kind kind, std::string_view id) const { return graph().find_newest(kind, id); }

  bool resolve_group(DocumentIndex first) {
    Group group;
    bool is_plain = true;
    groups_.for_each_in_group(first, [&](DocumentIndex place) {
      if (changes_.only_named[place]) return;
      const bool is_copy = attributes(place).kind() != Kind::link && attributes(place).is_copy();
      if (is_copy)
        group.copies.push_back(place);
      else if (!group.original)
        group.original = place;
      else
        is_plain = false;
    });
    const Kind kind = attributes(first).kind();
    const RecordId before = stored(kind, attributes(first).id());
    if (!is_plain || (before && is_copy_stored(before))) return false;
    if (!group.original && !before) return false;
    if (group.original && before && !belongs_only_to(before, topology_of(*group.original)))
      return false;
    if (!group.copies.empty() && !are_copies_of(group, before)) return false;
    const RecordId outcome = group.original ? put(*group.original, before) : before;
    groups_.for_each_in_group(first,
                              [&](DocumentIndex place) { context_.outcome[place] = outcome; });
    return static_cast<bool>(outcome);
  }

  bool is_copy_stored(RecordId id) const {
    return graph().kind(id) != Kind::link && graph().attributes(id).is_copy();
  }
  bool belongs_only_to(RecordId element, RecordId topology) const {
    const auto topologies = graph().relations(element).topologies();
    return topologies.size() == 1 && topologies.front() == topology;
  }

  // They give way to the one element that they stand for.
  bool are_copies_of(const Group& group, RecordId before) const {
    const RecordId home = group.original ? topology_of(*group.original) : only_topology(before);
    if (!home || !context_.document_topology.contains(home)) return false;
    const std::string_view home_id = context_.topology_id(home);
    return std::ranges::all_of(group.copies, [&](DocumentIndex copy) {
      const auto named = split_from_topology(*attributes(copy).from_topology());
      return std::ranges::find(named, home_id) != named.end();
    });
  }
  RecordId only_topology(RecordId element) const {
    const auto topologies = graph().relations(element).topologies();
    return topologies.size() == 1 ? topologies.front() : RecordId{};
  }

  // None where what it refers to is not known.
  RecordId put(DocumentIndex place, RecordId before) {
    const DocumentElement& element = context_.document.elements[place];
    owners_.clear();
    for (const DocumentIndex owner : context_.document.owners_of(element))
      owners_.push_back(context_.outcome[owner]);
    sort_each_once(owners_);
    if (!owners_.empty() && !owners_.front()) return {};
    const RecordId topology = topology_of(place);
    RelationFields fields;
    fields.topologies = std::span(&topology, 1);
    fields.owners = owners_;
    if (element.ends[0] != kNoIndex) {
      const bool in_order = attributes(element.ends[0]).id() < attributes(element.ends[1]).id();
      ends_[0] = context_.outcome[element.ends[in_order ? 0 : 1]];
      ends_[1] = context_.outcome[element.ends[in_order ? 1 : 0]];
      fields.ends = ends_;
      if (!ends_[0] || !ends_[1]) return {};
    }
    Workspace& workspace = context_.workspace;
    if (!before) return workspace.create({element.attributes, Relations::make(fields)});
    given_.insert(before);
    const Record was = workspace.record(before);
    const bool same_attributes = *was.attributes == *element.attributes;
    const bool same_relations = std::ranges::equal(was.relations->owners(), fields.owners) &&
                                std::ranges::equal(was.relations->ends(), fields.ends);
    if (!same_attributes || !same_relations)
      workspace.put(before, {same_attributes ? was.attributes : element.attributes,
                             same_relations ? was.relations : Relations::make(fields)});
    return before;
  }

  // Another owner of a topology shows in all that it lists.
  bool have_same_owners() const {
    return std::ranges::all_of(context_.document.topologies, [&](const DocumentTopology& topology) {
      if (topology.owner == kNoIndex) return true;
      const auto place = &topology - context_.document.topologies.data();
      return graph().relations(context_.topologies[static_cast<std::size_t>(place)]).owner() ==
             context_.outcome[topology.owner];
    });
  }

  bool take_out() {
    for (const FileChanges::Gone& gone : changes_.gone) {
      const RecordId element = stored(gone.kind, gone.id);
      const DocumentIndex place = places_[gone.topology];
      if (!element || place == kNoIndex || is_copy_stored(element)) return false;
      const RecordId topology = context_.topologies[place];
      const bool belongs_here =
          std::ranges::binary_search(graph().relations(element).topologies(), topology);
      if (!belongs_here) {  // a copy, of which nothing is stored
        const RecordId home = only_topology(element);
        if (!home || !context_.document_topology.contains(home)) return false;
        continue;
      }
      if (given_.contains(element) || !belongs_only_to(element, topology)) return false;
      removed_.by_kind[static_cast<std::size_t>(gone.kind)].push_back(element);
      context_.workspace.hide(element);
    }
    for (auto& of_kind : removed_.by_kind) std::ranges::sort(of_kind);
    return leaves_nothing_hanging();
  }

  // Else what has gone would take something with it.
  bool leaves_nothing_hanging() {
    for (const auto& of_kind : removed_.by_kind)
      for (const RecordId gone : of_kind)
        for (const RecordId user : context_.workspace.referrers(gone))
          if (!context_.workspace.is_hidden(user)) return false;
    return true;
  }

  ImportContext& context_;
  const FileChanges& changes_;
  const std::span<const DocumentIndex> places_;
  const ImportGroups groups_;
  RecordSet given_;  // stored ones that are given
  Removed removed_;
  std::vector<RecordId> owners_;
  std::array<RecordId, 2> ends_{};
};

// Matching put the topologies where they are, and as they are.
bool has_same_topologies(const ImportContext& context) {
  if (!context.deleted_topologies.empty()) return false;
  return std::ranges::all_of(context.topologies, [&](RecordId topology) {
    if (!context.graph().contains(topology)) return false;
    const Record now = context.workspace.record(topology);
    const Record before = context.graph().record(topology);
    return *now.attributes == *before.attributes && *now.relations == *before.relations;
  });
}

// With as many elements more and less. Nothing else was said of any.
ImportLog log_of(const KnownFile& before, const FileChanges& changes) {
  ImportLog log;
  const auto counts = before.of_elements.counts();
  for (const Kind kind : kElementKinds) {
    const auto at = static_cast<std::size_t>(kind);
    log.parsed(kind, counts[at].parsed + changes.added[at] - changes.removed[at]);
    log.imported(kind, counts[at].imported + changes.added[at] - changes.removed[at]);
  }
  return log;
}

std::uint64_t total(const std::array<std::uint64_t, kKindCount>& counts) {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : counts) sum += count;
  return sum;
}

}  // namespace

std::optional<ImportPlan> plan_changed_file(const State& state, const KnownFile& before,
                                            const FileChanges& changes,
                                            const ImportOptions& options) {
  // What was said of elements may be about some that differ now.
  if (!before.outline.notes.empty() || before.of_elements.line_bytes() != 0) return std::nullopt;
  if (!has_identities(state, before.records() + total(changes.added))) return std::nullopt;
  if (state.catalog.overrides.count() != 0 || state.graph.has_duplicates()) return std::nullopt;
  std::vector<DocumentIndex> places;
  const auto document = grafted(before.outline, changes, places);
  if (!document) return std::nullopt;
  ImportContext context(state, *document, options);
  log_notes(context.log, document->notes, document->losses);
  choose_rules(context);
  if (!context.keeps_newest || !context.rules.empty()) return std::nullopt;
  if (!match_topologies(context) || !has_same_topologies(context)) return std::nullopt;
  ChangedElements elements(context, changes, places);
  if (!elements.resolve()) return std::nullopt;
  auto known = std::make_shared<KnownFile>(before);
  known->elements += total(changes.added) - total(changes.removed);
  known->of_elements = log_of(before, changes);
  context.log.append(ImportLog(known->of_elements));
  for (const DocumentIndex topology : context.visit_order)
    context.workspace.renumber(context.topologies[topology]);
  for (std::size_t kind = 0; kind < kKindCount; ++kind)
    context.merged[kind].resize(before.merged[kind]);
  run_import_rules(context);
  delete_removed(context, elements.removed());
  ImportPlan plan = planned(context);
  plan.known = std::move(known);
  return plan;
}

}  // namespace netml::engine
