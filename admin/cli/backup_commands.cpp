#include "admin/cli/backup_commands.hpp"

#include <fmt/format.h>

#include "admin/cli/files.hpp"
#include "admin/cli/output.hpp"
#include "admin/cli/watch.hpp"

namespace netml::admin::cli {

namespace {

// A server that finds damage while it sends can only break off; it has logged why.
Failure without_backup(Failure failure, const OutputFile& file) {
  failure.message += fmt::format("; {} was not written", file.path());
  if (file.bytes() > 0 && failure.code != ExitCode::damaged)
    failure.message += ". The log of the server says why it broke off";
  return failure;
}

std::string restored_table(const RestoreOptions& options, const Restored& restored) {
  Table table;
  table.row({"restored", options.into});
  table.row({"head", restored.head});
  table.row({"segments", fmt::format("{}", restored.segments)});
  table.row({"transactions", fmt::format("{}", restored.transactions)});
  table.row({"checkpoints", fmt::format("{}", restored.checkpoints)});
  table.row({"kept files", fmt::format("{}", restored.uploads)});
  return table.text();
}

std::string restored_json(const RestoreOptions& options, const Restored& restored) {
  return fmt::format(
      R"({{"restored":{},"head":{},"segments":{},"transactions":{},"checkpoints":{},"uploads":{}}})"
      "\n",
      json_string(options.into), json_string(restored.head), restored.segments,
      restored.transactions, restored.checkpoints, restored.uploads);
}

}  // namespace

// Only the head goes to standard output, so that a script can note it elsewhere.
CommandOutcome run_command(const BackupOptions& options, Client& client) {
  NETML_TRY(OutputFile file, OutputFile::create(options.file, FileReaders::owner));
  Watch watch(client.environment(), {"written", ""}, std::nullopt);
  const BodySink sink = [&](std::string_view piece) -> Status {
    NETML_TRY_VOID(file.write(piece));
    watch.progress().sent(file.bytes());
    return {};
  };
  auto response = client.call({.target = "/control/backup/", .body = {}, .body_file = {}}, sink);
  watch.finish();
  if (!response) return tl::make_unexpected(without_backup(std::move(response).error(), file));
  NETML_TRY_VOID(file.commit());
  if (client.json())
    return client.print(fmt::format("{{\"file\":{},\"bytes\":{},\"head\":{}}}\n",
                                    json_string(file.path()), file.bytes(),
                                    json_string(response->head)));
  NETML_TRY_VOID(client.print(response->head + '\n'));
  client.tell(fmt::format(
      "{}: {}, every checksum and the chain of hashes checked. Keep its head, above, elsewhere: it "
      "proves later that this is the backup. node.key, which tokens and accounts are kept under, "
      "is "
      "not in it: keep a copy apart",
      file.path(), human_size(file.bytes())));
  return {};
}

CommandOutcome run_command(const RestoreOptions& options, Client& client) {
  const Environment& environment = client.environment();
  NETML_TRY(const std::uint64_t bytes, readable_file_size(options.file));
  Watch watch(environment, {"read", "verifying"}, bytes);
  auto restored = environment.restore(options, watch.progress());
  watch.finish();
  if (!restored && restored.error().code == Errc::invalid_input)
    return fail(ExitCode::invalid_file, std::move(restored).error().message);
  if (!restored) return tl::make_unexpected(Failure(std::move(restored).error()));
  NETML_TRY_VOID(client.print(client.json() ? restored_json(options, *restored)
                                            : restored_table(options, *restored)));
  if (!restored->has_key)
    client.tell(fmt::format(
        "There is no node.key: tokens and accounts open nothing until the key of the node that was "
        "backed up lies, with mode 0600, as {}/node.key",
        options.into));
  if (!options.head)
    client.tell("Compare the head with the one noted when the backup was made; --head does so");
  client.tell(
      fmt::format("All of it was verified. Go on with: netml serve --data {}", options.into));
  return {};
}

}  // namespace netml::admin::cli
