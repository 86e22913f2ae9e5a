// Topologies, institutions, nodes and links: lists, forms, what the deletion of some changes
// (docs/api.md, section "Network records").
#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <numeric>

#include "admin/analysis/map_records.hpp"
#include "admin/answers/json_answers.hpp"
#include "admin/answers/record_text.hpp"
#include "admin/api/site/calls/lists.hpp"
#include "admin/api/site/sections/planned_changes.hpp"
#include "admin/api/site/sections/record_items.hpp"
#include "admin/api/site/sections/record_order.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "admin/history/audit_json.hpp"
#include "engine/rules/run_rules.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using engine::Attributes;
using engine::Graph;
using net::Method;
using net::Response;

namespace {

constexpr std::size_t kChoicesMax = 20;
constexpr std::size_t kExamplesMax = 50;

// ---- lists ----

// A record that the query names; none when it names none.
Result<RecordId> filter_record(const Call& call, const Graph& graph, std::string_view name,
                               Kind kind) {
  NETML_TRY(const auto number, call.query_number(name));
  if (!number) return RecordId{};
  return record_of(graph, kind, *number);
}

bool refers_to(std::span<const RecordId> references, RecordId wanted) {
  return std::ranges::find(references, wanted) != references.end();
}

bool is_found(const Attributes& attributes, const std::string& search) {
  return engine::holds(attributes.name(), search) || engine::holds(attributes.id(), search) ||
         engine::holds(attributes.short_name(), search);
}

struct Filter {
  RecordId topology;
  RecordId owner;
  RecordId node;
  std::optional<std::string> tag;
  std::string search;

  bool admits(const Graph& graph, RecordId id) const {
    const engine::Relations& relations = graph.relations(id);
    if (topology && !refers_to(relations.topologies(), topology)) return false;
    if (owner && !refers_to(relations.owners(), owner)) return false;
    if (node && !refers_to(relations.ends(), node)) return false;
    const Attributes& attributes = graph.attributes(id);
    return has_tag(attributes) && is_found(attributes, search);
  }

