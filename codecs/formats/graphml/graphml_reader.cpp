#include "codecs/formats/graphml/graphml_reader.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "codecs/formats/graphml/graphml_content.hpp"

namespace netml::codecs {

ReadResult read_graphml(RandomAccessFile& file, const DraftOptions& options,
                        const ReadLimits& limits) {
  GraphmlContent content(limits);
  const auto take = [&](std::span<const std::byte> piece) {
    content.feed(piece);
    return !content.stopped();
  };
  if (const Status read = read_in_pieces(file, take); !read)
    content.fault("unreadable", read.error().message);
  return content.finish(options);
}

}  // namespace netml::codecs
