#include "admin/cli/client/exit_code.hpp"

namespace netml::admin::cli {

ExitCode exit_code(Errc code) {
  const bool damaged = code == Errc::corruption || code == Errc::newer_version;
  return damaged ? ExitCode::damaged : ExitCode::failed;
}

Failure answered_failure(std::string_view code, std::string message) {
  if (code == "newer-version") return Error{Errc::newer_version, std::move(message)};
  return {code == "corruption" ? ExitCode::damaged : ExitCode::failed, std::move(message)};
}

}  // namespace netml::admin::cli
