// gzip (RFC 1952) of answers that are kept, in pieces: the first is sent while those behind it are
// still being made, and each is stored by itself.
// Thread: any, except as said.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "net/http/http.hpp"

namespace netml::admin::web {

// Compressed without the rest of the file that it is a part of.
struct GzipPiece {
  std::string deflated;  // ends at a whole byte, and refers to nothing before it
  std::uint64_t text_bytes = 0;
  std::uint32_t check = 0;  // CRC-32 of the text
};

// A part of the text of a piece. Looking for repetitions in numbers that have none, such as places
// on the globe, takes three times as long as doing without, and finds nothing.
struct GzipText {
  std::string bytes;
  bool repeats = true;
};

// At the fastest level. Errc::unavailable when there is no memory for it.
Result<GzipPiece> gzip_piece(const std::vector<GzipText>& parts);

// The bytes of a file that has this piece alone.
std::uint64_t gzip_bytes(const GzipPiece& piece);

// The next piece of a file; null: that was all. Errc::unavailable: it can be had later, and is
// asked for again.
using GzipPieces = std::function<Result<std::shared_ptr<const GzipPiece>>()>;

// The file of the pieces, and their text, which is expanded while it is sent. A piece that can be
// had later is waited for without a thread, half a minute at most. Where one behind the first
// cannot be had at all the file has no end, which its reader notices. Thread: one at a time.
std::unique_ptr<net::BodySource> gzip_source(GzipPieces pieces);
std::unique_ptr<net::BodySource> expanded_source(GzipPieces pieces);

bool accepts_gzip(const net::Request& request);

}  // namespace netml::admin::web
