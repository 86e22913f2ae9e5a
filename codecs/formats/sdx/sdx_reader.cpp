#include "codecs/formats/sdx/sdx_reader.hpp"

#include <utility>

#include "codecs/formats/sdx/sdx_draft.hpp"

namespace netml::codecs {

ReadResult read_sdx(RandomAccessFile& file, const DraftOptions& options, const ReadLimits& limits) {
  const auto tree = JsonTree::read(file, limits);
  if (!tree) {
    engine::InputErrors errors;
    errors.first.push_back(tree.error());
    errors.count = 1;
    return tl::unexpected(std::move(errors));
  }
  return SdxDraft(*tree).make(options, ErrorList(limits.errors));
}

}  // namespace netml::codecs