 private:
  bool has_tag(const Attributes& attributes) const {
    if (!tag) return true;
    bool found = false;
    for_each_tag(attributes, [&](std::string_view value) { found |= value == *tag; });
    return found;
  }
};

Result<std::vector<RecordId>> found_records(const Call& call, const Graph& graph, Kind kind,
                                            const std::string& search) {
  Filter filter;
  NETML_TRY(filter.topology, filter_record(call, graph, "topology", Kind::topology));
  NETML_TRY(filter.owner, filter_record(call, graph, "owner", Kind::institution));
  NETML_TRY(filter.node, filter_record(call, graph, "node", Kind::node));
  filter.tag = call.query("tag");
  filter.search = search;
  std::vector<RecordId> found;
  graph.for_each_of(kind, [&](RecordId id) {
    if (filter.admits(graph, id)) found.push_back(id);
  });
  return found;
}

Result<Response> list(const Call& call, Kind kind) {
  NETML_TRY(const engine::StatePtr state, call.wanted_state());
  const Graph& graph = state->graph;
  NETML_TRY(const ListRequest list, read_list_request(call));
  NETML_TRY(std::vector<RecordId> records, found_records(call, graph, kind, list.search));
  NETML_TRY_VOID(sort_page(graph, list, records));
  json::array items;
  const std::size_t end = std::min(records.size(), list.first + list.limit);
  for (std::size_t i = std::min(list.first, end); i < end; ++i)
    items.push_back(list_item(graph, records[i]));
  return versioned(call.request, fmt::format("lsn-{}", state->lsn.value), [&] {
    return json_answer(200, {{"items", std::move(items)},
                             {"next", next_cursor(list, records.size())},
                             {"total", records.size()}});
  });
}

// ---- single records ----

Response item_answer(const Graph& graph, RecordId id, int status) {
  Response response = json_answer(status, whole_item(graph, id));
  response.headers.set("ETag", fmt::format("\"{}\"", record_etag(graph, id)));
  return response;
}

Result<Response> show(const Call& call, Kind kind, std::uint64_t number) {
  NETML_TRY(const engine::StatePtr state, call.wanted_state());
  NETML_TRY(const RecordId id, record_of(state->graph, kind, number));
  return versioned(call.request, record_etag(state->graph, id),
                   [&] { return item_answer(state->graph, id, 200); });
}

// What a change left; it may be gone again by now.
Result<Response> written(const Call& call, RecordId id, int status) {
  const engine::StatePtr state = call.state();
  if (!state->graph.contains(id))
    return fail(Errc::not_found, "the record was deleted at once, perhaps by a rule");
  return item_answer(state->graph, id, status);
}

// An identifier is one record's, whatever its kind (docs/requirements/administration.md,
// section 5).
Status check_identifier(const Graph& graph, const std::string& id, bool typed, RecordId own) {
  for (const Kind kind : kKinds)
    for (const RecordId other : graph.find(kind, id))
      if (other != own)
        return fail(Errc::conflict, "id",
                    typed ? fmt::format("a {} has this id already", kind_name(kind))
                          : "the id made from the name is taken; give one");
  return {};
}

tl::unexpected<Error> refused(Error error) {
  return tl::unexpected(as_field_of_item(std::move(error)));
}

Result<Response> create(const Call& call, Kind kind) {
  NETML_TRY(const json::object fields, call.fields());
  RecordId created;
  const auto plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    NETML_TRY(engine::RecordEdit edit, read_item(fields, kind, state.graph));
    const bool typed = edit.id.has_value();
    if (!typed) edit.id = generated_id(kind, *edit.name, edit.short_name.value_or(""));
    if (!edit.version) edit.version = now.instant();
    NETML_TRY_VOID(check_identifier(state.graph, *edit.id, typed, {}));
    NETML_TRY(engine::RecordCreation creation, plan_record_create(state, kind, edit));
    created = creation.id;
    return std::move(creation.transaction);
  };
  if (const auto done = call.commit(engine::Cause::edit, plan); !done) return refused(done.error());
  return written(call, created, 201);
}

Result<Response> change(const Call& call, Kind kind, std::uint64_t number) {
  NETML_TRY(const json::object fields, call.fields());
  RecordId changed;
  bool moved = false;
  const auto plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    NETML_TRY(changed, record_of(state.graph, kind, number));
    const std::string tag = fmt::format("\"{}\"", record_etag(state.graph, changed));
    moved = call.request.headers.has("If-Match") &&
            !net::etag_matches(call.request.headers.get("If-Match"), tag);
    if (moved) return fail(Errc::conflict, "the record was changed meanwhile");
    NETML_TRY(const engine::RecordEdit edit, read_item(fields, kind, state.graph));
    if (edit.id) NETML_TRY_VOID(check_identifier(state.graph, *edit.id, true, changed));
    return plan_record_update(state, changed, edit);
  };
  const auto done = call.commit(engine::Cause::edit, plan);
  if (moved) return refuse(412, "moved", "the record was changed meanwhile; load it again");
  if (!done) return refused(done.error());
  return written(call, changed, 200);
}

Result<Response> make_main(const Call& call, std::uint64_t number) {
  RecordId changed;
  NETML_TRY_VOID(
      call.commit(engine::Cause::edit,
                  [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
                    NETML_TRY(changed, record_of(state.graph, Kind::topology, number));
                    engine::RecordEdit edit;
                    edit.main = true;
                    return plan_record_update(state, changed, edit);
                  }));
  return written(call, changed, 200);
}

// ---- what a deletion does ----

// As it would be done now, with what the rules do after it.
struct PlannedDeletion {
  PreviewPtr preview;
  std::vector<RecordId> records;  // those that are to be deleted; ascending
};

