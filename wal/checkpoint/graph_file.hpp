// The graph of a checkpoint used where its file is mapped (docs/format/checkpoint.md): opening one
// costs what is looked at, not what it holds.
//
// A piece of the file is read and compared with its checksum before anything of it is shown.
// prove() does so with all of them, and compares what they hold with the digests and with one
// another. Thread: any.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>

#include "engine/graph/graph.hpp"
#include "wal/format/footer_codec.hpp"
#include "wal/storage/storage.hpp"

namespace netml::wal {

class MappedBody;

// What the records of a mapped graph are.
enum class RecordUse : std::uint8_t {
  in_place,  // parts of the mapping: every pointer to one must go before the GraphFile does
  copied,    // memory of their own, from when they are first looked at
};

class GraphFile {
 public:
  // `footer` has a body, and `file` its bytes from `begin` to `end`.
  static Result<std::shared_ptr<const GraphFile>> open(std::unique_ptr<File> file,
                                                       std::uint64_t begin, std::uint64_t end,
                                                       const Footer& footer);
  ~GraphFile();

  const Footer& footer() const { return footer_; }

  // Looking at it throws UnreadableError where the file is damaged or cannot be read.
  engine::Graph graph(RecordUse use) const;

  // Whether the file holds what was written, and that is the graph whose digests and counts the
  // footer names. Errc::corruption or what the disk said; Errc::unavailable when it was stopped.
  Status prove(const std::stop_token& stop = {}) const;
  // The damage that whoever looked first met; success while nobody met any.
  Status looked() const;
  // How far that is, also while it goes on.
  std::uint64_t bytes() const;
  std::uint64_t bytes_checked() const;

 private:
  explicit GraphFile(Footer footer) : footer_(std::move(footer)) {}
  Status prove_content(const std::stop_token& stop) const;

  Footer footer_;
  std::shared_ptr<const MappedBody> body_;
};

}  // namespace netml::wal
