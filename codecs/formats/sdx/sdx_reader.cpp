#include "codecs/formats/sdx/sdx_reader.hpp"

#include <utility>

#include "codecs/formats/sdx/sdx_draft.hpp"

namespace netml::codecs {

ReadResult read_sdx(RandomAccessFile& file, const DraftOptions& options, const ReadLimits& limits) {
  NETML_TRY(const JsonTree tree, JsonTree::read(file, limits));
  return SdxDraft(tree).make(options, ErrorList(limits.errors));
}

}  // namespace netml::codecs
