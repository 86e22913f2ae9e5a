// Backups and the way back: the first asks whoever holds the data directory, the second works on
// files alone. Where old parts of the journal lie, and what may still open the directory.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "admin/base/key_texts.hpp"
#include "admin/cli/client/files.hpp"
#include "admin/cli/client/output.hpp"
#include "admin/cli/client/progress.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/grammar/grammar.hpp"
#include "engine/base/json_string.hpp"
#include "engine/base/wording.hpp"

namespace netml::admin::cli {

namespace {

// A server that finds damage while it sends can only break off; it has logged why.
Failure without_backup(Failure failure, const std::string& path, bool to_file, std::uint64_t bytes,
                       const GlobalOptions& global) {
  failure.message += fmt::format("; {} was not written", path);
  if (bytes > 0 && failure.code != ExitCode::damaged)
    failure.message += ". The log of the server says why it broke off";
  if (failure.code == ExitCode::damaged && !speaks_of_damaged_key(failure.message))
    failure.advice = fmt::format(
        "What can be done:\n"
        "  list all that is damaged or missing: netml verify --data {0};\n"
        "  where only files of imports are missing, make a backup that says so: netml backup {1} "
        "--without-missing-uploads --data {0};\n"
        "  bring them back from a backup, and keep the damaged directory: netml restore FILE "
        "--into "
        "NEW-DIRECTORY\n",
        global.data_directory, to_file ? path : std::string(kStandardStream));
  return failure;
}

struct BackupOptions {
  std::string file;  // "-": standard output
  bool without_missing_uploads = false;
};

// Where a backup goes: a file, which appears when it is complete, or standard output.
class BackupTarget {
 public:
  static Outcome<BackupTarget> open(const std::string& path, Client& client) {
    BackupTarget target(client);
    if (path == kStandardStream) return target;
    NETML_TRY(OutputFile file, OutputFile::create(path, FileReaders::owner));
    target.file_.emplace(std::move(file));
    return target;
  }
  Status write(std::string_view piece) {
    bytes_ += piece.size();
    return file_ ? file_->write(piece) : client_.environment().out(piece);
  }
  Status commit() { return file_ ? file_->commit() : Status(); }
  bool is_file() const { return file_.has_value(); }
  std::string path() const { return file_ ? file_->path() : "standard output"; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  explicit BackupTarget(Client& client) : client_(client) {}
  Client& client_;
  std::optional<OutputFile> file_;
  std::uint64_t bytes_ = 0;
};

void tell_about(const std::string& path, std::uint64_t bytes, const ControlResponse& response,
                Client& client) {
  if (!response.omitted.empty())
    client.tell(fmt::format("{}: left out: {}; the backup says so", path, response.omitted));
  if (client.json()) return;
  client.tell(fmt::format(
      "{}: {}, head {}, every checksum and the chain of hashes checked. Keep its head elsewhere: "
      "it "
      "proves later that this is the backup. node.key, which tokens and accounts are kept under, "
      "is not in it: keep a copy apart",
      path, human_size(bytes), response.head));
}

Table restored_table(const RestoreOptions& options, const Restored& restored) {
  Table table;
  table.row({"restored", options.into});
  table.row({"head", restored.head});
  table.row({"segments", fmt::format("{}", restored.segments)});
  table.row({"transactions", fmt::format("{}", restored.transactions)});
  table.row({"checkpoints", fmt::format("{}", restored.checkpoints)});
  table.row({"stored files", kept_files_text(restored.uploads, restored.uploads_gone)});
  add_left_out_row(table, restored.uploads_left_out);
  return table;
}

std::string restored_json(const RestoreOptions& options, const Restored& restored) {
  return fmt::format(
      R"({{"restored":{},"head":{},"segments":{},"transactions":{},"checkpoints":{},"uploads":{},)"
      R"("uploads_gone":{},"uploads_left_out":{}}})"
      "\n",
      json_string(options.into), json_string(restored.head), restored.segments,
      restored.transactions, restored.checkpoints, restored.uploads, restored.uploads_gone,
      restored.uploads_left_out);
}

// Only the head goes to standard output, so that a script can note it elsewhere.
CommandOutcome back_up(const BackupOptions& options, Client& client) {
  NETML_TRY(BackupTarget target, BackupTarget::open(options.file, client));
  Watch watch(client, {"written", "preparing"}, std::nullopt);
  const Target wanted =
      api("node/backup").flag("without_missing_uploads", options.without_missing_uploads);
  auto response = client.call(request("GET", wanted), watch.into(target));
  watch.finish();
  if (!response)
    return tl::make_unexpected(without_backup(std::move(response).error(), target.path(),
                                              target.is_file(), target.bytes(), client.global()));
  NETML_TRY_VOID(target.commit());
  if (target.is_file()) {
    client.set_result(fmt::format(R"({{"file":{},"bytes":{},"head":{},"omitted":{}}})",
                                  json_string(target.path()), target.bytes(),
                                  json_string(response->head), json_string(response->omitted)));
    if (!client.json()) NETML_TRY_VOID(client.print(response->head + '\n'));
  }
  tell_about(target.path(), target.bytes(), *response, client);
  return {};
}

CommandOutcome restore(const RestoreOptions& options, Client& client) {
  const Environment& environment = client.environment();
  if (options.file == kStandardStream && options.key == kStandardStream)
    return fail(ExitCode::usage,
                "the backup and its key cannot both be standard input: name the file of one");
  NETML_TRY(const InputFile input, InputFile::open_with_name(options.file));
  RestoreOptions wanted = options;
  wanted.file = input.path();
  Watch watch(client, {"read", "verifying"}, input.bytes());
  auto restored = environment.restore(wanted, watch.progress());
  watch.finish();
  if (!restored && restored.error().code == Errc::invalid_input)
    return fail(ExitCode::invalid_file, std::move(restored).error().message);
  if (!restored) return tl::make_unexpected(Failure(std::move(restored).error()));
  client.set_result(restored_json(options, *restored));
  if (!client.json()) NETML_TRY_VOID(client.print(restored_table(options, *restored)));
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

// The server has a working directory of its own.
CommandOutcome archive(const std::string& path, Client& client) {
  const std::string directory = std::filesystem::absolute(path).lexically_normal().string();
  Watch watch(client, {"archiving", "archiving"}, std::nullopt);
  auto asked =
      client.ask(request("POST", api("node/archive"), json_object({{"directory", directory}})),
                 watch.progress());
  watch.finish();
  NETML_TRY(const JsonValue moved, std::move(asked));
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

struct DowngradeOptions {
  std::optional<std::uint64_t> to;  // none: the format before that of this program
};

// What a program of an older format finds, and what there is to do.
Failure no_downgrade(std::uint64_t target, std::uint64_t backup_format) {
  if (backup_format <= target)
    return {
        ExitCode::failed,
        fmt::format("a program of format {} cannot open it. A backup holds all segments itself "
                    "and has format {}: netml backup FILE, then netml restore with that program",
                    target, backup_format)};
  return {ExitCode::failed,
          fmt::format("a program of format {} cannot open it, nor a backup of it: it can "
                      "restore a backup that was made before the directory had format {}",
                      target, backup_format)};
}

CommandOutcome check_downgrade(const DowngradeOptions& options, Client& client) {
  client.open_to(Access::examine);
  NETML_TRY(const JsonValue answer, client.ask(request("GET", api("node/disk-format"))));
  const std::uint64_t format = answer.number("format");
  const std::uint64_t oldest = answer.number("oldest_format");
  const auto newest = static_cast<std::uint64_t>(client.environment().disk_format_version);
  const std::uint64_t target = options.to.value_or(std::max(oldest, newest - 1));
  if (!client.json())
    NETML_TRY_VOID(
        client.print(fmt::format("disk format {}: a program of that format can open the "
                                 "data directory (netml --version)\n",
                                 format)));
  if (format <= target) {
    if (format < newest)
      client.tell(
          fmt::format("It becomes {} when this program has changed something and taken a "
                      "checkpoint",
                      newest));
    return {};
  }
  for (const JsonValue& reason : answer.at("reasons").items()) client.tell(reason.text());
  return tl::make_unexpected(no_downgrade(target, answer.number("backup_format")));
}

}  // namespace

void define_backup(Grammar& grammar) {
  grammar.add(grammar.app(),
              {"archive", "Move old segments of the journal to another directory, compressed",
               "netml archive /mnt/archive/netml"},
              {"DIR",
               "Directory outside of the data directory, for this node alone; log, verify, "
               "replay and backup read the segments there"},
              archive);
  const auto downgrade = grammar.add(
      grammar.app(),
      {"downgrade-check", "Say whether an earlier version could open the data directory",
       "netml downgrade-check --to-format 3"},
      check_downgrade);
  downgrade.app->add_option("--to-format", downgrade.options->to,
                            "Disk format of that version, as its netml --version says; by default "
                            "the one before that of this program");
  const auto backup = grammar.add(
      grammar.app(),
      {"backup", "Write all data into one file, also while a server runs; print its head",
       "netml backup /mnt/backup/netml-2024-03-01.tar"},
      back_up);
  backup.app
      ->add_option("FILE", backup.options->file,
                   "File to write (replaced when complete), or - for standard output, without its "
                   "head")
      ->required();
  backup.app->add_flag("--without-missing-uploads", backup.options->without_missing_uploads,
                       "Leave out files of imports that are missing, and say so in the backup");
  const auto back =
      grammar.add(grammar.app(),
                  {"restore", "Make a data directory from a backup and verify all of it",
                   "netml restore /mnt/backup/netml-2024-03-01.tar --into /var/lib/netml-restored"},
                  restore);
  back.app
      ->add_option("FILE", back.options->file, "What netml backup wrote, or - for standard input")
      ->required();
  back.app->add_option("--into", back.options->into, "Directory to make, or an empty one")
      ->type_name("DIR")
      ->required();
  back.app
      ->add_option("--key", back.options->key,
                   "Copy of the node.key of the node that was backed up, or - for standard input")
      ->type_name("FILE");
  back.app
      ->add_option("--head", back.options->head,
                   "LSN:HASH noted earlier: the backup's journal must pass through it")
      ->check(check_head);
}

}  // namespace netml::admin::cli
