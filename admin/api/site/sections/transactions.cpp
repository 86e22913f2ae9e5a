// What was changed, by whom and why, and taking it back
// (docs/api.md, section "Publications and activity").
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/api/site/calls/lists.hpp"
#include "admin/api/site/sections/planned_changes.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "admin/api/site/sections/transactions.hpp"
#include "admin/history/audit_json.hpp"
#include "admin/history/undo.hpp"
#include "engine/base/texts.hpp"
#include "engine/transaction/catalog_tables.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using net::Method;
using net::Response;

namespace {

constexpr std::size_t kEffectsNamedMax = 3;

std::string entry_title_now(const engine::Catalog& catalog, const wal::EntryEffect& effect) {
  std::string title;
  engine::for_each_catalog_table([&](const auto& table) {
    if (std::string_view(table.kKind.name) != effect.entry) return;
    if (const auto entry = (catalog.*table.entries).find(effect.number))
      title = entry_title(*entry);
  });
  return title;
}

std::vector<json::object> effect_items(const engine::State& state,
                                       const wal::JournalEffects& effects, RecordNames& names) {
  std::vector<json::object> items;
  items.reserve(effects.entries.size() + effects.records.size());
  for (const wal::RecordEffect& effect : effects.records) names.learn(effect);
  for (const wal::EntryEffect& effect : effects.entries)
    items.push_back(entry_change_json(effect, entry_title_now(state.catalog, effect)));
  for (const wal::RecordEffect& effect : effects.records) {
    json::object item = effect_json(effect, names);
    item["name"] = record_title(state.graph, effect);
    if (state.graph.contains(effect.id))
      item["number"] = state.graph.number(effect.id).value;
    else
      item["number"] = nullptr;
    items.push_back(std::move(item));
  }
  return items;
}

// ---- lists ----

// The few things that a small transaction changed, so that a list says more than how many: all of
// its elements, or entries when it has none.
Result<json::array> examples_of(wal::JournalReader& reader, const engine::StatePtr& state,
                                const wal::HistoryEntry& entry) {
  json::array examples;
  const engine::ChangeCounts& counts = entry.counts;
  const std::uint64_t elements = counts.created + counts.updated + counts.deleted;
  if (!entry.committed || elements > kEffectsNamedMax) return examples;
  NETML_TRY(const auto effects, reader.effects_of_frame(entry.lsn, 0));
  if (!effects) return examples;
  RecordNames names(reader, state);
  for (json::object& item : effect_items(*state, *effects, names)) {
    if (item.at("name").as_string().empty() || (elements > 0 && !item.contains("record"))) continue;
    item.erase("fields");
    examples.push_back(std::move(item));
    if (examples.size() == kEffectsNamedMax) break;
  }
  return examples;
}

Result<json::object> transaction_item(wal::JournalReader& reader, const engine::StatePtr& state,
                                      const wal::HistoryEntry& entry) {
  json::object item = entry_json(entry);
  item["number"] = entry.lsn.value;
  item["undoable"] = may_be_undoable(entry);
  NETML_TRY(item["examples"], examples_of(reader, state, entry));
  return item;
}

// Newest first; the cursor is the transaction that the page before ended with.
Result<LogQuery> log_query(const Call& call, const ListRequest& list) {
  LogQuery query{.since = call.query("since"),
                 .until = call.query("until"),
                 .actor = call.query("actor"),
                 .text = list.search,
                 .cause = call.query("cause"),
                 .element = call.query("element"),
                 .limit = list.limit + 1};
  NETML_TRY(const auto topology, call.query_number("topology"));
  if (topology) query.topology = fmt::format("#{}", *topology);
  if (list.first != 0) query.until = std::to_string(list.first - 1);
  return query;
}

Result<Response> list_transactions(const Call& call) {
  NETML_TRY(const ListRequest list, read_list_request(call));
  NETML_TRY(const LogQuery query, log_query(call, list));
  auto found = call.services.audit.transactions(query);
  const bool no_such_element = !found && query.element && found.error().code == Errc::not_found;
  if (no_such_element) found.emplace();
  if (!found) return tl::unexpected(found.error());
  const bool more = found->size() > list.limit;
  if (more) found->pop_back();
  const engine::StatePtr state = call.state();
  NETML_TRY(wal::JournalReader reader, call.services.node.journal());
  json::array items;
  for (const wal::HistoryEntry& entry : *found) {
    NETML_TRY(json::object item, transaction_item(reader, state, entry));
    items.push_back(std::move(item));
  }
  const json::value next =
      more ? json::value(std::to_string(found->back().lsn.value)) : json::value();
  return json_answer(200, {{"items", std::move(items)}, {"next", next}, {"total", nullptr}});
}

Result<Response> show_transaction(const Call& call, std::uint64_t number) {
  NETML_TRY(wal::JournalReader reader, call.services.node.journal());
  NETML_TRY(const wal::HistoryEntry entry, reader.entry(Lsn{number}));
  NETML_TRY(const json::object item, transaction_item(reader, call.state(), entry));
  return json_answer(200, item);
}

// ---- what one did ----

// A place among the effects: frame by frame, so that a page costs no more than the frames it
// touches. As a cursor "FRAME-INDEX".
struct EffectsPlace {
  std::uint64_t frame = 0;
  std::size_t index = 0;
};

Result<EffectsPlace> read_place(const std::optional<std::string>& cursor) {
  if (!cursor) return EffectsPlace{};
  const std::string_view text = *cursor;
  const std::size_t dash = text.find('-');
  const auto frame = parse_integer<std::uint64_t>(text.substr(0, dash));
  const auto index =
      dash == text.npos ? std::nullopt : parse_integer<std::size_t>(text.substr(dash + 1));
  if (frame && index) return EffectsPlace{*frame, *index};
  return fail(Errc::invalid_input, "cursor", "is not valid here");
}

Result<Response> transaction_changes(const Call& call, std::uint64_t number) {
  const Lsn lsn{number};
  NETML_TRY(const auto limit, call.query_number("limit"));
  const std::size_t count = std::clamp<std::size_t>(limit.value_or(kListLimit), 1, kListLimitMax);
  NETML_TRY(EffectsPlace place, read_place(call.query("cursor")));
  const engine::StatePtr state = call.state();
  NETML_TRY(wal::JournalReader reader, call.services.node.journal());
  RecordNames names(reader, state);
  json::array items;
  json::value next;
  while (items.size() < count) {
    NETML_TRY(const auto effects, reader.effects_of_frame(lsn, place.frame));
    if (!effects) break;
    std::vector<json::object> all = effect_items(*state, *effects, names);
    const std::size_t begin = std::min(place.index, all.size());
    const std::size_t end = std::min(all.size(), begin + count - items.size());
    for (std::size_t i = begin; i < end; ++i) items.push_back(std::move(all[i]));
    place = end < all.size() ? EffectsPlace{place.frame, end} : EffectsPlace{place.frame + 1, 0};
  }
  if (items.size() == count) {
    NETML_TRY(const auto more, reader.effects_of_frame(lsn, place.frame));
    if (more) next = fmt::format("{}-{}", place.frame, place.index);
  }
  return json_answer(200, {{"items", std::move(items)}, {"next", next}, {"total", nullptr}});
}

// ---- undo ----

// Whoever changes these gives the password again, and so whoever undoes their changes.
bool concerns_access(const engine::Transaction& transaction) {
  return !transaction.tokens.empty() || !transaction.accounts.empty() ||
         !transaction.identities.empty();
}

Result<Response> preview_undo(const Call& call, const std::string& what, engine::UndoForce force) {
  NETML_TRY(UndoPreview preview, call.services.undo.preview(what, force));
  json::object answer = undo_json(preview.result);
  answer["dry_run"] = true;
  answer["blocked"] =
      preview.result.blocked() ? json::value(preview.result.why_blocked()) : json::value();
  NETML_TRY(json::object changes, planned_changes_json(call, std::move(preview.change)));
  for (auto& [key, value] : changes) answer[key] = std::move(value);
  return json_answer(200, answer);
}

// All the conflicts, and why nothing was done.
Response nothing_undone(const UndoResult& result) {
  json::object error = undo_json(result);
  error["code"] = "nothing-undone";
  error["message"] = result.why_blocked();
  return json_answer(409, {{"error", std::move(error)}});
}

// `what` is an LSN or `import:ID`.
Result<Response> undo(const Call& call, const json::object& fields, const std::string& what) {
  NETML_TRY(const bool forced, flag_of(fields, "force", false));
  const auto force = forced ? engine::UndoForce::overwrite : engine::UndoForce::leave_conflicts;
  if (call.is_preview()) return preview_undo(call, what, force);
  const bool confirmed = is_confirmed(call.site, *call.who);
  bool unconfirmed = false;
  return commit_as_previewed(call, [&](decltype(Change::check) as_previewed) -> Result<Response> {
    const auto check = [&](const engine::State& state,
                           const engine::FollowedByRules& planned) -> Status {
      unconfirmed = !confirmed && concerns_access(planned.transaction);
      if (unconfirmed) return fail(Errc::conflict, "the password is needed");
      return as_previewed(state, planned);
    };
    const auto result = call.services.undo.undo(call.caller(), what, force, check);
    if (unconfirmed) return confirm_first();
    if (!result) return tl::unexpected(result.error());
    if (result->blocked()) return nothing_undone(*result);
    return json_answer(result->lsn == Lsn{} ? 200 : 201, undo_json(*result));
  });
}

Result<Response> undo_transaction(const Call& call, std::uint64_t number) {
  NETML_TRY(const json::object fields, call.fields());
  return undo(call, fields, std::to_string(number));
}

Result<Response> undo_named(const Call& call) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const std::string what, text_of(fields, "of"));
  return undo(call, fields, what);
}

}  // namespace

