// A streaming reader of multipart/form-data (RFC 7578): bytes are pushed in pieces of any size,
// parts come out through a handler. It keeps at most a part's header or a boundary's length.
//
// Failure: invalid_input for what is not well-formed, too_large beyond a limit; an error of the
// handler is passed on. After an error the parser must not be used again.
// Thread: one at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/result.hpp"
#include "net/http/limits.hpp"

namespace netml::net {

struct PartHead {
  std::string name;
  std::optional<std::string> file_name;  // a label given by the client, never a path
  std::string content_type;
};

class MultipartHandler {
 public:
  virtual ~MultipartHandler() = default;
  virtual Status part_begin(const PartHead& head) = 0;
  virtual Status part_data(std::string_view piece) = 0;
  virtual Status part_end() = 0;
};

// The boundary of a multipart/form-data Content-Type, 1 to 70 characters.
Result<std::string> multipart_boundary(std::string_view content_type);

class MultipartParser {
 public:
  // `handler` must outlive the parser.
  MultipartParser(std::string_view boundary, const Limits& limits, MultipartHandler& handler);

  Status push(std::string_view bytes);
  // The body ended: an error unless the closing boundary was seen.
  Status finish() const;

 private:
  enum class State { preamble, after_boundary, part_header, part_body, epilogue };

  // Each takes what it can from the front of `input` and tells whether it could go on.
  Result<bool> step(std::string_view& input);
  Result<bool> skip_preamble(std::string_view& input);
  Result<bool> read_after_boundary(std::string_view& input);
  Result<bool> read_part_header(std::string_view& input);
  Result<bool> read_part_body(std::string_view& input);

  const std::string delimiter_;  // "\r\n--boundary"
  const std::size_t parts_max_;
  const std::size_t part_header_bytes_max_;
  const std::size_t file_name_bytes_max_;
  MultipartHandler& handler_;
  State state_ = State::preamble;
  std::size_t parts_ = 0;
  std::string pending_;  // bytes pushed but not yet taken
};

}  // namespace netml::net
