#include "codecs/formats/nml/nml_reader.hpp"

#include <fmt/format.h>

#include <utility>

#include "codecs/formats/nml/nml_draft.hpp"

namespace netml::codecs {

ReadResult read_nml(RandomAccessFile& file, const DraftOptions& options, const ReadLimits& limits) {
  ErrorList errors(limits.errors);
  NmlTree tree(limits, errors);
  tree.read(file);
  if (errors.empty()) {
    const NmlElement& root = tree[0];
    if (!root.space.starts_with(kNmlNamespaces) && !root.space.starts_with(kNsiNamespaces))
      errors.report("wrong-root",
                    fmt::format("the root element must be of NML or NSI, not {} in namespace {}",
                                excerpt(root.name), excerpt(root.space)),
                    root.at);
  }
  if (!errors.empty()) return tl::unexpected(std::move(errors).take());
  const NmlNetwork network(tree);
  return NmlDraft(network).make(options, std::move(errors));
}

}  // namespace netml::codecs
