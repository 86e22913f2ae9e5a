// Whether elements of the map have the independent routes that a policy demands (docs/api.md,
// section "Redundancy").
#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "admin/analysis/redundancy_answer.hpp"
#include "admin/api/site/sections/cached_answer.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "codecs/formats/redundancy_json.hpp"

namespace netml::admin::web {

namespace {

constexpr std::uint64_t kPolicyBytesMax = 4 << 20;

// The policy is the body, as it stands in a file.
Result<net::Response> check(const Call& call) {
  NETML_TRY(const engine::RedundancyPolicy policy, codecs::read_redundancy_policy(call.body));
  NETML_TRY(const engine::StatePtr state, call.wanted_state());
  const engine::Graph& graph = state->graph;
  const bool all = call.query("all") == "true";
  const std::string key =
      fmt::format("redundancy {} {} {}", MapAnswers::etag_of(*state), all,
                  boost::json::serialize(codecs::redundancy_policy_json(policy)));
  const std::uint64_t items = std::min<std::uint64_t>(graph.size(), kRedundancyItemsMax);
  return cached_answer(call, call.site.analyses, key,
                       kRedundancyMemoryOfRecord * graph.size() + kRedundancyMemoryOfItem * items,
                       [&] { return redundancy_answer(graph, policy, all); });
}

}  // namespace

void add_redundancy(Routes& routes) {
  routes.add(net::Method::post, "redundancy", {.body_bytes_max = kPolicyBytesMax}, check);
}

}  // namespace netml::admin::web
