// What an import that was tried leaves in the metrics and in the log (docs/monitoring/README.md).
#include <fmt/format.h>

#include "admin/imports/import_job.hpp"
#include "engine/base/wording.hpp"

namespace netml::admin {

namespace {

ImportEnd end_of(const ImportOutcome& outcome) {
  if (outcome) return ImportEnd::imported;
  const ImportFailure& failure = outcome.error();
  if (failure.plan != 0) return ImportEnd::held;
  if (failure.errors.count > 0) return ImportEnd::invalid;
  switch (failure.error.code) {
    case Errc::invalid_input:
    case Errc::not_found:
    case Errc::conflict:
    case Errc::denied:
      return ImportEnd::refused;
    default:
      return ImportEnd::failed;
  }
}

std::string text_of(const std::string& file_name, const ImportOutcome& outcome) {
  if (outcome) {
    const engine::ChangeCounts& changes = outcome->changes;
    return fmt::format("{}: imported, {} created, {} updated, {} deleted", file_name,
                       changes.created, changes.updated, changes.deleted);
  }
  const ImportFailure& failure = outcome.error();
  if (failure.plan != 0)
    return fmt::format("{}: held as plan {}: {}", file_name, failure.plan, failure.error.text());
  if (failure.errors.count > 0)
    return fmt::format("{}: {}", file_name, counted(failure.errors.count, "error"));
  return fmt::format("{}: {}", file_name, failure.error.text());
}

}  // namespace

void ImportJob::report(const ImportOutcome& outcome, std::chrono::nanoseconds took) {
  const ImportEnd end = end_of(outcome);
  const auto origin = static_cast<std::size_t>(request_.source);
  Metrics& metrics = node_.metrics();
  metrics.imports.at(origin)[end].add();
  metrics.import_seconds.at(origin).observe(took);
  metrics.import_bytes.at(origin).observe(file_bytes());
  // What a sender did wrong is no warning: faults of the node have a line of their own.
  node_.events().record(EventLevel::information, "import", text_of(request_.file_name, outcome),
                        {.request_id = request_.caller.request_id,
                         .actor = request_.caller.actor,
                         .import_number = outcome ? outcome->record : outcome.error().record,
                         .lsn = outcome ? outcome->lsn : Lsn(),
                         .duration = took});
}

}  // namespace netml::admin
