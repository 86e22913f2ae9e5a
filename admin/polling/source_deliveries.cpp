#include "admin/polling/source_deliveries.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <ranges>
#include <set>
#include <string_view>
#include <vector>

#include "admin/settings/settings.hpp"

namespace netml::admin {

namespace {

using engine::Catalog;
using engine::DeliveredImport;
using engine::Deliveries;
using engine::ImportRecord;
using engine::PollRecord;
using engine::PollStatus;
using web::DeliveriesBySource;

// Draws the last of all choices, always.
class LastChoice final : public Random {
 public:
  void fill(std::span<std::byte> bytes) override { std::ranges::fill(bytes, std::byte{0xff}); }
};

std::optional<CronSchedule> schedule_in(const Catalog& catalog) {
  if (setting_value(catalog, kPollingEnabled) != "True") return std::nullopt;
  auto schedule = CronSchedule::parse(setting_value(catalog, kPollingInterval));
  if (!schedule) return std::nullopt;  // stored by another version; nothing is polled by it
  return *std::move(schedule);
}

void set_age(Deliveries& deliveries, const engine::PollingSource& source,
             const engine::PeerState* peer, const std::optional<CronSchedule>& schedule,
             Instant asked) {
  if (peer == nullptr || !peer->succeeded_at) return;
  const Instant success = *peer->succeeded_at;
  deliveries.age = std::chrono::seconds(std::max<std::int64_t>(0, asked.seconds - success.seconds));
  if (!source.active || !schedule) return;
  if (const auto due = second_run_after(*schedule, success))
    deliveries.allowed = std::chrono::seconds(due->seconds - success.seconds);
}

DeliveredImport delivered_import(std::uint64_t number, const ImportRecord& import) {
  DeliveredImport delivered{.record = number, .time = import.imported_at};
  for (const engine::ImportCounts& counts : import.counts) delivered.parsed += counts.parsed;
  for (const engine::RuleHits& hits : engine::rule_hits_in(import.message))
    delivered.rule_hits += hits.changed + hits.cascaded;
  return delivered;
}

// Of the polls of a source, the newest first.
void take_polls(Deliveries& deliveries, const Catalog& catalog, std::uint64_t source) {
  std::vector<const PollRecord*> polls;
  catalog.poll_records.for_each_with<&PollRecord::source>(
      source, [&](std::uint64_t, const PollRecord& poll) {
        if (poll.final()) polls.push_back(&poll);
      });
  deliveries.imports.reserve(engine::kEarlierImportsMax + 1);
  std::map<std::string_view, std::uint64_t> reasons;
  for (const PollRecord* poll : polls | std::views::reverse) {
    if (deliveries.polls < engine::kCountedPolls) {
      ++deliveries.polls;
      if (poll->status == PollStatus::aborted) ++reasons[poll->reason];
    }
    if (deliveries.imports.size() > engine::kEarlierImportsMax) continue;
    const auto import = catalog.imports.find(poll->import_record);
    if (poll->status != PollStatus::complete || import == nullptr) continue;
    if (deliveries.imports.empty()) deliveries.rules = engine::rule_hits_in(import->message);
    deliveries.imports.push_back(delivered_import(poll->import_record, *import));
  }
  for (const auto& [reason, count] : reasons)
    deliveries.failures.push_back({std::string(reason), count});
  std::ranges::stable_sort(deliveries.failures, std::greater<>{}, &engine::FailuresOfKind::count);
}

// Those that the journal does not have count no more.
Status set_changes(Node& node, DeliveriesBySource& deliveries, ImportChanges& changes) {
  std::set<std::uint64_t> wanted;
  for (const auto& [source, each] : deliveries)
    for (const DeliveredImport& import : each.imports) wanted.insert(import.record);
  NETML_TRY(const ImportChanges::ByImport found, changes.of(node, wanted));
  for (auto& [source, each] : deliveries) {
    std::erase_if(each.imports,
                  [&](const DeliveredImport& import) { return !found.contains(import.record); });
    for (DeliveredImport& import : each.imports) {
      const engine::ChangeCounts& counts = found.at(import.record);
      import.created = counts.created;
      import.updated = counts.updated;
      import.deleted = counts.deleted;
    }
  }
  return {};
}

}  // namespace

std::optional<Instant> second_run_after(const CronSchedule& schedule, Instant success) {
  LastChoice last;
  const auto first = schedule.next_run(success, last);
  if (!first) return std::nullopt;
  return schedule.next_run(Instant{first->seconds + RunPlan::kApart.count() - 1}, last);
}

Result<web::DeliveriesBySource> source_deliveries(Node& node, const engine::State& state,
                                                  Instant asked, ImportChanges& changes) {
  const Catalog& catalog = state.catalog;
  const std::optional<CronSchedule> schedule = schedule_in(catalog);
  DeliveriesBySource deliveries;
  catalog.sources.for_each([&](std::uint64_t number, const engine::PollingSource& source) {
    Deliveries& each = deliveries[number];
    set_age(each, source, catalog.peer_states.find(number).get(), schedule, asked);
    take_polls(each, catalog, number);
  });
  NETML_TRY_VOID(set_changes(node, deliveries, changes));
  return deliveries;
}

}  // namespace netml::admin
