#include "admin/cli/client/exit_code.hpp"

namespace netml::admin::cli {

ExitCode exit_code(Errc code) {
  switch (code) {
    case Errc::corruption:
    case Errc::newer_version:
      return ExitCode::damaged;
    case Errc::invalid_input:
    case Errc::not_found:
    case Errc::conflict:
    case Errc::unavailable:
    case Errc::no_space:
    case Errc::io_error:
    case Errc::too_large:
    case Errc::denied:
    case Errc::internal:
      return ExitCode::failed;
  }
  return ExitCode::failed;
}

Failure answered_failure(std::string_view code, std::string message) {
  if (code == "newer-version") return Error{Errc::newer_version, std::move(message)};
  const bool damaged = code == "corruption";
  return {damaged ? exit_code(Errc::corruption) : ExitCode::failed, std::move(message)};
}

}  // namespace netml::admin::cli
