// What is wanted of a NetBox that is polled: which of its sites, and what becomes of them.
//
// Thread: any (pure functions).
#pragma once

#include <string>
#include <vector>

#include "codecs/formats/netbox/netbox_mapping.hpp"
#include "engine/base/result.hpp"
#include "engine/catalog/catalog.hpp"

namespace netml::admin {

struct NetboxChoice {
  std::vector<std::string> filters;  // "region=europe"; none: all sites
  codecs::netbox::Mapping mapping = {};
};

// Of a source of another kind nothing.
NetboxChoice netbox_choice(const engine::PollingSource& source);

// Errc::invalid_input, in the field "filters".
Status check_netbox_filters(const std::vector<std::string>& filters);

}  // namespace netml::admin
