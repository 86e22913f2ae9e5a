// How good the map is, and what is wrong with it (docs/api.md, section "Quality").
#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "admin/analysis/quality_answer.hpp"
#include "admin/analysis/quality_history.hpp"
#include "admin/api/site/sections/cached_answer.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "admin/history/past_transactions.hpp"
#include "engine/import/plan_import.hpp"

namespace netml::admin::web {

namespace {

constexpr std::int64_t kDay = 24 * 60 * 60;

// What is over or to come is judged by the day, so that answers of a day can be cached.
Instant begin_of_day(const Call& call) {
  const std::int64_t now = call.services.node.clock().wall().instant().seconds;
  return Instant{now - now % kDay};
}

Result<net::Response> cached(const Call& call, const engine::State& state, const std::string& key,
                             const std::function<boost::json::object()>& make) {
  return cached_answer(
      call, call.site.analyses,
      fmt::format("{} {} {}", MapAnswers::etag_of(state), begin_of_day(call).seconds, key),
      kQualityMemoryOfRecord * state.graph.size(), make);
}

Result<net::Response> quality(const Call& call) {
  NETML_TRY(const engine::StatePtr state, call.wanted_state());
  const engine::Digest catalog = state->catalog_digest;  // sources
  return cached(call, *state, fmt::format("{:x} {:x}", catalog.high, catalog.low),
                [&] { return quality_answer(*state, call.site.countries(), begin_of_day(call)); });
}

Result<WantedFindings> wanted_findings(const Call& call, const engine::Graph& graph) {
  WantedFindings wanted;
  if (const auto topology = call.query("topology")) {
    NETML_TRY(wanted.topology, engine::find_topology(graph, *topology));
  }
  if (const auto name = call.query("check")) {
    wanted.check = engine::check_named(*name);
    if (!wanted.check) return fail(Errc::invalid_input, "check", "there is no such check");
  }
  return wanted;
}

Result<net::Response> findings(const Call& call) {
  NETML_TRY(const engine::StatePtr state, call.wanted_state());
  NETML_TRY(const WantedFindings wanted, wanted_findings(call, state->graph));
  const std::string key = fmt::format("{} {}", wanted.topology.value,
                                      wanted.check ? description(*wanted.check).name : "all");
  return cached(call, *state, key, [&] {
    return findings_answer(*state, call.site.countries(), begin_of_day(call), wanted);
  });
}

Result<WantedScores> wanted_scores(const Call& call, Lsn last) {
  WantedScores wanted;
  NETML_TRY(const engine::StatePtr until,
            call.site.past.at(call.services.audit, fmt::to_string(last.value)));
  wanted.until = until->effective_time;
  // What is now has lasted up to now.
  if (!call.query("until"))
    wanted.until = std::max(wanted.until, call.services.node.clock().wall());
  if (const auto topology = call.query("topology")) {
    NETML_TRY(const RecordId found, engine::find_topology(until->graph, *topology));
    wanted.topology = until->graph.attributes(found).id();
  }
  NETML_TRY(const auto points, call.query_number("points"));
  wanted.points = points.value_or(kQualityPoints);
  if (wanted.points < 2 || wanted.points > kQualityPointsMax)
    return wrong_field("points", fmt::format("must be 2 to {}", kQualityPointsMax));
  return wanted;
}

Result<net::Response> history(const Call& call) {
  Audit& audit = call.services.audit;
  NETML_TRY(Lsn first, audit.resolve(call.query("from").value_or("0")));
  NETML_TRY(const Lsn last, audit.resolve(call.query("until").value_or("latest")));
  // What was before the first change has no time.
  if (first.value == 0 && last.value > 0) first.value = 1;
  if (last < first) return fail(Errc::invalid_input, "until", "is before the beginning");
  NETML_TRY(WantedScores wanted, wanted_scores(call, last));
  const std::string key = fmt::format("quality {} {} {} {} {}", first.value, last.value,
                                      wanted.points, begin_of_day(call).seconds, wanted.topology);
  const std::uint64_t records = call.state()->graph.size();
  return cached_answer(call, call.site.analyses, key, kQualityMemoryOfRecord * records,
                       [&]() -> Result<boost::json::object> {
                         Node& node = call.services.node;
                         NETML_TRY(const wal::PastState from, node.state_at(first));
                         engine::StatePtr newest = from.state;
                         wanted.from = newest->effective_time;
                         QualityHistory scores(call.site.countries(), std::move(wanted));
                         const auto take = [&](const wal::ReplayedTransaction& past) {
                           newest = past.after;
                           return scores.take(*past.before, *past.after);
                         };
                         NETML_TRY_VOID(each_transaction(node, from, last, take));
                         return scores.answer(*newest);
                       });
}

}  // namespace

void add_quality(Routes& routes) {
  const Access viewer{Needs::viewer};
  routes.add(net::Method::get, "quality", viewer, quality);
  routes.add(net::Method::get, "quality/findings", viewer, findings);
  routes.add(net::Method::get, "quality/history", viewer, history);
}

}  // namespace netml::admin::web
