// Every limit of the program that can be set, by name, with --limit NAME=VALUE; `netml status
// --help` lists them with their defaults, `netml status` with the values that a node has,
// docs/limits.md also those that are fixed (docs/requirements/durability-and-security.md, section
// 3).
//
// Thread: any (pure functions).
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "codecs/formats/file_format.hpp"
#include "engine/base/result.hpp"
#include "net/http/limits.hpp"

// Of those that a refusal names.
namespace netml::admin::limit_names {

inline constexpr std::string_view kUploadsAtOnce = "uploads_at_once_max";
inline constexpr std::string_view kImportsWaiting = "imports_waiting_max";

}  // namespace netml::admin::limit_names

namespace netml::admin::cli {

// Of polls (rules N5 and N8).
struct PollLimits {
  std::chrono::milliseconds connect_max = std::chrono::seconds(10);
  std::chrono::milliseconds tls_max = std::chrono::seconds(10);
  std::chrono::milliseconds first_byte_max = std::chrono::seconds(300);
  // A map may fall behind that rate by at most the window.
  std::uint64_t bytes_per_second_min = 1 * net::kKibibyte;
  std::chrono::milliseconds rate_window = std::chrono::seconds(60);
  std::chrono::milliseconds total_max = std::chrono::minutes(30);
  std::size_t fetches_at_once_max = 4;
  // How often a peer is asked that cannot be reached, and the first pause, which then grows.
  std::size_t attempts_max = 3;
  std::chrono::milliseconds retry_after = std::chrono::seconds(1);
};

struct Limits {
  net::Limits http;
  PollLimits polls;
  codecs::FileLimits files;
  // Uploads still being received; and those received whole that wait while one is applied.
  std::size_t uploads_at_once_max = 32;
  std::size_t imports_waiting_max = 4;
  // Pieces of exports that are cached in memory for the next request.
  std::uint64_t export_cache_bytes_max = 1024 * net::kMebibyte;
};

struct LimitDefinition {
  std::string_view name;
  std::string_view unit;     // of what is counted: "bytes", "s", "levels"
  std::string_view meaning;  // what is limited, so that "1000 levels of elements" can be read
  std::uint64_t (*get)(const Limits& limits);
  void (*set)(Limits& limits, std::uint64_t value);
};

std::span<const LimitDefinition> limit_definitions();

// All of them with their defaults, a line each.
std::string limit_list();
// Whether the text is of a refusal that says how to raise a limit (engine/base/wording.hpp).
bool speaks_of_limit(std::string_view text);

// "NAME=VALUE", a whole number from 1; a name of version 0.1 means the limit that it became.
// Errc::invalid_input.
Status set_limit(Limits& limits, std::string_view assignment);

}  // namespace netml::admin::cli
