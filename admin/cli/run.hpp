// The command line as a whole: parse, run, report. `main` makes the environment and calls this.
#pragma once

#include "admin/cli/client/environment.hpp"

namespace netml::admin::cli {

// The exit code. Says what went wrong on standard error; with --json also on standard output.
int run(int argc, const char* const* argv, const Environment& environment);

}  // namespace netml::admin::cli
