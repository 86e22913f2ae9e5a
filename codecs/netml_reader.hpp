// Reads the exchange format: NetML/GRENML XML to a Document (format.md, sections 1 to 10 and 15).
//
// A push reader: bytes come in as they arrive, in pieces of any size, and what they say is built
// at once. Memory follows what the document says, not the length of its text. The whole grammar
// is checked; every error is collected with its place, and the checks of meaning go on after an
// error of form. Reading stops early only when the text is no XML, a document type declaration
// turns up, a limit is exceeded or the list of errors is full.
//
// Encodings: UTF-8, UTF-16, ISO-8859-1 and US-ASCII, as the file declares. Namespaces count,
// prefixes do not. Positions in errors are counted in lines and characters from 1.
//
// Failure: as a value, InputErrors. Thread: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <tl/expected.hpp>

#include "engine/document.hpp"

namespace netml::codecs {

// What a file may demand at most (durability-and-security.md, section 3). Exceeding one of them
// ends the reading with the code given.
struct ReadLimits {
  std::uint32_t depth = 1'000;          // levels of elements; "too-deep"
  std::uint64_t elements = 50'000'000;  // all others: "too-large"
  std::uint32_t attributes = 256;       // of one element
  std::size_t name_bytes = 1 << 10;     // name of an element or attribute
  std::size_t text_bytes = 1 << 20;     // value of an attribute, text of an element
  std::size_t markup_bytes = 4 << 20;   // one tag or comment, as it stands in the file
  std::size_t record_bytes = 2 << 20;   // all kept texts of one topology or element
  std::size_t errors = 1'000;           // collected before reading stops
};

using ReadResult = tl::expected<engine::Document, engine::InputErrors>;

class NetmlReader {
 public:
  explicit NetmlReader(const ReadLimits& limits = {});
  ~NetmlReader();
  NetmlReader(NetmlReader&&) noexcept;
  NetmlReader& operator=(NetmlReader&&) noexcept;

  // Pieces of the file in order. The bytes are copied; what comes after hopeless() is ignored.
  void feed(std::span<const std::byte> bytes);
  // The file cannot be accepted any more and reading on would find nothing new.
  bool hopeless() const;
  // Ends the file. Call it once, as the last thing.
  ReadResult finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// For text that is in memory already.
ReadResult read_netml(std::string_view text, const ReadLimits& limits = {});

}  // namespace netml::codecs
