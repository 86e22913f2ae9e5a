// gzip (RFC 1952) of strangers, expanded while it arrives.
//
// Failure: "damaged", also for what goes on behind its end, and "cut-off"; std::bad_alloc where
// zlib gets no memory. Thread: one at a time.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "codecs/places/file_fault.hpp"

namespace netml::codecs {

// Whether a file that begins with these two bytes, or more, is compressed so.
bool begins_as_gzip(std::string_view bytes);

class GzipExpander {
 public:
  using Take = std::function<FileStatus(std::string_view piece)>;

  GzipExpander();
  ~GzipExpander();
  GzipExpander(const GzipExpander&) = delete;
  GzipExpander& operator=(const GzipExpander&) = delete;

  // Gives `take` pieces of a few kilobytes; what it refuses ends the expanding.
  FileStatus write(std::string_view piece, const Take& take);
  // Whether all has come, with its checksum.
  FileStatus finish() const;

 private:
  struct Stream;
  const std::unique_ptr<Stream> stream_;
};

}  // namespace netml::codecs
