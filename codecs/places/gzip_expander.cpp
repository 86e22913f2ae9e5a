#include "codecs/places/gzip_expander.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>

namespace netml::codecs {

namespace {

constexpr int kGzipWindow = 15 + 16;  // the largest, with the gzip wrapper

}  // namespace

struct GzipExpander::Stream {
  z_stream state{};
  int result = Z_OK;  // of the last call
  std::array<char, 64 << 10> piece{};
};

bool begins_as_gzip(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b");
}

GzipExpander::GzipExpander() : stream_(std::make_unique<Stream>()) {
  if (::inflateInit2(&stream_->state, kGzipWindow) != Z_OK) throw std::bad_alloc();
}

GzipExpander::~GzipExpander() {
  ::inflateEnd(&stream_->state);
}

FileStatus GzipExpander::write(std::string_view bytes, const Take& take) {
  auto& [state, result, piece] = *stream_;
  bool has_more = false;  // than there was room for
  while (!bytes.empty() || has_more) {
    if (result == Z_STREAM_END) {
      if (bytes.empty()) return {};
      return file_fault("damaged", "bytes follow the end of the compressed file");
    }
    const std::size_t given = std::min<std::size_t>(bytes.size(), 1U << 30);
    state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    state.avail_in = static_cast<uInt>(given);
    state.next_out = reinterpret_cast<Bytef*>(piece.data());
    state.avail_out = static_cast<uInt>(piece.size());
    const int expanded = ::inflate(&state, Z_NO_FLUSH);
    if (expanded == Z_MEM_ERROR) throw std::bad_alloc();
    if (expanded == Z_BUF_ERROR) return {};  // nothing was left after all
    result = expanded;
    bytes.remove_prefix(given - state.avail_in);
    has_more = state.avail_out == 0;
    // What stands before damage, too, so that it counts the same however the file comes.
    NETML_TRY_VOID(take({piece.data(), piece.size() - state.avail_out}));
    if (result != Z_OK && result != Z_STREAM_END)
      return file_fault("damaged", "the compressed file is damaged");
  }
  return {};
}

FileStatus GzipExpander::finish() const {
  if (stream_->result == Z_STREAM_END) return {};
  return file_fault("cut-off", "the compressed file is cut off");
}

}  // namespace netml::codecs
