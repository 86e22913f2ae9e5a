// All that is wrong with a config file, and the file that has everything in it. Both follow from
// the options themselves. Thread: any (pure functions).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "admin/cli/grammar/command_line.hpp"
#include "admin/cli/grammar/config_file.hpp"

namespace netml::admin::cli {

// In the order of the file; none: each option of it can be used. A mistake of TOML ends reading.
std::vector<ConfigProblem> check_config(std::string_view text, DefineCommands define);

// A file for `netml serve` with every option that it has, each with what it means and commented
// out, with its default or, where there is none, something that it may be.
std::string config_example(DefineCommands define);

}  // namespace netml::admin::cli
