#include "admin/server/member_server.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "admin/api/services.hpp"
#include "admin/base/pause.hpp"
#include "admin/cli/client/files.hpp"
#include "engine/base/guarded.hpp"

namespace netml::admin {

namespace {

constexpr std::chrono::milliseconds kLook{250};
constexpr std::chrono::seconds kMembersAsked{1};

Result<std::string> certificates_of(const std::string& file) {
  std::string text;
  if (file.empty()) return text;
  NETML_TRY_VOID(cli::read_file(file, [&](std::string_view piece) {
    text += piece;
    return true;
  }));
  return text;
}

}  // namespace

Result<std::unique_ptr<MemberServer>> MemberServer::load(const cli::ServeOptions& options,
                                                         const Clock& clock, Random& random) {
  const cli::ClusterOptions& given = options.cluster;
  if (given.connection.empty()) return std::unique_ptr<MemberServer>();
  ForwarderOptions forwarder{.member = given.name, .ca_certificates = {}};
  NETML_TRY(forwarder.ca_certificates, certificates_of(given.ca_file));
  const GateOptions gate{.changes = given.redirect ? ChangesAtFollower::redirected
                                                   : ChangesAtFollower::forwarded};
  NETML_TRY(auto cluster,
            Cluster::load({.connection = given.connection,
                           .member = {.name = given.name,
                                      .address = given.address,
                                      .require_standby = given.require_standby == "on",
                                      .keep = std::chrono::days(given.keep_days)}},
                          clock, random));
  return std::unique_ptr<MemberServer>(
      new MemberServer(std::move(cluster), clock, gate, std::move(forwarder)));
}

MemberServer::MemberServer(std::unique_ptr<Cluster> cluster, const Clock& clock, GateOptions gate,
                           ForwarderOptions forwarder)
    : cluster_(std::move(cluster)),
      clock_(clock),
      gate_options_(gate),
      forwarder_options_(std::move(forwarder)) {}

void MemberServer::guard(const Services& services, net::Router& open, net::Router& control) {
  const Secrets& secrets = services.node.secrets();
  forwarder_options_.body_bytes_max = net::upload_limit(services.limits.get()->http);
  forwarder_.emplace(*cluster_, secrets, clock_, forwarder_options_);
  owned_gate_ = std::make_unique<Gate>(*cluster_, secrets, clock_, *forwarder_, gate_options_);
  gate_ = owned_gate_.get();
  for_members_ = control;
  owned_gate_->add_member_routes(open, for_members_);
  open = owned_gate_->guarded(open);
  control = owned_gate_->guarded(control);
}

void MemberServer::add_fields(net::Headers& headers) const {
  if (const Gate* gate = gate_; gate != nullptr) gate->add_fields(headers);
}

void MemberServer::attend(Services& services, std::function<void()> take_over) {
  seen_ = services.node.version().state->lsn;
  thread_ = std::jthread(
      [this, &services, take_over = std::move(take_over)](const std::stop_token& stop) {
        do {
          const Status looked = netml::guarded([&]() -> Status {
            look(services, take_over);
            return {};
          });
          if (!looked) services.node.events().error("cluster", looked.error().message);
        } while (pause(kLook, stop));
      });
}

void MemberServer::look(Services& services, const std::function<void()>& take_over) {
  const bool leads = cluster_->leads();
  const bool begins = leads && !std::exchange(led_, leads);
  led_ = leads;
  if (begins) take_over();
  const engine::StatePtr state = services.node.version().state;
  if (std::exchange(seen_, state->lsn) != state->lsn && !leads) services.export_watch.look(*state);
  const std::chrono::nanoseconds now = clock_.steady();
  if (now - members_asked_ < kMembersAsked) return;
  members_asked_ = now;
  // Until the database answers again what is known stays, with its age.
  static_cast<void>(cluster_->refresh_members().has_value());
}

}  // namespace netml::admin
