// GML as a stream of tokens: words and numbers, strings, brackets. Comments are passed over.
//
// Taken apart here and by no library: those that read GML make a graph of their own of it, in
// memory, and drop what that cannot hold; the language itself has four kinds of tokens.
//
// Ownership: a token's text lives during the call. Failure: the event fault(), as the last one.
// Memory: the longest token. Thread: one at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "codecs/document/error_list.hpp"
#include "codecs/document/read_limits.hpp"

namespace netml::codecs {

enum class GmlKind : std::uint8_t {
  word,    // a key, a number
  string,  // without its quotes
  open,    // [
  close,   // ]
};

struct GmlToken {
  GmlKind kind = GmlKind::word;
  std::string_view text;  // in UTF-8, without entities
  TextPosition at;        // columns are characters
};

class GmlEvents {
 public:
  virtual ~GmlEvents() = default;
  virtual void token(const GmlToken& token) = 0;
  virtual void fault(std::string_view code, std::string_view message, TextPosition at) = 0;
};

class GmlTokens {
 public:
  GmlTokens(const ReadLimits& limits, GmlEvents& events) : limits_(limits), events_(events) {}

  void feed(std::string_view piece);
  void finish();
  // No further event, also when called from one.
  void stop() { stopped_ = true; }
  bool stopped() const { return stopped_; }

 private:
  enum class In : std::uint8_t { blank, word, string, comment };

  void begin(std::string_view& piece);
  void pass(std::string_view& piece, std::size_t bytes);
  void take(std::string_view& piece, std::size_t bytes);
  void emit(GmlKind kind);
  void fault(std::string_view code, std::string_view message);
  TextPosition position() const;

  const ReadLimits limits_;
  GmlEvents& events_;
  In in_ = In::blank;
  std::uint64_t line_ = 1;
  std::uint64_t column_ = 1;
  TextPosition begin_;  // of the token
  std::string text_;    // of the token, as far as it came
  bool stopped_ = false;
};

}  // namespace netml::codecs
