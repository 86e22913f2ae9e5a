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

// What gzip() made, expanded while it is sent. Thread: one at a time.
class GzipReader final : public net::BodySource {
 public:
  explicit GzipReader(std::shared_ptr<const std::string> compressed);
  ~GzipReader() override;
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

  // Errc::unavailable when there is no memory for it, Errc::corruption.
  Result<std::string_view> next() override;

 private:
  struct Stream;
  const std::shared_ptr<const std::string> compressed_;
  std::unique_ptr<Stream> stream_;
};

bool accepts_gzip(const net::Request& request);

}  // namespace netml::admin::web