std::string record_title(const engine::Graph& graph, const wal::RecordEffect& effect) {
  if (graph.contains(effect.id)) return std::string(graph.attributes(effect.id).name());
  for (const engine::FieldChange& change : effect.fields) {
    if (change.field != engine::Field::name) continue;
    for (const engine::FieldValue* value : {&change.after, &change.before})
      if (const auto* text = std::get_if<std::string>(value)) return *text;
  }
  return {};
}

bool may_be_undoable(const wal::HistoryEntry& entry) {
  using engine::Cause;
  constexpr std::array kOfEntries{Cause::rule,    Cause::token,  Cause::setting,
                                  Cause::account, Cause::source, Cause::undo};
  if (!entry.committed) return false;
  return entry.counts != engine::ChangeCounts() ||
         std::ranges::find(kOfEntries, entry.provenance.cause) != kOfEntries.end();
}

void add_transactions(Routes& routes) {
  routes.add(Method::get, "activity", {Needs::viewer}, list_transactions);
  routes.add(Method::get, "activity/{n}", {Needs::viewer}, show_transaction);
  routes.add(Method::get, "activity/{n}/changes", {Needs::viewer}, transaction_changes);
  routes.add(Method::post, "activity/undo", {.needs = Needs::admin, .previewed = true}, undo_named);
  routes.add(Method::post, "activity/{n}/undo", {.needs = Needs::admin, .previewed = true},
             undo_transaction);
}

}  // namespace netml::admin::web
