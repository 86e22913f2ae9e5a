// What the start page draws: imports and polls of the last days, how the sources answered, and how
// the map has grown (docs/api.md, section "Publications and activity").
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <map>

#include "admin/analysis/quality_answer.hpp"
#include "admin/answers/json_answers.hpp"
#include "admin/answers/record_text.hpp"
#include "admin/api/site/sections/cached_answer.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "admin/api/status.hpp"
#include "admin/polling/polling.hpp"
#include "admin/polling/polling_json.hpp"

namespace netml::admin::web {

namespace json = boost::json;

namespace {

constexpr std::int64_t kDays = 7;
constexpr std::int64_t kDaySeconds = 86'400;
constexpr std::size_t kSourcesMax = 20;  // those that fail come first
constexpr std::size_t kPollsMax = 30;    // of a source
constexpr std::size_t kSizesMax = 100;
// The answer, and what it is made from.
constexpr std::uint64_t kMemory = 4 << 20;

struct Ended {
  std::uint64_t complete = 0;
  std::uint64_t aborted = 0;

  json::object to_json() const { return {{"complete", complete}, {"aborted", aborted}}; }
};

struct DayCounts {
  Ended imports;
  Ended polls;                                   // of one source each
  std::map<std::string, std::uint64_t> reasons;  // of polls that were aborted
};

struct SourcePoll {
  std::uint64_t batch = 0;
  bool aborted = false;
  std::uint64_t milliseconds = 0;
};

// Days begin at midnight, UTC.
class Week {
 public:
  explicit Week(Instant today) : begin_{today.seconds - (kDays - 1) * kDaySeconds} {}

  // Tables are in the order of time, so what is older ends the walk.
  void take(const engine::Catalog& catalog) {
    for (std::uint64_t n = catalog.imports.next_number() - 1; n > 0; --n) {
      const auto import = catalog.imports.find(n);
      if (import == nullptr) continue;
      if (import->imported_at < begin_) break;
      take(*import);
    }
    for (std::uint64_t n = catalog.poll_batches.next_number() - 1; n > 0; --n) {
      const auto batch = catalog.poll_batches.find(n);
      if (batch == nullptr) continue;
      if (batch->started < begin_) break;
      catalog.poll_records.for_each_with<&engine::PollRecord::batch>(
          n, [&](std::uint64_t, const engine::PollRecord& poll) { take(*batch, poll); });
    }
  }

  json::array days_json() const {
    json::array items;
    for (std::size_t i = 0; i < days_.size(); ++i) {
      const Instant day{begin_.seconds + static_cast<std::int64_t>(i) * kDaySeconds};
      json::array reasons;
      for (const auto& [reason, count] : days_[i].reasons)
        reasons.push_back(json::object{{"reason", reason}, {"count", count}});
      items.push_back(json::object{{"day", day_text(day)},
                                   {"imports", days_[i].imports.to_json()},
                                   {"polls", days_[i].polls.to_json()},
                                   {"reasons", std::move(reasons)}});
    }
    return items;
  }

  // The oldest first.
  json::array polls_json(std::uint64_t source) const {
    json::array items;
    const auto found = polls_.find(source);
    if (found == polls_.end()) return items;
    for (const SourcePoll& poll : found->second)
      items.insert(items.begin(), json::object{{"poll", poll.batch},
                                               {"state", poll.aborted ? "aborted" : "complete"},
                                               {"seconds", seconds_of(poll.milliseconds)}});
    return items;
  }

 private:
  // What a clock that was set back has dated ahead counts for today.
  DayCounts& day_of(Instant time) {
    const std::int64_t day = (time.seconds - begin_.seconds) / kDaySeconds;
    return days_.at(static_cast<std::size_t>(std::min(day, kDays - 1)));
  }
  void take(const engine::ImportRecord& import) {
    if (import.status == engine::ImportStatus::in_progress) return;
    Ended& ended = day_of(import.imported_at).imports;
    ++(import.status == engine::ImportStatus::aborted ? ended.aborted : ended.complete);
  }
  void take(const engine::PollBatch& batch, const engine::PollRecord& poll) {
    if (!poll.final()) return;
    const bool aborted = poll.status == engine::PollStatus::aborted;
    DayCounts& day = day_of(batch.started);
    ++(aborted ? day.polls.aborted : day.polls.complete);
    if (aborted) ++day.reasons[poll.reason];
    std::vector<SourcePoll>& of_source = polls_[poll.source];
    if (of_source.size() < kPollsMax)
      of_source.push_back({poll.batch, aborted, poll.poll_milliseconds + poll.import_milliseconds});
  }

  Instant begin_;
  std::array<DayCounts, kDays> days_;
  std::map<std::uint64_t, std::vector<SourcePoll>> polls_;  // of each source, the newest first
};

json::object sources_json(const Call& call, const Week& week) {
  std::vector<SourceStatus> sources = call.services.polling.list();
  std::ranges::stable_sort(sources, [](const SourceStatus& a, const SourceStatus& b) {
    if (a.peer.failures != b.peer.failures) return a.peer.failures > b.peer.failures;
    return a.source->name < b.source->name;
  });
  json::array items;
  for (const SourceStatus& source : sources) {
    if (items.size() == kSourcesMax) break;
    items.push_back(json::object{{"number", source.number},
                                 {"name", source.source->name},
                                 {"active", source.source->active},
                                 {"paused", source.paused},
                                 {"failures", source.peer.failures},
                                 {"last_success", time_or_null(source.peer.succeeded_at)},
                                 {"polls", week.polls_json(source.number)}});
  }
  return {{"items", std::move(items)}, {"total", sources.size()}};
}

Result<json::array> growth_json(const Call& call, const engine::State& state) {
  NETML_TRY(const std::vector<MapSize> sizes, call.site.points.growth(state, kSizesMax));
  json::array items;
  for (const MapSize& size : sizes) {
    json::object item =
        each_kind_json([&](Kind kind) { return size.counts[static_cast<std::size_t>(kind)]; });
    item["lsn"] = size.lsn.value;
    item["time"] = time_text(size.time);
    items.push_back(std::move(item));
  }
  return items;
}

Result<net::Response> overview(const Call& call) {
  const engine::StatePtr state = call.state();
  const Instant today = begin_of_day(call.services.node.clock().wall());
  const std::string key = fmt::format("overview {} {}", state->lsn.value, today.seconds);
  return cached_answer(call, call.site.overviews, key, kMemory,
                       [&]() -> Result<boost::json::object> {
                         Week week(today);
                         week.take(state->catalog);
                         NETML_TRY(json::array growth, growth_json(call, *state));
                         return json::object{{"days", week.days_json()},
                                             {"sources", sources_json(call, week)},
                                             {"growth", std::move(growth)}};
                       });
}

// Not cached: the disk fills without a change of the map.
Result<net::Response> node_overview(const Call& call) {
  json::object answer = upkeep_json(call.services);
  answer["lsn"] = call.state()->lsn.value;
  return json_answer(200, answer);
}

}  // namespace

void add_overview(Routes& routes) {
  routes.add(net::Method::get, "overview", {Needs::viewer}, overview);
  routes.add(net::Method::get, "overview/node", {Needs::admin}, node_overview);
}

}  // namespace netml::admin::web
