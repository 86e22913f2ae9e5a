#include "engine/import/plan_update.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <optional>
#include <ranges>
#include <utility>

#include "engine/base/wording.hpp"
#include "engine/edit/plan_records.hpp"
#include "engine/graph/properties.hpp"
#include "engine/graph/topology_tree.hpp"
#include "engine/import/detail/import_planner.hpp"
#include "engine/overrides/plan_overrides.hpp"
#include "engine/transaction/workspace.hpp"

namespace netml::engine {

namespace {

using RecordIds = std::vector<RecordId>;
using Texts = std::vector<std::string_view>;

// The field as errors about records name it.
std::string_view error_name(UpdatedField field, Kind kind) {
  switch (field) {
    case UpdatedField::name:
      return "name";
    case UpdatedField::short_name:
      return "short_name";
    case UpdatedField::version:
      return "version";
    case UpdatedField::start:
      return "start";
    case UpdatedField::end:
      return "end";
    case UpdatedField::latitude:
      return "latitude";
    case UpdatedField::longitude:
      return "longitude";
    case UpdatedField::altitude:
      return "altitude";
    case UpdatedField::unlocode:
      return "unlocode";
    case UpdatedField::address:
      return "address";
    case UpdatedField::property:
      return "properties";
    case UpdatedField::owner:
      return kind == Kind::topology ? "owner" : "owners";
    case UpdatedField::topology:
      return "topologies";
    case UpdatedField::parent:
      return "parent";
    case UpdatedField::first_end:
      return "node_a";
    case UpdatedField::second_end:
      return "node_b";
  }
  return "";
}

// What a file has in the place of an identifier may be long.
std::string shown(std::string_view id) {
  return cut_text(id, kIdCharactersMax).value_or(std::string(id));
}

class UpdatePlanner {
 public:
  UpdatePlanner(const State& state, RecordId topology, const MapUpdate& update,
                std::size_t errors_max, InputErrors& errors)
      : graph_(state.graph),
        topology_(topology),
        update_(update),
        errors_max_(errors_max),
        errors_(errors),
        workspace_(state),
        scope_(state.graph, topology) {}

  // The changes, where nothing is wrong.
  Transaction plan() {
    for (const MapUpdate::Element& element : update_.elements()) {
      const RecordIds records = find(element.kind, update_.text(element.id));
      if (records.empty())
        report("unknown-element", element.at,
               fmt::format("no {} of {} has this identifier", kind_name(element.kind),
                           graph_.attributes(topology_).name()),
               update_.text(element.id));
      for (const RecordId record : records) change(element, record);
    }
    return workspace_.finish();
  }

 private:
  // In the topology that is updated, or below it; ascending.
  RecordIds find(Kind kind, std::string_view id) const {
    RecordIds found = graph_.find(kind, id);
    std::erase_if(found, [&](RecordId record) { return !scope_.holds(record); });
    return found;
  }

  void report(std::string_view code, MapUpdate::Place at, std::string_view message,
              std::string_view id) {
    ++errors_.count;
    if (errors_.first.size() >= errors_max_) return;
    errors_.first.push_back({.code = std::string(code),
                             .message = fmt::format("Error: {}", message),
                             .line = at.line,
                             .column = at.column,
                             .id = shown(id),
                             .sheet = update_.sheets[at.sheet]});
  }

  void change(const MapUpdate::Element& element, RecordId record) {
    const std::uint64_t before = errors_.count;
    RecordEdit edit;
    std::vector<const MapUpdate::Field*> properties;
    for (const MapUpdate::Field& field : update_.fields(element)) {
      if (field.field == UpdatedField::property)
        properties.push_back(&field);
      else
        set(edit, element, field, record);
    }
    set_properties(edit, record, properties);
    if (errors_.count != before) return;
    Result<Record> edited = edited_record(graph_, record, edit);
    if (edited) return workspace_.put(record, *std::move(edited));
    report("bad-value", place_of(element, edited.error().field), edited.error().text(),
           update_.text(element.id));
  }

  // Where the field stands that an error is about; else that of the element.
  MapUpdate::Place place_of(const MapUpdate::Element& element, std::string_view name) const {
    for (const MapUpdate::Field& field : update_.fields(element))
      if (error_name(field.field, element.kind) == name) return field.at;
    return element.at;
  }

  // ---- values ----

  std::string text(const MapUpdate::Field& field) const {
    const auto values = update_.values(field);
    return values.empty() ? std::string() : std::string(update_.text(values.front()));
  }
  template <class T>
  std::optional<T> value(const MapUpdate::Field& field) const {
    const auto values = update_.values(field);
    return values.empty() ? std::nullopt : std::optional(std::get<T>(values.front()));
  }
  Texts texts(const MapUpdate::Field& field) const {
    Texts texts;
    for (const MapUpdate::Value& value : update_.values(field))
      texts.push_back(update_.text(value));
    return texts;
  }

  void set(RecordEdit& edit, const MapUpdate::Element& element, const MapUpdate::Field& field,
           RecordId record) {
    switch (field.field) {
      case UpdatedField::name:
        edit.name = text(field);
        break;
      case UpdatedField::short_name:
        edit.short_name = text(field);
        break;
      case UpdatedField::version:
        edit.version = value<Instant>(field);
        break;
      case UpdatedField::start:
        edit.start = value<Instant>(field);
        break;
      case UpdatedField::end:
        edit.end = value<Instant>(field);
        break;
      case UpdatedField::latitude:
        edit.latitude = value<Micro>(field);
        break;
      case UpdatedField::longitude:
        edit.longitude = value<Micro>(field);
        break;
      case UpdatedField::altitude:
        edit.altitude = value<Micro>(field);
        break;
      case UpdatedField::unlocode:
        edit.unlocode = text(field);
        break;
      case UpdatedField::address:
        edit.address = text(field);
        break;
      case UpdatedField::owner:
        set_owners(edit, element, field, record);
        break;
      case UpdatedField::topology:
      case UpdatedField::parent:
        check_place(element, field, record);
        break;
      case UpdatedField::first_end:
        set_end(edit.end_a, element, field, record, 0);
        break;
      case UpdatedField::second_end:
        set_end(edit.end_b, element, field, record, 1);
        break;
      case UpdatedField::property:
        break;
    }
  }

