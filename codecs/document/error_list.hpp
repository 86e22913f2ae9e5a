// Collects what is wrong with a file: all errors are counted, the first ones kept.
// Thread: its owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/graph/document.hpp"

namespace netml::codecs {

// A place in a text, or row and column of a sheet, from 1. Beyond 2^32 - 1 it stays there. Of a
// value of JSON the line is 0, and the column is its number (JsonValue::position()).
struct TextPosition {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

// Names values of JSON: JsonTree::pointer(). Empty for files that have lines.
using PlaceNames = std::function<std::string(TextPosition)>;

class ErrorList {
 public:
  explicit ErrorList(std::size_t limit) : limit_(limit) {}

  // Errors are of this sheet from now on.
  void enter(std::string_view sheet) { sheet_ = sheet; }
  std::string_view sheet() const { return sheet_; }
  // Errors are at values of JSON from now on.
  void name_places(PlaceNames names) { names_ = std::move(names); }

  // `message` without the leading "Error: "; `id` of the record concerned, if known.
  void report(std::string_view code, std::string_view message, TextPosition at = {},
              std::string_view id = {});

  // As report; and nothing that follows can be judged.
  void report_last(std::string_view code, std::string_view message, TextPosition at,
                   std::string_view id = {});

  bool empty() const { return errors_.count == 0; }
  // The last error was reported.
  bool closed() const { return closed_; }
  // In the order of the reports.
  engine::InputErrors take() && { return std::move(errors_); }

 private:
  std::size_t limit_;
  std::string sheet_;
  PlaceNames names_;
  engine::InputErrors errors_;
  bool closed_ = false;
};

// At most 64 characters of a text from a file, fit to stand in a message.
std::string excerpt(std::string_view text);

}  // namespace netml::codecs
