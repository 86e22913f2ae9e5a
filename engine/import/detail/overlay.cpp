#include "engine/import/detail/overlay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/import/detail/import_planner.hpp"

namespace netml::engine {

namespace {

using ElementId = std::pair<Kind, std::string_view>;

std::string title_of(const Override& entry) {
  return fmt::format("override of {} of {} <{}>", entry.field_name, enumerant_name(entry.kind),
                     entry.element);
}

std::string until_text(const Override& entry) {
  return fmt::format("it counted until {}", format_instant(entry.until));
}

}  // namespace

Overlay::Overlay(const State& state, const Document& document, Instant now)
    : state_(state), document_(document), now_(now) {
  if (state.catalog.overrides.count() == 0) return;
  state.catalog.overrides.for_each([&](std::uint64_t number, const Override& entry) {
    // One that this program cannot read is left as it is.
    if (auto field = overridden_field(entry.kind, entry.field_name))
      held_.push_back({number, state.catalog.overrides.find(number), *std::move(field)});
  });
  find_listed();
  // What is kept on the map may go with a topology that the file has no longer.
  std::erase_if(held_,
                [](const Held& held) { return !held.listed && !held.field.is_membership(); });
  // Nodes before the links that end at them.
  std::ranges::stable_sort(held_, {}, [](const Held& held) { return held.entry->kind; });
}

void Overlay::find_listed() {
  boost::unordered_flat_map<ElementId, DocumentIndex> places;
  for (const Held& held : held_)
    places.emplace(ElementId(held.entry->kind, held.entry->element), kNoIndex);
  const auto note = [&](const Attributes& attributes, DocumentIndex index) {
    const auto place = places.find(ElementId(attributes.kind(), attributes.id()));
    if (place != places.end()) place->second = index;
  };
  for (DocumentIndex i = 0; i < document_.topologies.size(); ++i) {
    note(*document_.topologies[i].attributes, i);
    topologies_.insert(document_.topologies[i].attributes->id());
  }
  for (DocumentIndex i = 0; i < document_.elements.size(); ++i)
    note(*document_.elements[i].attributes, i);
  for (Held& held : held_) {
    const DocumentIndex index = places[ElementId(held.entry->kind, held.entry->element)];
    if (index != kNoIndex) held.listed = index;
  }
}

// Whether some topology may still deliver what the file does not list: another one that it was in,
// or all of them where the file has none.
bool Overlay::stays_away(const Override& entry) const {
  bool concerned = false;
  bool elsewhere = false;
  for (const std::string& id : lines_of(entry.delivered)) {
    const bool in_file = topologies_.contains(id);
    concerned = concerned || in_file;
    elsewhere = elsewhere || (!in_file && state_.graph.find_newest(Kind::topology, id));
  }
  return !concerned || elsewhere;
}

bool Overlay::is_over(const Held& held) const {
  return held.entry->until != Instant() && held.entry->until <= now_;
}

// Networks share what lies between them, and the oldest of its topologies is the one that an
// element belongs to (source_authority.hpp): only a file with that says what the source delivers.
bool Overlay::is_home(const ImportContext& context, const Held& held) const {
  if (held.entry->kind == Kind::topology) return true;
  const RecordId id = state_.graph.find_newest(held.entry->kind, held.entry->element);
  if (!id) return true;
  const auto topologies = state_.graph.relations(id).topologies();
  return topologies.empty() || context.covered.contains(topologies.front());
}

Result<State> Overlay::lifted() {
  Workspace workspace(state_);
  for (const Held& held : held_) {
    if (held.field.is_membership()) continue;
    const RecordId record = state_.graph.find_newest(held.entry->kind, held.entry->element);
    if (!record) continue;
    const Override& entry = *held.entry;
    // An owner that is gone is none of the element's.
    if (auto without = with_field_text(workspace, workspace.record(record), held.field,
                                       entry.to_decide ? entry.contested : entry.delivered))
      workspace.put(record, *std::move(without));
  }
  const Transaction transaction = workspace.finish();
  lifted_ = transaction.records;
  NETML_TRY(State state, apply(state_, transaction, state_.lsn));
  return state;
}

// The record that the element of the file became; none where a rule deleted it.
RecordId Overlay::record_of(ImportContext& context, const Held& held) const {
  const RecordId record = held.entry->kind == Kind::topology ? context.topologies[*held.listed]
                                                             : context.outcome[*held.listed];
  if (record && context.workspace.contains(record) && !context.workspace.is_hidden(record))
    return record;
  return context.workspace.find_newest(held.entry->kind, held.entry->element);
}

// ---- what becomes of an override ----

void Overlay::end(ImportLog& log, const Held& held, std::string_view why) {
  log.information(held.entry->kind, fmt::format("{} ended: {}", title_of(*held.entry), why));
  changes_.push_back({held.number, held.entry, nullptr});
}

// `contested`: what the source delivers, if that is to be decided.
void Overlay::decide(ImportLog& log, const Held& held, std::optional<std::string> contested,
                     std::string_view why) {
  Override changed = *held.entry;
  changed.to_decide = contested.has_value();
  changed.contested = std::move(contested).value_or(std::string());
  if (changed == *held.entry) return;
  if (changed.to_decide)
    log.warning(changed.kind, fmt::format("{} is to be decided: {}", title_of(changed), why));
  changes_.push_back(
      {held.number, held.entry, std::make_shared<const Override>(std::move(changed))});
}

// ---- elements ----

void Overlay::keep_element(ImportContext& context, const Held& held) {
  if (held.listed) return end(context.log, held, "the source delivers the element");
  const RecordId id = state_.graph.find_newest(held.entry->kind, held.entry->element);
  Workspace& workspace = context.workspace;
  // Not touched by this file; or gone before, whoever deleted it.
  if (!id || !workspace.is_hidden(id)) return;
  if (is_over(held)) return end(context.log, held, until_text(*held.entry));
  const auto is_there = [&](RecordId record) {
    return workspace.contains(record) && !workspace.is_hidden(record);
  };
  // As the groups left it, which may have led it to other ends and owners.
  const Record now = workspace.record(id);
  if (!std::ranges::all_of(now.relations->ends(), is_there))
    return end(context.log, held, "a node that it ends at is gone");
  std::vector<RecordId> topologies;
  for (const RecordId topology : now.relations->topologies())
    if (workspace.contains(topology) &&
        std::ranges::find(context.deleted_topologies, topology) == context.deleted_topologies.end())
      topologies.push_back(topology);
  if (topologies.empty()) return end(context.log, held, "its topology is gone");
  RelationFields relations = now.relations->fields();
  relations.topologies = topologies;
  std::vector<RecordId> owners(relations.owners.begin(), relations.owners.end());
  std::erase_if(owners, [&](RecordId owner) { return !is_there(owner); });
  relations.owners = owners;
  workspace.show(id);
  workspace.put_relations(id, relations);
}

void Overlay::keep_deleted(ImportContext& context, const Held& held) {
  if (!held.listed) {
    if (stays_away(*held.entry)) return;
    return end(context.log, held, "the source delivers the element no longer");
  }
  if (is_over(held)) return end(context.log, held, until_text(*held.entry));
  if (const RecordId record = record_of(context, held)) context.workspace.remove_element(record);
}

// ---- values ----

void Overlay::lay_value(ImportContext& context, const Held& held) {
  const RecordId id = record_of(context, held);
  if (!id) return;
  const Override& entry = *held.entry;
  Workspace& workspace = context.workspace;
  const Record record = workspace.record(id);
  const std::string delivered = field_text(workspace, record, held.field);
  if (is_over(held)) return end(context.log, held, until_text(entry));
  const bool counts = is_home(context, held);
  if (delivered == entry.value) {
    if (counts) end(context.log, held, "the source delivers the same");
    return;
  }
  Result<Record> laid = with_field_text(workspace, record, held.field, entry.value);
  if (!laid) return decide(context.log, held, delivered, laid.error().text());
  workspace.put(id, *std::move(laid));
  if (!counts) return;
  if (delivered == entry.delivered) return decide(context.log, held, std::nullopt, "");
  decide(context.log, held, delivered, "the source delivers something else than before");
}

void Overlay::lay(ImportContext& context) {
  for (const Held& held : held_) {
    if (!held.field.is_membership()) continue;
    if (held.entry->value.empty())
      keep_deleted(context, held);
    else
      keep_element(context, held);
  }
  for (const Held& held : held_)
    if (!held.field.is_membership()) lay_value(context, held);
}

void Overlay::rebase(Transaction& transaction) {
  transaction.records = combined_changes(std::move(lifted_), std::move(transaction.records));
  std::ranges::sort(changes_, {}, &EntryChange<Override>::number);
  transaction.overrides = std::move(changes_);
}

}  // namespace netml::engine
