// Views of the map (docs/api.md, section "Redundancy"). Viewers read, administrators change.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <map>

#include "admin/analysis/map_answers.hpp"
#include "admin/answers/json_answers.hpp"
#include "admin/api/site/calls/lists.hpp"
#include "admin/api/site/sections/cached_answer.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "admin/history/audit_json.hpp"
#include "codecs/formats/view_json.hpp"
#include "engine/edit/plan_entries.hpp"
#include "engine/transaction/difference.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using engine::StoredView;
using net::Method;
using net::Response;

namespace {

// What was stored has been parsed before. `tokens` and `public_map`: who sees the map through it.
json::object view_item(const engine::Catalog& catalog, std::uint64_t number,
                       const StoredView& stored) {
  boost::system::error_code error;
  json::array tokens;
  catalog.tokens.for_each_with<&engine::Token::view>(
      number,
      [&](std::uint64_t, const engine::Token& token) { tokens.emplace_back(token.client_name); });
  return {{"number", number},
          {"name", stored.name},
          {"view", json::parse(stored.view, error)},
          {"tokens", std::move(tokens)},
          {"public_map", setting_value(catalog, kPublicMapView) == stored.name}};
}

// ---- what somebody gives ----

// Fields of the view are named as such: "view.steps.0.keep".
Result<engine::View> given_view(const json::object& fields) {
  const json::value* const given = given_field(fields, "view");
  if (given == nullptr) return wrong_field("view", "is missing");
  auto view = codecs::read_view(json::serialize(*given));
  if (view) return view;
  Error error = std::move(view).error();
  error.field = error.field.empty() ? "view" : "view." + error.field;
  return tl::make_unexpected(std::move(error));
}

Result<StoredView> given_entry_of_view(const Call& call) {
  constexpr std::array<std::string_view, 5> kKnown{"number", "name", "view", "tokens",
                                                   "public_map"};
  NETML_TRY(const json::object fields, call.fields());
  for (const json::key_value_pair& field : fields)
    if (std::ranges::find(kKnown, std::string_view(field.key())) == kKnown.end())
      return wrong_field(field.key(), "is no field of a stored view");
  NETML_TRY(const engine::View view, given_view(fields));
  StoredView stored;
  NETML_TRY(stored.name, text_of(fields, "name"));
  constexpr std::size_t kNameMax = engine::characters_max(&StoredView::name);
  const std::size_t length = engine::character_count(stored.name);
  if (length < 1 || length > kNameMax)
    return wrong_field("name", fmt::format("has 1 to {} characters", kNameMax));
  stored.view = json::serialize(codecs::view_json(view));
  constexpr std::size_t kMax = engine::characters_max(&StoredView::view);
  if (engine::character_count(stored.view) > kMax)
    return wrong_field("view", fmt::format("has more than {} characters", kMax));
  return stored;
}

// ---- the collection ----

Result<Response> list_views(const Call& call) {
  constexpr std::array<std::string_view, 1> kSearched{"name"};
  const engine::StatePtr state = call.state();
  return newest_first(call, state->catalog.views, kSearched,
                      [&](std::uint64_t number, const StoredView& stored) {
                        return view_item(state->catalog, number, stored);
                      });
}

Result<Response> show_view(const Call& call, std::uint64_t number) {
  const engine::StatePtr state = call.state();
  NETML_TRY(const auto stored, engine::find_entry<StoredView>(state->catalog, number));
  return json_answer(200, view_item(state->catalog, number, *stored));
}

Result<Response> create_view(const Call& call) {
  NETML_TRY(const StoredView stored, given_entry_of_view(call));
  std::uint64_t number = 0;
  NETML_TRY_VOID(call.commit(engine::Cause::setting, [&](const engine::State& state, WallTime) {
    number = state.catalog.views.next_number();
    return plan_entry_create(state, stored);
  }));
  return created(show_view(call, number));
}

// The setting of the public map knows its view by name.
Result<Response> change_view(const Call& call, std::uint64_t number) {
  NETML_TRY(const StoredView stored, given_entry_of_view(call));
  const auto plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    NETML_TRY(const auto before, engine::find_entry<StoredView>(state.catalog, number));
    if (before->name != stored.name) {
      NETML_TRY_VOID(is_unbound(state.catalog, number));
    }
    return plan_entry_update(state, number, stored);
  };
  NETML_TRY_VOID(call.commit(engine::Cause::setting, plan));
  return show_view(call, number);
}

