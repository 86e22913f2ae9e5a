// Files as clients upload them. Thread: as the intake.
#pragma once

#include <string>

#include "admin/imports/intake.hpp"

namespace netml::admin::testing {

inline ImportRequest from_client(std::uint64_t file_bytes = 0, std::uint64_t token = 7) {
  ImportRequest request;
  request.caller = {engine::ActorKind::token, "peer", "192.0.2.9", "r1"};
  request.file_name = "map.xml";
  request.token = token;
  request.token_client_name = "peer";
  request.file_bytes = file_bytes;
  return request;
}

// The way to the end that IMPORT_ANSWER says.
inline ImportOutcome upload(Intake& intake, const std::string& file,
                            ImportRequest request = from_client()) {
  const UploadEnd end = intake.end_for_clients();
  const bool queued = end == UploadEnd::queue;
  auto begun = intake.begin(std::move(request), queued ? ReadWhen::stored : ReadWhen::arriving);
  if (!begun) return tl::unexpected(begun.error());
  if (const Status written = (*begun)->write(file); !written)
    return tl::unexpected(ImportFailure{.error = written.error()});
  return (*begun)->finish(end);
}

}  // namespace netml::admin::testing