// What is deleted as one: all of `numbers`, or nothing.
Result<std::vector<RecordId>> records_of(const Graph& graph, Kind kind,
                                         const std::vector<std::uint64_t>& numbers) {
  std::vector<RecordId> records;
  for (const std::uint64_t number : numbers) {
    NETML_TRY(const RecordId id, record_of(graph, kind, number));
    records.push_back(id);
  }
  return records;
}

Result<Change> deletion_of(const Call& call, Kind kind, const std::vector<std::uint64_t>& numbers) {
  NETML_TRY(Change change, call.change(engine::Cause::edit));
  change.plan = [kind, numbers](const engine::State& state,
                                WallTime) -> Result<engine::Transaction> {
    NETML_TRY(const std::vector<RecordId> records, records_of(state.graph, kind, numbers));
    return plan_records_delete(state, records);
  };
  return change;
}

Result<PlannedDeletion> planned_deletion(const Call& call, Kind kind,
                                         const std::vector<std::uint64_t>& numbers) {
  const std::string key = fmt::format("delete {} {} {}", kind_name(kind), fmt::join(numbers, " "),
                                      call.query("keep").value_or(""));
  NETML_TRY(const Change change, deletion_of(call, kind, numbers));
  NETML_TRY(PreviewPtr preview, preview_of(call, key, change));
  NETML_TRY(std::vector<RecordId> records, records_of(preview->change.base->graph, kind, numbers));
  std::ranges::sort(records);
  return PlannedDeletion{std::move(preview), std::move(records)};
}

bool loses_owner(const engine::RecordChange& change) {
  const auto before = change.before.relations->owners();
  const auto after = change.after.relations->owners();
  return std::ranges::any_of(before, [&](RecordId owner) { return !refers_to(after, owner); });
}

using CountByKind = std::array<std::uint64_t, kKindCount>;

json::object count_json(const CountByKind& counts) {
  return each_kind_json([&](Kind kind) { return counts[static_cast<std::size_t>(kind)]; });
}

json::object deletion_json(const PlannedDeletion& planned) {
  CountByKind deleted{};
  CountByKind changed{};
  CountByKind without_owner{};
  json::array examples;
  const PlannedChange& planned_change = planned.preview->change;
  for (const engine::RecordChange& change : planned_change.transaction.records) {
    if (!change.before || std::ranges::binary_search(planned.records, change.id)) continue;
    const auto kind = static_cast<std::size_t>(change.before.kind());
    if (change.after) {
      ++changed[kind];
      without_owner[kind] += loses_owner(change);
      continue;
    }
    ++deleted[kind];
    if (examples.size() < kExamplesMax)
      examples.push_back(
          json::object{{"kind", kind_name(change.before.kind())},
                       {"number", planned_change.base->graph.number(change.id).value},
                       {"name", change.before.attributes->name()}});
  }
  json::object answer = count_json(deleted);
  answer["changed"] = std::accumulate(changed.begin(), changed.end(), std::uint64_t{0});
  answer["changes"] = count_json(changed);
  answer["lose_owner"] = count_json(without_owner);
  answer["export"] = planned.preview->summary.at("export");
  answer["examples"] = std::move(examples);
  return answer;
}

Result<Response> delete_impact(const Call& call, Kind kind, std::uint64_t number) {
  NETML_TRY(const PlannedDeletion planned, planned_deletion(call, kind, {number}));
  return json_answer(200, deletion_json(planned));
}

// Every element that would be deleted or changed, a page at a time.
Result<Response> deletion_changes(const Call& call, Kind kind, std::uint64_t number) {
  NETML_TRY(const PlannedDeletion planned, planned_deletion(call, kind, {number}));
  NETML_TRY(const json::object answer, planned_changes_json(call, *planned.preview));
  return json_answer(200, answer);
}

