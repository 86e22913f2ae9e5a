// Makes a zip archive in memory, entry by entry; what is written is compressed at once. Equal
// contents give equal bytes: entries bear a fixed date.
//
// Thread: its owner.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace netml::codecs {

class ZipWriter {
 public:
  ZipWriter();
  ~ZipWriter();
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;

  // Ends the entry before.
  void begin(const std::string& name);
  void write(std::string_view bytes);
  std::string finish() &&;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace netml::codecs
