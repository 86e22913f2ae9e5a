#include "codecs/formats/graphml/graphml_reader.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "codecs/formats/graphml/graphml_content.hpp"

namespace netml::codecs {

ReadResult read_graphml(RandomAccessFile& file, const DraftOptions& options,
                        const ReadLimits& limits) {
  constexpr std::uint64_t kPieceBytes = 256 << 10;
  GraphmlContent content(limits);
  std::vector<std::byte> buffer(static_cast<std::size_t>(std::min(kPieceBytes, file.size())));
  for (std::uint64_t done = 0; done < file.size() && !content.stopped();) {
    const auto count = static_cast<std::size_t>(std::min(kPieceBytes, file.size() - done));
    const auto piece = std::span(buffer).first(count);
    if (const Status read = file.read_at(done, piece); !read) {
      content.fault("unreadable", read.error().message);
      break;
    }
    content.feed(piece);
    done += count;
  }
  return content.finish(options);
}

}  // namespace netml::codecs
