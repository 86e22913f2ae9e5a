// Reads zip archives from strangers, by minizip: it is small, depends on zlib alone, takes its
// bytes through functions of ours and expands in pieces. What it does not look at is checked here:
// names, encryption, methods, overlapping entries, and how much comes out.
//
// Ownership: the file outlives the archive. Failure: ZipFault. Thread: one at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "codecs/document/random_access.hpp"

namespace netml::codecs {

struct ZipFault {
  std::string code;  // of an InputError
  std::string message;
};
template <class T>
using ZipResult = tl::expected<T, ZipFault>;

inline tl::unexpected<ZipFault> zip_fault(std::string_view code, std::string message) {
  return tl::unexpected(ZipFault{std::string(code), std::move(message)});
}

struct ZipLimits {
  std::uint64_t file_bytes;
  std::uint64_t expanded_bytes;
  std::uint64_t expanded_ratio;
  std::uint64_t entries;
};

class ZipArchive {
 public:
  using Sink = std::function<bool(std::span<const std::byte>)>;

  // Reads the directory and checks every entry without expanding one.
  static ZipResult<ZipArchive> open(RandomAccessFile& file, const ZipLimits& limits);
  ~ZipArchive();
  ZipArchive(ZipArchive&&) noexcept;
  ZipArchive& operator=(ZipArchive&&) = delete;

  const std::vector<std::string>& names() const;
  // Names are compared as packages of documents do it: the case of ASCII letters is ignored.
  bool contains(std::string_view name) const;
  // Gives the contents of an entry in pieces, until `take` wants no more.
  ZipResult<void> expand(std::string_view name, const Sink& take);

 private:
  class Impl;
  explicit ZipArchive(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace netml::codecs
