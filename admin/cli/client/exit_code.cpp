#include "admin/cli/client/exit_code.hpp"

#include <array>

namespace netml::admin::cli {

namespace {

constexpr std::array kMeanings{
    ExitCodeMeaning{ExitCode::done, "done"},
    ExitCodeMeaning{ExitCode::failed, "it failed; the message says what, where and what to do"},
    ExitCodeMeaning{ExitCode::usage,
                    "the command line, a variable or the configuration file is wrong, or an "
                    "argument is not what it must be"},
    ExitCodeMeaning{ExitCode::invalid_file,
                    "a file is not valid; every error is listed with its place"},
    ExitCodeMeaning{ExitCode::in_use,
                    "the data directory is in use by a process that does not answer"},
    ExitCodeMeaning{ExitCode::damaged,
                    "the data directory is damaged, of a newer version, or not the one that --head "
                    "or --key stands for"}};

}  // namespace

std::span<const ExitCodeMeaning> exit_code_meanings() {
  return kMeanings;
}

ExitCode exit_code(Errc code) {
  const bool damaged = code == Errc::corruption || code == Errc::newer_version;
  return damaged ? ExitCode::damaged : ExitCode::failed;
}

Failure answered_failure(std::string_view code, std::string message) {
  if (code == "newer-version") return Error{Errc::newer_version, std::move(message)};
  return {code == "corruption" ? ExitCode::damaged : ExitCode::failed, std::move(message)};
}

}  // namespace netml::admin::cli
