// Whether elements of the map have the independent routes that a policy demands (docs/api.md,
// section "Redundancy").
#include "admin/api/site/sections/redundancy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "admin/analysis/redundancy_answer.hpp"
#include "admin/analysis/redundancy_history.hpp"
#include "admin/analysis/stored_policies.hpp"
#include "admin/api/site/sections/cached_answer.hpp"
#include "admin/api/site/sections/past_span.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "admin/history/past_transactions.hpp"
#include "codecs/formats/redundancy_json.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using engine::RedundancyPolicy;
using net::Response;

namespace {

constexpr std::uint64_t kPolicyBytesMax = 4 << 20;

std::string key_of(const RedundancyPolicy& policy) {
  return json::serialize(codecs::redundancy_policy_json(policy));
}

std::uint64_t item_memory(std::uint64_t records) {
  return kRedundancyMemoryOfItem * std::min<std::uint64_t>(records, kRedundancyItemsMax);
}

// The policy is the body, as it stands in a file.
template <class Ask>
Handle of_body(Ask ask) {
  return [ask](const Call& call) -> Result<Response> {
    NETML_TRY(const RedundancyPolicy policy, codecs::read_redundancy_policy(call.body));
    return ask(call, policy);
  };
}

// The numbers of elements, by their state.
class StatesOfElements {
 public:
  StatesOfElements(const engine::Graph& graph, const RedundancyPolicy& policy)
      : graph_(graph), policy_(policy) {}

  void take(const engine::ElementRoutes& found) {
    if (count_++ >= kRedundancyItemsMax) return;
    by_state_[redundancy_state_name(state_of(found, policy_.routes))].as_array().emplace_back(
        graph_.number(found.element).value);
  }
  json::object take_json() {
    by_state_["kind"] = collection_name(policy_.who.kind);
    by_state_["omitted"] = count_ - std::min(count_, kRedundancyItemsMax);
    return std::move(by_state_);
  }

 private:
  const engine::Graph& graph_;
  const RedundancyPolicy& policy_;
  std::size_t count_ = 0;
  json::object by_state_{
      {"met", json::array()}, {"below", json::array()}, {"undecided", json::array()}};
};

json::object states_json(const engine::Graph& graph, const std::vector<EnabledPolicy>& policies,
                         bool with_elements) {
  json::array items;
  std::size_t below = 0;
  for (const auto& [number, on_import, policy] : policies) {
    StatesOfElements elements(graph, policy);
    const engine::RedundancySummary summary =
        check_redundancy(graph, policy, [&](const auto& found) { elements.take(found); });
    below += summary.below;
    json::object item{{"number", number}, {"name", policy.name}};
    for (auto& [name, count] : redundancy_counts(summary)) item[name] = std::move(count);
    if (with_elements) item["elements"] = elements.take_json();
    items.push_back(std::move(item));
  }
  return {{"items", std::move(items)}, {"below", below}};
}

// How the map stands to each policy that is enabled now; with `elements=true` also each element
// that one is about.
Result<Response> states(const Call& call) {
  NETML_TRY(const engine::StatePtr state, call.wanted_state());
  NETML_TRY(const auto policies, enabled_policies(call.state()->catalog));
  const bool with_elements = call.query("elements") == "true";
  std::string key = fmt::format("policies {} {}", MapAnswers::etag_of(*state), with_elements);
  for (const EnabledPolicy& each : policies)
    key += fmt::format(" {} {}", each.number, key_of(each.policy));
  return cached_answer(call, call.site.analyses, key,
                       kRedundancyMemoryOfRecord * state->graph.size(),
                       [&] { return states_json(state->graph, policies, with_elements); });
}

}  // namespace

Result<Response> redundancy_of(const Call& call, const RedundancyPolicy& policy) {
  NETML_TRY(const engine::StatePtr state, call.wanted_state());
  const engine::Graph& graph = state->graph;
  const bool all = call.query("all") == "true";
  return cached_answer(
      call, call.site.analyses,
      fmt::format("redundancy {} {} {}", MapAnswers::etag_of(*state), all, key_of(policy)),
      kRedundancyMemoryOfRecord * graph.size() + item_memory(graph.size()),
      [&] { return redundancy_answer(graph, policy, all); });
}

Result<Response> redundancy_history_of(const Call& call, RedundancyPolicy policy) {
  NETML_TRY(const PastSpan span, wanted_span(call));
  const auto& [first, last] = span;
  const std::optional<std::string> element = call.query("element");
  const std::string key = fmt::format("since {} {} {} {}", first.value, last.value,
                                      element.value_or(""), key_of(policy));
  NETML_TRY(auto history, RedundancyHistory::of(std::move(policy), element));
  const std::uint64_t records = call.state()->graph.size();
  return cached_answer(call, call.site.analyses, key,
                       kHistoryMemoryOfRecord * records + item_memory(records),
                       [&]() -> Result<json::object> {
                         Node& node = call.services.node;
                         NETML_TRY(const wal::PastState from, node.state_at(first));
                         history.begin(*from.state);
                         const auto take = [&](const wal::ReplayedTransaction& past) {
                           return history.take(past.transaction, *past.before, *past.after);
                         };
                         NETML_TRY_VOID(each_transaction(node, from, last, take));
                         return history.answer();
                       });
}

void add_redundancy(Routes& routes) {
  const Access asked{.body_bytes_max = kPolicyBytesMax};
  routes.add(net::Method::get, "redundancy", {Needs::viewer}, states);
  routes.add(net::Method::post, "redundancy", asked, of_body(redundancy_of));
  routes.add(net::Method::post, "redundancy/history", asked, of_body(redundancy_history_of));
}

}  // namespace netml::admin::web
