#include "codecs/formats/kml/kml_reader.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "codecs/formats/kml/kml_content.hpp"
#include "engine/base/texts.hpp"

namespace netml::codecs {

namespace {

constexpr ZipPurpose kCompressedMap{"KMZ", "not-a-kmz"};

// The first .kml is the map, whatever else there is.
ZipResult<void> read_archive(ZipArchive& archive, KmlContent& content) {
  NETML_TRY_VOID(archive.open());
  const auto is_map = [](const std::string& name) { return lower_ascii(name).ends_with(".kml"); };
  const auto map = std::ranges::find_if(archive.names(), is_map);
  if (map == archive.names().end())
    return zip_fault(kCompressedMap.fault, "the archive has no file that ends in .kml");
  return archive.expand(*map, [&](std::span<const std::byte> piece) {
    content.feed(piece);
    return !content.stopped();
  });
}

}  // namespace

ReadResult read_kml(RandomAccessFile& file, const DraftOptions& options, const ReadLimits& limits) {
  constexpr std::uint64_t kPieceBytes = 256 << 10;
  KmlContent content(limits);
  std::vector<std::byte> buffer(static_cast<std::size_t>(std::min(kPieceBytes, file.size())));
  for (std::uint64_t done = 0; done < file.size() && !content.stopped();) {
    const auto count = static_cast<std::size_t>(std::min(kPieceBytes, file.size() - done));
    const auto piece = std::span(buffer).first(count);
    if (const Status read = file.read_at(done, piece); !read) {
      content.refuse("unreadable", read.error().message);
      break;
    }
    content.feed(piece);
    done += count;
  }
  return content.finish(options);
}

ReadResult read_kmz(RandomAccessFile& file, const DraftOptions& options, const ReadLimits& limits,
                    const ZipLimits& archive_limits) {
  KmlContent content(limits);
  ZipArchive archive(file, kCompressedMap, archive_limits);
  if (const auto read = read_archive(archive, content); !read)
    content.refuse(read.error().code, read.error().message);
  return content.finish(options);
}

}  // namespace netml::codecs