  void set_properties(RecordEdit& edit, RecordId record,
                      std::span<const MapUpdate::Field* const> fields) {
    if (fields.empty()) return;
    const std::vector<Property> before = graph_.attributes(record).properties();
    boost::unordered_flat_map<std::string_view, Texts> stored;
    for (const Property& property : before) stored[property.name].push_back(property.value);
    std::vector<NamedValues> changes;
    for (const MapUpdate::Field* const field : fields)
      if (NamedValues wanted{update_.name(*field), texts(*field)};
          stored[wanted.name] != wanted.values)
        changes.push_back(std::move(wanted));
    if (changes.empty()) return;
    edit.properties.emplace();
    for (const Property& property : with_values(before, changes))
      edit.properties->push_back({std::string(property.name), std::string(property.value)});
  }

  // ---- what it refers to ----

  Texts ids_of(std::span<const RecordId> records) const {
    Texts ids;
    for (const RecordId record : records) ids.push_back(graph_.attributes(record).id());
    std::ranges::sort(ids);
    return ids;
  }

  // The newest of those that have the identifier. None: it was reported.
  RecordId target(Kind kind, std::string_view id, const MapUpdate::Element& element,
                  const MapUpdate::Field& field) {
    const RecordIds found = find(kind, id);
    if (!found.empty())
      return *std::ranges::max_element(
          found, {}, [&](RecordId each) { return std::pair(graph_.number(each), each); });
    report("unknown-reference", field.at,
           fmt::format("no {} of {} has the identifier {}", kind_name(kind),
                       graph_.attributes(topology_).name(), shown(id)),
           update_.text(element.id));
    return {};
  }

  void set_owners(RecordEdit& edit, const MapUpdate::Element& element,
                  const MapUpdate::Field& field, RecordId record) {
    Texts wanted = texts(field);
    std::ranges::sort(wanted);
    if (wanted == ids_of(graph_.relations(record).owners())) return;
    RecordIds owners;
    for (const std::string_view id : wanted)
      owners.push_back(target(Kind::institution, id, element, field));
    if (element.kind == Kind::topology)
      edit.owner = owners.empty() ? RecordId() : owners.front();
    else
      edit.owners = std::move(owners);
  }

  void set_end(std::optional<RecordId>& end, const MapUpdate::Element& element,
               const MapUpdate::Field& field, RecordId record, std::size_t place) {
    const std::string wanted = text(field);
    const auto ends = graph_.relations(record).ends();
    if (place < ends.size() && graph_.attributes(ends[place]).id() == wanted) return;
    end = wanted.empty() ? RecordId() : target(Kind::node, wanted, element, field);
  }

  // Of an element only the topologies count that are updated.
  void check_place(const MapUpdate::Element& element, const MapUpdate::Field& field,
                   RecordId record) {
    RecordIds now;
    for (const RecordId topology : graph_.relations(record).topologies())
      if (element.kind == Kind::topology || scope_.contains(topology)) now.push_back(topology);
    Texts wanted = texts(field);
    std::ranges::sort(wanted);
    const Texts stored = ids_of(now);
    if (wanted == stored) return;
    report("moved-element", field.at,
           fmt::format("an update moves nothing; the {} is in {}", kind_name(element.kind),
                       fmt::join(stored, ", ")),
           update_.text(element.id));
  }

  const Graph& graph_;
  const RecordId topology_;
  const MapUpdate& update_;
  const std::size_t errors_max_;
  InputErrors& errors_;
  Workspace workspace_;
  const TopologyTree scope_;
};

std::string text_of(const InputErrors& errors) {
  std::string text = errors.first.empty() ? std::string() : errors.first.front().text();
  if (errors.count > 1) text += fmt::format("; and {}", counted(errors.count - 1, "more error"));
  return text;
}

}  // namespace

Result<ImportPlan> plan_update(const State& state, RecordId topology, const MapUpdate& update,
                               std::size_t errors_max, InputErrors& errors) {
  errors = {};
  Transaction transaction = UpdatePlanner(state, topology, update, errors_max, errors).plan();
  if (errors.count > 0) return fail(Errc::conflict, text_of(errors));
  // It is made of edits.
  followed_by_overrides(transaction, state, std::nullopt);
  FollowedByRules followed{std::move(transaction), {}};
  if (!followed.transaction.records.empty()) {
    NETML_TRY(followed, followed_by_rules(state, std::move(followed.transaction)));
  }
  ImportPlan plan{.transaction = std::move(followed.transaction),
                  .log = {},
                  .rules = std::move(followed.logs),
                  .covered = {},
                  .root = topology,
                  .parent = topology,
                  .losses = update.losses};
  log_notes(plan.log, update.notes, update.losses);
  for (const MapUpdate::Element& element : update.elements()) {
    plan.log.parsed(element.kind, 1);
    plan.log.imported(element.kind, 1);
  }
  return plan;
}

}  // namespace netml::engine
