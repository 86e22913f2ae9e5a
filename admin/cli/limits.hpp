// Every limit of the program by name: set with --limit NAME=VALUE, shown by `netml status`
// (durability-and-security.md, section 3).
//
// Thread: any (pure functions).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "codecs/file_limits.hpp"
#include "engine/result.hpp"
#include "net/limits.hpp"

namespace netml::admin::cli {

struct Limits {
  net::Limits http;
  codecs::FileLimits files;
  // Uploads still being received; and those received whole that wait while one is applied.
  std::size_t uploads_at_once_max = 32;
  std::size_t imports_waiting_max = 4;
  // Pieces of exports that are kept in memory for the next request.
  std::uint64_t export_kept_bytes_max = 1024 * net::kMebibyte;
};

struct LimitDefinition {
  std::string_view name;  // with its unit; durations in seconds
  std::uint64_t (*get)(const Limits& limits);
  void (*set)(Limits& limits, std::uint64_t value);
};

std::span<const LimitDefinition> limit_definitions();

// "NAME=VALUE", a whole number from 1. Errc::invalid_input.
Status set_limit(Limits& limits, std::string_view assignment);

}  // namespace netml::admin::cli
