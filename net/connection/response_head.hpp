// Writes the head of an answer.
// Thread: any (pure functions).
#pragma once

#include <cstdint>
#include <string>

#include "engine/base/time.hpp"
#include "net/http/http.hpp"

namespace netml::net {

enum class Framing : std::uint8_t { none, length, chunked, until_close };

struct HeadOptions {
  Framing framing = Framing::none;
  std::uint64_t length = 0;
  bool keep_alive = true;
  unsigned version = 11;  // of the request
};

// Adds the fields that every answer carries (A14, A15; docs/requirements/http-api.md, section 1),
// unless the handler has set them: the default policy allows nothing, which suits data; pages bring
// their own.
void add_common_fields(Headers& headers, const std::string& request_id, WallTime now, bool secure);

// Control characters in a value become spaces: no value can end its line.
std::string serialize_head(const Response& response, const HeadOptions& options);

}  // namespace netml::net
