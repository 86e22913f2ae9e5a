// The wiring diagram: what the program is made of, and who gets what.
#include <csignal>
#include <iostream>
#include <utility>

#include "admin/cli/run.hpp"
#include "admin/node/secrets.hpp"
#include "admin/server/cluster_calls.hpp"
#include "admin/server/local_control.hpp"
#include "admin/server/logging.hpp"
#include "admin/server/process_memory.hpp"
#include "admin/server/repair.hpp"
#include "admin/server/restore.hpp"
#include "admin/server/serve.hpp"
#include "admin/server/service_manager.hpp"
#include "admin/server/system_clock.hpp"
#include "engine/base/guarded.hpp"
#include "wal/format/format.hpp"
#include "wal/storage/mapping_fault.hpp"

int main(int argc, char** argv) {
  using namespace netml;
  admin::spare_thread_memory(admin::memory_bounds());
  std::signal(SIGPIPE, SIG_IGN);  // a reader that went away is an error like any other
  wal::end_on_mapping_faults();
  admin::SystemClock clock;
  admin::SystemRandom random;
  admin::Log command_log(admin::LogFormat::text, admin::LogLevel::warning);
  admin::Log server_log(admin::LogFormat::text, admin::LogLevel::information);

  admin::cli::Environment environment = admin::cli::system_environment(clock);
  environment.disk_format_version = wal::format::kVersion;
  environment.oldest_disk_format = wal::format::kVersion1;
  environment.open = [&](const admin::cli::GlobalOptions& global, admin::cli::Access access) {
    admin::keep_freed_memory();
    return admin::LocalControl::open({.data_directory = global.data_directory,
                                      .read_only = access == admin::cli::Access::examine,
                                      .must_exist = access != admin::cli::Access::use,
                                      .file_limits = global.limits.files},
                                     global, clock, random, command_log);
  };
  environment.serve = [&](const admin::cli::GlobalOptions& global,
                          const admin::cli::ServeOptions& options) {
    admin::keep_some_freed_memory();
    return guarded([&]() -> Status {
      NETML_TRY(admin::ServiceManager manager, admin::ServiceManager::from(environment.variable));
      return admin::serve(global, options, clock, random, server_log, std::cout,
                          std::move(manager));
    });
  };
  environment.restore = admin::restore_backup;
  environment.repair = [&](const admin::cli::GlobalOptions& global,
                           const admin::cli::RepairOptions& options) {
    return admin::repair_data(global, options, clock, random);
  };
  environment.cluster = admin::cluster_calls(clock, random, command_log);
  return admin::cli::run(argc, argv, environment);
}