Result<Response> commit_deletion(const Call& call, Kind kind,
                                 const std::vector<std::uint64_t>& numbers) {
  return commit_as_previewed(call, [&](decltype(Change::check) check) -> Result<Response> {
    NETML_TRY(Change change, deletion_of(call, kind, numbers));
    change.check = std::move(check);
    NETML_TRY_VOID(call.services.node.commit(std::move(change)));
    return no_content();
  });
}

Result<Response> remove(const Call& call, Kind kind, std::uint64_t number) {
  return commit_deletion(call, kind, {number});
}

// All that were chosen in one transaction. Its preview has the sums of the deletion, too.
Result<Response> remove_several(const Call& call, Kind kind) {
  NETML_TRY(const std::vector<std::uint64_t> numbers, numbers_wanted(call));
  if (call.is_preview()) {
    NETML_TRY(const PlannedDeletion planned, planned_deletion(call, kind, numbers));
    json::object answer{{"impact", deletion_json(planned)}};
    NETML_TRY(json::object changes, planned_changes_json(call, *planned.preview));
    for (auto& [key, value] : changes) answer[key] = std::move(value);
    return json_answer(200, answer);
  }
  return commit_deletion(call, kind, numbers);
}

// ---- search boxes ----

Result<Response> choices(const Call& call, Kind kind) {
  const engine::StatePtr state = call.state();
  const Graph& graph = state->graph;
  NETML_TRY(const ListRequest wanted, read_list_request(call));
  std::vector<RecordId> found;
  graph.for_each_record([&](RecordId id) {
    if (graph.kind(id) != kind) return;
    if (is_found(graph.attributes(id), wanted.search)) found.push_back(id);
  });
  const std::size_t count = std::min(kChoicesMax, found.size());
  std::ranges::partial_sort(found, found.begin() + static_cast<std::ptrdiff_t>(count), {},
                            [&](RecordId id) { return graph.attributes(id).name(); });
  json::array items;
  for (std::size_t i = 0; i < count; ++i) {
    json::object item = reference_json(graph, found[i]);
    const auto topologies = graph.relations(found[i]).topologies();
    const RecordId place = kind == Kind::topology ? found[i]
                           : topologies.empty()   ? RecordId{}
                                                  : topologies.front();
    item["path"] = place ? topology_path(graph, place) : "";
    items.push_back(std::move(item));
  }
  return json_answer(200, {{"items", std::move(items)}});
}

}  // namespace

void add_records(Routes& routes) {
  const Access viewer{Needs::viewer};
  const Access editor{Needs::editor};
  for (const Kind kind : kKinds) {
    const std::string path = collection_name(kind);
    const std::string item = path + "/{n}";
    const auto add = [&](Method method, const std::string& pattern, Access access, auto handle) {
      routes.add(method, pattern, access,
                 [kind, handle](const Call& call) { return handle(call, kind); });
    };
    const auto add_item = [&](Method method, const std::string& pattern, Access access,
                              auto handle) {
      routes.add(method, pattern, access, [kind, handle](const Call& call, std::uint64_t number) {
        return handle(call, kind, number);
      });
    };
    add(Method::get, path, viewer, list);
    add(Method::post, path, editor, create);
    add_item(Method::get, item, viewer, show);
    add_item(Method::put, item, editor, change);
    add_item(Method::del, item, editor, remove);
    add(Method::post, path + "/delete", {.needs = Needs::editor, .previewed = true},
        remove_several);
    add_item(Method::get, item + "/delete-impact", viewer, delete_impact);
    add_item(Method::get, item + "/falls", viewer, delete_impact);  // as in version 0.1
    add_item(Method::get, item + "/delete-impact/changes", viewer, deletion_changes);
    if (kind != Kind::link) add(Method::get, "choices/" + path, viewer, choices);
  }
  routes.add(Method::post, "topologies/{n}/main", editor, make_main);
}

}  // namespace netml::admin::web
