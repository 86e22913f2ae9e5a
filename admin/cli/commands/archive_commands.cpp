#include "admin/cli/commands/archive_commands.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "admin/cli/client/output.hpp"
#include "engine/base/counted.hpp"

namespace netml::admin::cli {

// The server has a working directory of its own.
CommandOutcome run_command(const ArchiveOptions& options, Client& client) {
  const std::string directory =
      std::filesystem::absolute(options.directory).lexically_normal().string();
  NETML_TRY(const JsonValue moved, client.ask({.method = "POST",
                                               .target = api("node/archive").text(),
                                               .body = json_object({{"directory", directory}}),
                                               .body_file = {}}));
  if (client.json()) return {};
  const std::uint64_t segments = moved.number("segments");
  if (segments == 0)
    return client.print(
        "nothing to move: a start needs every segment since the older of two checkpoints, and "
        "the one in use stays\n");
  NETML_TRY_VOID(
      client.print(fmt::format("moved {}, {}, to {}: {} there\n", counted(segments, "segment"),
                               human_size(moved.number("bytes")), printable(directory),
                               human_size(moved.number("compressed_bytes")))));
  client.tell("Keep that directory where it is: log, verify, replay and backup read it");
  return {};
}

CommandOutcome run_command(const DowngradeCheckOptions&, Client& client) {
  NETML_TRY(const JsonValue answer,
            client.ask({.target = api("node/disk-format").text(), .body = {}, .body_file = {}}));
  const std::uint64_t format = answer.number("format");
  const std::uint64_t oldest = answer.number("oldest_format");
  if (!client.json())
    NETML_TRY_VOID(
        client.print(fmt::format("disk format {}: a program of that format can open the "
                                 "data directory (netml --version)\n",
                                 format)));
  if (format == oldest) return {};
  for (const JsonValue& reason : answer.at("reasons").items()) client.tell(reason.text());
  if (answer.number("backup_format") == oldest)
    return fail(
        ExitCode::failed,
        fmt::format("a program of format {} cannot open it. A backup holds all segments itself "
                    "and has format {}: netml backup FILE, then netml restore with that program",
                    oldest, oldest));
  return fail(ExitCode::failed,
              fmt::format("a program of format {} cannot open it, nor a backup of it: it can "
                          "restore a backup that was made before the directory had format {}",
                          oldest, answer.number("backup_format")));
}

}  // namespace netml::admin::cli
