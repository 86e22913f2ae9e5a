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

}  // namespace

std::string version_text(int disk_format_version) {
  const BuildInfo& info = build_info();
  std::string text =
      fmt::format("netml {}\nrevision {}\nbuild {} ({}; {})\ndisk format {}\n", info.version,
                  info.revision, info.type, __VERSION__, info.flags, disk_format_version);
  text += "libraries";
  std::string_view separator = " ";
  for (const auto& [name, version] : libraries()) {
    text += fmt::format("{}{} {}", std::exchange(separator, ", "), name, version);
  }
  return text + '\n';
}

std::string version_json(int disk_format_version) {
  const BuildInfo& info = build_info();
  std::string text = fmt::format(
      R"({{"version":{},"revision":{},"build_type":{},"build_flags":{},"compiler":{},"disk_format":{},"libraries":{{)",
      json_string(info.version), json_string(info.revision), json_string(info.type),
      json_string(info.flags), json_string(__VERSION__), disk_format_version);
  std::string_view separator;
  for (const auto& [name, version] : libraries()) {
    text += fmt::format("{}{}:{}", std::exchange(separator, ","), json_string(name),
                        json_string(version));
  }
  return text + "}}\n";
}

}  // namespace netml::admin::cli
