#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/api/control/control_requests.hpp"
#include "wal/format/format.hpp"

namespace netml::admin {

namespace json = boost::json;
using net::Method;
using net::Request;
using net::Response;

namespace {

Result<Response> archive(Services& services, const json::object& body) {
  NETML_TRY(const std::string directory, text_of(body, "directory"));
  NETML_TRY(const wal::ArchivedSegments moved, services.node.archive(directory));
  return json_answer(200, {{"directory", moved.directory},
                           {"segments", moved.segments.size()},
                           {"bytes", moved.bytes},
                           {"compressed_bytes", moved.packed_bytes},
                           {"packed_bytes", moved.packed_bytes}});  // as in version 0.1
}

// What a program must know to open the directory, and why.
Result<Response> disk_format(Services& services) {
  NETML_TRY(const wal::Manifest manifest, services.node.manifest());
  const auto archived = std::ranges::count_if(
      manifest.segments, [](const wal::SegmentEntry& entry) { return entry.archive != 0; });
  json::array reasons;
  if (!manifest.archives.empty())
    reasons.emplace_back(fmt::format("{} segments of the journal are archived", archived));
  if (manifest.format > wal::format::kVersion1)
    reasons.emplace_back(
        fmt::format("what is written has format {}, as in every directory that "
                    "began with it or was changed since",
                    manifest.format));
  return json_answer(200, {{"format", wal::oldest_reader(manifest)},
                           {"oldest_format", wal::format::kVersion1},
                           {"backup_format", manifest.format},
                           {"reasons", std::move(reasons)}});
}

}  // namespace

void register_archive_api(net::Router& router, Services& services) {
  router.add(Method::post, "/control/archive/",
             with_body([&services](const Request&, const json::object& body) {
               return archive(services, body);
             }));
  router.add(Method::get, "/control/disk-format/",
             without_body([&services](const Request&) { return disk_format(services); }));
}

}  // namespace netml::admin
