#include "bench/codecs/plain_parse.hpp"

#include <benchmark/benchmark.h>

#include <boost/json.hpp>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>

#include "bench/support/floors.hpp"
#include "codecs/document/zip_archive.hpp"
#include "tests/codecs/formats/format_text.hpp"

namespace netml::bench {

namespace {

double pugixml_seconds_inside(const std::string& archive) {
  codecs::test::TextFile file(archive);
  codecs::ZipArchive entries(file, {"archive", "not-an-archive"}, bench_limits().xlsx.of_archive());
  if (!entries.open()) std::abort();
  double seconds = 0;
  for (const std::string& name : entries.names()) {
    std::string text;
    const auto expanded = entries.expand(name, [&](std::span<const std::byte> piece) {
      text.append(reinterpret_cast<const char*>(piece.data()), piece.size());
      return true;
    });
    if (!expanded) std::abort();
    seconds += pugixml_seconds(text);
  }
  return seconds;
}

}  // namespace

double plain_parse_seconds(const codecs::FileFormat& format, const std::string& file) {
  if (!format.is_text) return pugixml_seconds_inside(file);
  if (format.media_type.ends_with("xml")) return pugixml_seconds(file);
  const double begin = now();
  if (format.media_type.ends_with("json")) {
    benchmark::DoNotOptimize(boost::json::parse(file));
  } else {
    std::string copy(file.size(), '\0');
    std::memcpy(copy.data(), file.data(), file.size());
    benchmark::DoNotOptimize(copy);
  }
  return now() - begin;
}

codecs::FileLimits bench_limits() {
  codecs::FileLimits limits;
  limits.xlsx.file_bytes = limits.xlsx.expanded_bytes = 16ULL << 30;
  limits.xlsx.expanded_ratio = 1'000;
  limits.xlsx.shared_strings = 100'000'000;
  limits.xlsx.shared_string_bytes = std::size_t{16} << 30;
  limits.xml.elements = 1'000'000'000;
  return limits;
}

}  // namespace netml::bench
