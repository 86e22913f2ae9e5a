#include "admin/imports/retention.hpp"

#include "admin/base/pause.hpp"
#include "admin/settings/settings.hpp"
#include "engine/base/guarded.hpp"
#include "engine/edit/plan_edit.hpp"

namespace netml::admin {

namespace {

// Few enough that nobody waits long for the writer.
constexpr std::size_t kForgottenAtOnce = 1000;
constexpr std::int64_t kSecondsInADay = 86400;

const Caller kCaller{engine::ActorKind::system, "netml", "retention", {}};

}  // namespace

void Retention::start() {
  NETML_ASSERT(!thread_.joinable());
  thread_ = std::jthread([this](const std::stop_token& stop) {
    do {
      if (const Status done = guarded([&] { return tidy(); }); !done)
        node_.note_failure(kCaller, done.error());
    } while (pause(kPause, stop));
  });
}

// The records first: a crash in between leaves files that nothing names, which go the next time.
Status Retention::tidy() {
  if (!node_.writable()) return {};
  while (leads_()) {
    NETML_TRY(const bool more, forget_import_records());
    if (!more) break;
  }
  NETML_TRY_VOID(node_.forget_uploads());
  return {};
}

Result<bool> Retention::forget_import_records() {
  std::size_t forgotten = 0;
  Change change{.caller = kCaller, .cause = engine::Cause::upload, .rules = RulesAfter::skip};
  change.plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    const auto days = static_cast<std::int64_t>(setting_number(state.catalog, kImportDays));
    if (days == 0) return engine::empty_transaction(state);
    engine::Transaction transaction = plan_old_imports_delete(
        state, Instant{now.instant().seconds - days * kSecondsInADay}, kForgottenAtOnce);
    forgotten = transaction.imports.size();
    return transaction;
  };
  NETML_TRY_VOID(node_.commit(std::move(change)));
  return forgotten == kForgottenAtOnce;
}

}  // namespace netml::admin
