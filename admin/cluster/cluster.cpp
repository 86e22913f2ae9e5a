#include "admin/cluster/cluster.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "admin/base/build_info.hpp"
#include "net/client/peer_url.hpp"
#include "net/http/address.hpp"
#include "wal/shared/load_engine.hpp"

namespace netml::admin {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kModule = "netml-postgres.so";
// From the folder of the program: a build, and a package with the program in bin/.
constexpr std::array<std::string_view, 2> kFolders{".", "../lib/netml"};

wal::MembershipOptions membership_options(const MemberIdentity& member) {
  return {.name = member.name,
          .address = member.address,
          .version = std::string(cli::build_info().version),
          .require_standby = member.require_standby,
          .keep = member.keep};
}

}  // namespace

Result<wal::SharedEngine> load_shared_engine(const wal::SharedEngineSettings& settings) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const std::string_view folder : kFolders) {
    const fs::path file = (program / folder / kModule).lexically_normal();
    if (!fs::exists(file, error)) continue;
    auto engine = wal::load_engine(file.string(), std::string(cli::build_info().version), settings);
    if (engine) return engine;
    return fail(engine.error().code,
                fmt::format("{}: {}; install netml and its module of one version, and libpq "
                            "(libpq5)",
                            file.string(), engine.error().message));
  }
  return fail(Errc::not_found,
              fmt::format("{} is not there, neither beside the program, in {}, nor in "
                          "../lib/netml/ from there; a cluster needs it",
                          kModule, program.string()));
}

std::string risk_of_address(const std::string& url) {
  const auto peer = net::parse_peer_url(url);
  if (!peer || peer->tls || peer->host == "localhost" ||
      net::contains(net::loopback_networks(), peer->host))
    return {};
  return fmt::format(
      "the others reach this member at {}, where whoever is on the way reads and "
      "changes their requests, commands of administrators among them; use https",
      url);
}

Result<std::unique_ptr<Cluster>> Cluster::load(const ClusterSettings& settings, const Clock& clock,
                                               Random& random) {
  NETML_TRY(wal::SharedEngine engine,
            load_shared_engine({.connection = settings.connection, .clock = &clock}));
  return std::unique_ptr<Cluster>(new Cluster(std::move(engine), settings, clock, random));
}

Cluster::Cluster(wal::SharedEngine engine, const ClusterSettings& settings, const Clock& clock,
                 Random& random)
    : identity_(settings.member),
      clock_(clock),
      membership_(clock, random, std::move(engine.open), membership_options(settings.member)) {}

Status Cluster::wait_for(Lsn lsn, std::chrono::nanoseconds at_most) const {
  NETML_TRY_VOID(membership_.wait_for(lsn, at_most));
  return {};
}

std::vector<wal::Member> Cluster::members() const {
  const std::lock_guard lock(mutex_);
  std::vector<wal::Member> members = members_;
  const std::chrono::nanoseconds since = clock_.steady() - members_asked_;
  for (wal::Member& each : members) each.seen_ago += since;
  return members;
}

Status Cluster::refresh_members() {
  const std::chrono::nanoseconds asked = clock_.steady();
  NETML_TRY(std::vector<wal::Member> members, membership_.members());
  const std::lock_guard lock(mutex_);
  members_asked_ = asked;
  members_ = std::move(members);
  return {};
}

Status Cluster::confirm_fresh() {
  NETML_TRY_VOID(membership_.confirm_fresh());
  return {};
}

}  // namespace netml::admin
