#include "admin/cli/version.hpp"

#include <capnp/common.h>
#include <expat.h>
#include <fmt/format.h>
#include <openssl/opensslv.h>
#include <sodium/version.h>
#include <spdlog/version.h>
#include <toml++/impl/version.h>
#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>
#include <CLI/Version.hpp>
#include <boost/version.hpp>

#include <utility>
#include <vector>

#include "admin/base/build_info.hpp"
#include "admin/cli/client/json.hpp"
#include "codecs/formats/file_format.hpp"
#include "engine/base/json_string.hpp"

namespace netml::admin::cli {

namespace {

// As compiled against.
std::vector<std::pair<std::string_view, std::string>> libraries() {
  const auto dotted = [](int major, int minor, int patch) {
    return fmt::format("{}.{}.{}", major, minor, patch);
  };
  return {
      {"Boost", dotted(BOOST_VERSION / 100'000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
      {"Cap'n Proto", dotted(CAPNP_VERSION_MAJOR, CAPNP_VERSION_MINOR, CAPNP_VERSION_MICRO)},
      {"CLI11", CLI11_VERSION},
      {"Expat", dotted(XML_MAJOR_VERSION, XML_MINOR_VERSION, XML_MICRO_VERSION)},
      {"fmt", dotted(FMT_VERSION / 10'000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
      {"libsodium", SODIUM_VERSION_STRING},
      {"OpenSSL", OPENSSL_VERSION_STR},
      {"spdlog", dotted(SPDLOG_VER_MAJOR, SPDLOG_VER_MINOR, SPDLOG_VER_PATCH)},
      {"toml++", dotted(TOML_LIB_MAJOR, TOML_LIB_MINOR, TOML_LIB_PATCH)},
      {"xxHash", dotted(XXH_VERSION_MAJOR, XXH_VERSION_MINOR, XXH_VERSION_RELEASE)},
      {"zlib", ZLIB_VERSION},
      {"Zstandard", ZSTD_VERSION_STRING},
  };
}

// {"written":4,"read":[1,2,3,4]}
std::string numbers_json(DiskFormats formats) {
  std::string read;
  for (int format = formats.oldest; format <= formats.newest; ++format)
    read += fmt::format("{}{}", read.empty() ? "" : ",", format);
  return fmt::format(R"({{"written":{},"read":[{}]}})", formats.newest, read);
}

// Of files that hold a map.
std::string exchange_formats_json() {
  std::string list;
  for (const codecs::FileFormat& format : codecs::file_formats()) {
    std::string read;
    for (const std::string_view version : format.versions_read)
      read += (read.empty() ? "" : ",") + json_string(version);
    list += fmt::format(
        R"({}{{"name":{},"written":{},"read":[{}]}})", list.empty() ? "" : ",",
        json_string(format.name),
        format.version_written.empty() ? "null" : json_string(format.version_written), read);
  }
  return '[' + list + ']';
}

}  // namespace

std::string version_text(DiskFormats formats) {
  const BuildInfo& info = build_info();
  std::string text = fmt::format(
      "netml {}\nrevision {}\nbuild {} ({}; {})\ndisk format {}\nreads disk formats {} to "
      "{}\n",
      info.version, info.revision, info.type, __VERSION__, info.flags, formats.newest,
      formats.oldest, formats.newest);
  text += "libraries";
  std::string_view separator = " ";
  for (const auto& [name, version] : libraries()) {
    text += fmt::format("{}{} {}", std::exchange(separator, ", "), name, version);
  }
  return text + '\n';
}

std::string version_json(DiskFormats formats) {
  const BuildInfo& info = build_info();
  std::string text = fmt::format(
      R"({{"version":{},"revision":{},"commit":{},"build_type":{},"build_flags":{},"compiler":{},)"
      R"("disk_format":{},"disk_formats":{},"backup_formats":{},"exchange_formats":{},)"
      R"("libraries":{{)",
      json_string(info.version), json_string(info.revision), json_string(info.revision),
      json_string(info.type), json_string(info.flags), json_string(__VERSION__), formats.newest,
      numbers_json(formats), numbers_json(formats), exchange_formats_json());
  std::string_view separator;
  for (const auto& [name, version] : libraries()) {
    text += fmt::format("{}{}:{}", std::exchange(separator, ","), json_string(name),
                        json_string(version));
  }
  return text + "}}\n";
}

}  // namespace netml::admin::cli
