// How good the map is, and what is wrong with it (docs/api.md, section "Quality").
#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <functional>

#include "admin/analysis/quality_answer.hpp"
#include "admin/analysis/quality_history.hpp"
#include "admin/api/site/sections/cached_answer.hpp"
#include "admin/api/site/sections/past_span.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "admin/history/past_transactions.hpp"
#include "admin/polling/source_deliveries.hpp"
#include "engine/import/plan_import.hpp"

namespace netml::admin::web {

namespace {

constexpr std::int64_t kHour = 60 * 60;

Instant today(const Call& call) {
  return begin_of_day(call.services.node.clock().wall());
}

// Of an answer about the map and the day.
std::string key_of(const Call& call, const engine::State& state, const std::string& question) {
  return fmt::format("{} {} {}", MapAnswers::etag_of(state), today(call).seconds, question);
}

// That ages are held against: of now the hour, so that answers can be cached; of the past the time
// that was asked for, or that of the version.
Instant asked_instant(const Call& call, const engine::State& state) {
  const Instant now = call.services.node.clock().wall().instant();
  const auto at = call.query("at");
  if (!at) return Instant{now.seconds - now.seconds % kHour};
  auto asked = parse_instant(*at);
  if (!asked) asked = parse_instant(*at + "T23:59:59Z");  // a day means its end
  return std::min(now, asked.value_or(state.effective_time.instant()));
}

// For the newest version, as a whole, use is made of what was found in the one before.
Status with_tallies(const Call& call, const engine::State& state,
                    const std::function<void(const engine::Tallies&)>& use) {
  const engine::Graph& graph = state.graph;
  const engine::Countries& countries = call.site.countries();
  if (!call.query("at") && !MapAnswers::is_seen(state))
    return call.site.newest_quality.ask(graph, countries, today(call), use);
  NETML_TRY(const MemoryReservation reserved,
            call.services.node.memory().reserve(MemoryUse::answers,
                                                kQualityMemoryOfRecord * graph.size()));
  use(engine::tally({graph, countries, today(call)}));
  return {};
}

Result<net::Response> quality(const Call& call) {
  NETML_TRY(const engine::StatePtr state, call.wanted_state());
  const engine::Digest catalog = state->catalog_digest;  // sources
  const Instant asked = asked_instant(call, *state);
  const std::string key =
      key_of(call, *state, fmt::format("{:x} {:x} {}", catalog.high, catalog.low, asked.seconds));
  // The tallies reserve what they take.
  const std::uint64_t lists = kQualityMemoryOfTopology * state->graph.count(Kind::topology) +
                              kQualityMemoryOfSource * state->catalog.sources.count();
  return cached_text(call, call.site.analyses, key, lists, [&]() -> Result<std::string> {
    NETML_TRY(const DeliveriesBySource deliveries,
              source_deliveries(call.services.node, *state, asked, call.site.import_changes));
    std::string answer;
    NETML_TRY_VOID(with_tallies(call, *state, [&](const engine::Tallies& tallies) {
      answer = quality_answer(*state, tallies, call.site.countries(), today(call), deliveries);
    }));
    return answer;
  });
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
  const char* const check = wanted.check ? description(*wanted.check).name : "all";
  const std::string key = key_of(call, *state, fmt::format("{} {}", wanted.topology.value, check));
  return cached_answer(
      call, call.site.analyses, key, kQualityMemoryOfRecord * state->graph.size(),
      [&] { return findings_answer(*state, call.site.countries(), today(call), wanted); });
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
  NETML_TRY(PastSpan span, wanted_span(call));
  auto& [first, last] = span;
  // What took effect before all else has no time, so the line begins after it.
  NETML_TRY(const Lsn timeless, call.services.audit.resolve("1970-01-01T00:00:00Z"));
  if (first <= timeless && timeless < last) first = timeless.next();
  NETML_TRY(WantedScores wanted, wanted_scores(call, last));
  const std::string key = fmt::format("quality {} {} {} {} {}", first.value, last.value,
                                      wanted.points, today(call).seconds, wanted.topology);
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
