// How the sources of a state delivered up to an instant, taken from the poll records, import
// records and settings that it has, and from the journal (docs/quality.md, section "How a source
// delivers").
//
// Thread: any.
#pragma once

#include <optional>

#include "admin/analysis/quality_answer.hpp"
#include "admin/history/import_changes.hpp"
#include "admin/settings/cron_schedule.hpp"

namespace netml::admin {

// When the second run after `success` comes at the latest, whatever random columns draw; nothing
// when the schedule has no more. One run may fail, or take its time.
std::optional<Instant> second_run_after(const CronSchedule& schedule, Instant success);

// By the numbers of the sources. `state`: of the node, now or at some time; `asked`: that time.
// What reading the journal gives; it is read only for imports that are not remembered.
Result<web::DeliveriesBySource> source_deliveries(Node& node, const engine::State& state,
                                                  Instant asked, ImportChanges& changes);

}  // namespace netml::admin
