#include "admin/server/restore.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "admin/cli/client/files.hpp"
#include "admin/node/data_path.hpp"
#include "admin/node/key_file.hpp"
#include "admin/node/key_findings.hpp"
#include "engine/base/parallel.hpp"
#include "wal/upkeep/backup.hpp"

namespace netml::admin {

namespace {

namespace fs = std::filesystem;

std::string_view shown(std::string_view path) {
  return path == cli::kStandardStream ? "standard input" : path;
}

// A file that the administrator names; links to it are followed.
Result<std::unique_ptr<wal::File>> open_named(const std::string& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error) return fail(Errc::not_found, fmt::format("cannot read {}: {}", path, error.message()));
  NETML_TRY(const auto directory, wal::PosixStorage::open_path(real.parent_path().string()));
  return directory->open(real.filename().string(), wal::OpenMode::read);
}

// At once, without a copy in a file: it is a secret.
Result<std::size_t> read_standard_input(std::span<std::byte> into) {
  std::size_t count = 0;
  while (count < into.size()) {
    const ssize_t got = ::read(STDIN_FILENO, into.data() + count, into.size() - count);
    if (got == 0) break;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      return fail(Errc::io_error, fmt::format("cannot read {}: {}", shown(cli::kStandardStream),
                                              error_text(errno)));
    count += static_cast<std::size_t>(got);
  }
  return count;
}

Result<std::size_t> read_named(const std::string& path, std::span<std::byte> into) {
  NETML_TRY(const std::unique_ptr<wal::File> file, open_named(path));
  return file->read(0, into);
}

Result<SecretKey> read_key(const std::string& path) {
  std::vector<std::byte> bytes(kKeyFileBytesMax + 1);
  NETML_TRY(const std::size_t count,
            path == cli::kStandardStream ? read_standard_input(bytes) : read_named(path, bytes));
  bytes.resize(count);
  if (const auto key = decode_key_file(bytes)) return *key;
  return fail(
      Errc::invalid_input,
      fmt::format("{} is no node.key, or it is damaged; nothing was restored", shown(path)));
}

// Whether it opens anything of what tokens and accounts keep sealed. They may be of an earlier key,
// which was lost, so one is enough; where nothing is sealed any key will do.
Status check_fits(const SecretKey& key, const std::string& path, const engine::Catalog& catalog) {
  const SealedTexts sealed = try_sealed_texts(key, catalog);
  if (sealed.opened || sealed.count == 0) return {};
  return fail(Errc::conflict,
              fmt::format("{} is not the node.key of this backup: it opens none of its {} tokens "
                          "and accounts; nothing was restored",
                          shown(path), sealed.count));
}

// A directory that is there may be a mount point, so it is filled where it is.
Result<wal::Head> fill_empty(const std::string& path,
                             const std::function<Result<wal::Head>(wal::Storage&)>& fill) {
  NETML_TRY(const auto directory, wal::PosixStorage::open_path(path));
  NETML_TRY(const std::vector<wal::DirectoryEntry> entries, directory->list());
  if (!entries.empty())
    return fail(
        Errc::conflict,
        fmt::format("{} is not empty; nothing was changed. Name a new directory with --into",
                    path));
  Result<wal::Head> filled = fill(*directory);
  if (filled) return filled;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, error))
    fs::remove_all(entry.path(), error);
  return filled;
}

}  // namespace

Result<cli::Restored> restore_backup(const cli::RestoreOptions& options, cli::Progress& progress) {
  wal::RestoreOptions wanted{.progress = [&](std::uint64_t bytes) { progress.sent(bytes); }};
  if (progress.watched()) wanted.verifying = [&](const WorkNow& now) { progress.work(now); };
  if (options.head) wanted.known = wal::parse_head(*options.head);
  std::optional<SecretKey> key;
  if (options.key) {
    NETML_TRY(key, read_key(*options.key));
  }
  NETML_TRY(const std::unique_ptr<wal::File> backup, open_named(options.file));
  wal::VerifyReport report;
  const auto fill = [&](wal::Storage& into) -> Result<wal::Head> {
    InlineParallel on_this_thread;
    NETML_TRY(report, wal::restore(*backup, into, on_this_thread, wanted));
    if (key) {
      NETML_TRY_VOID(check_fits(*key, *options.key, report.state->catalog));
      NETML_TRY_VOID(write_key_file(into, kNodeKeyFile, *key));
    }
    return report.head;
  };
  std::error_code error;
  const bool there = fs::is_directory(options.into, error);
  NETML_TRY_VOID(there ? fill_empty(options.into, fill) : make_data_path(options.into, fill));
  return cli::Restored{.head = to_string(report.head),
                       .segments = report.segments,
                       .transactions = report.transactions,
                       .checkpoints = report.checkpoints,
                       .uploads = report.uploads,
                       .uploads_gone = report.uploads_gone,
                       .uploads_left_out = report.uploads_left_out,
                       .has_key = key.has_value()};
}

}  // namespace netml::admin
