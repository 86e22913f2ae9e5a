// The options of `netml serve`, which `netml config show` has, too. Thread: one at a time.
#pragma once

#include "admin/cli/grammar/grammar.hpp"

namespace netml::admin::cli {

// `options` must live as long as the app.
void add_serve_options(CLI::App& app, ServeOptions& options);

}  // namespace netml::admin::cli