Result<engine::Transaction> plan_view_removal(const engine::State& state, std::uint64_t number,
                                              WallTime) {
  NETML_TRY_VOID(is_unbound(state.catalog, number));
  return engine::plan_entry_delete<StoredView>(state, number);
}

// ---- the preview ----

json::object counts_of(const engine::Graph& graph) {
  json::object counts = each_kind_json([&](Kind kind) { return graph.count(kind); });
  std::uint64_t properties = 0;
  graph.for_each_record([&](RecordId id) { properties += graph.attributes(id).property_count(); });
  counts["properties"] = properties;
  return counts;
}

// Of the elements that are seen otherwise: in how many each field is.
json::object counts_by_field(const engine::Difference& difference) {
  std::map<std::string, std::uint64_t> counts;
  for (std::size_t i = 0; i < difference.size(); ++i) {
    const auto [before, after] = difference.records(i);
    if (!before || !after) continue;
    const engine::ElementDifference element = difference.at(i);
    for (const engine::FieldChange& change : element.fields)
      ++counts[engine::field_name(element.kind, change.field)];
  }
  return json::value_from(counts).as_object();
}

// What the view is held against: all of the map, or what the view shows that `against` names.
Result<engine::StatePtr> compared_state(const Call& call, const engine::StatePtr& whole) {
  NETML_TRY(const auto against, call.query_number("against"));
  if (!against) return whole;
  NETML_TRY_VOID(engine::find_entry<StoredView>(call.state()->catalog, *against));
  return call.services.views.seen(whole, *against);
}

// What the recipient does not see is deleted in the list, what they see otherwise is updated, and
// what stands for something else is created. With `map=true` the answer is what they see, for a
// map that draws it.
Result<Response> answer_of_preview(const Call& call, const engine::View& view) {
  NETML_TRY(const ListRequest list, read_list_request(call));
  NETML_TRY(const engine::StatePtr whole, call.wanted_state());
  NETML_TRY(const engine::StatePtr seen, call.services.views.preview(whole, view));
  if (call.query("map") == "true") return map_answer(call, seen);
  NETML_TRY(const engine::StatePtr all, compared_state(call, whole));
  const engine::Difference difference(all->graph, seen->graph);
  json::array items;
  for (std::size_t i = list.first; i < std::min(difference.size(), list.first + list.limit); ++i)
    items.push_back(difference_json(difference.at(i)));
  json::object answer{{"all", counts_of(all->graph)},
                      {"seen", counts_of(seen->graph)},
                      {"tag", MapAnswers::etag_of(*whole)},
                      {"unknown", json::value_from(unknown_identifiers(whole->graph, view))},
                      {"fields", counts_by_field(difference)},
                      {"items", std::move(items)},
                      {"next", next_cursor(list, difference.size())},
                      {"total", difference.size()}};
  set_counts(answer, difference);
  return json_answer(200, answer);
}

Result<Response> preview_of_given(const Call& call) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const engine::View view, given_view(fields));
  return answer_of_preview(call, view);
}

Result<Response> preview_of_stored(const Call& call, std::uint64_t number) {
  NETML_TRY(const auto stored, engine::find_entry<StoredView>(call.state()->catalog, number));
  NETML_TRY(const engine::View view, read_stored(*stored));
  return answer_of_preview(call, view);
}

}  // namespace

void add_views(Routes& routes) {
  const Access viewer{Needs::viewer};
  const Access admin{Needs::admin};
  routes.add_entries("views", viewer, admin, {list_views, create_view, show_view, change_view});
  routes.add_removal("views", admin, {engine::Cause::setting, plan_view_removal});
  routes.add(Method::post, "views/preview", viewer, preview_of_given);
  routes.add(Method::get, "views/{n}/preview", viewer, preview_of_stored);
}

}  // namespace netml::admin::web
