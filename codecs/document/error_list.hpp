// Collects what is wrong with a file: all errors are counted, the first ones kept.
// Thread: its owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/graph/document.hpp"

namespace netml::codecs {

// A place in a text, from 1. Beyond 2^32 - 1 it stays there.
struct TextPosition {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

class ErrorList {
 public:
  explicit ErrorList(std::size_t limit) : limit_(limit) {}

  // `message` without the leading "Error: "; `id` of the record concerned, if known.
  void report(std::string_view code, std::string_view message, TextPosition at,
              std::string_view id = {});

  // As report; and nothing that follows can be judged.
  void report_last(std::string_view code, std::string_view message, TextPosition at,
                   std::string_view id = {});

  bool empty() const { return errors_.count == 0; }
  // The last error was reported.
  bool closed() const { return closed_; }
  // In the order of the text.
  engine::InputErrors take() &&;

 private:
  std::size_t limit_;
  engine::InputErrors errors_;
  bool closed_ = false;
};

// At most 64 characters of a text from a file, fit to stand in a message.
std::string excerpt(std::string_view text);

}  // namespace netml::codecs
