// Each locks the row of the lease, take_lease() that of the head before it: so the answer shows
// what stands there under the new epoch, and nothing of an older one comes behind it.
#include <algorithm>

#include "engine/base/utf8.hpp"
#include "wal/postgres/detail/postgres_log.hpp"

namespace netml::wal::postgres {

std::int64_t microseconds(std::chrono::nanoseconds time) {
  constexpr std::chrono::microseconds kCentury = std::chrono::hours(24 * 365 * 100);
  return std::min(std::chrono::duration_cast<std::chrono::microseconds>(time), kCentury).count();
}

bool is_shared_name(std::string_view name) {
  return !name.empty() && name.size() <= kSharedNameBytesMax && is_utf8(name) &&
         name.find('\0') == std::string_view::npos;
}

Leased PostgresLog::lease(Statement step) {
  Written written = session_.write({std::move(step), read_state()});
  if (written.fate != Fate::confirmed)
    return {Outcome::unknown, {}, std::move(written.error.message)};
  Result<State> state = state_in(written.rows[1]);
  const Status answer = written.rows[0].expect({Type::truth});
  if (!state || !answer)
    return {Outcome::unknown, {}, state ? answer.error().message : state.error().message};
  session_.confirmed(*state);
  if (written.rows[0].truth(0, 0)) return {Outcome::done, std::move(state->shared), {}};
  return {Outcome::refused, std::move(state->shared), "another epoch or holder stands there"};
}

Leased PostgresLog::take_lease(std::string_view holder, Epoch seen,
                               std::chrono::nanoseconds length) {
  if (!is_shared_name(holder)) return {Outcome::refused, {}, "no name of a holder"};
  Statement step{"SELECT netml.take_lease($1, $2, $3)"};
  step.parameters.add(holder).add(seen.value).add(microseconds(length));
  return lease(std::move(step));
}

Leased PostgresLog::renew_lease(std::string_view holder, Epoch epoch,
                                std::chrono::nanoseconds length) {
  if (!is_shared_name(holder)) return {Outcome::refused, {}, "no name of a holder"};
  Statement step{"SELECT netml.renew_lease($1, $2, $3)"};
  step.parameters.add(holder).add(epoch.value).add(microseconds(length));
  return lease(std::move(step));
}

Leased PostgresLog::release_lease(std::string_view holder, Epoch epoch) {
  if (!is_shared_name(holder)) return {Outcome::refused, {}, "no name of a holder"};
  Statement step{"SELECT netml.release_lease($1, $2)"};
  step.parameters.add(holder).add(epoch.value);
  return lease(std::move(step));
}

}  // namespace netml::wal::postgres
