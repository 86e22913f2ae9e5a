#include "admin/api/site/sections/planned_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <span>

#include "admin/analysis/map_answers.hpp"
#include "admin/answers/json_answers.hpp"
#include "admin/api/site/calls/lists.hpp"
#include "admin/base/effect_memory.hpp"
#include "admin/exports/export_state.hpp"
#include "admin/history/audit_json.hpp"
#include "engine/transaction/catalog_tables.hpp"
#include "engine/transaction/difference.hpp"
#include "engine/transaction/planned_effects.hpp"

namespace netml::admin::web {

namespace json = boost::json;

namespace {

// Of each kind: what a browser draws at once, and a reader takes in.
constexpr std::size_t kDrawnMax = 5'000;

template <class T>
wal::EffectAction planned_action(const engine::EntryChange<T>& change) {
  if (!change.before) return wal::EffectAction::created;
  return change.after ? wal::EffectAction::updated : wal::EffectAction::deleted;
}

std::vector<json::object> entry_changes(const engine::Transaction& transaction) {
  std::vector<json::object> items;
  engine::for_each_catalog_table([&](const auto& table) {
    for (const auto& change : transaction.*table.changes) {
      const wal::EntryEffect effect{table.kKind.name, change.number, planned_action(change),
                                    compare_entries(change.before.get(), change.after.get())};
      items.push_back(
          entry_change_json(effect, entry_title(change.after ? *change.after : *change.before)));
    }
  });
  return items;
}

}  // namespace

json::object entry_change_json(const wal::EntryEffect& effect, std::string_view title) {
  json::object item = effect_json(effect);
  item["kind"] = effect.entry;
  item["id"] = std::to_string(effect.number);
  item["name"] = title;
  item.erase("entry");
  return item;
}

namespace {

// Of what it does to records and entries: the same as long as that stays the same. Overrides follow
// from the rest; what they hold besides is the time of the one edit, and its reason.
std::string planned_etag(const engine::State& base, const engine::Transaction& transaction) {
  engine::Digest effects = engine::planned_effects(base.graph, transaction);
  for (json::object& entry : entry_changes(transaction)) {
    if (entry.at("kind") == engine::Override::kKind.name) entry.erase("fields");
    const std::string text = json::serialize(entry);
    effects +=
        engine::digest_of(engine::DigestRole::planned_effect, 0, std::as_bytes(std::span(text)));
  }
  return fmt::format("{:016x}{:016x}", effects.low, effects.high);
}

// What it leads to takes memory, too.
Result<PreviewPtr> make_preview(const Call& call, PlannedChange change) {
  NETML_TRY_VOID(reserve_effects(call.services.node.memory(), change.memory, change.transaction));
  const engine::State& base = *change.base;
  NETML_TRY(engine::State after, apply(base, change.transaction, base.lsn.next()));
  json::object summary{
      {"rules", rules_that_acted_json(change.rules)},
      {"export", export_state_json(new_problems(export_state(base), export_state(after)))},
      {"etag", planned_etag(base, change.transaction)}};
  engine::Difference difference(base.graph, after.graph);
  set_counts(summary, difference);
  std::vector<json::object> entries = entry_changes(change.transaction);
  ChangeGroups groups(entries, difference, base.graph, after.graph);
  return std::make_shared<const Preview>(Preview{std::move(change), std::move(after),
                                                 std::move(difference), std::move(entries),
                                                 std::move(groups), std::move(summary)});
}

}  // namespace

Result<PreviewPtr> preview_of(const Call& call, const std::string& key, const PlanChange& plan) {
  // Those of another version are of no use, and hold its memory.
  const std::string version = fmt::format("{} ", call.state()->lsn.value);
  call.site.previews.erase_if([&](const std::string& each) { return !each.starts_with(version); });
  return call.site.previews.get(version + key, [&]() -> Result<PreviewPtr> {
    NETML_TRY(PlannedChange planned, plan());
    return make_preview(call, std::move(planned));
  });
}

Result<PreviewPtr> preview_of(const Call& call, const std::string& key, const Change& change) {
  return preview_of(call, key, [&] { return call.services.node.plan(change); });
}

namespace {

Result<WantedChanges> read_wanted(const Call& call) {
  WantedChanges wanted{
      .action = {}, .kind = call.query("kind"), .topology = call.query("topology")};
  if (wanted.topology == "-") wanted.topology = "";
  const auto action = call.query("action");
  if (!action) return wanted;
  wanted.action = parse_action(*action);
  if (wanted.action) return wanted;
  return fail(Errc::invalid_input, "action", "is created, updated or deleted");
}

json::object change_at(const Preview& preview, std::size_t place) {
  const std::size_t entries = preview.entries.size();
  if (place < entries) return preview.entries[place];
  return difference_json(preview.difference.at(place - entries));
}

}  // namespace

Result<json::object> changes_page_json(const Call& call, const Preview& preview) {
  NETML_TRY(const ListRequest list, read_list_request(call));
  NETML_TRY(const WantedChanges wanted, read_wanted(call));
  const std::vector<std::size_t> places = preview.groups.places(wanted);
  json::array items;
  for (std::size_t i = list.first; i < std::min(places.size(), list.first + list.limit); ++i)
    items.push_back(change_at(preview, places[i]));
  json::object answer{{"items", std::move(items)},
                      {"next", next_cursor(list, places.size())},
                      {"total", places.size()},
                      {"groups", preview.groups.json()}};
  if (call.query("map") == "true")
    answer["map"] =
        planned_map(*preview.change.base, preview.after.graph, preview.difference, kDrawnMax);
  return answer;
}

Result<json::object> planned_changes_json(const Call& call, const Preview& preview) {
  NETML_TRY(json::object answer, changes_page_json(call, preview));
  for (const auto& [key, value] : preview.summary) answer[key] = value;
  return answer;
}

Result<json::object> planned_changes_json(const Call& call, PlannedChange change) {
  NETML_TRY(const PreviewPtr preview, make_preview(call, std::move(change)));
  return planned_changes_json(call, *preview);
}

Result<net::Response> commit_as_previewed(const Call& call, const CommitChecked& commit) {
  const std::string wanted(call.request.headers.get("If-Match"));
  bool moved = false;
  Result<net::Response> answer =
      commit([&](const engine::State& state, const engine::FollowedByRules& planned) -> Status {
        if (wanted.empty()) return {};
        const std::string etag = planned_etag(state, planned.transaction);
        moved = !net::etag_matches(wanted, fmt::format("\"{}\"", etag));
        if (moved) return fail(Errc::conflict, "the map has moved");
        return {};
      });
  if (!moved) return answer;
  return refuse(412, "preview-moved",
                "the map has changed since the preview, so this would do something else now; "
                "preview it again");
}

json::array rules_that_acted_json(const std::vector<engine::RuleLog>& logs) {
  const auto count = [](const engine::ReferencesByKind& references) {
    std::size_t sum = 0;
    for (const auto& of_kind : references) sum += of_kind.size();
    return sum;
  };
  json::array rules;
  for (const engine::RuleLog& log : logs) {
    const std::size_t changed = count(log.affected) + count(log.cascaded);
    if (changed == 0 && log.problem.empty()) continue;
    rules.push_back(
        json::object{{"number", log.rule},
                     {"name", log.name},
                     {"matched", log.matched.size()},
                     {"changed", changed},
                     {"problem", log.problem.empty() ? json::value() : json::value(log.problem)}});
  }
  return rules;
}

Result<net::Response> preview_answer(const Call& call, const Change& change) {
  const std::string key = fmt::format("{}\n{}", call.request.path, call.body);
  NETML_TRY(const PreviewPtr preview, preview_of(call, key, change));
  NETML_TRY(const json::object answer, planned_changes_json(call, *preview));
  return json_answer(200, answer);
}

}  // namespace netml::admin::web
