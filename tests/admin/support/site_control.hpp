// The node of an OpenSite as the command line asks it, in process. Thread: one.
#pragma once

#include "net/http/uri.hpp"
#include "tests/admin/support/cli_fakes.hpp"
#include "tests/admin/support/open_site.hpp"
#include "tests/support/file_content.hpp"

namespace netml::admin::testing {

class SiteControl : public cli::Control {
 public:
  explicit SiteControl(OpenSite& site) : site_(site) {}

  // For cli::Environment::connect.
  static cli::ControlFactory of(OpenSite& site) {
    return [&site](const cli::GlobalOptions&) -> Result<std::unique_ptr<cli::Control>> {
      return std::make_unique<SiteControl>(site);
    };
  }

  Result<cli::ControlResponse> call(const cli::ControlRequest& wanted, const cli::BodySink& sink,
                                    cli::Progress&) override {
    net::Request request = OpenSite::request(*net::parse_method(wanted.method), wanted.target);
    request.control = true;
    request.path = net::parse_target(wanted.target)->path;
    const Reply reply =
        site_.send(request, wanted.body_file ? test::file_content(*wanted.body_file) : wanted.body);
    cli::ControlResponse response{.status = reply.status, .head = "", .body = reply.body};
    if (sink && response.succeeded()) NETML_TRY_VOID(sink(response.body));
    return response;
  }

 private:
  OpenSite& site_;
};

}  // namespace netml::admin::testing
