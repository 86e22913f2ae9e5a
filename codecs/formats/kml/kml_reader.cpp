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
  KmlContent content(limits);
  const auto take = [&](std::span<const std::byte> piece) {
    content.feed(piece);
    return !content.stopped();
  };
  if (const Status read = read_in_pieces(file, take); !read)
    content.refuse("unreadable", read.error().message);
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
