// Takes a request or answer body out of its framing: Content-Length or chunked.
//
// Beast's parser is not used for this: it keeps trailer fields without bound and merges them into
// the header (rules X1 and X2), and its assertions on chunk headers that arrive byte by byte can be
// made to fail. Here trailers and extensions are counted and ignored, and any split of the bytes
// gives the same result.
//
// Thread: one at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/base/result.hpp"
#include "net/http/limits.hpp"

namespace netml::net {

class BodyDecoder {
 public:
  static BodyDecoder of_length(std::uint64_t bytes);
  static BodyDecoder chunked(const Limits& limits);
  // Everything up to the end of the connection (answers only); done() once ended() is called.
  static BodyDecoder until_end();

  bool done() const { return state_ == State::done; }
  void ended();

  // Takes bytes from the front of `input` and returns the piece of body among them. An empty piece
  // with an empty `input` means more is needed. `input` is left alone once done.
  Result<std::string_view> next(std::string_view& input);

 private:
  enum class State {
    data,  // left_ bytes of body
    until_end,
    size,       // hexadecimal digits
    extension,  // up to the end of the line
    size_lf,
    data_cr,  // after a chunk's data
    data_lf,
    trailer,  // line_bytes_ bytes into a line
    trailer_lf,
    done,
  };

  Status take_framing(char c);
  Status take_size(char c);
  Status take_trailer(char c);
  Status count_line_byte();

  State state_ = State::done;
  bool chunked_ = false;
  std::uint64_t left_ = 0;
  std::uint64_t line_bytes_ = 0;
  std::uint64_t trailer_bytes_ = 0;
  std::uint64_t chunk_line_bytes_max_ = 0;
  std::uint64_t trailer_bytes_max_ = 0;
};

}  // namespace netml::net
