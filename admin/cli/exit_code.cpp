#include "admin/cli/exit_code.hpp"

namespace netml::admin::cli {

ExitCode exit_code(Errc code) {
  switch (code) {
    case Errc::corruption:
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

}  // namespace netml::admin::cli
