// How a command ends: the exit codes that scripts rely on (docs/requirements/command-line.md,
// "Conventions").
//
// Failure: `Failure` is an Error that already knows its exit code; an Error turns into one by
// itself, so NETML_TRY works in commands. Thread: any (pure functions).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "engine/base/result.hpp"

namespace netml::admin::cli {

enum class ExitCode : std::uint8_t {
  done = 0,
  failed = 1,        // the message says what, where and what to do
  usage = 2,         // the command line, a variable or the config file is wrong
  invalid_file = 3,  // every error was listed with its place
  in_use = 4,        // the data directory belongs to a process that does not answer
  damaged = 5,       // the data directory is damaged, or of a newer version
};

ExitCode exit_code(Errc code);

struct ExitCodeMeaning {
  ExitCode code;
  std::string_view meaning;
};
// All of them, as help and docs/command-line.md tell them.
std::span<const ExitCodeMeaning> exit_code_meanings();

// Nothing is wrong with the data, and an older program can do nothing for them.
inline constexpr const char* kTakeNewerVersion =
    "Nothing was changed. Use that version of the program, or restore a backup that this one "
    "made: netml restore FILE --into NEW-DIRECTORY\n";

struct Failure {
  ExitCode code = ExitCode::failed;
  std::string message;  // one line for the user, without a prefix; empty = all has been said
  std::string answer;   // the JSON answer that reported it, if there was one; for --json
  // Lines about what can be done; none: what there is to say about such an exit code.
  std::optional<std::string> advice = {};

  Failure(ExitCode exit, std::string text, std::string json = {})
      : code(exit), message(std::move(text)), answer(std::move(json)) {}
  Failure(const Error& error)  // not explicit, for NETML_TRY
      : code(exit_code(error.code)), message(error.text()) {
    if (error.code == Errc::newer_version) advice = kTakeNewerVersion;
  }
};

// Of an answer of the node: `code` is the name of an Errc, as the API gives it.
Failure answered_failure(std::string_view code, std::string message);

template <class T>
using Outcome = tl::expected<T, Failure>;
using CommandOutcome = Outcome<void>;

inline tl::unexpected<Failure> fail(ExitCode code, std::string message) {
  return tl::unexpected<Failure>(Failure(code, std::move(message)));
}

}  // namespace netml::admin::cli
