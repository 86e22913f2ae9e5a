// Feeds readers with changed copies of sound inputs (T11). A target must take any bytes: what it
// may do is refuse them. Sanitizers, assertions and a limit of time say when it does worse.
//
// An input follows from its seed and number alone, so a failure is repeated by naming them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace netml::fuzz {

struct Target {
  std::string name;
  std::vector<std::string> samples;  // at least one
  std::vector<std::string> words;    // pieces that mean something there
  std::function<void(std::string_view input)> run;
};

// The program of some targets; `--help` tells its arguments. Its exit code.
int run_program(int argc, char** argv, const std::vector<Target>& targets);

}  // namespace netml::fuzz
