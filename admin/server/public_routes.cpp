#include "admin/server/public_routes.hpp"

#include <atomic>
#include <boost/json.hpp>

#include "admin/api/public/api_description.hpp"
#include "admin/api/reference/functional_api.hpp"
#include "admin/api/services.hpp"
#include "admin/api/site/web_api.hpp"
#include "admin/exports/export_state.hpp"
#include "admin/imports/importer.hpp"
#include "net/endpoints/public_api.hpp"

namespace netml::admin {

namespace {

// The ports of the public endpoints while the node is still being opened: requests find the
// listeners but are told to come back (O5), and none of these functions is called.
class PendingPorts : public net::TokenChecker,
                     public net::ExportService,
                     public net::ImportService,
                     public net::ReadinessState {
 public:
  void open(Services& services, Importer& importer) {
    services_ = &services;
    importer_ = &importer;
    ready_.store(true, std::memory_order_release);
  }
  void close() { ready_.store(false, std::memory_order_release); }

  net::Readiness readiness() const override {
    if (!ready_.load(std::memory_order_acquire)) return net::Readiness::starting;
    return services_->node.writable() ? net::Readiness::ready : net::Readiness::read_only;
  }
  std::string export_state() const override {
    if (!ready_.load(std::memory_order_acquire)) return {};
    return boost::json::serialize(export_state_json(*services_->export_watch.now()));
  }
  std::optional<net::Identity> check(std::string_view value, net::TokenKind wanted) override {
    return services_->tokens.check(value, wanted);
  }
  bool refused(std::string_view client_address) override {
    return services_->tokens.refused(client_address);
  }
  tl::expected<net::Export, net::ExportProblem> open(net::ExportKind kind,
                                                     const net::Request& request) override {
    return services_->exporter.open(kind, request);
  }
  net::RefusalShape refusal_shape() const override { return importer_->refusal_shape(); }
  std::optional<net::ImportRefused> admit(std::optional<std::uint64_t> declared) override {
    return importer_->admit(declared);
  }
  tl::expected<std::unique_ptr<net::Upload>, net::ImportRefused> begin(
      const net::UploadInfo& info) override {
    return importer_->begin(info);
  }
  std::optional<net::ImportRecord> record(std::uint64_t id,
                                          const net::Identity& identity) override {
    return importer_->record(id, identity);
  }

 private:
  std::atomic<bool> ready_{false};
  Services* services_ = nullptr;
  Importer* importer_ = nullptr;
};

}  // namespace

struct PublicRoutes::Impl {
  PendingPorts ports;
  PendingServices services;
  PendingSite site;
  net::Router router;
};

PublicRoutes::PublicRoutes(const Options& options) : impl_(std::make_unique<Impl>()) {
  auto& [ports, services, site, router] = *impl_;
  register_public_api(router, {ports, ports, ports, ports}, options.limits,
                      options.development ? net::Mode::development : net::Mode::production);
  register_api_description(router);
  register_web_api(router, site, options.limits);
  register_web_pages(router, site);
  register_sign_out_page(router, site);
  if (options.test_mode)
    register_functional_api(router, services, options.limits, options.start);
  else
    refuse_functional_api(router);
}

PublicRoutes::~PublicRoutes() = default;

const net::Router& PublicRoutes::router() const {
  return impl_->router;
}

void PublicRoutes::open(Services& services, Importer& importer, web::Site& site) {
  impl_->ports.open(services, importer);
  impl_->services.open(services);
  impl_->site.open(site);
}

void PublicRoutes::close() {
  impl_->ports.close();
}

}  // namespace netml::admin
