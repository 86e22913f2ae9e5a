// One edit of several records, as one transaction (docs/api.md, section "Network records").
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <memory>
#include <span>

#include "admin/analysis/map_records.hpp"
#include "admin/answers/json_answers.hpp"
#include "admin/api/site/sections/planned_changes.hpp"
#include "admin/api/site/sections/record_items.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "engine/base/lower_case.hpp"
#include "engine/edit/plan_records.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using engine::Graph;
using engine::RecordEdit;
using engine::TextProperty;
using net::Response;

namespace {

// What makes a record the one that it is, or says where one thing is or leads.
constexpr std::array<std::string_view, 8> kOfOneRecord{
    "id", "name", "is_main", "node_a", "node_b", "latitude", "longitude", "altitude"};

// All copies of an edit are there at once.
constexpr std::size_t kEditedMax = 1'000;
constexpr std::size_t kTargetsMax = 1'000;

struct BulkEdit {
  RecordEdit set;                            // its properties are values of those names alone
  RecordEdit add;                            // to lists: topologies, owners, properties
  RecordEdit remove;                         // from the same
  std::vector<std::string> less_properties;  // with all their values
};

Status check_fields(const json::object& fields, bool lists_only) {
  constexpr std::array<std::string_view, 3> kLists{"topologies", "owners", "properties"};
  for (const json::key_value_pair& field : fields) {
    const std::string_view name = field.key();
    if (std::ranges::find(kOfOneRecord, name) != kOfOneRecord.end())
      return wrong_field(name, "is a field of one record");
    if (lists_only && std::ranges::find(kLists, name) == kLists.end())
      return wrong_field(name, "holds one value: set it");
  }
  return {};
}

Result<json::object> part_of(const json::object& fields, std::string_view name) {
  const json::value* const part = given_field(fields, name);
  if (part == nullptr) return json::object();
  if (!part->is_object()) return wrong_field(name, "must be an object");
  NETML_TRY_VOID(check_fields(part->get_object(), name != "set"));
  return part->get_object();
}

// Whatever a field is called: identifiers and marks are of one record.
Status check_values(const RecordEdit& edit) {
  if (edit.id) return wrong_field("id", "is a field of one record");
  if (edit.main) return wrong_field("is_main", "is a field of one record");
  if (edit.version && !*edit.version) return wrong_field("version", "must be a time");
  const auto is_long = [](const std::optional<std::vector<RecordId>>& targets) {
    return targets && targets->size() > kTargetsMax;
  };
  if (is_long(edit.topologies)) return wrong_field("topologies", "are too many");
  if (is_long(edit.owners)) return wrong_field("owners", "are too many");
  return {};
}

Result<BulkEdit> read_edit(const json::object& fields, Kind kind, const Graph& graph) {
  BulkEdit edit;
  NETML_TRY(const json::object set, part_of(fields, "set"));
  NETML_TRY(const json::object add, part_of(fields, "add"));
  NETML_TRY(json::object remove, part_of(fields, "remove"));
  if (set.empty() && add.empty() && remove.empty())
    return wrong_field("set", "nothing is to be changed");
  NETML_TRY(const auto less, optional_texts(remove, "properties"));
  remove.erase("properties");
  for (const std::string& name : less.value_or(std::vector<std::string>()))
    engine::append_lower_case(edit.less_properties.emplace_back(), name);
  NETML_TRY(edit.set, read_some_fields(set, kind, graph));
  NETML_TRY(edit.add, read_some_fields(add, kind, graph));
  NETML_TRY(edit.remove, read_some_fields(remove, kind, graph));
  for (const RecordEdit* const part : {&edit.set, &edit.add, &edit.remove})
    NETML_TRY_VOID(check_values(*part));
  return edit;
}

using Targets = std::optional<std::vector<RecordId>>;

// Nothing where the edit leaves them as they are.
Targets targets_after(std::span<const RecordId> now, const Targets& set, const Targets& add,
                      const Targets& remove) {
  if (!set && !add && !remove) return std::nullopt;
  std::vector<RecordId> targets = set.value_or(std::vector<RecordId>(now.begin(), now.end()));
  if (add) targets.insert(targets.end(), add->begin(), add->end());
  if (remove)
    std::erase_if(targets,
                  [&](RecordId id) { return std::ranges::find(*remove, id) != remove->end(); });
  return targets;
}

std::vector<TextProperty> properties_after(const engine::Attributes& now, const BulkEdit& edit) {
  const auto is_replaced = [&](std::string_view name) {
    return std::ranges::find(edit.less_properties, name) != edit.less_properties.end() ||
           std::ranges::any_of(edit.set.added_properties,
                               [&](const TextProperty& set) { return set.name == name; });
  };
  std::vector<TextProperty> properties;
  now.for_each_property([&](const engine::Property& property) {
    if (!is_replaced(property.name))
      properties.push_back({std::string(property.name), std::string(property.value)});
  });
  const auto put = [&](const TextProperty& property) { properties.push_back(property); };
  std::ranges::for_each(edit.set.added_properties, put);
  for (const TextProperty& property : edit.add.added_properties)
    if (std::ranges::find(properties, property) == properties.end()) put(property);
  return properties;
}

RecordEdit edit_of(const engine::Record& record, const BulkEdit& edit) {
  RecordEdit one = edit.set;
  const engine::Relations& relations = *record.relations;
  one.topologies = targets_after(relations.topologies(), edit.set.topologies, edit.add.topologies,
                                 edit.remove.topologies);
  one.owners =
      targets_after(relations.owners(), edit.set.owners, edit.add.owners, edit.remove.owners);
  one.added_properties.clear();
  one.properties = properties_after(*record.attributes, edit);
  return one;
}

// What a record has none of before, it need not have then.
Status check_needed(const engine::Record& record, const RecordEdit& edit) {
  const auto is_emptied = [](std::span<const RecordId> before, const Targets& after) {
    return !before.empty() && after && after->empty();
  };
  const auto needed = [&](std::string_view field) {
    return wrong_field(field, fmt::format("{}: at least one is needed", record.id()));
  };
  if (is_emptied(record.relations->topologies(), edit.topologies)) return needed("topologies");
  if (is_emptied(record.relations->owners(), edit.owners)) return needed("owners");
  return {};
}

Result<engine::Transaction> plan_edit(const engine::State& state, Kind kind,
                                      const std::vector<std::uint64_t>& numbers,
                                      const json::object& fields) {
  NETML_TRY(const BulkEdit edit, read_edit(fields, kind, state.graph));
  std::vector<engine::EditedRecord> edits;
  for (const std::uint64_t number : numbers) {
    NETML_TRY(const RecordId id, record_of(state.graph, kind, number));
    const engine::Record record = state.graph.record(id);
    RecordEdit one = edit_of(record, edit);
    NETML_TRY_VOID(check_needed(record, one));
    edits.push_back({id, std::move(one)});
  }
  return plan_records_update(state, edits);
}

Result<Response> edit_several(const Call& call, Kind kind) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const std::vector<std::uint64_t> numbers, numbers_wanted(call));
  if (numbers.size() > kEditedMax)
    return wrong_field("numbers", fmt::format("are more than {}", kEditedMax));
  NETML_TRY(Change change, call.change(engine::Cause::edit));
  const auto changed = std::make_shared<std::size_t>(0);
  change.plan = [kind, numbers, fields, changed](const engine::State& state, WallTime) {
    auto planned = plan_edit(state, kind, numbers, fields);
    if (!planned)
      planned = tl::unexpected(as_field_of_item(std::move(planned.error())));
    else
      *changed = planned->records.size();
    return planned;
  };
  if (call.is_preview()) {
    const std::string key =
        fmt::format("edit {} {}\n{}", kind_name(kind), call.query("keep").value_or(""), call.body);
    NETML_TRY(const PreviewPtr preview, preview_of(call, key, change));
    NETML_TRY(const json::object answer, planned_changes_json(call, *preview));
    return json_answer(200, answer);
  }
  return commit_as_previewed(call, [&](decltype(Change::check) check) -> Result<Response> {
    change.check = std::move(check);
    NETML_TRY_VOID(call.services.node.commit(std::move(change)));
    return json_answer(200, {{"changed", *changed}});
  });
}

}  // namespace

void add_bulk_edit(Routes& routes) {
  for (const Kind kind : kKinds)
    routes.add(net::Method::post, fmt::format("{}/edit", collection_name(kind)),
               {.needs = Needs::editor, .previewed = true},
               [kind](const Call& call) { return edit_several(call, kind); });
}

}  // namespace netml::admin::web
