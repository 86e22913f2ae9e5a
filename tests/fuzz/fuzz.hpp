// Feeds readers with changed copies of sound inputs (T11). A target must take any bytes: what it
// may do is refuse them, and keep to what it promises of those that it takes. Sanitizers,
// assertions and limits of time say when it does worse.
//
// An input follows from its seed and number alone, so a failure is repeated by naming them.
#pragma once

#include <cstddef>
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
  std::size_t input_bytes_max = 64 << 10;
};

// The words that stand between bars.
std::vector<std::string> between_bars(std::string_view text);

// The input in pieces, as it may arrive: cut where its own bytes say, so each time alike.
std::vector<std::string_view> in_pieces(std::string_view input);

// Ends the program, with the promise, where it does not hold.
void promise(bool holds, const char* what);

// The program of some targets; `--help` tells its arguments. Its exit code.
int run_program(int argc, char** argv, const std::vector<Target>& targets);

}  // namespace netml::fuzz
