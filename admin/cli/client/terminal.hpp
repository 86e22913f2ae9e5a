// Reading from whoever started the program.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.hpp"

namespace netml::admin::cli {

// One line of standard input without its end. Errc::invalid_input when there is none, or when it
// is longer than any line asked for here.
Result<std::string> read_stdin_line();

// A line typed at the controlling terminal while it shows nothing. Errc::invalid_input when the
// process has no terminal.
Result<std::string> ask_secret(std::string_view prompt);

}  // namespace netml::admin::cli
