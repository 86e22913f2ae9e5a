// Reads zip archives from strangers, by minizip: it is small, depends on zlib alone, takes its
// bytes through functions of ours and expands in pieces. What it does not look at is checked here:
// names, encryption, methods, overlapping entries, and how much comes out.
//
// Ownership: the file outlives the archive, which stays where it is: minizip points at it.
// Failure: ZipFault. Thread: one at a time.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "codecs/document/random_access.hpp"

namespace netml::codecs {

// What an archive may demand at most (docs/requirements/durability-and-security.md, section 3).
struct ZipLimits {
  std::uint64_t file_bytes;
  std::uint64_t expanded_bytes;  // of all entries together
  std::uint64_t expanded_ratio;  // of an entry, beyond its first megabytes
  std::uint64_t entries;
};

// What the archive should be, in a refusal: "workbook", "not-a-workbook".
struct ZipPurpose {
  std::string_view called;
  std::string_view fault;
};

struct ZipFault {
  std::string code;  // of an InputError
  std::string message;
};
template <class T>
using ZipResult = tl::expected<T, ZipFault>;

inline tl::unexpected<ZipFault> zip_fault(std::string_view code, std::string message) {
  return tl::unexpected(ZipFault{std::string(code), std::move(message)});
}

class ZipArchive {
 public:
  using Sink = std::function<bool(std::span<const std::byte>)>;

  ZipArchive(RandomAccessFile& file, ZipPurpose purpose, const ZipLimits& limits)
      : cursor_{file}, purpose_(purpose), limits_(limits) {}
  ZipArchive(const ZipArchive&) = delete;
  ZipArchive& operator=(const ZipArchive&) = delete;

  // Reads the directory and checks every entry without expanding one. Comes first.
  ZipResult<void> open();

  const std::vector<std::string>& names() const { return names_; }
  // Names are compared as packages of documents do it: the case of ASCII letters is ignored.
  bool contains(std::string_view name) const { return find(name) != nullptr; }
  // Gives the contents of an entry in pieces, until `take` wants no more.
  ZipResult<void> expand(std::string_view name, const Sink& take);

  // The file, as minizip reads it.
  struct Cursor {
    RandomAccessFile& file;
    std::uint64_t at = 0;
    bool beyond_end = false;            // more was wanted than there is
    std::optional<Error> failure = {};  // of the file itself: then the archive is not damaged
  };

 private:
  struct Entry {
    std::string name;                      // in lower case
    std::array<std::uint64_t, 2> place{};  // in the directory, as minizip tells it
    std::uint64_t data_begin = 0;
    std::uint64_t compressed_bytes = 0;
    std::uint64_t declared_bytes = 0;
  };
  struct CloseArchive {
    void operator()(void* archive) const;
  };

  const Entry* find(std::string_view name) const;
  ZipResult<void> check_start();
  ZipResult<Entry> read_entry();
  ZipResult<void> check_entries();
  ZipResult<void> check_expansion(const Entry& entry, std::uint64_t bytes);
  // minizip passes over some failures to read.
  ZipResult<void> check_reads() const;
  tl::unexpected<ZipFault> damaged(std::string_view what) const;

  Cursor cursor_;
  const ZipPurpose purpose_;
  const ZipLimits limits_;
  std::unique_ptr<void, CloseArchive> archive_;
  std::vector<Entry> entries_;
  std::vector<std::string> names_;
  std::uint64_t expanded_ = 0;
};

}  // namespace netml::codecs
