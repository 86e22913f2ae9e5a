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

json::object states_json(const engine::Graph& graph, const std::vector<EnabledPolicy>& policies) {
  json::array items;
  std::size_t below = 0;
  for (const auto& [number, on_import, policy] : policies) {
    const engine::RedundancySummary summary = check_redundancy(graph, policy, [](const auto&) {});
    below += summary.below;
    json::object item{{"number", number}, {"name", policy.name}};
    for (auto& [name, count] : redundancy_counts(summary)) item[name] = std::move(count);
    items.push_back(std::move(item));
  }
  return {{"items", std::move(items)}, {"below", below}};
}

// How the map stands to each policy that is enabled now.
Result<Response> states(const Call& call) {
  NETML_TRY(const engine::StatePtr state, call.wanted_state());
  NETML_TRY(const auto policies, enabled_policies(call.state()->catalog));
  std::string key = fmt::format("policies {}", MapAnswers::etag_of(*state));
  for (const EnabledPolicy& each : policies)
    key += fmt::format(" {} {}", each.number, key_of(each.policy));
  return cached_answer(call, call.site.analyses, key,
                       kRedundancyMemoryOfRecord * state->graph.size(),
                       [&] { return states_json(state->graph, policies); });
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
  Audit& audit = call.services.audit;
  NETML_TRY(const Lsn first, audit.resolve(call.query("from").value_or("0")));
  NETML_TRY(const Lsn last, audit.resolve(call.query("until").value_or("latest")));
  if (last < first) return fail(Errc::invalid_input, "until", "is before the beginning");
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
