#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/api/site/node/node_verbs.hpp"
#include "wal/format/format.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using net::Method;
using net::Response;

namespace {

Result<Response> archive(const Call& call) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const std::string directory, text_of(fields, "directory"));
  NETML_TRY(const wal::ArchivedSegments moved, call.services.node.archive(directory));
  return json_answer(200, {{"directory", moved.directory},
                           {"segments", moved.segments.size()},
                           {"bytes", moved.bytes},
                           {"compressed_bytes", moved.compressed_bytes},
                           {"packed_bytes", moved.compressed_bytes}});  // as in version 0.1
}

// What a program must know to open the directory, and why.
Result<Response> disk_format(const Call& call) {
  NETML_TRY(const wal::Manifest manifest, call.services.node.manifest());
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

void add_node_archive(Routes& routes) {
  routes.add(Method::post, "node/archive", kNodeVerb, archive);
  routes.add(Method::get, "node/disk-format", kNodeVerb, disk_format);
}

}  // namespace netml::admin::web
