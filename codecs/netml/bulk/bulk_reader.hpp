// The bulk path of reading (netml_reader.hpp): makes UTF-8 of the file, cuts it into slices behind
// end tags, has them parsed on several threads, and puts them together.
//
// Where it cuts is of no consequence for what is accepted: a slice is understood only if it holds
// whole elements from its first byte to its last, so slices one after the other read like the
// file.
//
// Failure: feed gives false, and finish nothing, for all that is not certain to be accepted by
// the strict path. Then the reader is of no more use. Thread: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/document/read_limits.hpp"
#include "codecs/netml/bulk/bulk_prologue.hpp"
#include "codecs/netml/bulk/document_assembler.hpp"
#include "codecs/netml/bulk/slice_queue.hpp"
#include "codecs/netml/bulk/text_decoder.hpp"

namespace netml::codecs {

class BulkReader {
 public:
  // The limits are not so narrow that only the strict path can tell whether they are exceeded.
  static bool serves(const ReadLimits& limits);

  // `bytes`: of the file, 0 where that is not known.
  BulkReader(const ReadLimits& limits, unsigned threads, std::uint64_t bytes);

  bool feed(std::span<const std::byte> bytes);
  std::optional<engine::Document> finish();

 private:
  std::size_t bytes_to_take() const;
  bool read_prologue_if_there();
  bool decode_tail();
  std::size_t find_cut(std::string_view text) const;
  bool send_slice();
  bool push_slice();
  bool assemble(Slice& slice);

  const ReadLimits limits_;
  const std::uint64_t bytes_;
  std::uint64_t assembled_ = 0;  // bytes of the file
  BulkPrologue prologue_;
  bool prologue_read_ = false;
  TextDecoder decoder_;
  std::vector<std::string> end_tags_;  // behind which a slice may end
  SliceQueue queue_;
  DocumentAssembler assembler_;
  std::string rest_;          // of a slice, behind the cut
  std::size_t searched_ = 0;  // bytes of the tail in which there is no cut
  std::size_t full_at_;       // bytes of the tail at which a cut is searched for
};

}  // namespace netml::codecs
