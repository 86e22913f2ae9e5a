#include "engine/edit/plan_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/graph/record_sets.hpp"
#include "engine/transaction/catalog_tables.hpp"
#include "engine/transaction/entry_changes.hpp"
#include "engine/transaction/workspace.hpp"

namespace netml::engine {

namespace {

// ---- what a record says of itself ----

constexpr Micro kLatitudeMax{90'000'000};
constexpr Micro kLongitudeMax{180'000'000};
// Metres, as of files that are imported.
constexpr Micro kAltitudeMin{-11'000'000'000};
constexpr Micro kAltitudeMax{9'000'000'000};

// Characters that no file of the exchange format can hold (XML 1.0, section 2.2). The text is
// valid UTF-8.
bool has_forbidden_character(std::string_view text) {
  const bool control = std::ranges::any_of(text, [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
  });
  return control || text.find("\xEF\xBF\xBE") != text.npos ||
         text.find("\xEF\xBF\xBF") != text.npos;
}

Status check_text(const char* field, std::string_view text, std::size_t characters_max) {
  if (has_forbidden_character(text))
    return fail(Errc::invalid_input, field, "holds a control character");
  if (character_count(text) <= characters_max) return {};
  return fail(Errc::invalid_input, field, fmt::format("at most {} characters", characters_max));
}

Status check_attributes(const AttributeFields& fields) {
  if (fields.id.empty()) return fail(Errc::invalid_input, "netml_id", "must not be empty");
  if (fields.name.empty()) return fail(Errc::invalid_input, "name", "must not be empty");
  Status texts;
  for_each_text([&](const auto& text) {
    const char* const name = text.field == Field::id ? "netml_id" : text.name;
    if (texts) texts = check_text(name, fields.*text.member, text.characters_max);
  });
  NETML_TRY_VOID(texts);
  if (fields.coordinates) {
    const Coordinates& at = *fields.coordinates;
    if (at.latitude > kLatitudeMax || at.latitude.value < -kLatitudeMax.value)
      return fail(Errc::invalid_input, "latitude", "-90 to 90 degrees");
    if (at.longitude > kLongitudeMax || at.longitude.value < -kLongitudeMax.value)
      return fail(Errc::invalid_input, "longitude", "-180 to 180 degrees");
  }
  if (fields.altitude && (*fields.altitude < kAltitudeMin || *fields.altitude > kAltitudeMax))
    return fail(Errc::invalid_input, "altitude", "-11000 to 9000 metres");
  return {};
}

Result<std::vector<TextProperty>> edited_properties(const Record& before, const RecordEdit& edit) {
  std::vector<TextProperty> properties;
  if (edit.properties)
    properties = *edit.properties;
  else if (before)
    before.attributes->for_each_property([&](const Property& property) {
      properties.push_back({std::string(property.name), std::string(property.value)});
    });
  properties.insert(properties.end(), edit.added_properties.begin(), edit.added_properties.end());
  for (const TextProperty& property : properties) {
    NETML_TRY_VOID(check_text("properties", property.name, kPropertyNameCharactersMax));
    const bool uncut = property.name == kFromTopology;
    NETML_TRY_VOID(check_text("properties", property.value,
                              uncut ? property.value.size() : kPropertyValueCharactersMax));
  }
  return properties;
}

template <class T, class U>
void set(T& field, const std::optional<U>& wanted) {
  if (wanted) field = *wanted;
}

Result<std::optional<Coordinates>> edited_coordinates(const std::optional<Coordinates>& before,
                                                      const RecordEdit& edit) {
  std::optional<Micro> latitude;
  std::optional<Micro> longitude;
  if (before) {
    latitude = before->latitude;
    longitude = before->longitude;
  }
  set(latitude, edit.latitude);
  set(longitude, edit.longitude);
  if (latitude.has_value() != longitude.has_value())
    return fail(Errc::invalid_input, latitude ? "longitude" : "latitude",
                "is needed, too, or neither");
  if (!latitude) return std::optional<Coordinates>();
  return std::optional(Coordinates{*latitude, *longitude});
}

// What the kind does not have stays as it is: empty.
Status set_fields(AttributeFields& fields, const RecordEdit& edit) {
  const auto take = [&](auto member, const auto& wanted) {
    if (applies_to(member, fields.kind)) set(fields.*member, wanted);
  };
  take(&AttributeFields::main, edit.main);
  take(&AttributeFields::id, edit.id);
  take(&AttributeFields::name, edit.name);
  take(&AttributeFields::short_name, edit.short_name);
  take(&AttributeFields::version, edit.version);
  take(&AttributeFields::start, edit.start);
  take(&AttributeFields::end, edit.end);
  take(&AttributeFields::altitude, edit.altitude);
  take(&AttributeFields::unlocode, edit.unlocode);
  take(&AttributeFields::address, edit.address);
  for_each_further_text([&](const auto& text) {
    const auto wanted = edit.further.find(text.field);
    if (wanted != edit.further.end())
      take(text.member, std::optional<std::string_view>(wanted->second));
  });
  // Not where neither is touched: what is stored may be older than this check.
  if ((edit.start || edit.end) && fields.end && !fields.start)
    return fail(Errc::invalid_input, "end", "needs a start; give start too, or leave end empty");
  if (applies_to(&AttributeFields::coordinates, fields.kind)) {
    NETML_TRY(fields.coordinates, edited_coordinates(fields.coordinates, edit));
  }
  return {};
}

Result<AttributesPtr> edited_attributes(Kind kind, const Record& before, const RecordEdit& edit) {
  AttributeFields fields;
  if (before) fields = before.attributes->fields();
  fields.kind = kind;
  NETML_TRY_VOID(set_fields(fields, edit));
  NETML_TRY_VOID(check_attributes(fields));
  NETML_TRY(const std::vector<TextProperty> properties, edited_properties(before, edit));
  std::vector<Property> views;
  views.reserve(properties.size());
  for (const TextProperty& property : properties) views.push_back({property.name, property.value});
  fields.properties = views;
  return Attributes::make(fields);
}

// ---- its associations ----

Status check_target(const Graph& graph, const char* field, RecordId target, Kind kind) {
  if (graph.contains(target) && graph.kind(target) == kind) return {};
  return fail(Errc::invalid_input, field, fmt::format("there is no such {}", kind_name(kind)));
}

Result<std::vector<RecordId>> target_set(const Graph& graph, const char* field, Kind kind,
                                         std::span<const RecordId> before,
                                         const std::optional<std::vector<RecordId>>& wanted) {
  std::vector<RecordId> targets(before.begin(), before.end());
  if (!wanted) return targets;
  targets = *wanted;
  for (const RecordId target : targets) NETML_TRY_VOID(check_target(graph, field, target, kind));
  sort_each_once(targets);
  return targets;
}

// None or one, as a topology's parent and owner are.
Result<std::vector<RecordId>> single_target(const Graph& graph, const char* field, Kind kind,
                                            std::span<const RecordId> before,
                                            const std::optional<RecordId>& wanted) {
  if (!wanted) return std::vector<RecordId>(before.begin(), before.end());
  if (!*wanted) return std::vector<RecordId>();
  NETML_TRY_VOID(check_target(graph, field, *wanted, kind));
  return std::vector<RecordId>{*wanted};
}

// In the order given (docs/requirements/importing.md, section 1.3).
Result<std::vector<RecordId>> link_ends(const Graph& graph, std::span<const RecordId> before,
                                        const RecordEdit& edit) {
  std::vector<RecordId> ends(before.begin(), before.end());
  ends.resize(2);
  set(ends[0], edit.end_a);
  set(ends[1], edit.end_b);
  constexpr std::array<const char*, 2> kFields{"node_a", "node_b"};
  for (const std::size_t i : {0, 1}) {
    if (!ends[i])
      return fail(Errc::invalid_input, kFields[i], "is required; a link ends at two nodes");
    NETML_TRY_VOID(check_target(graph, kFields[i], ends[i], Kind::node));
  }
  if (ends[0] == ends[1])
    return fail(Errc::invalid_input, kFields[edit.end_b ? 1 : 0],
                "is also the link's other end; it needs two different nodes");
  return ends;
}

Result<RelationsPtr> edited_relations(const Graph& graph, Kind kind, const Record& before,
                                      const RecordEdit& edit) {
  RelationFields now;
  if (before) now = before.relations->fields();
  std::vector<RecordId> topologies;
  std::vector<RecordId> owners;
  std::vector<RecordId> ends;
  if (kind == Kind::topology) {
    NETML_TRY(topologies,
              single_target(graph, "parent", Kind::topology, now.topologies, edit.parent));
    NETML_TRY(owners, single_target(graph, "owner", Kind::institution, now.owners, edit.owner));
  } else {
    NETML_TRY(topologies,
              target_set(graph, "topologies", Kind::topology, now.topologies, edit.topologies));
  }
  if (kind == Kind::node || kind == Kind::link) {
    NETML_TRY(owners, target_set(graph, "owners", Kind::institution, now.owners, edit.owners));
  }
  if (kind == Kind::link) {
    NETML_TRY(ends, link_ends(graph, now.ends, edit));
  }
  return Relations::make({topologies, owners, ends, now.origin});
}

// ---- the graph around it ----

// Topologies alone have identifiers that no other may have.
Status check_identifier(const Graph& graph, RecordId record, const AttributesPtr& attributes) {
  if (attributes->kind() != Kind::topology) return {};
  for (const RecordId other : graph.find(Kind::topology, attributes->id()))
    if (other != record)
      return fail(Errc::conflict, "netml_id", "another topology has this identifier");
  return {};
}

Status check_ancestors(const Graph& graph, RecordId topology, RecordId parent) {
  for (RecordId above = parent; above; above = graph.relations(above).parent())
    if (above == topology)
      return fail(Errc::conflict, "parent", "a topology cannot be below itself");
  return {};
}

void unmark_others(Workspace& workspace, RecordId topology) {
  for (const RecordId main : workspace.base().graph.mains())
    if (main != topology) workspace.unmark_main(main);
}

}  // namespace

Result<RecordCreation> plan_record_create(const State& state, Kind kind, const RecordEdit& edit) {
  Workspace workspace(state);
  RecordEdit complete = edit;
  const bool first = kind == Kind::topology && state.graph.count(Kind::topology) == 0;
  if (first) complete.main = true;
  NETML_TRY(AttributesPtr attributes, edited_attributes(kind, Record(), complete));
  NETML_TRY_VOID(check_identifier(state.graph, RecordId{}, attributes));
  NETML_TRY(RelationsPtr relations, edited_relations(state.graph, kind, Record(), complete));
  const bool main = attributes->main();
  const RecordId id = workspace.create({std::move(attributes), std::move(relations)});
  workspace.number(id);
  if (main) unmark_others(workspace, id);
  return RecordCreation{workspace.finish(), id};
}

Result<Record> edited_record(const Graph& graph, RecordId id, const RecordEdit& edit) {
  const Record before = graph.record(id);
  if (!before) return fail(Errc::not_found, "there is no such record");
  const Kind kind = before.kind();
  NETML_TRY(AttributesPtr attributes, edited_attributes(kind, before, edit));
  NETML_TRY_VOID(check_identifier(graph, id, attributes));
  NETML_TRY(RelationsPtr relations, edited_relations(graph, kind, before, edit));
  if (kind == Kind::topology) NETML_TRY_VOID(check_ancestors(graph, id, relations->parent()));
  return Record{std::move(attributes), std::move(relations)};
}

Result<Transaction> plan_record_update(const State& state, RecordId id, const RecordEdit& edit) {
  NETML_TRY(Record record, edited_record(state.graph, id, edit));
  Workspace workspace(state);
  if (record.attributes->main() && !state.graph.attributes(id).main()) unmark_others(workspace, id);
  workspace.put(id, std::move(record));
  return workspace.finish();
}

// What none is below now, none is below when all are moved there: so each is judged by the graph as
// it is.
Result<Transaction> plan_records_update(const State& state, std::span<const EditedRecord> edits) {
  Workspace workspace(state);
  for (const auto& [id, edit] : edits) {
    auto record = edited_record(state.graph, id, edit);
    if (!record) {
      Error error = std::move(record).error();
      if (state.graph.contains(id))
        error.message = fmt::format("{}: {}", state.graph.attributes(id).name(), error.message);
      return tl::unexpected(std::move(error));
    }
    workspace.put(id, *std::move(record));
  }
  return workspace.finish();
}

Result<Transaction> plan_record_delete(const State& state, RecordId id) {
  return plan_records_delete(state, std::span(&id, 1));
}

Result<Transaction> plan_records_delete(const State& state, std::span<const RecordId> records) {
  Workspace workspace(state);
  std::vector<RecordId> topologies;
  for (const RecordId id : records) {
    if (!state.graph.contains(id)) return fail(Errc::not_found, "there is no such record");
    if (!workspace.contains(id)) continue;  // gone with another one
    if (state.graph.kind(id) == Kind::topology)
      topologies.push_back(id);
    else
      workspace.remove_element(id);
  }
  if (!topologies.empty()) workspace.remove_topologies(std::move(topologies));
  return workspace.finish();
}

Transaction plan_graph_clear(const State& state) {
  Transaction transaction = empty_transaction(state);
  state.graph.for_each_record(
      [&](RecordId id) { transaction.records.push_back({id, state.graph.record(id), Record()}); });
  return transaction;
}

Transaction plan_clear(const State& state) {
  Transaction transaction = plan_graph_clear(state);
  for_each_catalog_table([&]<class T>(const CatalogTable<T>& table) {
    (state.catalog.*table.entries).for_each([&](std::uint64_t number, const T&) {
      remove_entry<T>(transaction, state, number);
    });
  });
  return transaction;
}

}  // namespace netml::engine
