// Calls a running server through the control socket in its data directory.
#pragma once

#include <memory>

#include "admin/cli/client/control.hpp"
#include "admin/cli/client/options.hpp"
#include "engine/base/time.hpp"

namespace netml::admin::cli {

// A null pointer when nobody listens there. Errc::unavailable when someone does but gives no
// answer within `kPatience`. `clock` must outlive the control.
Result<std::unique_ptr<Control>> connect_to_server(const GlobalOptions& options,
                                                   const Clock& clock);

}  // namespace netml::admin::cli
