#include "admin/api/site/calls/site.hpp"

#include "admin/analysis/country_outlines.hpp"

namespace netml::admin::web {

const engine::Countries& Site::countries() {
  std::call_once(countries_read_, [this] {
    if (options.country_outlines.empty()) return;
    if (auto read = read_country_outlines(options.country_outlines))
      countries_ = *std::move(read);
    else
      services.node.events().error("quality", read.error().message);
  });
  return countries_;
}

}  // namespace netml::admin::web
