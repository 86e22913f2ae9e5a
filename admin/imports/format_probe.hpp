// Finds out what format a file has that arrives in pieces: as its sender says, else by its name
// where that tells, else by its first bytes, which are kept until they do.
//
// Thread: its owner.
#pragma once

#include <string>
#include <string_view>

#include "codecs/formats/file_format.hpp"

namespace netml::admin {

class FormatProbe {
 public:
  // Nothing is known yet.
  FormatProbe() = default;
  // `named` may be empty. Errc::invalid_input where that is no format that is read.
  static Result<FormatProbe> begin(std::string_view named, std::string_view file_name);

  // Whether it can be decided now, without more bytes.
  bool is_ready() const {
    return format_ != nullptr || first_bytes_.size() >= codecs::kRecognizedBytes;
  }
  void take(std::string_view piece) { first_bytes_ += piece; }
  // By what was taken. Errc::invalid_input, with all that it may be, and `how` a sender names one
  // of them; empty: there is no way.
  Result<const codecs::FileFormat*> decide(std::string_view how = {}) const;
  // All that was taken.
  std::string_view first_bytes() const { return first_bytes_; }
  void forget_bytes() { first_bytes_ = {}; }

 private:
  std::string file_name_;
  const codecs::FileFormat* format_ = nullptr;
  std::string first_bytes_;
};

// What a request says of the format: its name where the file's name stands for another one.
std::string said_format(const codecs::FileFormat& format, std::string_view file_name);

}  // namespace netml::admin
