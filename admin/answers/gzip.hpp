// gzip (RFC 1952) of answers that are kept.
// Thread: any, except as said.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/base/result.hpp"
#include "net/http/http.hpp"

namespace netml::admin::web {

// At the fastest level. Errc::unavailable when there is no memory for it.
Result<std::string> gzip(std::string_view text);

// Reads what gzip() made, a piece at a time. Thread: one at a time.
class GzipReader {
 public:
  // `compressed` outlives the reader.
  explicit GzipReader(std::string_view compressed);
  ~GzipReader();
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

  // Valid until the next call; empty at the end. Errc::unavailable when there is no memory for it,
  // Errc::corruption.
  Result<std::string_view> next();

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

bool accepts_gzip(const net::Request& request);

}  // namespace netml::admin::web
