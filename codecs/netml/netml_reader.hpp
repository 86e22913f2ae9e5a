// Reads the exchange format: NetML/GRENML XML to a Document (docs/requirements/exchange-format.md,
// sections 1 to 10 and 15).
//
// A push reader: bytes come in as they arrive, in pieces of any size, and what they say is built
// at once. Memory follows what the document says, not the length of its text. The whole grammar
// is checked; every error is collected with its place, and the checks of meaning go on after an
// error of form. Reading stops early only when the text is no XML, a document type declaration
// turns up or a limit is exceeded.
//
// Encodings: UTF-8, UTF-16, ISO-8859-1 and US-ASCII, as the file declares. Namespaces count,
// prefixes do not. Positions in errors are counted in lines and characters from 1.
//
// Two paths, one meaning (docs/decisions/002-two-readers.md):
// - The strict path is an XML parser with the whole grammar behind it. It decides what is accepted
//   and how that is read, and it alone reports errors.
// - The bulk path takes only files without faults, in the forms that programs and editors write:
//   one prefix for each namespace, declared on the root, no document type and few other rarities.
//   It is several times faster and uses a second thread. At the first thing it does not know it
//   gives up, and the strict path reads everything from the start. For this the bytes are needed
//   again, so it takes a ReplaySource; without one every file goes the strict path.
//
// Failure: as a value, InputErrors. Thread: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "codecs/document/read_limits.hpp"
#include "engine/base/result.hpp"

namespace netml::codecs {

// Takes the next bytes of a file; false when it wants no more.
using ByteSink = std::function<bool(std::span<const std::byte>)>;

// Gives the bytes of the file from the start once more, in pieces of any size, until the sink
// wants no more: at least all that was fed before the call of the reader that is under way. It is
// called at most once, in feed or finish and on the same thread.
using ReplaySource = std::function<Status(const ByteSink&)>;

struct ReadOptions {
  ReplaySource replay = {};  // none: the strict path only
  unsigned threads = 2;      // that of the caller and helpers; helpers end with the reader
  std::uint64_t bytes = 0;   // of the file, as far as is known: room is made by it, no more
};

class BulkReader;
class StrictReader;

class NetmlReader {
 public:
  explicit NetmlReader(const ReadLimits& limits = {}, ReadOptions options = {});
  ~NetmlReader();
  NetmlReader(const NetmlReader&) = delete;
  NetmlReader& operator=(const NetmlReader&) = delete;

  // Pieces of the file in order. The bytes are copied; what comes after stopped() is ignored.
  void feed(std::span<const std::byte> bytes);
  // The file cannot be accepted any more and reading on would find nothing new.
  bool stopped() const;
  // The file has been read on the bulk path so far.
  bool in_bulk() const { return bulk_ != nullptr; }
  // Ends the file. Call it once, as the last thing.
  ReadResult finish();

 private:
  void start_again();

  const ReadLimits limits_;
  const ReplaySource replay_;
  // One of the two: the bulk path at first, if there is a way back from it.
  std::unique_ptr<BulkReader> bulk_;
  std::unique_ptr<StrictReader> strict_;
  std::uint64_t fed_ = 0;  // before the call under way
};

}  // namespace netml::codecs
