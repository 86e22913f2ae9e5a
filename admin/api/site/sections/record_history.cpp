// What happened to one record, also to one that was deleted (docs/api.md, section "Network
// records").
#include <algorithm>
#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/answers/record_text.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "admin/api/site/sections/transactions.hpp"
#include "admin/history/audit_json.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using net::Method;
using net::Response;

namespace {

constexpr std::size_t kHistoryMax = 1000;

struct RecordChange {
  Lsn lsn;
  wal::RecordEffect effect;
};

// Newest first.
Result<std::vector<RecordChange>> changes_of(wal::JournalReader& reader, RecordId id) {
  std::vector<RecordChange> changes;
  NETML_TRY_VOID(reader.changes_of({id}, [&](Lsn lsn, const wal::RecordEffect& effect) {
    changes.push_back({lsn, effect});
    return true;
  }));
  std::ranges::reverse(changes);
  if (changes.size() > kHistoryMax) changes.resize(kHistoryMax);
  return changes;
}

json::array old_and_new(const json::object& effect) {
  json::array fields;
  for (const json::value& each : effect.at("fields").as_array())
    fields.push_back(json::object{
        {"name", each.at("field")}, {"old", each.at("before")}, {"new", each.at("after")}});
  return fields;
}

json::object change_json(const wal::HistoryEntry& entry, const json::object& effect) {
  return {{"lsn", entry.lsn.value},
          {"time", time_text(entry.provenance.wall_time.instant())},
          {"effective_time", time_text(entry.provenance.effective_time.instant())},
          {"actor", entry.provenance.actor},
          {"cause", engine::cause_name(entry.provenance.cause)},
          {"undoable", may_be_undoable(entry)},
          {"text", effect.at("action")},
          {"fields", old_and_new(effect)}};
}

// What it was called last.
std::string title_of(const engine::Graph& graph, const std::vector<RecordChange>& changes,
                     RecordId id) {
  if (graph.contains(id)) return std::string(graph.attributes(id).name());
  for (const RecordChange& change : changes) {
    const std::string title = record_title(graph, change.effect);
    if (!title.empty()) return title;
  }
  return {};
}

// `wanted`: of which kind it must be.
Result<Response> history_of(const Call& call, RecordId id, std::optional<Kind> wanted) {
  const engine::StatePtr state = call.state();
  NETML_TRY(wal::JournalReader reader, call.services.node.journal());
  NETML_TRY(const std::vector<RecordChange> changes, changes_of(reader, id));
  const bool exists = state->graph.contains(id);
  const auto unknown = [] { return fail(Errc::not_found, "there never was such a record"); };
  if (!exists && changes.empty()) return unknown();
  const Kind kind = exists ? state->graph.kind(id) : changes.front().effect.kind;
  if (wanted.value_or(kind) != kind) return unknown();
  RecordNames names(reader, state);
  for (const RecordChange& change : changes) names.learn(change.effect);
  json::array items;
  for (const RecordChange& change : changes) {
    NETML_TRY(const wal::HistoryEntry entry, reader.entry(change.lsn));
    items.push_back(change_json(entry, effect_json(change.effect, names)));
  }
  const json::value number = exists ? json::value(state->graph.number(id).value) : json::value();
  return json_answer(200, {{"kind", kind_name(kind)},
                           {"id", names.name(id)},
                           {"name", title_of(state->graph, changes, id)},
                           {"number", number},
                           {"items", std::move(items)}});
}

}  // namespace

void add_record_history(Routes& routes) {
  const Access viewer{Needs::viewer};
  for (const Kind kind : kKinds)
    routes.add(Method::get, std::string(collection_name(kind)) + "/{n}/history", viewer,
               [kind](const Call& call, std::uint64_t number) -> Result<Response> {
                 NETML_TRY(const RecordId id,
                           call.services.audit.record_numbered(RecordNumber{number}));
                 return history_of(call, id, kind);
               });
  routes.add(Method::get, "records/{n}/history", viewer,
             [](const Call& call, std::uint64_t number) -> Result<Response> {
               const RecordId id{static_cast<std::uint32_t>(number)};
               return history_of(call, id.value == number ? id : RecordId{}, std::nullopt);
             });
}

}  // namespace netml::admin::web
