// Overrides: what somebody has decided against a source (docs/api.md, section "Overrides"). They
// are made by edits with `?keep=true`.
#include <array>
#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/answers/record_text.hpp"
#include "admin/api/site/calls/lists.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "engine/edit/plan_entries.hpp"
#include "engine/import/source_authority.hpp"
#include "engine/overrides/plan_overrides.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using engine::Override;
using net::Method;
using net::Response;

namespace {

// Of a field with several values all of them; else the value, or null.
json::value value_json(const Override& entry, const std::string& text) {
  const auto field = engine::overridden_field(entry.kind, entry.field_name);
  if (field && field->is_list()) return json::value_from(engine::lines_of(text));
  return text.empty() ? json::value() : json::value(text);
}

class OverrideItems {
 public:
  explicit OverrideItems(engine::StatePtr state) : state_(std::move(state)), owners_(*state_) {}

  const engine::Table<Override>& table() const { return state_->catalog.overrides; }

  json::object operator()(std::uint64_t number, const Override& entry) const {
    const engine::Graph& graph = state_->graph;
    const RecordId record = graph.find_newest(entry.kind, entry.element);
    return {
        {"number", number},
        {"kind", engine::enumerant_name(entry.kind)},
        {"id", entry.element},
        {"name", record ? json::value(graph.attributes(record).name()) : json::value()},
        {"record", record ? json::value(graph.number(record).value) : json::value()},
        {"field", entry.field_name},
        {"value", value_json(entry, entry.value)},
        {"delivered", value_json(entry, entry.delivered)},
        {"to_decide", entry.to_decide},
        {"contested", entry.to_decide ? value_json(entry, entry.contested) : json::value()},
        {"source", source_of(entry, record)},
        {"reason", entry.reason},
        {"author", entry.author},
        {"made", time_text(entry.made)},
        {"until", entry.until == Instant() ? json::value() : json::value(time_text(entry.until))}};
  }

 private:
  // Of what is deleted, that of the topologies that it was in.
  std::uint64_t number_of_source(const Override& entry, RecordId record) const {
    if (record) return owners_.of(record, state_->graph.record(record));
    for (const std::string& id : engine::lines_of(entry.delivered))
      if (const RecordId topology = state_->graph.find_newest(Kind::topology, id))
        return owners_.of(topology);
    return 0;
  }
  // Empty where it is the node's own: a list can be filtered by texts.
  std::string source_of(const Override& entry, RecordId record) const {
    const auto source = state_->catalog.sources.find(number_of_source(entry, record));
    return source ? source->name : std::string();
  }

  engine::StatePtr state_;
  engine::TopologyOwners owners_;
};

Result<Response> list_overrides(const Call& call) {
  constexpr std::array<std::string_view, 4> kSearched{"id", "name", "reason", "author"};
  const OverrideItems items(call.state());
  return newest_first(call, items.table(), kSearched, items);
}

Result<Response> show_override(const Call& call, std::uint64_t number) {
  const OverrideItems items(call.state());
  const auto entry = items.table().find(number);
  if (entry == nullptr) return fail(Errc::not_found, "there is no such override");
  return json_answer(200, items(number, *entry));
}

Result<Response> keep_override(const Call& call, std::uint64_t number) {
  NETML_TRY_VOID(call.commit(engine::Cause::edit, [number](const engine::State& state, WallTime) {
    return plan_override_keep(state, number);
  }));
  return show_override(call, number);
}

Result<Response> end_overrides(const Call& call, const std::vector<std::uint64_t>& numbers) {
  NETML_TRY_VOID(call.commit(engine::Cause::edit, [&](const engine::State& state, WallTime) {
    return plan_overrides_end(state, numbers);
  }));
  return no_content();
}

Result<Response> end_several(const Call& call) {
  NETML_TRY(const std::vector<std::uint64_t> numbers, numbers_wanted(call));
  return end_overrides(call, numbers);
}

}  // namespace

void add_overrides(Routes& routes) {
  const Access editor{Needs::editor};
  routes.add(Method::get, "overrides", Access{}, list_overrides);
  routes.add(Method::get, "overrides/{n}", Access{}, show_override);
  routes.add(Method::post, "overrides/{n}/keep", editor, keep_override);
  routes.add(Method::del, "overrides/{n}", editor,
             [](const Call& call, std::uint64_t number) { return end_overrides(call, {number}); });
  routes.add(Method::post, "overrides/delete", editor, end_several);
}

}  // namespace netml::admin::web
