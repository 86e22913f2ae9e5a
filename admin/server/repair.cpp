#include "admin/server/repair.hpp"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <vector>

#include "admin/base/build_info.hpp"
#include "admin/node/data_path.hpp"
#include "admin/node/key_file.hpp"
#include "engine/base/parallel.hpp"
#include "wal/format/data_directory.hpp"
#include "wal/upkeep/repair.hpp"

namespace netml::admin {

namespace {

// Who signs for the loss.
std::string operating_system_user() {
  constexpr std::size_t kEntryBytes = 16 << 10;
  std::vector<char> buffer(kEntryBytes);
  passwd entry{};
  passwd* found = nullptr;
  const uid_t user = ::getuid();
  if (::getpwuid_r(user, &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr)
    return found->pw_name;
  return fmt::format("user {}", user);
}

}  // namespace

Result<cli::RepairOutcome> repair_data(const cli::GlobalOptions& global,
                                       const cli::RepairOptions& options, const Clock& clock,
                                       Random& random) {
  NETML_TRY(const auto storage, open_data_path(global.data_directory, IfMissing::refuse, random));
  NETML_TRY(const auto lock,
            lock_data_directory(*storage, {static_cast<std::uint64_t>(::getpid()), clock.wall(),
                                           std::string(cli::build_info().version)}));
  HelperThreads parallel;
  NETML_TRY(const wal::RepairPlan plan,
            plan_repair(*storage, clock, parallel, Lsn{options.truncate_at}));
  cli::RepairOutcome outcome;
  outcome.damage = plan.damage;
  outcome.kept = plan.kept.lsn.value;
  outcome.kept_head = to_string(plan.kept);
  outcome.lost = plan.lost();
  if (options.accepted != plan.lost()) return outcome;
  wal::StoreOptions store_options;
  store_options.parallel = &parallel;
  NETML_TRY(store_options.signing_key, read_signing_key(*storage));
  NETML_TRY(const wal::Repaired repaired,
            wal::repair(*storage, plan, operating_system_user(), clock, random, store_options));
  outcome.done = true;
  outcome.record = repaired.record.value;
  outcome.head = to_string(repaired.head);
  outcome.aside = repaired.aside;
  return outcome;
}

}  // namespace netml::admin
