// Makes a zip archive in memory, entry by entry; what is written is compressed at once. Equal
// contents give equal bytes: entries bear a fixed date.
//
// It stays where it is: minizip points at it. Thread: its owner.
#pragma once

#include <cstddef>
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

  // The archive so far. Headers are completed when their entry ends, so it is written at any place.
  struct Output {
    std::string bytes;
    std::size_t at = 0;
  };

 private:
  void end_entry();

  Output output_;
  void* archive_ = nullptr;  // minizip's
  bool in_entry_ = false;
};

}  // namespace netml::codecs
