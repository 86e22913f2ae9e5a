#include "admin/server/public_routes.hpp"

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

class NodeReadiness : public net::ReadinessState {
 public:
  explicit NodeReadiness(Services& services) : services_(services) {}

  net::Readiness readiness() const override {
    return services_.node.writable() ? net::Readiness::ready : net::Readiness::read_only;
  }
  std::string export_state() const override {
    return boost::json::serialize(export_state_json(*services_.export_watch.now()));
  }

 private:
  Services& services_;
};

// What no node is needed for.
void add_fixed_routes(net::Router& router, const RouteOptions& options) {
  register_api_description(router);
  register_web_files(router);
  if (!options.test_mode) refuse_functional_api(router);
}

}  // namespace

net::Router starting_routes(const RouteOptions& options) {
  net::Router router;
  add_fixed_routes(router, options);
  register_starting_api(router);
  return router;
}

struct PublicRoutes::Impl {
  NodeReadiness readiness;
  net::Router router;
};

PublicRoutes::PublicRoutes(Services& services, Importer& importer, web::Site& site,
                           const RouteOptions& options)
    : impl_(std::make_unique<Impl>(NodeReadiness(services))) {
  net::Router& router = impl_->router;
  add_fixed_routes(router, options);
  register_public_api(router, {services.tokens, services.exporter, importer, impl_->readiness},
                      options.limits,
                      options.development ? net::Mode::development : net::Mode::production);
  register_web_api(router, site, options.limits);
  register_web_pages(router, site);
  register_sign_out_page(router, site);
  if (options.test_mode) register_functional_api(router, services, options.limits, options.start);
}

PublicRoutes::~PublicRoutes() = default;

const net::Router& PublicRoutes::router() const {
  return impl_->router;
}

}  // namespace netml::admin
