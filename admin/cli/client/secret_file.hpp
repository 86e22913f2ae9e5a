// A secret from standard input, or from a file that an option or a variable names, as service
// managers and containers hand them over: it never stands on a command line or in the environment.
//
// Failure: Errc::io_error, Errc::invalid_input; what is read stands in no message. Thread: any.
#pragma once

#include <optional>
#include <string>

#include "admin/cli/client/environment.hpp"
#include "engine/base/result.hpp"

namespace netml::admin::cli {

struct SecretOptions {
  bool stdin_line = false;
  std::optional<std::string> file;  // - for standard input
};

// The first line of that, of at most 1024 bytes, without its end; nothing where neither is given.
Result<std::optional<std::string>> given_secret(const SecretOptions& from,
                                                const Environment& environment);

}  // namespace netml::admin::cli
