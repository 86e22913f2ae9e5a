// A state machine that takes one byte of framing at a time and stores nothing but counters. So
// it gives the same result however the bytes were cut on their way, and no framing takes memory.
// Where the standard leaves room, this refuses: a proxy in front may have read the same bytes in
// another way, and the difference would be a second request that nobody let in.
#include "net/http/body_decoder.hpp"

#include <algorithm>

#include "engine/base/texts.hpp"

namespace netml::net {
namespace {

constexpr std::uint64_t kHexDigitsMax = 15;  // keeps the size far from overflow

tl::unexpected<Error> malformed() {
  return fail(Errc::invalid_input, "malformed chunked body");
}

}  // namespace

BodyDecoder BodyDecoder::of_length(std::uint64_t bytes) {
  BodyDecoder decoder;
  decoder.left_ = bytes;
  decoder.state_ = bytes == 0 ? State::done : State::data;
  return decoder;
}

BodyDecoder BodyDecoder::chunked(const Limits& limits) {
  BodyDecoder decoder;
  decoder.chunked_ = true;
  decoder.state_ = State::size;
  decoder.chunk_line_bytes_max_ = limits.chunk_line_bytes_max;
  decoder.trailer_bytes_max_ = limits.trailer_bytes_max;
  return decoder;
}

BodyDecoder BodyDecoder::until_end() {
  BodyDecoder decoder;
  decoder.state_ = State::until_end;
  return decoder;
}

void BodyDecoder::ended() {
  // Of all others the end of the connection is no end of the body: they stay incomplete.
  if (state_ == State::until_end) state_ = State::done;
}

Result<std::string_view> BodyDecoder::next(std::string_view& input) {
  // A body is given out as it stands in the input, without a copy; framing goes byte by byte.
  while (!input.empty() && state_ != State::done) {
    if (state_ == State::until_end) return std::exchange(input, {});
    if (state_ == State::data) {
      const auto taken = static_cast<std::size_t>(std::min<std::uint64_t>(left_, input.size()));
      const std::string_view piece = input.substr(0, taken);
      input.remove_prefix(taken);
      left_ -= taken;
      if (left_ == 0) state_ = chunked_ ? State::data_cr : State::done;
      return piece;
    }
    const char c = input.front();
    input.remove_prefix(1);
    NETML_TRY_VOID(take_framing(c));
  }
  return std::string_view();
}

Status BodyDecoder::take_framing(char c) {
  switch (state_) {
    case State::size:
      return take_size(c);
    case State::extension:
      if (c == '\r') state_ = State::size_lf;
      // A line feed alone ends a line for some and not for others: what two readers could take
      // apart in two ways is refused.
      if (c == '\n') return malformed();
      return count_line_byte();
    case State::size_lf:
      if (c != '\n') return malformed();
      line_bytes_ = 0;
      // The chunk of size zero is the last, and trailers follow.
      state_ = left_ > 0 ? State::data : State::trailer;
      return {};
    case State::data_cr:
      if (c != '\r') return malformed();
      state_ = State::data_lf;
      return {};
    case State::data_lf:
      if (c != '\n') return malformed();
      state_ = State::size;
      return {};
    case State::trailer:
    case State::trailer_lf:
      return take_trailer(c);
    case State::data:
    case State::until_end:
    case State::done:
      break;
  }
  NETML_ASSERT(false);  // these states take no framing
  return {};
}

Status BodyDecoder::take_size(char c) {
  const int digit = hex_value(c);
  if (digit >= 0) {
    // Leading zeros count, too, so that no line is endless.
    if (++line_bytes_ > kHexDigitsMax) return malformed();
    left_ = left_ * 16 + static_cast<std::uint64_t>(digit);
    return {};
  }
  // At least one digit; then an extension or the end of the line, and no blanks in between.
  if (line_bytes_ == 0 || (c != ';' && c != '\r')) return malformed();
  state_ = c == ';' ? State::extension : State::size_lf;
  return {};
}

Status BodyDecoder::count_line_byte() {
  if (++line_bytes_ <= chunk_line_bytes_max_) return {};
  return fail(Errc::invalid_input,
              beyond_limit("bytes of a chunk's first line", limit_names::kChunkLineBytes,
                           chunk_line_bytes_max_));
}

Status BodyDecoder::take_trailer(char c) {
  // Counted over all lines, as they could be many and short.
  if (++trailer_bytes_ > trailer_bytes_max_)
    return fail(Errc::invalid_input, beyond_limit("bytes of the trailers",
                                                  limit_names::kTrailerBytes, trailer_bytes_max_));
  if (state_ == State::trailer_lf) {
    if (c != '\n') return malformed();
    // An empty line ends the trailers and with them the body.
    state_ = line_bytes_ == 0 ? State::done : State::trailer;
    line_bytes_ = 0;
    return {};
  }
  if (c == '\n') return malformed();
  if (c == '\r')
    state_ = State::trailer_lf;
  else
    ++line_bytes_;
  return {};
}

}  // namespace netml::net
